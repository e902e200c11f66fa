import {
  bracket,
  complement,
  escapeClasses,
  namedClasses,
  type Ranges,
  unicodeClass,
  withFolds,
} from './regex-class.ts'

/** The PostgreSQL pattern that matches the same texts as a valid RE2 pattern. */
export const translateRegex = (pattern: string): string =>
  alternatives({ pattern, at: 0, flags: { i: false, m: false, s: false } })

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
    written += repeated(atom(reader), quantifier(reader))
  }
  return written
}

interface Atom {
  /** The text before the part that a quantifier repeats. */
  readonly before?: string
  readonly text: string
  /** A position between characters, such as ^ or \\b. */
  readonly isPlace: boolean
}

const anything = (text: string): Atom => ({ text, isPlace: false })
const place = (text: string): Atom => ({ text, isPlace: true })

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

/** Captured groups are not used. */
function group(reader: PatternReader): Atom {
  const outer = reader.flags
  groupStart.lastIndex = reader.at
  const start = groupStart.exec(reader.pattern)
  if (start !== null) {
    reader.at = groupStart.lastIndex
    const [, on = '', off = '', end] = start
    // The flag U determines which match is found first.
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
  if (letter === 'Q') return quotation(reader)
  const ranges = escapeClass(reader)
  if (ranges !== undefined) return anything(bracket(ranges, false))
  return anything(literal(reader, escapedCode(reader)))
}

/** \Q…\E: the literal text between them. A quantifier applies to its last character only. */
function quotation(reader: PatternReader): Atom {
  const end = reader.pattern.indexOf('\\E', reader.at)
  const quoted = reader.pattern.slice(reader.at + 1, end === -1 ? undefined : end)
  reader.at = end === -1 ? reader.pattern.length : end + 2
  const letters = Array.from(quoted, (each) => literal(reader, each.codePointAt(0) ?? 0))
  return { before: letters.slice(0, -1).join(''), ...anything(letters.at(-1) ?? '') }
}

const unicodeName = /[pP](?:\{(\^?)(\w+)\}|(\w))/y

/** \d, \W, \p{Greek} and the like, as ranges. */
function escapeClass(reader: PatternReader): Ranges | undefined {
  unicodeName.lastIndex = reader.at
  const [named, not, braced, letter] = unicodeName.exec(reader.pattern) ?? []
  const sign = reader.pattern[reader.at] ?? ''
  const ranges = named === undefined ? escapeClasses.get(sign.toLowerCase()) : unicodeClass(braced ?? letter ?? '')
  if (ranges === undefined) return undefined
  reader.at += named?.length ?? 1
  const folded = reader.flags.i ? withFolds(ranges) : ranges
  return (sign === sign.toLowerCase()) === (not !== '^') ? folded : complement(folded)
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
  // No text contains it.
  if (code === 0) return bracket([], false)
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

interface Times {
  readonly least: number
  readonly most: number
}

const times = /(?:\\Q\\E)*(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y

function quantifier(reader: PatternReader): Times | undefined {
  times.lastIndex = reader.at
  const [all = '', sign, least, comma, most] = times.exec(reader.pattern) ?? []
  reader.at += all.length
  if (sign !== undefined) return { least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Number.POSITIVE_INFINITY }
  if (least === undefined) return undefined
  if (comma === undefined) return { least: Number(least), most: Number(least) }
  return { least: Number(least), most: most === '' ? Number.POSITIVE_INFINITY : Number(most) }
}

/** PostgreSQL cannot repeat a position; repeating it changes nothing. */
function repeated({ before = '', text, isPlace }: Atom, asked: Times | undefined): string {
  if (asked === undefined) return before + text
  if (isPlace) return before + (asked.least === 0 ? '' : text)
  return before + counted(text, asked)
}

/** PostgreSQL's largest count. */
const MOST_TIMES = 255

function counted(text: string, { least, most }: Times): string {
  if (least > MOST_TIMES) {
    return `${text}{${MOST_TIMES}}${counted(text, { least: least - MOST_TIMES, most: most - MOST_TIMES })}`
  }
  if (most === Number.POSITIVE_INFINITY)
    return least === 0 ? `${text}*` : least === 1 ? `${text}+` : `${text}{${least},}`
  if (least === most) return `${text}{${least}}`
  if (most <= MOST_TIMES) return least === 0 && most === 1 ? `${text}?` : `${text}{${least},${most}}`
  return `${text}{${least},${MOST_TIMES}}${counted(text, { least: 0, most: most - MOST_TIMES })}`
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
