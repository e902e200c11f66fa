import { country } from '../../values/codes.ts'
import { nullable, type ValueOf } from '../../values/kind.ts'
import { integer } from '../../values/number.ts'
import { nameText } from '../../values/text.ts'
import { instant } from '../../values/time.ts'

/** The fields of a customer, in the order in which it is written and stored. */
export const customerFields = {
  id: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  name: nameText({ min: 1, max: 200 }),
  email: nullable(
    nameText({
      min: 3,
      max: 320,
      pattern: { regex: /^[^\s@]+@[^\s@]+$/, detail: 'must be an address such as ana@example.com' },
    }),
  ),
  age: nullable(integer({ min: 0, max: 150 })),
  children: nullable(integer({ min: 0, max: 50 })),
  country: nullable(country),
  createdAt: instant,
  updatedAt: instant,
  revision: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
} as const

export type Customer = { readonly [F in keyof typeof customerFields]: ValueOf<(typeof customerFields)[F]> }

/** The customer's document: the JSON text that every reader gets. */
export function customerToJson(customer: Customer): string {
  const { email, country } = customer
  return `{"id":${customer.id},"name":${JSON.stringify(customer.name)},"email":${
    email === null ? 'null' : JSON.stringify(email)
  },"age":${customer.age},"children":${customer.children},"country":${
    country === null ? 'null' : `"${country}"`
  },"createdAt":"${customer.createdAt}","updatedAt":"${customer.updatedAt}","revision":${customer.revision}}`
}
