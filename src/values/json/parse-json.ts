import { bodyBounds } from '../bounds.ts'
import type { ExactNumber } from './exact-numbers.ts'
import { nameForLost } from './lost-members.ts'
import { decimalsIn, inDigits } from './number-literal.ts'
import { pointerTo } from './pointer.ts'

/** JSON.parse that loses no digit of a number. Throws what JSON.parse throws. */
export const parseJson = (text: string): unknown => parseCounted(text).value

/** The same, with the number of written members, which exceeds the number of parsed ones if some repeat. */
export function parseCounted(text: string): { readonly value: unknown; readonly written: number } {
  const value: unknown = JSON.parse(text)
  const { members, longNumbers } = scan(text)
  return {
    value: longNumbers.length === 0 ? value : (withNumbers(text, longNumbers, losesDigits) ?? value),
    written: members,
  }
}

/**
 * JSON.parse with other values for some of the long numbers: those that have more digits than a double holds, or an
 * exponent. A reviver would be called for every value of the text, which takes fifty times as long.
 */
export const parseWith = (
  text: string,
  replace: (literal: string) => { readonly value: unknown } | undefined,
): unknown => withNumbers(text, scan(text).longNumbers, replace) ?? JSON.parse(text)

/** Undefined if no number has another value. */
function withNumbers(
  text: string,
  numbers: readonly NumberPlace[],
  replace: (literal: string) => { readonly value: unknown } | undefined,
): unknown {
  const values: unknown[] = []
  const pieces: string[] = []
  let from = 0
  for (const { start, end } of numbers) {
    const other = replace(text.slice(start, end))
    if (other === undefined) continue
    pieces.push(text.slice(from, start), `"\\u0000${values.length}"`)
    values.push(other.value)
    from = end
  }
  if (from === 0) return undefined
  return withValues(JSON.parse(pieces.join('') + text.slice(from)), values)
}

/** Begins the text that stands for a number. No text that is accepted has a zero character. */
const STAND_IN = '\u0000'

function withValues(found: unknown, values: readonly unknown[]): unknown {
  if (typeof found === 'string') {
    const at = found.startsWith(STAND_IN) ? Number(found.slice(STAND_IN.length)) : Number.NaN
    return at < values.length ? values[at] : found
  }
  if (typeof found !== 'object' || found === null) return found
  const members = found as { [name: string]: unknown }
  for (const name of Object.keys(members)) {
    const value = members[name]
    const other = typeof value === 'number' ? value : withValues(value, values)
    if (other !== value) members[name] = other
  }
  return found
}

interface NumberPlace {
  readonly start: number
  readonly end: number
}

/**
 * Counts the members, each of which has one colon outside strings, and finds the numbers that may have digits that a
 * double loses: it holds any 15 significant ones. The text is valid JSON.
 */
function scan(text: string): { readonly members: number; readonly longNumbers: readonly NumberPlace[] } {
  let members = 0
  const longNumbers: NumberPlace[] = []
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfText(text, at)
    else if (code === COLON) members++
    else if (code === MINUS || isDigit(code)) {
      const start = at
      let hasExponent = false
      for (let next = text.charCodeAt(at + 1); isOfNumber(next); next = text.charCodeAt(at + 1)) {
        hasExponent ||= next === EXPONENT || next === EXPONENT_TOO
        at++
      }
      if (hasExponent || at - start >= 15) longNumbers.push({ start, end: at + 1 })
    }
  }
  return { members, longNumbers }
}

const [PLUS, MINUS, POINT, ZERO, NINE, EXPONENT_TOO, EXPONENT] = [43, 45, 46, 48, 57, 69, 101]

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE

const isOfNumber = (code: number): boolean =>
  isDigit(code) || code === POINT || code === EXPONENT || code === EXPONENT_TOO || code === PLUS || code === MINUS

/**
 * A double has every integer and every amount that there may be, all of them with three decimals at most. A literal with
 * more is kept as its text if a double has other digits.
 */
function losesDigits(literal: string): { readonly value: ExactNumber } | undefined {
  const isHeld = decimalsIn(literal) <= 3 || inDigits(literal) === inDigits(String(Number(literal)))
  return isHeld ? undefined : { value: JSON.rawJSON(literal) }
}

const QUOTE = 34
const COLON = 58
const BACKSLASH = 92

/** The position of the closing quote of a string; -1 if there is none. */
function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text.charCodeAt(before - 1) === BACKSLASH) before--
  return (at - before) % 2 === 1
}

interface Level {
  readonly isArray: boolean
  readonly names: Set<string>
  /** The current member or element. */
  step: string | number
  named: boolean
}

/** The pointer of the first repeated member. */
export function findRepeated(text: string): string | undefined {
  const levels: Level[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    const level = levels.at(-1)
    if (character === '{' || character === '[') {
      levels.push({ isArray: character === '[', names: new Set(), step: 0, named: false })
    } else if (character === '}' || character === ']') levels.pop()
    else if (character === ',' && level !== undefined) {
      if (level.isArray) level.step = Number(level.step) + 1
      level.named = false
    } else if (character === '"') {
      const end = endOfText(text, at)
      if (level !== undefined && !level.isArray && !level.named) {
        level.step = JSON.parse(text.slice(at, end + 1)) as string
        level.named = true
        if (level.names.has(level.step)) return levels.map(({ step }) => pointerTo(String(step))).join('')
        level.names.add(level.step)
      }
      at = end
    }
  }
  return undefined
}

/** A shorter text has fewer members. */
const SHORT = 4 * bodyBounds.members

/**
 * A JSON text in which one member replaces all those beyond the limit of an object. They are refused anyway, but
 * parsing ninety thousand names takes as long as parsing thirty bodies with the same few names.
 */
export function boundMembers(text: string): string {
  if (text.length < SHORT) return text
  let bounded = ''
  let from = 0
  for (const { start, end, members } of cutsIn(text)) {
    // It lies inside a cut that was already made.
    if (start < from) continue
    bounded += `${text.slice(from, start)},${JSON.stringify(nameForLost(members))}:0`
    from = end
  }
  return from === 0 ? text : bounded + text.slice(from)
}

interface Cut {
  readonly start: number
  readonly end: number
  readonly members: number
}

interface OpenObject {
  members: number
  /** The position of the first member beyond the limit. */
  start: number
}

/** In order of position. A text that is not JSON may have any. */
function cutsIn(text: string): readonly Cut[] {
  const cuts: Cut[] = []
  const open: (OpenObject | undefined)[] = []
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfText(text, at)
      if (at === -1) break
    } else if (code === BRACE) open.push({ members: 0, start: -1 })
    else if (code === BRACKET) open.push(undefined)
    else if (code === END_OF_BRACKET) open.pop()
    else if (code === COLON) {
      const object = open.at(-1)
      if (object !== undefined) object.members++
    } else if (code === COMMA) {
      const object = open.at(-1)
      if (object !== undefined && object.start === -1 && object.members > bodyBounds.members) object.start = at
    } else if (code === END_OF_BRACE) {
      const object = open.pop()
      if (object === undefined || object.start === -1) continue
      cuts.push({ start: object.start, end: at, members: object.members - bodyBounds.members - 1 })
    }
  }
  return cuts.toSorted((one, other) => one.start - other.start)
}

const COMMA = 44
const BRACKET = 91
const END_OF_BRACKET = 93
const BRACE = 123
const END_OF_BRACE = 125
