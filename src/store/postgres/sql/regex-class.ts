import { re2 } from '../../../queries/regex/re2.ts'

/** A set of characters: ranges of code points, both ends included. */
export type Ranges = readonly (readonly [from: number, to: number])[]

const LAST = 0x10ffff

/** A bracket expression that PostgreSQL reads the same under any collation. */
export function bracket(ranges: Ranges, negated: boolean): string {
  const inside = ranges.map(([from, to]) =>
    from === to ? escaped(from) : `${escaped(Math.max(from, 1))}-${escaped(to)}`,
  )
  if (inside.length > 0) return `[${negated ? '^' : ''}${inside.join('')}]`
  return negated ? `[${escaped(1)}-${escaped(LAST)}]` : `[^${escaped(1)}-${escaped(LAST)}]`
}

export function complement(ranges: Ranges): Ranges {
  const rest: (readonly [number, number])[] = []
  let next = 1
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (from > next) rest.push([next, from - 1])
    next = Math.max(next, to + 1)
  }
  return next <= LAST ? [...rest, [next, LAST]] : rest
}

/** With the code points that differ only by case: k comes with K and the Kelvin sign. */
export function withFolds(ranges: Ranges): Ranges {
  table ??= foldTable()
  const has = new Uint8Array(LAST_CASED + 1)
  for (const [from, to] of ranges) has.fill(1, from, to + 1)
  const found = new Set<number>()
  for (const [code, same] of table) if (has[code] === 1) for (const each of same) if (has[each] === 0) found.add(each)
  return [...ranges, ...[...found].sort((a, b) => a - b).map((code) => [code, code] as const)]
}

const escaped = (code: number): string => `\\U${code.toString(16).padStart(8, '0')}`

const range = (from: string, to: string) => [from.charCodeAt(0), to.charCodeAt(0)] as const
const digit: Ranges = [range('0', '9')]
const lower: Ranges = [range('a', 'z')]
const upper: Ranges = [range('A', 'Z')]
const alpha: Ranges = [...upper, ...lower]
const alnum: Ranges = [...digit, ...alpha]
const word: Ranges = [...alnum, range('_', '_')]

/** RE2: \d, \s and \w are ASCII. */
export const escapeClasses: ReadonlyMap<string, Ranges> = new Map([
  ['d', digit],
  ['w', word],
  ['s', [range('\t', '\n'), range('\f', '\r'), range(' ', ' ')]],
])

export const namedClasses: ReadonlyMap<string, Ranges> = new Map([
  ['alnum', alnum],
  ['alpha', alpha],
  ['ascii', [[0, 0x7f]]],
  ['blank', [range('\t', '\t'), range(' ', ' ')]],
  ['cntrl', [[0, 0x1f], range('\x7f', '\x7f')]],
  ['digit', digit],
  ['graph', [range('!', '~')]],
  ['lower', lower],
  ['print', [range(' ', '~')]],
  ['punct', [range('!', '/'), range(':', '@'), range('[', '`'), range('{', '~')]],
  ['space', [range('\t', '\r'), range(' ', ' ')]],
  ['upper', upper],
  ['word', word],
  ['xdigit', [...digit, range('A', 'F'), range('a', 'f')]],
])

/** A Unicode class such as L or Greek, with RE2's own ranges: other versions of Unicode may differ. */
export function unicodeClass(name: string): Ranges {
  const classes: readonly { readonly runes: Iterable<number> }[] = re2().RE2JS.compile(`\\p{${name}}`).re2().prog.inst
  const [from, to, ...more] = classes.flatMap(({ runes }) => [...runes])
  // No range means everything, one number is a single character, anything else is ranges.
  if (from === undefined) return [[0, LAST]]
  const pairs = to === undefined ? [from, from] : [from, to, ...more]
  return pairs.flatMap((code, at) => (at % 2 === 0 ? [[code, pairs[at + 1] ?? code] as const] : []))
}

// Built when a pattern first needs it: few do.
let table: ReadonlyMap<number, readonly number[]> | undefined

/** No cased letter lies above. */
const LAST_CASED = 0x1e943

function foldTable(): ReadonlyMap<number, readonly number[]> {
  const orbits = new Map<number, readonly number[]>()
  for (let code = 0x41; code <= LAST_CASED; code++) {
    const letter = String.fromCodePoint(code)
    for (const other of [letter.toLowerCase(), letter.toUpperCase()]) {
      const otherCode = other.codePointAt(0) ?? 0
      if (other === letter || String.fromCodePoint(otherCode) !== other || !isSame(letter, other)) continue
      const united = new Set([...(orbits.get(code) ?? [code]), ...(orbits.get(otherCode) ?? [otherCode])])
      for (const each of united) orbits.set(each, [...united])
    }
  }
  return orbits
}

/** Unicode's simple case folding, which regular expressions use, has fewer pairs than the mappings of strings. */
const isSame = (letter: string, other: string): boolean => new RegExp(`^${letter}$`, 'iu').test(other)
