import { choices } from '../../values/kinds/choices.ts'
import { phone, url } from '../../values/kinds/contact.ts'
import { email } from '../../values/kinds/email.ts'
import { existingUser, type Kind, type KindTitles, nullable, present, referenceTo } from '../../values/kinds/kind.ts'
import { amount, decimal } from '../../values/kinds/money.ts'
import { boolean, integer } from '../../values/kinds/number.ts'
import { choice, nameText, text } from '../../values/kinds/text.ts'
import { date, instant } from '../../values/kinds/time.ts'
import { type Field, given } from '../field.ts'

/** The kinds of added fields. */
export const addedKinds = [
  'text',
  'choice',
  'choices',
  'integer',
  'number',
  'amount',
  'boolean',
  'date',
  'instant',
  'user',
  'link',
  'url',
  'email',
  'phone',
] as const
export type AddedKind = (typeof addedKinds)[number]

/** A field that is not declared in the source: plain data, because every thread and instance builds its own schema. */
export interface AddedField {
  /** The id of the thing that it is made of. */
  readonly id?: string
  /** The name of its resource. */
  readonly on: string
  readonly name: string
  readonly title: string
  /** Its title in other languages. */
  readonly titles?: Readonly<Record<string, string>>
  readonly help?: string | null
  readonly kind: AddedKind
  readonly options?: AddedOptions
  /** Asked of creations and of changes of the field. */
  readonly required?: boolean
  readonly unique?: boolean
  readonly indexed?: boolean
  readonly searched?: boolean
  /** While its index is being filled, writes keep it up and no query reads it; absent if it is ready. */
  readonly state?: 'ready' | 'building' | 'failed' | 'purged'
  /** That of the thing that it is made of. */
  readonly revision?: number
  /** The choices that things get instead of closing ones. */
  readonly replaceBy?: Readonly<Record<string, string>> | null
  /** A retired field is in no resource. */
  readonly retiredAt?: string | null
}

export interface AddedOptions {
  /** The longest `text`. */
  readonly max?: number
  /** Of `choice` and `choices`, in their order. */
  readonly values?: readonly AddedChoice[]
  /** The resource that a `link` refers to. */
  readonly to?: string
}

export interface AddedChoice {
  readonly value: string
  readonly title: string
  readonly titles?: Readonly<Record<string, string>>
  /** Set while it is being removed: things have it, and no write sets it. */
  readonly closing?: boolean
}

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

function titlesOf({ title, titles, help, options: { values } = {} }: AddedField): KindTitles {
  return { title, titles, help, ...(values && { values: new Map(values.map((each) => [each.value, each])) }) }
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
    link: () => referenceTo(to, keyOf(to)),
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
