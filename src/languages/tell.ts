import { type Fact, type Facts, isReason, type Reason } from '../values/faults/fault.ts'
import { memoize, onceFor } from '../values/memoize.ts'
import type { Language, TextForms } from './language.ts'
import { anybody } from './reader.ts'
import { fillPlaces } from './say.ts'

/** A text for people, whose English is its key in the language files, with the values for its places. */
export type Told = string | { readonly text: string; readonly with: Facts }

/** The sentence in a language; in English where the language lacks it, and for programs. */
export const tell = (what: Reason | Told, language = programs): string =>
  tellIn(language, what) ?? tellIn(programs, what) ?? keyOf(what)

/** English with the words of the API: `completed` where people read "won". */
const programs: Language = {
  tag: 'en',
  texts: new Map([...anybody.language.texts].filter(([key]) => !key.startsWith('word.'))),
}

/** The sentence in a language; undefined if the language lacks it or a part of it. */
export function tellIn(language: Language, what: Reason | Told): string | undefined {
  const facts = typeof what === 'string' ? undefined : (what.with ?? {})
  const found = language.texts.get(keyOf(what))
  const template =
    (typeof found === 'object' ? formOf(found, language.tag, facts ?? {}) : found) ?? ownText(language, what)
  if (facts === undefined || template === undefined) return template
  const parts = fillPlaces(template, (name) => placeText(language, name, facts[name]))
  return parts.includes(undefined) ? undefined : parts.join('')
}

const keyOf = (what: Reason | Told): string => {
  if (typeof what === 'string') return what
  return 'code' in what ? `fault.${what.code}` : what.text
}

/** Such a text is its own English. */
const ownText = ({ tag }: Language, what: Reason | Told): string | undefined =>
  tag === 'en' && (typeof what === 'string' || 'text' in what) ? keyOf(what) : undefined

/**
 * The form that the fact `wants` names, or that of the plural of `count` or `max`, or else the first that is named after
 * a given fact, or else `other`.
 */
function formOf(forms: TextForms, tag: string, facts: Facts): string | undefined {
  const { count = facts.max } = facts
  const plural = typeof count === 'number' ? pluralsOf(tag).select(count) : 'other'
  const asked = forms[String(facts.wants)] ?? (plural === 'other' ? undefined : forms[plural])
  return asked ?? forms[Object.keys(forms).find((name) => facts[name] !== undefined) ?? 'other']
}

const pluralsOf = memoize((tag) => new Intl.PluralRules(tag))

function placeText(language: Language, name: string, fact: Fact | undefined): string | undefined {
  if (!words.has(name)) return factText(language, fact)
  return Array.isArray(fact)
    ? anyOf(language).format(fact.map((each) => wordText(language, each) ?? ''))
    : wordText(language, fact)
}

function wordText(language: Language, fact: Fact | undefined): string | undefined {
  const word = language.texts.get(`word.${fact}`)
  return typeof word === 'string' ? word : factText(language, fact)
}

/** `deal or task`. */
const anyOf = onceFor(({ tag }: Language) => new Intl.ListFormat(tag, { type: 'disjunction' }))

/** Places that hold a word of the model, which languages know as `word.deal`. */
const words: ReadonlySet<string> = new Set(['resource', 'status', 'on', 'field', 'kind'])

function factText(language: Language, fact: Fact | undefined): string | undefined {
  if (fact === undefined || fact === null) return ''
  if (isReason(fact)) return tellIn(language, fact)
  if (isTitle(fact))
    return (
      (Object.hasOwn(fact.titles, language.tag) ? fact.titles[language.tag] : undefined) ??
      factText(language, fact.title)
    )
  // One that people typed is in no file.
  if (isText(fact)) return tell(fact.with === undefined ? fact.text : { text: fact.text, with: fact.with }, language)
  if (Array.isArray(fact)) return fact.map((each) => factText(language, each)).join(', ')
  return typeof fact === 'object' ? JSON.stringify(fact) : String(fact)
}

/** A text as a fact. */
const isText = (fact: Fact): fact is { readonly text: string; readonly with?: Facts } =>
  typeof fact === 'object' && fact !== null && 'text' in fact && typeof fact.text === 'string'

/** A title that people typed, in their languages; in the others it may be a text of ours. */
const isTitle = (fact: Fact): fact is { readonly title: Fact; readonly titles: Readonly<Record<string, string>> } =>
  typeof fact === 'object' && fact !== null && 'titles' in fact && 'title' in fact
