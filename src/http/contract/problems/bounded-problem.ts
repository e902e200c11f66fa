import type { Told } from '../../../languages/tell.ts'
import { problemBounds } from '../../../values/bounds.ts'
import type { Fact, Facts, Fault, Place } from '../../../values/faults/fault.ts'
import type { Json } from '../../../values/json/json.ts'

/** Bounds faults: short texts, a limited number, no control sequences for terminals. */
export const boundedFaults = (faults: readonly Fault[]): readonly Fault[] =>
  faults.slice(0, problemBounds.faults).map((fault) => ({
    ...fault,
    at: boundedPlace(fault.at),
    ...(fault.with && { with: boundedFacts(fault.with) }),
  }))

const boundedPlace = (place: Place): Place =>
  Object.fromEntries(Object.entries(place).map(([kind, text]) => [kind, shortText(text, problemBounds.place)]))

/** Facts as JSON. */
export const boundedFacts = (facts: Facts): { readonly [name: string]: Json } =>
  Object.fromEntries(
    Object.entries(facts).flatMap(([name, fact]) => (fact === undefined ? [] : [[name, boundedFact(fact)]])),
  )

function boundedFact(fact: Fact): Json {
  if (typeof fact === 'string') return boundedText(fact)
  if (typeof fact !== 'object' || fact === null) return fact
  return isList(fact) ? fact.map(boundedFact) : boundedFacts(fact)
}

const isList = (fact: Fact): fact is readonly Fact[] => Array.isArray(fact)

export const boundedTold = (told: Told): Told =>
  typeof told === 'string' ? boundedText(told) : { ...told, with: boundedFacts(told.with) }

export const boundedText = (text: string): string => shortText(text, problemBounds.detail)

/** As many sentences as fit, and the number of the others. */
export function joinSentences(sentences: readonly string[], more: number): string {
  let text = sentences[0] ?? ''
  let told = 1
  while (told < sentences.length && text.length + (sentences[told]?.length ?? 0) < ROOM)
    text += `; ${sentences[told++]}`
  const left = sentences.length - told + more
  return left === 0 ? text : `${shortText(text, ROOM)}; and ${left} more`
}

const ROOM = 900

/** Cuts first, because the text may be long. */
function shortText(text: string, longest: number): string {
  const shown = visible(text.slice(0, longest + 1))
  return shown.length > longest ? `${shown.slice(0, longest - 1).toWellFormed()}…` : shown
}

/** Escapes controls, lone surrogates and bidirectional marks as JSON does. */
const visible = (text: string): string =>
  text.replace(unseen, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

const unseen =
  /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** A client's text within a sentence. */
export const quoted = (text: string): string => JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text)
