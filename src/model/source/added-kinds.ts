import { choices } from '../../values/kinds/choices.ts'
import { phone, url } from '../../values/kinds/contact.ts'
import { email } from '../../values/kinds/email.ts'
import { existingUser, type Kind, linkTo } from '../../values/kinds/kind.ts'
import { amount, decimal } from '../../values/kinds/money.ts'
import { boolean, integer } from '../../values/kinds/number.ts'
import { choice, nameText, text } from '../../values/kinds/text.ts'
import { date, instant } from '../../values/kinds/time.ts'

/** A kind of added field: the kind of its values, and what such a field can be. */
export interface AddedKindDeclaration<N extends string = string> {
  readonly name: N
  readonly valuesOf: (options: AddedOptions, keyOf: KeyKinds) => Kind<unknown>
  /** The option that it has. */
  readonly option?: keyof AddedOptions
  readonly unique?: true
  readonly searched?: true
  readonly indexed?: true
  /** Only for things that have a currency. */
  readonly isMoney?: true
}

/** The kinds of the keys of all resources, by their names. */
export type KeyKinds = (resource: string) => Kind<unknown>

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

const USUAL_MAX = 200

const declared = [
  {
    name: 'text',
    valuesOf: ({ max = USUAL_MAX }) => text({ min: 1, max }),
    option: 'max',
    ...{ unique: true, searched: true, indexed: true },
  },
  { name: 'choice', valuesOf: chosenFrom(choice), option: 'values', indexed: true },
  { name: 'choices', valuesOf: chosenFrom(choices), option: 'values', searched: true },
  { name: 'integer', valuesOf: () => integer(), unique: true, indexed: true },
  { name: 'number', valuesOf: decimal, unique: true, indexed: true },
  { name: 'amount', valuesOf: () => amount(), indexed: true, isMoney: true },
  { name: 'boolean', valuesOf: () => boolean, indexed: true },
  { name: 'date', valuesOf: () => date, unique: true, indexed: true },
  { name: 'instant', valuesOf: () => instant, indexed: true },
  { name: 'user', valuesOf: () => existingUser(nameText({ min: 1, max: 200 })), indexed: true },
  { name: 'link', valuesOf: ({ to = '' }, keyOf) => linkTo(to, keyOf(to)), option: 'to', indexed: true },
  { name: 'url', valuesOf: () => url, unique: true, searched: true, indexed: true },
  { name: 'email', valuesOf: () => email, unique: true, searched: true, indexed: true },
  { name: 'phone', valuesOf: () => phone, unique: true, searched: true, indexed: true },
] as const satisfies readonly AddedKindDeclaration[]

export type AddedKind = (typeof declared)[number]['name']

export const addedKinds: readonly AddedKind[] = declared.map(({ name }) => name)

export const addedKind = (name: AddedKind): AddedKindDeclaration =>
  declared.find((each) => each.name === name) as AddedKindDeclaration

/** The kinds of fields that can be so. */
export const kindsThatCanBe = (what: 'unique' | 'searched' | 'indexed'): readonly AddedKind[] =>
  addedKinds.filter((name) => addedKind(name)[what])

/** Writes set a choice that stays; documents and filters have all of them. */
function chosenFrom<T>(kindOf: (values: readonly string[]) => Kind<T>) {
  return ({ values = [] }: AddedOptions): Kind<T> => {
    const kind = kindOf(values.map(({ value }) => value))
    const { read, readText } = kindOf(values.filter(({ closing }) => !closing).map(({ value }) => value))
    return { ...kind, read, readText, readFilter: kind.readFilter ?? kind.readText }
  }
}
