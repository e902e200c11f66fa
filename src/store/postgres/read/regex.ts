import { type Filter, leavesOf, type Value } from '../../../queries/query.ts'
import { bracket, complement, escapeClasses, namedClasses, type Ranges, withFolds } from './regex-class.ts'

export type Translation = { readonly pattern: string } | { readonly fault: string }

/** The pattern of PostgreSQL that matches what a valid one of RE2 matches, or why there is none. */
export function translateRegex(pattern: string): Translation {
  const reader = { pattern, at: 0, flags: { i: false, m: false, s: false } }
  try {
    return { pattern: alternatives(reader) }
  } catch (error) {
    if (error instanceof Untranslatable) return { fault: error.message }
    throw error
  }
}

/** For a pattern that was found translatable before. */
export function translated(pattern: Value): string {
  const translation = translateRegex(String(pattern))
  if ('fault' in translation) throw new Error(`regex ${pattern}: ${translation.fault}`)
  return translation.pattern
}

/** The first term whose pattern PostgreSQL cannot be asked for. */
export function untranslatable(filter: Filter): { readonly field: string; readonly detail: string } | undefined {
  for (const { field, operator, values } of leavesOf(filter)) {
    if (operator !== 'regex') continue
    for (const value of values) {
      const translation = translateRegex(String(value))
      if ('fault' in translation) return { field: field.name, detail: translation.fault }
    }
  }
  return undefined
}

/** Ends the reading from any depth; caught where the reading began. */
class Untranslatable extends Error {}

interface Flags {
  readonly i: boolean
  readonly m: boolean
  readonly s: boolean
}

interface PatternReader {
  readonly pattern: string
  at: number
  flags: Flags
}

/** Up to the end or the closing parenthesis. Which match is found first does not matter, only whether there is one. */
function alternatives(reader: PatternReader): string {
  let written = ''
  while (reader.at < reader.pattern.length && reader.pattern[reader.at] !== ')') {
    if (take(reader, '|')) {
      written += '|'
      continue
    }
    const { text, repeatable } = atom(reader)
    const times = quantifier(reader)
    if (times !== '' && !repeatable) throw new Untranslatable('repeats a place, such as ^ or \\b')
    written += text + times
  }
  return written
}

interface Atom {
  readonly text: string
  readonly repeatable: boolean
}

const anything = (text: string): Atom => ({ text, repeatable: true })
const place = (text: string): Atom => ({ text, repeatable: false })

function atom(reader: PatternReader): Atom {
  const { flags } = reader
  if (take(reader, '(')) return group(reader)
  if (take(reader, '[')) return anything(characterClass(reader))
  if (take(reader, '.')) return anything(flags.s ? '.' : '[^\\n]')
  if (take(reader, '^')) return place(flags.m ? '(?:^|(?<=\\n))' : '^')
  if (take(reader, '$')) return place(flags.m ? '(?:$|(?=\\n))' : '$')
  if (take(reader, '\\')) return escapeSequence(reader)
  return anything(literal(reader, next(reader)))
}

const groupStart = /\?(?:P?<\w+>|([imsU]*)(?:-([imsU]+))?([:)]))/y

/** Nothing asks for what a group caught. */
function group(reader: PatternReader): Atom {
  const outer = reader.flags
  groupStart.lastIndex = reader.at
  const start = groupStart.exec(reader.pattern)
  if (start !== null) {
    reader.at = groupStart.lastIndex
    const [, on = '', off = '', end] = start
    if (`${on}${off}`.includes('U')) throw new Untranslatable('has the flag U')
    reader.flags = withFlags(outer, on, off)
    // These flags hold until the group around them ends.
    if (end === ')') return place('')
  }
  const inside = alternatives(reader)
  reader.at++
  reader.flags = outer
  return anything(`(?:${inside})`)
}

const withFlags = ({ i, m, s }: Flags, on: string, off: string): Flags => {
  const set = (flag: string, before: boolean) => (on.includes(flag) || before) && !off.includes(flag)
  return { i: set('i', i), m: set('m', m), s: set('s', s) }
}

const places: ReadonlyMap<string, string> = new Map([
  ['A', '\\A'],
  ['z', '\\Z'],
  ['b', '\\y'],
  ['B', '\\Y'],
])

function escapeSequence(reader: PatternReader): Atom {
  const letter = reader.pattern[reader.at] ?? ''
  const at = places.get(letter)
  if (at !== undefined) {
    reader.at++
    return place(at)
  }
  if (letter === 'Q') return anything(quotation(reader))
  const ranges = escapeClass(reader)
  if (ranges !== undefined) return anything(bracket(ranges, false))
  return anything(literal(reader, escapedCode(reader)))
}

/** \Q…\E: the text between them as it is. A quantifier is on its last character alone. */
function quotation(reader: PatternReader): string {
  const end = reader.pattern.indexOf('\\E', reader.at)
  const quoted = reader.pattern.slice(reader.at + 1, end === -1 ? undefined : end)
  reader.at = end === -1 ? reader.pattern.length : end + 2
  return Array.from(quoted, (each) => literal(reader, each.codePointAt(0) ?? 0)).join('')
}

/** \d, \W and the like, as the ranges they stand for. */
function escapeClass(reader: PatternReader): Ranges | undefined {
  const letter = reader.pattern[reader.at] ?? ''
  if (letter === 'p' || letter === 'P') throw new Untranslatable('names a class of Unicode, such as \\p{L}')
  const ranges = escapeClasses.get(letter.toLowerCase())
  if (ranges === undefined) return undefined
  reader.at++
  const folded = reader.flags.i ? withFolds(ranges) : ranges
  return letter === letter.toLowerCase() ? folded : complement(folded)
}

const controls: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['f', 12],
  ['t', 9],
  ['n', 10],
  ['r', 13],
  ['v', 11],
])

const codeEscape = /x\{([0-9a-fA-F]+)\}|x([0-9a-fA-F]{2})|([0-7]{1,3})/y

function escapedCode(reader: PatternReader): number {
  codeEscape.lastIndex = reader.at
  const found = codeEscape.exec(reader.pattern)
  if (found === null) {
    const code = next(reader)
    return controls.get(String.fromCodePoint(code)) ?? code
  }
  reader.at = codeEscape.lastIndex
  const [, braced, plain, octal] = found
  return octal === undefined ? Number.parseInt(braced ?? plain ?? '', 16) : Number.parseInt(octal, 8)
}

function literal({ flags }: PatternReader, code: number): string {
  if (code === 0) throw new Untranslatable('names the character U+0000')
  return bracketOrLetter(flags.i ? withFolds([[code, code]]) : [[code, code]], code)
}

const letterOrDigit = /^[0-9A-Za-z]$|^[^\x00-\x7f]$/u

function bracketOrLetter(ranges: Ranges, code: number): string {
  if (ranges.length > 1) return bracket(ranges, false)
  const letter = String.fromCodePoint(code)
  return letterOrDigit.test(letter) ? letter : `\\U${code.toString(16).padStart(8, '0')}`
}

const named = /\[:(\^?)(\w+):\]/y

function characterClass(reader: PatternReader): string {
  const negated = take(reader, '^')
  const ranges: (readonly [number, number])[] = []
  for (let first = true; first || reader.pattern[reader.at] !== ']'; first = false) ranges.push(...classItem(reader))
  reader.at++
  return bracket(reader.flags.i ? withFolds(ranges) : ranges, negated)
}

function classItem(reader: PatternReader): Ranges {
  named.lastIndex = reader.at
  const name = named.exec(reader.pattern)
  if (name !== null) {
    reader.at = named.lastIndex
    const ranges = namedClasses.get(name[2] ?? '') ?? []
    return name[1] === '^' ? complement(reader.flags.i ? withFolds(ranges) : ranges) : ranges
  }
  if (reader.pattern[reader.at] === '\\') {
    reader.at++
    const ranges = escapeClass(reader)
    if (ranges !== undefined) return ranges
    reader.at--
  }
  const from = classCode(reader)
  if (reader.pattern[reader.at] !== '-' || reader.pattern[reader.at + 1] === ']') return [[from, from]]
  reader.at++
  return [[from, classCode(reader)]]
}

const classCode = (reader: PatternReader): number => (take(reader, '\\') ? escapedCode(reader) : next(reader))

const times = /([*+?])\??|\{(\d+)(?:(,)(\d*))?\}\??/y

/** PostgreSQL counts no further. */
const MOST_TIMES = 255

function quantifier(reader: PatternReader): string {
  times.lastIndex = reader.at
  const found = times.exec(reader.pattern)
  if (found === null) return ''
  reader.at = times.lastIndex
  const [, sign, least = '', comma = '', most = ''] = found
  if (sign !== undefined) return sign
  if (Number(least) > MOST_TIMES || Number(most) > MOST_TIMES) throw new Untranslatable('repeats more than 255 times')
  return `{${least}${comma}${most}}`
}

function take(reader: PatternReader, character: string): boolean {
  if (reader.pattern[reader.at] !== character) return false
  reader.at++
  return true
}

function next(reader: PatternReader): number {
  const code = reader.pattern.codePointAt(reader.at) ?? 0
  reader.at += code > 0xffff ? 2 : 1
  return code
}
