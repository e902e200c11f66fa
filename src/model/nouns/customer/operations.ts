import { defineChange, defineCreation, defineNote, defineRemoval } from '../../declaration/usual-operations.ts'
import { customer } from './customer.ts'

/** Everything that can be done with a customer. */
export const customerOperations = [
  defineCreation(customer, {
    examples: [
      { name: 'Ana Ruiz', email: 'ana@example.com', age: 41, children: 2, country: 'ES', company: 'Ruiz e Hijos' },
      { name: 'Jonas Weber' },
    ],
  }),
  defineChange(customer, { noun: 'edits', examples: [{ age: 42, children: 3 }, { email: null }] }),
  defineNote(customer, 'Notes'),
  defineRemoval(customer, 'admin'),
] as const
