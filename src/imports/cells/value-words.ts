import { languages } from '../../languages/language.ts'
import { label } from '../../representations/html/label.ts'
import { countries } from '../../values/kinds/codes.ts'
import type { Kind, Within } from '../../values/kinds/kind.ts'
import { onceFor } from '../../values/memoize.ts'
import { inLanguages, plainWord, plainWords, titlesIn, titlesOfOurs } from './spoken.ts'

/** The values of a choice by their plain words: each by itself, and by what people call it in any language. */
export type ValueWords = ReadonlyMap<string, string>

/** Further words for a value, as a resource declares them. English ones count in every language. */
export type DeclaredWords = { readonly [value: string]: readonly string[] }

/** The words for the values of a kind; undefined if it has no closed list of values. */
export function valueWords(kind: Kind<unknown>, declared: DeclaredWords = {}): ValueWords | undefined {
  if (kind.name === 'boolean') return yesAndNo
  const values = choicesOf(kind)
  if (values === undefined) return undefined
  if (values === countries) return countryWords(values)
  return gathered(values, wordsOf(kind, declared))
}

/** The words of people for a value: its own titles, or those that it has with each value of another field, with and without its title. */
const wordsOf =
  ({ titled, words, within }: Kind<unknown>, declared: DeclaredWords) =>
  (value: string): readonly string[] => {
    const given = titled?.values?.get(value)
    if (given !== undefined) return titlesIn(given)
    const plain = titlesOf(value, declared)
    if (within === undefined) return [...plain, ...titlesOfOurs(words?.get(value) ?? { title: value })]
    const groups = [...within.groups].filter(([, group]) => group.words.has(value))
    return groups.flatMap(([of, group]) => {
      const alone = [...plain, ...titlesOfOurs(group.words.get(value) ?? { title: value })]
      const before = [String(of), ...titlesOfOurs(group)]
      return [...alone, ...before.flatMap((title) => alone.map((word) => `${title}: ${word}`))]
    })
  }

/** A value, and that of the other field on which it depends. */
export interface PlacedValue {
  readonly of: unknown
  readonly value: string
}

/** The values of a choice that depends on another field: by the words for both together, and by those with each value there. */
export function placedWords({ groups }: Within, declared: DeclaredWords = {}) {
  const together = new Map<string, PlacedValue>()
  const beside = new Map<unknown, ValueWords>()
  for (const [of, group] of groups) {
    const { words } = group
    const titles = (value: string): readonly string[] => [
      ...titlesOf(value, declared),
      ...titlesOfOurs(words.get(value) ?? { title: value }),
    ]
    const known = gathered([...words.keys()], titles)
    beside.set(of, known)
    for (const before of [String(of), ...titlesOfOurs(group)].flatMap(plainWords))
      for (const [word, value] of known) together.set(`${before}:${word}`, { of, value })
  }
  return { together, beside }
}

/** The closed list of values of a kind. */
export function choicesOf({ schema }: Kind<unknown>): readonly string[] | undefined {
  const { anyOf, ...alone } = schema as Listing & { readonly anyOf?: readonly Listing[] }
  const { enum: one, items } = anyOf?.[0] ?? alone
  return one ?? items?.enum
}

/** A set lists the values of its items. */
type Listing = { readonly enum?: readonly string[]; readonly items?: Listing }

/** A stage may be called `constructor`, as what every object has. */
const titlesOf = (value: string, declared: DeclaredWords): readonly string[] => [
  ...inLanguages(label(value)),
  ...inLanguages(`word.${value}`),
  ...(Object.hasOwn(declared, value) ? (declared[value] ?? []).flatMap(inLanguages) : []),
]

/** A word that two values have is no word for either, unless it is a value itself. */
function gathered(values: readonly string[], wordsOf: (value: string) => readonly string[]): ValueWords {
  const found = new Map<string, string | undefined>()
  for (const value of values) {
    for (const key of wordsOf(value).flatMap(plainWords)) {
      found.set(key, found.has(key) && found.get(key) !== value ? undefined : value)
    }
  }
  for (const value of values) found.set(plainWord(value), value)
  return new Map([...found].flatMap(([word, value]) => (value === undefined ? [] : [[word, value]])))
}

const yes = 'yes, y, true, t, 1, x, ✓, ✔, on, ja, j, wahr, w, oui, o, vrai, v, sí, s, verdadero'.split(', ')
const no = 'no, n, false, f, 0, off, nein, falsch, non, faux, falso'.split(', ')

const yesAndNo: ValueWords = new Map([
  ...yes.map((word) => [plainWord(word) || word, 'true'] as const),
  ...no.map((word) => [plainWord(word), 'false'] as const),
])

const countryWords = onceFor((codes: readonly string[]): ValueWords => {
  const names = [...languages.keys()].flatMap((language) =>
    (['long', 'short'] as const).map((style) => new Intl.DisplayNames(language, { type: 'region', style })),
  )
  const alike = gathered(codes, (code) => names.map((each) => each.of(code) ?? code))
  return new Map([...alike, ...Object.entries(countryAliases).flatMap(([code, words]) => aliases(code, words))])
})

const aliases = (code: string, words: string): readonly (readonly [string, string])[] =>
  words.split(', ').map((word) => [plainWord(word), code])

/** Names that people and programs use and `Intl` does not. */
const countryAliases: { readonly [code: string]: string } = {
  AE: 'UAE, VAE',
  AT: 'AUT',
  BE: 'BEL',
  CH: 'CHE, Schweizerische Eidgenossenschaft, Swiss',
  CZ: 'CZE, Czech Republic, Tschechische Republik, Tschechei, République tchèque, República Checa',
  DE: 'DEU, BRD, Bundesrepublik Deutschland, Federal Republic of Germany',
  DK: 'DNK',
  ES: 'ESP',
  FR: 'FRA',
  GB: 'GBR, UK, Great Britain, Großbritannien, Grande-Bretagne, Gran Bretaña, England, Scotland, Schottland, Wales, Angleterre, Inglaterra',
  IT: 'ITA',
  KR: 'Korea, Republic of Korea, Republik Korea',
  LU: 'LUX',
  NL: 'NLD, Holland, The Netherlands, Hollande, Holanda',
  PL: 'POL',
  RU: 'Russian Federation, Russische Föderation',
  SE: 'SWE',
  TR: 'TUR, Turkey, Türkiye',
  US: 'USA, U.S.A., United States of America, Vereinigte Staaten von Amerika, States, Amerika, États-Unis d’Amérique, Estados Unidos de América, EEUU, EUA',
}
