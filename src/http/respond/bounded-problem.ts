import { MOST_FAULTS } from '../../values/members.ts'
import type { Problem, ProblemError } from './problem.ts'

/** Longer texts are cut: whatever a client sent, a problem stays small. */
export const LONGEST_DETAIL = 999
const LONGEST_PLACE = 500

/** A problem that any reader can take: short, at most so many faults, and nothing that a terminal would obey. */
export function boundedProblem(problem: Problem): Problem {
  const { detail, errors } = problem
  const bounded = { ...problem, detail: shortText(detail, LONGEST_DETAIL) }
  return errors === undefined ? bounded : { ...bounded, errors: errors.slice(0, MOST_FAULTS).map(boundedError) }
}

function boundedError(error: ProblemError): ProblemError {
  const detail = shortText(error.detail, LONGEST_DETAIL)
  if ('pointer' in error) return { pointer: shortText(error.pointer, LONGEST_PLACE), detail }
  if ('parameter' in error) return { parameter: shortText(error.parameter, LONGEST_PLACE), detail }
  return { header: shortText(error.header, LONGEST_PLACE), detail }
}

/** As many of the sentences as fit, and how many more there are. */
export function joinSentences(sentences: readonly string[], more: number): string {
  let text = sentences[0] ?? ''
  let told = 1
  while (told < sentences.length && text.length + (sentences[told]?.length ?? 0) < ROOM)
    text += `; ${sentences[told++]}`
  const left = sentences.length - told + more
  return left === 0 ? text : `${shortText(text, ROOM)}; and ${left} more`
}

const ROOM = 900

/** Cut before it is looked at: what is sent may be long. */
function shortText(text: string, longest: number): string {
  const shown = visible(text.slice(0, longest + 1))
  return shown.length > longest ? `${shown.slice(0, longest - 1).toWellFormed()}…` : shown
}

/** Controls, lone surrogates and marks that turn the direction of text are written as JSON escapes them. */
const visible = (text: string): string =>
  text.replace(unseen, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

const unseen =
  /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
