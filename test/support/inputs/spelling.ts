import { type Collection, fieldOf } from '../../../src/queries/collection.ts'
import { dialects } from '../../../src/queries/dialects/dialects.ts'
import type { ComparisonName } from '../../../src/queries/expressions/comparison.ts'
import { fc } from './fast-check.ts'
import { type Combination, type Comparison, isCombination } from './naive-evaluator.ts'

export interface Asked extends Comparison {
  readonly operator: Exclude<ComparisonName, 'unknown'>
  /** The values as a client writes them. */
  readonly texts: readonly string[]
}

/** Some way in which a client may write a comparison, in any dialect: one or more parameters. */
export function spelled(collection: Collection, { field, operator, texts }: Asked): fc.Arbitrary<string> {
  const parameters = operator === 'in' ? [texts] : texts.map((text) => [text])
  const written = parameters.map((each) => {
    const comparison = { field: fieldOf(collection, field), operator, texts: each }
    return fc.constantFrom(...dialects.flatMap((dialect) => dialect.spell(collection, comparison)))
  })
  return fc.tuple(...written).map((all) => all.join('&'))
}

/** A combination whose comparisons have texts. */
export interface AskedTree extends Combination {
  readonly of: readonly (Asked | AskedTree)[]
}

type Spell = (collection: Collection, part: Asked | AskedTree) => fc.Arbitrary<string>

/** Some way in which a client may write a combination, in any dialect that has them. */
export function spelledTree(collection: Collection, tree: AskedTree): fc.Arbitrary<string> {
  const within = (spell: Spell, name: string, around = (text: string) => text) =>
    spell(collection, tree).map((text) => `${name}=${encodeURIComponent(around(text))}`)
  return fc.oneof(
    inLogic(collection, tree).map((text) => {
      const [, name, operands = ''] = /^((?:not\.)?(?:and|or))(\(.*)$/s.exec(text) ?? ['', 'and', `(${text})`]
      return `${name}=${encodeURIComponent(operands)}`
    }),
    within(inOdata, '$filter'),
    within(inJson, 'filter'),
  )
}

const all = (collection: Collection, { of }: AskedTree, spell: Spell): fc.Arbitrary<readonly string[]> =>
  fc.tuple(...of.map((part) => spell(collection, part)))

/** PostgREST's spelling. */
function inLogic(collection: Collection, part: Asked | AskedTree): fc.Arbitrary<string> {
  if (isCombination(part)) {
    const spelled = all(collection, part, inLogic)
    return part.logic === 'not'
      ? spelled.map(([one = '']) => (one.startsWith('not.') ? `not.and(${one})` : `not.${one}`))
      : spelled.map((operands) => `${part.logic}(${operands.join()})`)
  }
  const { field, operator, texts } = part
  const value = (text: string) =>
    /^[\w.:-]+$/.test(text) ? fc.constantFrom(text, `"${text}"`) : fc.constant(`"${text.replaceAll(/["\\]/g, '\\$&')}"`)
  const [text = ''] = texts
  if (operator === 'null') {
    return fc.constantFrom(`${field}.is.${text === 'true' ? 'null' : 'not_null'}`, `${field}.null.${text}`)
  }
  if (operator === 'in') return fc.tuple(...texts.map(value)).map((each) => `${field}.in.(${each.join()})`)
  const others: { readonly [name: string]: readonly string[] } = {
    ne: ['neq', 'not.eq'],
    regex: ['match'],
    null: ['is'],
  }
  const words = fc.constantFrom(operator, ...(others[operator] ?? []))
  return fc.tuple(words, value(text)).map(([word, each]) => `${field}.${word}.${each}`)
}

const signs: { readonly [name: string]: string } = { eq: 'eq', ne: 'ne', gt: 'gt', gte: 'ge', lt: 'lt', lte: 'le' }
const functions: { readonly [name: string]: string } = { contains: 'contains', starts: 'startswith', ends: 'endswith' }

function inOdata(collection: Collection, part: Asked | AskedTree): fc.Arbitrary<string> {
  if (isCombination(part)) {
    return all(collection, part, inOdata).map((operands) => {
      const each = operands.map((operand) => `(${operand})`)
      return part.logic === 'not' ? `not ${each}` : each.join(` ${part.logic} `)
    })
  }
  const { operator, texts } = part
  const field = part.field.replaceAll('.', '/')
  const { kind } = fieldOf(collection, part.field)
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
  const literal = (text: string) => (kind.name === 'text' || kind.name === 'choice' ? quoted(text) : text)
  const [text = ''] = texts
  if (operator === 'null') return fc.constant(`${field} ${text === 'true' ? 'eq' : 'ne'} null`)
  if (operator === 'in') return fc.constantFrom(`${field} in (${texts.map(literal).join(', ')})`)
  if (operator === 'regex') return fc.constant(`matchesPattern(${field},${quoted(text)})`)
  const occurs = functions[operator]
  if (occurs !== undefined) {
    return fc.constantFrom('tolower', 'toupper').map((folds) => `${occurs}(${folds}(${field}),${quoted(text)})`)
  }
  return fc.constant(`${field} ${signs[operator]} ${literal(text)}`)
}

function inJson(collection: Collection, part: Asked | AskedTree): fc.Arbitrary<string> {
  if (isCombination(part)) {
    return all(collection, part, inJson).map((each) => `{"${part.logic}":${part.logic === 'not' ? each : `[${each}]`}}`)
  }
  const { field, operator, texts } = part
  const { kind } = fieldOf(collection, field)
  const isOwn = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in'].includes(operator)
  const isPlain = isOwn && (kind.name === 'integer' || kind.name === 'amount' || kind.name === 'boolean')
  const values = texts.map((text) => (isPlain || operator === 'null' ? text : JSON.stringify(text)))
  return fc
    .constant(JSON.stringify(field))
    .map((name) => `{${name}:{"${operator}":${operator === 'in' ? `[${values}]` : values[0]}}}`)
}
