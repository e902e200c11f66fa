import { memoize } from '../values/memoize.ts'
import { currentReader } from './current-reader.ts'
import { numberText, pluralOf } from './formats.ts'
import type { TextForms } from './language.ts'

export type Places = { readonly [name: string]: string | number }

/**
 * An English text in the language of whoever reads it, its places filled in: `say('{count} more deals', { count })`.
 * A text that depends on `count` has one form for each plural category. What follows a bar tells texts apart that are
 * one in English: `say('Open|verb')`. A text that no language file knows, such as a label of a new field, stays English.
 */
export function say(text: string, places?: Places): string {
  const template = templateOf(text, places?.count)
  if (places === undefined) return template
  let said = ''
  for (const [at, part] of cut(template).entries()) said += at % 2 === 1 ? placeText(places[part]) : part
  return said
}

/** The text in the reader's language with its places open, for callers that fill them with something else than text. */
export function templateOf(text: string, count?: unknown): string {
  const said = currentReader().language.texts.get(text)
  return (typeof said === 'object' ? formOf(said, count) : said) ?? plain(text)
}

/** Cuts a template at its places. */
export function fillPlaces<T>(template: string, fill: (name: string) => T): readonly (string | T)[] {
  return cut(template).map((part, at) => (at % 2 === 1 ? fill(part) : part))
}

/** There are as many templates as texts with places. */
const cut = memoize((template): readonly string[] => template.split(/\{(\w+)\}/), 4096)

function formOf(forms: TextForms, count: unknown): string | undefined {
  return (typeof count === 'number' ? forms[pluralOf(count)] : undefined) ?? forms.other
}

const plain = (text: string): string => {
  const bar = text.indexOf('|')
  return bar === -1 ? text : text.slice(0, bar)
}

const placeText = (value: string | number | undefined): string =>
  typeof value === 'number' ? numberText(value) : (value ?? '')
