import type { DatabaseSync } from 'node:sqlite'
import { compilePattern, matches, type Pattern } from '../queries/regex.ts'
import { amountToText } from '../values/money.ts'

const MOST_PATTERNS = 100

/** Gives a connection what regex filters are compiled to. */
export function registerRegex(db: DatabaseSync): void {
  const patterns = new Map<string, Pattern>()
  const patternOf = (text: string): Pattern => {
    const known = patterns.get(text)
    if (known !== undefined) return known
    const made = compilePattern(text)
    if (patterns.size >= MOST_PATTERNS) patterns.clear()
    patterns.set(text, made)
    return made
  }
  db.function('matches_regex', { deterministic: true }, (pattern, text) =>
    text === null ? null : Number(matches(patternOf(String(pattern)), String(text))),
  )
  db.function('amount_text', { deterministic: true, useBigIntArguments: true }, (amount) =>
    typeof amount === 'bigint' ? amountToText(amount) : null,
  )
}
