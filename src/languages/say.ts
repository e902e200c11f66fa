import { memoize } from '../values/memoize.ts'
import { numberText, pluralOf } from './formats.ts'
import type { TextForms } from './language.ts'
import type { Reader } from './reader.ts'
import { type Text, type Words, wordsFor } from './text.ts'

export type Places = { readonly [name: string]: number | Words }

/**
 * An English text in the reader's language, with its places filled in: `say('{count} more deals', { count })`. A text
 * that depends on `count` has one form for each plural category. A suffix after a bar distinguishes meanings that share
 * one English text: `say('Open|verb')`. A text that no language file has, such as the label of a new field, stays
 * English.
 */
export const say =
  (text: string, places?: Places): Text =>
  (reader) => {
    const template = templateFor(reader, text, places?.count)
    if (places === undefined) return template
    let said = ''
    for (const [at, part] of cut(template).entries()) said += at % 2 === 1 ? placeText(places[part], reader) : part
    return said
  }

/**
 * The text in the reader's language with its places open, for callers that fill them with something other than text.
 */
export function templateFor(reader: Reader, text: string, count?: unknown): string {
  const said = reader.language.texts.get(text)
  return (typeof said === 'object' ? formOf(said, count, reader) : said) ?? plain(text)
}

/** Cuts a template at its places. */
export function fillPlaces<T>(template: string, fill: (name: string) => T): readonly (string | T)[] {
  return cut(template).map((part, at) => (at % 2 === 1 ? fill(part) : part))
}

/** There are only as many templates as texts with places. */
const cut = memoize((template): readonly string[] => template.split(/\{(\w+)\}/), 4096)

function formOf(forms: TextForms, count: unknown, reader: Reader): string | undefined {
  return (typeof count === 'number' ? forms[pluralOf(count, reader)] : undefined) ?? forms.other
}

const plain = (text: string): string => {
  const bar = text.indexOf('|')
  return bar === -1 ? text : text.slice(0, bar)
}

const placeText = (value: number | Words = '', reader: Reader): string =>
  typeof value === 'number' ? numberText(value)(reader) : wordsFor(value, reader)
