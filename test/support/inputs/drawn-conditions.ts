import { pick, type Random } from '../../../src/demo/random.ts'
import { valueIn } from '../../../src/model/declaration/operation.ts'
import { type Collection, type CollectionField, filterable } from '../../../src/queries/collection.ts'
import { search } from '../../../src/queries/dialects/search.ts'
import { occurrences } from '../../../src/queries/like-pattern.ts'
import { type Operator, operators } from '../../../src/queries/operators.ts'
import type { Condition, Filter, Term, Value } from '../../../src/queries/query.ts'
import { type ReadTerm, readTerm } from '../../../src/queries/term.ts'
import { valuesOf as setValues } from '../../../src/values/kinds/choices.ts'
import { isNumeric, type Kind } from '../../../src/values/kinds/kind.ts'
import { amountToText, type Total } from '../../../src/values/kinds/money.ts'
import { drawText, drawValue } from './drawn-things.ts'

const patterns: readonly string[] = [
  ...['a', '^a', 'a$', '.', '^.$', '^..$', '^$', '(?i)ss', '(?i)k', '(?i)ſ', '(?i)σ', '(?i)^i$', '[^a]', '\\W'],
  ...['\\bana\\b', '(?s)a.b', '(?m)^a$', '\\pL', '\\p{Greek}', '[[:upper:]]', '\\d+', '^1\\.', '0{2}', '-'],
  ...['^[\\x{1F600}-\\x{1F64F}]', '^20', 'T10', 'e.0', '(a|b)*c?$', '\\s', '^\\s|\\s$', '\\\\', '%', '(?i)É'],
  ...['(?:ana){1,2}', 'lead|open', '[_%]', 'true'],
]
const atoms: readonly string[] = [
  String.raw`a b é k K ſ s ß σ 𝒳 . \d \D \w \W \b \B ^ $ [ab] [^a\n] \pL \PL \pN \p{Lu} \x{61} \x20 \A \z \n \s \S`,
  String.raw`[[:alpha:]] [[:^space:]] (a|b) (?i:k) (?-i:S) (?s:.) (?m:^) (?m:$) (?:a|) [^[:upper:]] [\pL\d] [k-s] [^\W]`,
  String.raw`\Qa.b\E |`,
].flatMap((line) => line.split(' '))
const signs: readonly string[] = ['', '', '', '*', '+', '?', '*?', '{2}', '{0,3}', '{1,}']

/** The least and the greatest number that can be asked for, of whatever kind, and one that no field has. */
const extremes: readonly string[] = [String(-(2 ** 53)), String(2 ** 53), '-1']

/** The values that a field of a collection has among the things that were drawn. */
export type ValuesOf = (field: CollectionField) => readonly unknown[]

/** All that must hold: comparisons, combinations of them, and searches, of which the collection can be asked. */
export function drawFilter(collection: Collection, valuesOf: ValuesOf, random: Random): Filter {
  return Array.from({ length: 1 + random(2) }, () => drawCondition(collection, valuesOf, random, 3))
}

function drawCondition(collection: Collection, valuesOf: ValuesOf, random: Random, depth: number): Condition {
  const drawn = random(10)
  if (drawn === 0 && collection.searched.length > 0) return drawSearch(collection, valuesOf, random)
  if (drawn < 6 || depth === 0) return drawTerm(collection, valuesOf, random)
  const filters = Array.from({ length: random(12) === 0 ? 0 : 1 + random(3) }, () =>
    Array.from({ length: random(12) === 0 ? 0 : 1 + random(2) }, () =>
      drawCondition(collection, valuesOf, random, depth - 1),
    ),
  )
  return { any: filters, negated: random(2) === 0 }
}

function drawSearch(collection: Collection, valuesOf: ValuesOf, random: Random): Condition {
  const field = pick(collection.searched, random)
  const asked = Array.from({ length: 1 + random(2) }, () => drawPart(field, valuesOf, random)).join(' ')
  const read = search.read(collection, { name: 'q', value: asked } as never)
  return read === undefined || 'fault' in read ? drawSearch(collection, valuesOf, random) : read
}

const names = Object.keys(operators) as readonly Operator[]

function drawTerm(collection: Collection, valuesOf: ValuesOf, random: Random): Term {
  for (;;) {
    const field = pick(filterable(collection), random)
    const operator = pick(names, random)
    const terms = Array.from({ length: 1 + Math.max(0, random(5) - 2) }, () =>
      drawComparison(field, operator, valuesOf, random),
    )
    const values = terms.flatMap((term) => ('fault' in term ? [] : term.values))
    if (values.length > 0) return { field, operator, values }
  }
}

function drawComparison(field: CollectionField, operator: Operator, valuesOf: ValuesOf, random: Random): ReadTerm {
  switch (operators[operator].compares) {
    case 'presence':
    case 'user':
      return readTerm(field, operator, String(random(2) === 0))
    case 'text':
      return readTerm(field, operator, drawPattern(field, valuesOf, random))
    case 'folded text': {
      const occurrence = pick([...occurrences, 'like', 'like'] as const, random)
      return readTerm(field, occurrence, drawPart(field, valuesOf, random, occurrence === 'like'))
    }
    default: {
      if (isNumeric(field.kind) && random(12) === 0) return readTerm(field, operator, pick(extremes, random))
      const near = random(3) > 0 ? valuesOf(field).filter((value) => value !== null) : []
      const value = near.length > 0 ? pick(near, random) : drawValue({ ...field.kind, nullable: false }, random)
      return readTerm(field, operator, field.kind.unordered ? partOf(value, random) : textOf(field.kind, value))
    }
  }
}

const textOf = ({ name, decimals }: Kind<unknown>, value: unknown): string =>
  name === 'amount' ? amountToText(value as Total, decimals) : String(value)

/** One of the values of a set. */
const partOf = (set: unknown, random: Random): string => pick(setValues(String(set)), random)

/** A part of a text that the field has, perhaps in another case, form or with wildcards, or any text. */
function drawPart(field: CollectionField, valuesOf: ValuesOf, random: Random, wild = false): string {
  const known = valuesOf(field).filter((value) => value !== null)
  const text = known.length > 0 && random(4) > 0 ? textOf(field.kind, pick(known, random)) : drawText(random)
  const characters = Array.from(text)
  const start = random(characters.length + 1)
  const part = characters.slice(start, start + 1 + random(4)).join('')
  const cased = pick(
    [part, part.toUpperCase(), part.toLowerCase(), part.normalize('NFD'), part.normalize('NFKC')],
    random,
  )
  if (!wild) return cased
  const signs = Array.from(cased, (each) => pick([each, each, each, '%', '_', '_', `\\${each}`], random))
  return `${pick(['', '%', '_'], random)}${signs.join('')}${pick(['', '%', '_'], random)}`
}

const drawPattern = (field: CollectionField, valuesOf: ValuesOf, random: Random): string => {
  if (random(3) === 0) return pick(patterns, random)
  if (random(2) === 0) {
    const parts = Array.from({ length: 1 + random(4) }, () => pick(atoms, random) + pick(signs, random))
    return pick(['', '(?i)', '(?m)', '(?s)', '^'], random) + parts.join('')
  }
  const literal = drawPart(field, valuesOf, random).replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&')
  return `${pick(['', '(?i)', '^', '(?s)'], random)}${literal}${pick(['', '$', '.', '.*'], random)}`
}

/** The values that a field has among things, or among the things that they refer to. */
export const valuesAmong =
  (things: readonly object[], related: (collection: string) => readonly object[]): ValuesOf =>
  ({ name, through }) =>
    (through === undefined ? things : related(through.of.plural)).map(
      (thing) => valueIn(thing, through?.field.name ?? name) ?? null,
    ) as readonly Value[]
