import { country } from '../../../values/kinds/codes.ts'
import { phone } from '../../../values/kinds/contact.ts'
import { email } from '../../../values/kinds/email.ts'
import { nullable } from '../../../values/kinds/kind.ts'
import { integer, ordinal } from '../../../values/kinds/number.ts'
import { nameText, reference, text } from '../../../values/kinds/text.ts'
import { instant } from '../../../values/kinds/time.ts'
import { assigned, given, type ThingOf, unique } from '../../declaration/field.ts'
import { defineResource } from '../../declaration/resource.ts'
import { customerFileWords } from './file-words.ts'

export const customer = defineResource({
  name: 'customer',
  plural: 'customers',
  path: '/customers',
  fields: {
    id: assigned(ordinal),
    name: given(nameText({ min: 1, max: 200 })),
    email: given(nullable(email), null),
    age: given(nullable(integer({ min: 0, max: 150 })), null),
    children: given(nullable(integer({ min: 0, max: 50 })), null),
    country: given(nullable(country), null),
    company: given(nullable(text({ min: 1, max: 200 })), null),
    phone: given(nullable(phone), null),
    reference: unique(given(nullable(reference), null)),
    createdAt: assigned(instant),
    updatedAt: assigned(instant),
    revision: assigned(ordinal),
  },
  extensible: true,
  indexed: ['id', 'name', 'age', 'children', 'createdAt'],
  searched: ['name', 'email', 'company', 'phone', 'reference'],
  dialled: ['phone'],
  markings: [],
  forms: ['resource', 'custom-method', 'attribute-update', 'command', 'command-endpoint'],
  put: 'anew',
  imports: 'together',
  inFiles: customerFileWords,
  roles: { reads: 'reader', writes: 'editor' },
  example: {
    id: 7,
    name: 'Ana Ruiz',
    email: 'ana@example.com',
    age: 41,
    children: 2,
    country: 'ES',
    company: 'Ruiz e Hijos',
    phone: '+34 600 123 456',
  },
})

export type Customer = ThingOf<typeof customer.fields>
