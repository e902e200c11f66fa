import { decimalIn } from '../../languages/decimals.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { FieldChoice, FormField } from '../../representations/document.ts'
import { choiceTitle, fieldTitle, groupTitle } from '../../representations/html/field-title.ts'
import { asText } from '../../values/json/exact-numbers.ts'
import { BETWEEN } from '../../values/kinds/choices.ts'
import type { Kind, Within } from '../../values/kinds/kind.ts'
import type { Members } from '../../values/members.ts'
import { plainText } from '../parts/value-text.ts'

export type FieldValues = { readonly [name: string]: unknown }

/** The fields of a form for members, with their values and examples. */
export function formFields(members: Members, values: FieldValues, example: FieldValues): readonly FormField[] {
  return Object.entries(members).map(([name, { kind, required }]) => ({
    name,
    label: fieldTitle(name, kind),
    schema: kind.schema,
    ...(kind.namesUser && { namesUser: kind.namesUser }),
    // A field that accepts null or an empty string may stay empty.
    required: required && !kind.nullable && 'fault' in kind.read(''),
    ...choicesOf(kind),
    ...(kind.contact && { keyboard: kind.contact }),
    ...(typeof kind.titled?.group === 'string' && { heading: kind.titled.group }),
    ...(typeof kind.titled?.help === 'string' && { note: said(kind.titled.help) }),
    ...(isGiven(values[name]) && { value: fieldText(values[name]) }),
    ...(isGiven(example[name]) && !kind.namesUser && { placeholder: exampleText(example[name]) }),
  }))
}

/** One with parts is as it is written, in every language; a number as the reader would type it. */
function exampleText(value: unknown): Text {
  if (typeof value === 'number') return ({ locale }) => decimalIn(String(value), locale)
  return typeof value === 'object' ? said(plainText(value)) : say(String(value))
}

/** The choices of an added field by their titles. */
function choicesOf(kind: Kind<unknown>): Pick<FormField, 'choices' | 'several' | 'within'> {
  const { within } = kind
  if (within !== undefined && within.groups.size > 1)
    return { choices: choicesWithin(kind, within), within: { field: within.field } }
  const choices = titledChoices(kind)
  return choices === undefined ? {} : { choices, ...(kind.name === 'choices' && { several: true }) }
}

/** The choices that depend on another field, by its choices. */
const choicesWithin = (kind: Kind<unknown>, within: Within): readonly FieldChoice[] =>
  [...within.groups].flatMap(([of, { words }]) => {
    const group = { value: String(of), text: groupTitle(within, of) ?? String(of) }
    return [...words.keys()].map((value) => ({ value, text: choiceTitle(kind, value, of) ?? value, group }))
  })

/** Undefined if nobody gave them titles. */
export function titledChoices(kind: Kind<unknown>): readonly FieldChoice[] | undefined {
  const titles: ReadonlyMap<string, unknown> = kind.titled?.values ?? kind.words ?? new Map()
  const values = [...titles.keys()]
  const inOrder = kind.words === undefined ? values : ((kind.schema.enum ?? []) as readonly string[]).map(String)
  return values.length === 0 ? undefined : inOrder.map((value) => ({ value, text: choiceTitle(kind, value) ?? value }))
}

/** A text that somebody wrote is the same for every reader. */
const said =
  (text: string): Text =>
  () =>
    text

/** The text of a value in a form. */
export const fieldText = (value: unknown): string => (Array.isArray(value) ? value.join(BETWEEN) : asText(value))

const isGiven = (value: unknown): boolean => value !== undefined && value !== null
