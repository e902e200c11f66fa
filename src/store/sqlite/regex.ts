import type { DatabaseSync } from 'node:sqlite'
import { compilePattern, matches, type Pattern } from '../../queries/regex.ts'
import { beginMatch, type StepwiseMatch } from '../../queries/stepwise-match.ts'
import { amountToText } from '../../values/money.ts'

const MOST_PATTERNS = 100
/** Instructions times characters that re2js may be left alone with: some 30 ms at worst, mostly far less than one. */
const SMALL = 300_000
/** Milliseconds from which on a result is worth keeping. */
const COSTLY = 0.2

/** What a search has found out about texts, so that a step that was too long need not be repeated in full. */
export interface Looked {
  readonly known: Map<string, Map<string, boolean>>
  readonly begun: Map<string, Map<string, StepwiseMatch>>
}

export const newLooked = (): Looked => ({ known: new Map(), begun: new Map() })

/** The time of a step was over before its statements were done; the next one takes up where this one was left. */
export class StepOver extends Error {}

/** Gives a connection what regex filters are compiled to. */
export function registerRegex(db: DatabaseSync): {
  /** Runs statements for so many milliseconds at most, or little more; throws `StepOver` then. */
  inStep<T>(looked: Looked, milliseconds: number, run: () => T): T
} {
  const patternOf = rememberedPatterns()
  let look = (pattern: string, text: string): boolean => matches(patternOf(pattern), text)
  const lookWithoutEnd = look
  db.function('matches_regex', { deterministic: true }, (pattern, text) =>
    text === null ? null : Number(look(String(pattern), String(text))),
  )
  db.function('amount_text', { deterministic: true, useBigIntArguments: true }, (amount) =>
    typeof amount === 'bigint' ? amountToText(amount) : null,
  )
  return {
    inStep(looked, milliseconds, run) {
      look = lookWithin(looked, performance.now() + milliseconds, patternOf)
      try {
        return run()
      } finally {
        look = lookWithoutEnd
      }
    },
  }
}

function lookWithin(
  { known, begun }: Looked,
  end: number,
  patternOf: (text: string) => Pattern,
): (pattern: string, text: string) => boolean {
  let now = performance.now()
  // Each step gets at least one text further, however late it is.
  let hasLooked = false
  const isOver = (): boolean => performance.now() > end
  return (asked, text) => {
    const before = known.get(asked)?.get(text)
    if (before !== undefined) return before
    if (hasLooked && now > end) throw new StepOver()
    const pattern = patternOf(asked)
    const match = isSmall(pattern, text)
      ? undefined
      : (begun.get(asked)?.get(text) ?? kept(begun, asked, text, beginMatch(pattern, text)))
    const matched = match === undefined ? matches(pattern, text) : match.advance(isOver)
    if (matched === undefined) throw new StepOver()
    hasLooked = true
    const started = now
    now = performance.now()
    begun.get(asked)?.delete(text)
    return now - started < COSTLY && match === undefined ? matched : kept(known, asked, text, matched)
  }
}

const isSmall = (pattern: Pattern, text: string): boolean => pattern.programSize() * text.length <= SMALL

function kept<T>(all: Map<string, Map<string, T>>, asked: string, text: string, value: T): T {
  let texts = all.get(asked)
  if (texts === undefined) {
    texts = new Map()
    all.set(asked, texts)
  }
  texts.set(text, value)
  return value
}

function rememberedPatterns(): (text: string) => Pattern {
  const patterns = new Map<string, Pattern>()
  return (text) => {
    const known = patterns.get(text)
    if (known !== undefined) return known
    const made = compilePattern(text)
    if (patterns.size >= MOST_PATTERNS) patterns.clear()
    patterns.set(text, made)
    return made
  }
}
