import { queryBounds } from '../../values/bounds.ts'
import { asText } from '../../values/json/exact-numbers.ts'
import type { CollectionField } from '../collection.ts'
import { type Condition, type Filter, isTerm, type Operator, type Term, type Value } from '../query.ts'

/** A filter as an OData expression; undefined if OData cannot express it. */
export const writeOdata = (filter: Filter): string | undefined => writeAll(filter, 0)

/** All conditions. An `or` among them needs parentheses. */
function writeAll(filter: Filter, depth: number): string | undefined {
  const isOne = filter.length === 1
  return joined(
    filter.map((each) => writeCondition(each, depth, isOne)),
    ' and ',
  )
}

function writeCondition(condition: Condition, depth: number, isAlone: boolean): string | undefined {
  if (isTerm(condition)) return writeTerm(condition, depth, isAlone)
  const { any, negated } = condition
  const isBare = isAlone && !negated
  const inner = joined(
    any.map((filter) => writeAll(filter, isBare ? depth : depth + 1)),
    ' or ',
  )
  if (inner === undefined || isBare) return inner
  return depth < queryBounds.depth ? `${negated ? 'not ' : ''}(${inner})` : undefined
}

function joined(parts: readonly (string | undefined)[], by: string): string | undefined {
  return parts.length === 0 || parts.includes(undefined) ? undefined : parts.join(by)
}

const signs: { readonly [O in Operator]?: string } = { eq: 'eq', ne: 'ne', gt: 'gt', gte: 'ge', lt: 'lt', lte: 'le' }

function writeTerm({ field, operator, values }: Term, depth: number, isAlone: boolean): string | undefined {
  const name = field.name.replaceAll('.', '/')
  const several = values.length > 1
  if (several && (operator === 'eq' || operator === 'ne')) {
    const found = `${name} in (${values.map((value) => literal(field, value)).join(',')})`
    return operator === 'eq' ? found : depth < queryBounds.depth ? `not (${found})` : undefined
  }
  const each = values.map((value) => writeOne(name, field, operator, value))
  if (!several) return each[0]
  return isAlone ? joined(each, ' or ') : depth < queryBounds.depth ? `(${joined(each, ' or ')})` : undefined
}

function writeOne(name: string, field: CollectionField, operator: Operator, value: Value): string | undefined {
  if (operator === 'null') return `${name} ${value === true ? 'eq' : 'ne'} null`
  if (operator === 'unknown') return `${value === true ? '' : 'not '}unknown(${name})`
  if (operator === 'regex') return `matchesPattern(${name},${text(String(value))})`
  if (operator === 'like') return writeLike(name, String(value))
  const sign = signs[operator]
  return sign && `${name} ${sign} ${literal(field, value)}`
}

const occurrence = /^(%)?((?:[^\\%_]|\\[\s\S])*?)(%)?$/

/** The patterns for which OData has functions: a text at the start, at the end, anywhere, or as a whole. */
function writeLike(name: string, pattern: string): string | undefined {
  const [, opens, quoted, closes] = occurrence.exec(pattern) ?? []
  if (!quoted) return undefined
  const found = text(quoted.replaceAll(/\\([\s\S])/g, '$1'))
  if (opens && closes) return `contains(tolower(${name}),${found})`
  if (closes) return `startswith(tolower(${name}),${found})`
  return opens ? `endswith(tolower(${name}),${found})` : `tolower(${name}) eq ${found}`
}

function literal({ kind }: CollectionField, value: Value): string {
  const written = asText(kind.write(value))
  return ['text', 'choice', 'choices'].includes(kind.name) ? text(written) : written
}

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`
