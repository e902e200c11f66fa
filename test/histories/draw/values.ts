import { pick } from '../../../src/demo/random.ts'
import type { JsonSchema, Kind } from '../../../src/values/kinds/kind.ts'
import { personTexts } from '../sides.ts'
import { chance, type Drawing, someThing } from './drawing.ts'

/** Texts that storage, SQL, JSON, tables or markup may read as something else. */
const hostile: readonly string[] = [
  ...[
    '{"id":',
    '"own":{',
    '","own":{"id":null}',
    '{"id":"x","own":{',
    '}',
    '{',
    '"',
    '\\',
    '\\"',
    "'",
    "''",
    '\\u001e',
  ],
  ...[
    'a\nb',
    'a\r\nb',
    'a\tb',
    '\na',
    ' a ',
    'a; b',
    'a,b',
    '=1+1',
    '+1',
    '-1',
    '@a',
    "'=1",
    '%',
    '_',
    '$0',
    '$&',
    '$1',
  ],
  ...['null', 'true', 'NaN', 'undefined', '0', '1e3', '007', '1.5', '1.500,00', '2027-01-31', '2027-01-31T10:00:00Z'],
  ...[
    '😀',
    '\uff5e',
    '\ue000',
    'e\u0301',
    'é',
    'ß',
    'SS',
    'İ',
    '\u200b\u200ba',
    '\u202eabc',
    '\u2028',
    'ﾃﾞｽｸ',
    '\ufffd',
  ],
  ...[
    'constructor',
    '__proto__',
    'id',
    'own',
    'toString',
    'length',
    '<b>&amp;</b>',
    ']]>',
    '<!--',
    '/',
    '.',
    '..',
    'a.json',
  ],
  ...['by', 'a/b', 'a?b=c#d', 'a%2fb', '+', 'a+b', '*', '(a)', 'x'.repeat(199), 'é'.repeat(99), '😀'.repeat(40)],
]
const plain: readonly string[] = [
  'Ana',
  'Roof',
  'Espresso',
  'Old',
  'New',
  'Müller',
  'A1',
  'B-2',
  'c3',
  'D 4',
  'key',
  'z',
]

/** Few of them, so that things meet in them. */
const numbers: readonly number[] = [
  ...[0, 1, 2, 3, 10, 17, 18, 50, 100, 150, -1, 0.1, 0.01, 0.005, 1.5, 12.34, 1.005, 2.675, 1000, 99_999.99],
  ...[
    1e12,
    999_999_999_999.99,
    1e12 + 1,
    9e15,
    9_007_199_254_740_991,
    -9e15,
    8_589_934_591.999999,
    0.000001,
    33.333333,
  ],
]
const days = ['2026-01-30', '2026-12-31', '2027-01-31', '2028-02-29', '0001-01-01', '9999-12-31', '2027-02-30']
const instants = [
  '2027-01-31T10:00:00Z',
  '2027-01-31T11:00:00.123+01:00',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
]
const nobodys = '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10'
const wrong: readonly unknown[] = [null, true, 0, -1, '', ' ', [], {}, 'x'.repeat(20_001), 1e21, ['a'], { a: 1 }]

export const drawText = (drawing: Drawing): string =>
  pick(chance(drawing, 35) ? hostile : plain, drawing.random) +
  (chance(drawing, 8) ? pick(hostile, drawing.random) : '')

/** A value as it is sent in JSON; seldom one that the kind does not take. */
export function drawValue(drawing: Drawing, kind: Kind<unknown>): unknown {
  if (chance(drawing, 2)) return pick(wrong, drawing.random)
  if (kind.nullable && chance(drawing, 12)) return null
  const isExact = chance(drawing, 92)
  for (let tries = 0; ; tries++) {
    const value = candidate(drawing, kind)
    if (!isExact || tries > 30 || isName(value) || 'value' in kind.read(value)) return value
  }
}

/** The name of a thing stands for an id, which no kind knows. */
const isName = (value: unknown): boolean => typeof value === 'string' && /^ID\d+n\d+Z$/.test(value)

function candidate(drawing: Drawing, kind: Kind<unknown>): unknown {
  const { random } = drawing
  if (kind.refersTo !== undefined) return someThing(drawing, kind.refersTo)?.name ?? null
  if (kind.namesUser && chance(drawing, 70)) return pick(personTexts, random)
  const words = wordsOf(kind)
  switch (kind.name) {
    case 'choices':
      return words.filter(() => random(2) === 0)
    case 'choice':
      return pick(words, random)
    case 'integer':
    case 'amount':
      return pick(numbers, random)
    case 'boolean':
      return random(2) === 0
    case 'date':
      return pick(days, random)
    case 'instant':
      return pick(instants, random)
    case 'uuid':
      // At the beginning nothing may be there yet.
      return drawing.known.all.length === 0 ? nobodys : pick(drawing.known.all, random).name
    default:
      return words.length > 0 ? pick(words, random) : textFor(drawing, kind)
  }
}

function textFor(drawing: Drawing, { contact, schema }: Kind<unknown>): string {
  const { random } = drawing
  if (schema.format === 'email') return pick(['a@b.example', 'Ana@b.example', 'é@c.example', '"a b"@c.example'], random)
  if (contact === 'url')
    return pick(['https://a.example/?q={"id":', 'http://b.example', 'https://é.example/a b'], random)
  if (contact === 'tel') return pick(['+49 (0) 170-1234567', '030 1', '01701234567', '1-2-3-4-5-6'], random)
  return drawText(drawing)
}

/** The words of a closed list. */
export function wordsOf({ schema }: Kind<unknown>): readonly string[] {
  const own = [schema, ...((schema.anyOf ?? []) as readonly JsonSchema[])].find((each) => each.enum ?? each.items)
  const { enum: words = [] } = (own?.items ?? own ?? {}) as JsonSchema
  return (words as readonly unknown[]).filter((word) => typeof word === 'string')
}
