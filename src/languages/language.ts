import { readdirSync, readFileSync } from 'node:fs'
import { memoize } from '../values/memoize.ts'

/** The texts of one language: each English text or code, with its translation or its forms. */
export type Texts = ReadonlyMap<string, string | TextForms>

/** A form for each plural category, or for each fact or wanted kind that changes the text; `other` for the rest. */
export type TextForms = { readonly [form: string]: string }

export interface Language {
  /** BCP 47, such as `de`. */
  readonly tag: string
  readonly texts: Texts
}

const folder = new URL('./texts/', import.meta.url)
const tags = readdirSync(folder).flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []))

/** Every language: one for each file of texts, which is read when it is first needed. */
export const languages = new Map<string, () => Language>(tags.map((tag) => [tag, () => languageIn(tag)]))

const languageIn = memoize((tag): Language => {
  const content = readFileSync(new URL(`${tag}.json`, folder), 'utf8')
  const texts = JSON.parse(content, joined) as Record<string, string | TextForms>
  return { tag, texts: new Map(Object.entries(texts)) }
})

/** In French a space follows or precedes quotation marks and some punctuation; it must not break the line. */
const joined = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/(?<=«) | (?=[»;:!?](?![\w{]))/g, '\u00a0') : value
