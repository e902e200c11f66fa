import { choices } from '../../values/kinds/choices.ts'
import { phone, url } from '../../values/kinds/contact.ts'
import { email } from '../../values/kinds/email.ts'
import { existingUser, type Kind, type KindTitles, linkTo, nullable, present } from '../../values/kinds/kind.ts'
import { amount, decimal } from '../../values/kinds/money.ts'
import { boolean, integer } from '../../values/kinds/number.ts'
import { choice, nameText, text } from '../../values/kinds/text.ts'
import { date, instant } from '../../values/kinds/time.ts'
import { type Field, given } from '../declaration/field.ts'
import type { AddedField, AddedKind } from '../source/added-field.ts'

/** The kinds of the keys of all resources, by their names. */
type KeyKinds = (resource: string) => Kind<unknown>

/** Existing things have no value, so that it is null in documents even if it is required. */
export function fieldAdded(field: AddedField, keyOf: KeyKinds): Field {
  const kind = { ...kindAdded(field, keyOf), titled: titlesOf(field) }
  return {
    ...given(nullable(kind), null),
    ...(field.required && { required: present(kind) }),
    ...(field.unique && { unique: true }),
    added: field,
  }
}

/** By position; equal ones in the order in which they were added. */
export const inPlace = (fields: readonly AddedField[]): readonly AddedField[] =>
  fields.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0) || compareIds(a.id ?? '', b.id ?? ''))

const compareIds = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

function titlesOf({ title, titles, help, group, options: { values } = {} }: AddedField): KindTitles {
  return { title, titles, help, group, ...(values && { values: new Map(values.map((each) => [each.value, each])) }) }
}

const USUAL_MAX = 200

function kindAdded({ kind, options: { max = USUAL_MAX, values = [], to = '' } = {} }: AddedField, keyOf: KeyKinds) {
  const words = values.map(({ value }) => value)
  const staying = values.filter(({ closing }) => !closing).map(({ value }) => value)
  const made: { readonly [K in AddedKind]: () => Kind<unknown> } = {
    text: () => text({ min: 1, max }),
    choice: () => closedTo(choice(words), choice(staying)),
    choices: () => closedTo(choices(words), choices(staying)),
    integer: () => integer(),
    number: decimal,
    amount: () => amount(),
    boolean: () => boolean,
    date: () => date,
    instant: () => instant,
    user: () => existingUser(nameText({ min: 1, max: 200 })),
    link: () => linkTo(to, keyOf(to)),
    url: () => url,
    email: () => email,
    phone: () => phone,
  }
  return made[kind]()
}

/** Writes set what another kind can read; documents and filters have all values. */
const closedTo = <T>(kind: Kind<T>, { read, readText }: Kind<T>): Kind<T> => ({
  ...kind,
  read,
  readText,
  readFilter: kind.readFilter ?? kind.readText,
})
