import type { DatabaseSync } from 'node:sqlite'
import { compilePattern, matches, type Pattern } from '../../../queries/regex/regex.ts'
import { beginMatch, type StepwiseMatch } from '../../../queries/regex/stepwise-match.ts'
import { caseless, fold } from '../../../values/fold.ts'

/** The most instructions times characters for an uninterrupted match: 30 ms at worst, usually far below 1 ms. */
const SMALL = 300_000
/** Milliseconds from which a result is memoized. */
const COSTLY = 0.2

/** The matches of a step by pattern and text: a repetition of an interrupted step continues from them. */
export interface StepMatches {
  readonly done: Map<string, Map<string, boolean>>
  readonly begun: Map<string, Map<string, StepwiseMatch>>
}

export const noMatches = (): StepMatches => ({ done: new Map(), begun: new Map() })

/** A step was interrupted before its statements ended; the next one continues from its matches. */
export class StepOver extends Error {}

/** Registers the functions that filters on text are compiled to. */
export function registerTextFunctions(db: DatabaseSync): {
  /** Runs statements for about the given milliseconds; throws `StepOver` if they take longer. */
  inStep<T>(matches: StepMatches, milliseconds: number, run: () => T): T
} {
  const matchAtOnce = (pattern: string, text: string): boolean => matches(compilePattern(pattern), text)
  let match = matchAtOnce
  let tick = (): void => {}
  db.function('matches_regex', { deterministic: true }, (pattern, text) =>
    text === null ? null : Number(match(String(pattern), String(text))),
  )
  db.function('within_step', () => {
    tick()
    return 1
  })
  db.function('folded_text', { deterministic: true }, (text) => (text === null ? null : fold(String(text))))
  db.function('caseless_text', { deterministic: true }, (text) => (text === null ? null : caseless(String(text))))
  return {
    inStep(known, milliseconds, run) {
      const end = performance.now() + milliseconds
      match = matchWithin(known, end)
      tick = endsAfter(end)
      try {
        return run()
      } finally {
        match = matchAtOnce
        tick = () => {}
      }
    },
  }
}

/** Throws from the second row on once the time is over: each step advances by at least one row. */
function endsAfter(end: number): () => void {
  let rows = 0
  return () => {
    if (rows++ > 0 && performance.now() > end) throw new StepOver()
  }
}

function matchWithin({ done, begun }: StepMatches, end: number): (pattern: string, text: string) => boolean {
  let now = performance.now()
  // Each step matches at least one text, however late it is.
  let hasMatched = false
  const isOver = (): boolean => performance.now() > end
  return (source, text) => {
    const before = done.get(source)?.get(text)
    if (before !== undefined) return before
    if (hasMatched && now > end) throw new StepOver()
    const pattern = compilePattern(source)
    const match = isSmall(pattern, text)
      ? undefined
      : (begun.get(source)?.get(text) ?? kept(begun, source, text, beginMatch(pattern, text)))
    const matched = match === undefined ? matches(pattern, text) : match.advance(isOver)
    if (matched === undefined) throw new StepOver()
    hasMatched = true
    const started = now
    now = performance.now()
    begun.get(source)?.delete(text)
    return now - started < COSTLY && match === undefined ? matched : kept(done, source, text, matched)
  }
}

const isSmall = (pattern: Pattern, text: string): boolean => pattern.programSize() * text.length <= SMALL

function kept<T>(all: Map<string, Map<string, T>>, source: string, text: string, value: T): T {
  let texts = all.get(source)
  if (texts === undefined) {
    texts = new Map()
    all.set(source, texts)
  }
  texts.set(text, value)
  return value
}
