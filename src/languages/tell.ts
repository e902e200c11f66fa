import { type Fact, type Facts, isReason, type Reason } from '../values/faults/fault.ts'
import { onceFor } from '../values/memoize.ts'
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
  const template = (typeof found === 'object' ? formOf(found, facts ?? {}) : found) ?? ownText(language, what)
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

/** The form that the fact `wants` names, or else the first that is named after a given fact, or else `other`. */
const formOf = (forms: TextForms, facts: Facts): string | undefined =>
  forms[String(facts.wants)] ?? forms[Object.keys(forms).find((name) => facts[name] !== undefined) ?? 'other']

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
const words: ReadonlySet<string> = new Set(['resource', 'status', 'on', 'field'])

function factText(language: Language, fact: Fact | undefined): string | undefined {
  if (fact === undefined || fact === null) return ''
  if (isReason(fact)) return tellIn(language, fact)
  if (isText(fact)) return tellIn(language, fact.with === undefined ? fact.text : { text: fact.text, with: fact.with })
  if (Array.isArray(fact)) return fact.map((each) => factText(language, each)).join(', ')
  return typeof fact === 'object' ? JSON.stringify(fact) : String(fact)
}

/** A text as a fact. */
const isText = (fact: Fact): fact is { readonly text: string; readonly with?: Facts } =>
  typeof fact === 'object' && fact !== null && 'text' in fact && typeof fact.text === 'string'
