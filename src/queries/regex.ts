import { RE2JS } from 're2js'
import { textFault } from '../values/text.ts'

export const LONGEST_PATTERN = 200

/** A pattern that matches in time linear in the text: RE2 has neither backtracking nor back references. */
export type Pattern = RE2JS

/** Why a pattern cannot be used, or nothing. */
export function regexFault(pattern: string): string | undefined {
  if (pattern === '') return 'must not be empty'
  if (Array.from(pattern).length > LONGEST_PATTERN) return `must have at most ${LONGEST_PATTERN} characters`
  const bad = textFault(pattern)
  if (bad !== undefined) return bad
  try {
    RE2JS.compile(pattern)
    return undefined
  } catch (error) {
    return `must be a regular expression of RE2's syntax: ${error instanceof Error ? error.message : error}`
  }
}

export const compilePattern = (pattern: string): Pattern => RE2JS.compile(pattern)

/** Anywhere in the text, unless the pattern is anchored. */
export const matches = (pattern: Pattern, text: string): boolean => pattern.test(text)
