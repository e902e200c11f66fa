import { languages } from '../../languages/language.ts'
import { fold } from '../../values/fold.ts'
import type { Titled } from '../../values/kinds/kind.ts'
import { onceFor } from '../../values/memoize.ts'

/** A text without case, accents and punctuation, as words of files are compared. */
export const plainWord = (text: string): string => fold(text).replaceAll(/[^\p{Letter}\p{Number}]/gu, '')

/** The same, and as people write it who lack umlauts. */
export const plainWords = (text: string): readonly string[] => [
  plainWord(text),
  ...(/[äöü]/i.test(text) ? [plainWord(text.replaceAll(/[äöü]/gi, '$&e'))] : []),
]

/** An English text of ours in every language, in each of its meanings. */
export function inLanguages(text: string): readonly string[] {
  const said = [text]
  for (const language of languages.values()) said.push(...(meanings(language().texts).get(text) ?? []))
  return said
}

/** A title that an admin gave, in every language that it was given in. */
export const titlesIn = ({ title, titles = {} }: Titled): readonly string[] => [title, ...Object.values(titles)]

/** A title that may be one of ours, in every language, and in those that it was given in. */
export const titlesOfOurs = ({ title, titles = {} }: Titled): readonly string[] => [
  ...inLanguages(title),
  ...Object.values(titles),
]

/** `Open|deals` is a meaning of `Open`. */
const meanings = onceFor((texts: ReturnType<NonNullable<ReturnType<typeof languages.get>>>['texts']) => {
  const found = new Map<string, string[]>()
  for (const [key, said] of texts) {
    if (typeof said !== 'string') continue
    const text = key.split('|', 1)[0] ?? key
    const known = found.get(text)
    if (known === undefined) found.set(text, [said])
    else known.push(said)
  }
  return found
})
