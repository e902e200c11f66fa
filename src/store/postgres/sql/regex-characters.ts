import { re2 } from '../../../queries/regex/re2.ts'

/** A piece as re2js 2.10 parses it. A set of patterns contains it, though that is not part of its interface. */
interface ParsedPiece {
  readonly op: number
  /** A character, or the first and the last one of each range. */
  readonly runes: ArrayLike<number>
}
const [LITERAL, CLASS, ANY_BUT_NEWLINE, ANY] = [2, 3, 4, 5]

/** Ranges of code points in order, both ends included. */
type Ranges = readonly (readonly [from: number, to: number])[]

const LAST = 0x10ffff
const IGNORING_CASE = '(?i)'

/**
 * The characters that a class, an escape or a character of a pattern matches, with RE2's own ranges: other versions of
 * Unicode may differ. Written so that PostgreSQL reads it the same under any collation.
 */
export function charactersOf(piece: string, ignoresCase: boolean): string {
  const inBrackets = piece.startsWith('[')
    ? piece
    : piece.startsWith('\\')
      ? `[${piece}]`
      : `[${escaped(piece.codePointAt(0) ?? 0)}]`
  const ranges = rangesOf(ignoresCase ? `${IGNORING_CASE}${inBrackets}` : inBrackets)
  const [[first, last] = [1, 0], ...others] = ranges
  if (first === last && others.length === 0) return letter(first)
  // A class with the first and the last character is shorter as the negation of the others.
  const isNegated = first === 1 && ranges.at(-1)?.[1] === LAST
  const shown = isNegated ? gapsIn(ranges) : ranges
  if (shown.length === 0) return isNegated ? `[${written([1, LAST])}]` : `[^${written([1, LAST])}]`
  return `[${isNegated ? '^' : ''}${shown.map(written).join('')}]`
}

/** Without U+0000, which no text in PostgreSQL has. */
function rangesOf(pattern: string): Ranges {
  const set = new (re2().RE2Set)()
  set.add(pattern)
  const [{ op, runes } = { op: 0, runes: [] }] = (set as unknown as { readonly regexps: readonly ParsedPiece[] })
    .regexps
  // A single letter includes its other cases; next to another character they are listed.
  if (op === LITERAL && runes[0] !== 0 && pattern.startsWith(IGNORING_CASE)) {
    return rangesOf(`${IGNORING_CASE}${escaped(runes[0] ?? 0)}|${escaped(0)}`)
  }
  if (op === ANY) return [[1, LAST]]
  if (op === ANY_BUT_NEWLINE)
    return [
      [1, 9],
      [11, LAST],
    ]
  const pairs = op === LITERAL ? [runes[0], runes[0]] : op === CLASS ? Array.from(runes) : []
  return pairs.flatMap((from = 0, at) =>
    at % 2 === 0 && (pairs[at + 1] ?? 0) > 0 ? [[Math.max(1, from), pairs[at + 1] ?? 0] as const] : [],
  )
}

const gapsIn = (ranges: Ranges): Ranges =>
  ranges.slice(1).map(([from], at) => [(ranges[at]?.[1] ?? 0) + 1, from - 1] as const)

const letterOrDigit = /^[0-9A-Za-z]$|^[^\x00-\x7f]$/u

function letter(code: number): string {
  const character = String.fromCodePoint(code)
  return letterOrDigit.test(character) ? character : coded(code)
}

const written = ([from, to]: Ranges[number]): string => (from === to ? coded(from) : `${coded(from)}-${coded(to)}`)

const coded = (code: number): string => `\\U${code.toString(16).padStart(8, '0')}`
const escaped = (code: number): string => `\\x{${code.toString(16)}}`
