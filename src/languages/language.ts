import { readdirSync, readFileSync } from 'node:fs'
import { memoize } from '../values/memoize.ts'

/** What pages say in one language: each English text, with its translation or one for each plural category. */
export type Texts = ReadonlyMap<string, string | PluralForms>

export type PluralForms = { readonly [C in Intl.LDMLPluralRule]?: string }

export interface Language {
  /** BCP 47, such as `de`. */
  readonly tag: string
  readonly texts: Texts
}

const folder = new URL('./texts/', import.meta.url)
const tags = readdirSync(folder).flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []))

/** Every language: one for each file of texts, which is read when somebody first reads in it. */
export const languages = new Map<string, () => Language>(tags.map((tag) => [tag, () => languageIn(tag)]))

const languageIn = memoize((tag): Language => {
  const content = readFileSync(new URL(`${tag}.json`, folder), 'utf8')
  const texts = JSON.parse(content, joined) as Record<string, string | PluralForms>
  return { tag, texts: new Map(Object.entries(texts)) }
})

/** In French a space stands within quotation marks and before some signs, which stay on the line of their word. */
const joined = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/(?<=«) | (?=[»;:!?])/g, '\u00a0') : value
