import type { RE2JS } from 're2js'
import { queryBounds } from '../../values/bounds.ts'
import { type Reason, reason } from '../../values/faults/fault.ts'
import { textFault } from '../../values/kinds/text.ts'
import { memoize } from '../../values/memoize.ts'
import { patternSize } from './pattern-size.ts'
import { re2 } from './re2.ts'

/** A pattern that matches in time linear in the text: RE2 has neither backtracking nor back references. */
export type Pattern = RE2JS

/** Why a pattern cannot be used; undefined if it can. The length limit applies to the text that the client sent. */
export function regexFault(pattern: string, sent = pattern): Reason | undefined {
  if (pattern === '') return reason('blank')
  if (Array.from(sent).length > queryBounds.pattern) return reason('too-long', { max: queryBounds.pattern })
  const bad = textFault(pattern)
  if (bad !== undefined) return bad
  if (patternSize(pattern) > queryBounds.instructions) return reason('too-complex')
  try {
    // Parses the pattern without compiling it; the searching thread does that.
    const { RE2Set } = re2()
    new RE2Set().add(pattern)
    return undefined
  } catch (error) {
    return reason('malformed', { wants: 'regex', why: error instanceof Error ? error.message : String(error) })
  }
}

const MOST_PATTERNS = 100

export const compilePattern: (pattern: string) => Pattern = memoize(
  (pattern: string) => re2().RE2JS.compile(pattern),
  MOST_PATTERNS,
  Number.POSITIVE_INFINITY,
)

/** Matches anywhere in the text, unless the pattern is anchored. */
export const matches = (pattern: Pattern, text: string): boolean => pattern.test(text)
