import { MOST_FAULTS } from '../../../values/members.ts'

/** A fault and its place. */
export type ProblemError =
  /** With the parameter, where the value is a query. */
  | { readonly pointer: string; readonly parameter?: string; readonly detail: string }
  | { readonly parameter: string; readonly detail: string }
  | { readonly header: string; readonly detail: string }

interface Explained {
  readonly detail: string
  readonly errors?: readonly ProblemError[]
}

/** Longer texts are cut, so that a problem stays small whatever the client sent. */
export const LONGEST_DETAIL = 999
const LONGEST_PLACE = 500

/** Bounds a problem: short texts, a limited number of faults, no control sequences for terminals. */
export function boundedProblem<P extends Explained>(problem: P): P {
  const { detail, errors } = problem
  const bounded = { ...problem, detail: shortText(detail, LONGEST_DETAIL) }
  return errors === undefined ? bounded : { ...bounded, errors: errors.slice(0, MOST_FAULTS).map(boundedError) }
}

function boundedError(error: ProblemError): ProblemError {
  const detail = shortText(error.detail, LONGEST_DETAIL)
  if ('header' in error) return { header: shortText(error.header, LONGEST_PLACE), detail }
  const parameter = error.parameter === undefined ? undefined : shortText(error.parameter, LONGEST_PLACE)
  if (!('pointer' in error)) return { parameter: parameter ?? '', detail }
  return { pointer: shortText(error.pointer, LONGEST_PLACE), ...(parameter !== undefined && { parameter }), detail }
}

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
