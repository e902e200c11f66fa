import { queryBounds } from '../values/bounds.ts'
import { fault, type Reason, reason } from '../values/faults/fault.ts'
import { fold } from '../values/fold.ts'
import type { Read } from '../values/kinds/kind.ts'
import { textFault } from '../values/kinds/text.ts'

/** The position of an occurrence in a text. */
export type Occurrence = 'contains' | 'starts' | 'ends'

export const occurrences: readonly Occurrence[] = ['contains', 'starts', 'ends']

/** The pattern of texts in which another occurs, ignoring case, accents and width. */
export function occurrencePattern(text: string, occurrence: Occurrence): Read<string> {
  const bad = searchFault(text)
  if (bad !== undefined) return { fault: bad }
  const literal = literally(fold(text))
  if (literal === '') return { fault: NOTHING }
  return { value: occurring(literal, occurrence) }
}

/** The pattern of texts in which a pattern occurs. */
export const occurring = (pattern: string, occurrence: Occurrence): string =>
  `${occurrence === 'starts' ? '' : '%'}${pattern}${occurrence === 'ends' ? '' : '%'}`

/** A folded pattern with `%` for any text, `_` for one character and `\` before a literal one of these. */
export function likePattern(pattern: string): Read<string> {
  const bad = searchFault(pattern)
  if (bad !== undefined) return { fault: bad }
  const pieces = pattern.match(/\\[\s\S]|[%_]|[^\\%_]+|\\$/gu) ?? []
  if (pieces.at(-1) === '\\') return fault('malformed', { wants: 'pattern' })
  // A full-width sign folds to one that would be a wildcard.
  const folded = pieces.map((piece) => (piece === '%' || piece === '_' ? piece : literally(fold(unquoted(piece)))))
  return { value: folded.join('') }
}

/** Whether a folded text matches a pattern, as `LIKE` does. */
export function isLike(text: string, pattern: string): boolean {
  let [at, next] = [0, 0]
  // Where to resume if the part after the last `%` does not match: that `%` then takes one character more.
  let retry: { readonly text: number; readonly pattern: number } | undefined
  for (;;) {
    const sign = pattern[next]
    if (sign === '%') {
      retry = { text: at, pattern: ++next }
      continue
    }
    if (sign === undefined && at === text.length) return true
    const from = sign === '\\' ? next + 1 : next
    const here = text.codePointAt(at)
    const fits = sign === '_' || (sign !== undefined && pattern.codePointAt(from) === here)
    if (fits && here !== undefined) {
      at += widthOf(here)
      next = from + (sign === '_' ? 1 : widthOf(here))
    } else if (retry !== undefined && retry.text < text.length) {
      retry = { ...retry, text: retry.text + widthOf(text.codePointAt(retry.text) ?? 0) }
      at = retry.text
      next = retry.pattern
    } else return false
  }
}

/** In UTF-16 units. */
const widthOf = (code: number): number => (code > 0xffff ? 2 : 1)

/** Whether a pattern is open at the ends of a text: patterns that differ in this are different comparisons. */
export const openEnds = (pattern: string): string => `${pattern.startsWith('%')} ${/^(?:[^\\]|\\.)*%$/su.test(pattern)}`

export const containing = (folded: string): string => occurring(literally(folded), 'contains')

/** The longest literal text in every match of the pattern. */
export function literalOf(pattern: string): string {
  const pieces = pattern.match(/(?:\\[\s\S]|[^\\%_])+/gu) ?? []
  const literals = pieces.map((piece) => piece.replace(/\\([\s\S])/gu, '$1'))
  return literals.reduce((longest, each) => (each.length > longest.length ? each : longest), '')
}

/** Why something cannot be searched for, or undefined. */
export function searchFault(text: string): Reason | undefined {
  if (text === '') return reason('blank')
  if (Array.from(text).length > queryBounds.search) return reason('too-long', { max: queryBounds.search })
  return textFault(text)
}

export const NOTHING = reason('blank', { wants: 'searchable-character' })

/** The pattern of exactly one text. */
export const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
const unquoted = (piece: string): string => (piece.startsWith('\\') ? piece.slice(1) : piece)
