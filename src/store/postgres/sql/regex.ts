import { charactersOf } from './regex-characters.ts'

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
  skipEmpty(reader)
  while (reader.at < reader.pattern.length && reader.pattern[reader.at] !== ')') {
    if (take(reader, '|')) {
      written += '|'
      skipEmpty(reader)
      continue
    }
    const { before = '', text } = repeated(atom(reader), reader)
    written += before + text
  }
  return written
}

const flagsAlone = /\(\?([imsU]*)(?:-([imsU]+))?\)/y

/** Flags, which hold until the group around them ends, and empty quotations. */
function skipEmpty(reader: PatternReader): void {
  while (take(reader, '\\Q\\E'));
  flagsAlone.lastIndex = reader.at
  const flags = flagsAlone.exec(reader.pattern)
  if (flags === null) return
  reader.at = flagsAlone.lastIndex
  reader.flags = withFlags(reader.flags, flags[1], flags[2])
  skipEmpty(reader)
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
  if (take(reader, '.')) return anything(flags.s ? '.' : '[^\\n]')
  if (take(reader, '^')) return place(flags.m ? '(?:^|(?<=\\n))' : '^')
  if (take(reader, '$')) return place(flags.m ? '(?:$|(?=\\n))' : '$')
  if (take(reader, '\\Q')) return quotation(reader)
  const said = places.get(reader.pattern.slice(reader.at, reader.at + 2))
  if (said !== undefined) {
    reader.at += 2
    return place(said)
  }
  piece.lastIndex = reader.at
  const [characters = ''] = piece.exec(reader.pattern) ?? []
  reader.at += characters.length
  return anything(charactersOf(characters, flags.i))
}

/** A class, an escape, or one character. */
const piece = /\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|\\(?:[pPx]\{[^}]*\}|[pP].|x..|[0-7]{1,3}|.)|./suy

const groupStart = /\?(?:P?<\w+>|([imsU]*)(?:-([imsU]+))?:)/y

/** Captured groups are not used. */
function group(reader: PatternReader): Atom {
  const outer = reader.flags
  groupStart.lastIndex = reader.at
  const start = groupStart.exec(reader.pattern)
  if (start !== null) {
    reader.at = groupStart.lastIndex
    reader.flags = withFlags(outer, start[1], start[2])
  }
  const inside = alternatives(reader)
  reader.at++
  reader.flags = outer
  return anything(`(?:${inside})`)
}

/** Without U, which determines which match is found first. */
const withFlags = ({ i, m, s }: Flags, on = '', off = ''): Flags => {
  const set = (flag: string, before: boolean) => (on.includes(flag) || before) && !off.includes(flag)
  return { i: set('i', i), m: set('m', m), s: set('s', s) }
}

const places: ReadonlyMap<string, string> = new Map([
  ['\\A', '\\A'],
  ['\\z', '\\Z'],
  ['\\b', '\\y'],
  ['\\B', '\\Y'],
])

/** \Q…\E: the literal text between them. A quantifier applies to its last character only. */
function quotation(reader: PatternReader): Atom {
  const end = reader.pattern.indexOf('\\E', reader.at)
  const quoted = reader.pattern.slice(reader.at, end === -1 ? undefined : end)
  reader.at = end === -1 ? reader.pattern.length : end + 2
  const letters = Array.from(quoted, (each) =>
    charactersOf(each === '\\' || each === '[' ? `\\${each}` : each, reader.flags.i),
  )
  return { before: letters.slice(0, -1).join(''), ...anything(letters.at(-1) ?? '') }
}

interface Times {
  readonly least: number
  readonly most: number
}

const times = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y

function quantifier(reader: PatternReader): Times | undefined {
  times.lastIndex = reader.at
  const [all = '', sign, least, comma, most] = times.exec(reader.pattern) ?? []
  reader.at += all.length
  if (sign !== undefined) return { least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Number.POSITIVE_INFINITY }
  if (least === undefined) return undefined
  if (comma === undefined) return { least: Number(least), most: Number(least) }
  return { least: Number(least), most: most === '' ? Number.POSITIVE_INFINITY : Number(most) }
}

/** PostgreSQL cannot repeat a position; repeating it changes nothing. A second quantifier repeats the repetition. */
function repeated(once: Atom, reader: PatternReader): Atom {
  let all = once
  for (let isFirst = true; ; isFirst = false) {
    skipEmpty(reader)
    const asked = quantifier(reader)
    if (asked === undefined) return all
    const { text, isPlace } = all
    const repeats = isPlace ? (asked.least === 0 ? '' : text) : counted(isFirst ? text : `(?:${text})`, asked)
    all = { ...all, text: repeats }
  }
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

function take(reader: PatternReader, sign: string): boolean {
  if (!reader.pattern.startsWith(sign, reader.at)) return false
  reader.at += sign.length
  return true
}
