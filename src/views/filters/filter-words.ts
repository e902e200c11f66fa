import type { CollectionField } from '../../queries/collection.ts'
import {
  type Condition,
  type Filter,
  isTerm,
  type Operator,
  type Term,
  type Tree,
  type Value,
} from '../../queries/query.ts'
import { label } from '../../representations/html/label.ts'

/** A condition in words, however it was written: "Age at least 18", "Customer's country is DE". */
export function filterWords(condition: Condition): string {
  const words = conditionWords(condition, false)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const conditionWords = (condition: Condition, isOneOfSeveral: boolean): string =>
  isTerm(condition) ? termWords(condition) : treeWords(condition, isOneOfSeveral)

function treeWords({ any, negated, word }: Tree, isOneOfSeveral: boolean): string {
  if (word !== undefined && !negated) return `has “${word}”`
  const words = any.map((filter) => allWords(filter, any.length > 1)).join(' or ') || 'nothing'
  if (negated) return `not (${words})`
  return isOneOfSeveral && any.length > 1 ? `(${words})` : words
}

function allWords(filter: Filter, isOneOfSeveral: boolean): string {
  if (filter.length === 0) return 'anything'
  const words = filter.map((each) => conditionWords(each, filter.length > 1)).join(' and ')
  return isOneOfSeveral && filter.length > 1 ? `(${words})` : words
}

function termWords({ field, operator, values }: Term): string {
  const name = fieldWords(field)
  const [value] = values
  if (field.kind.name === 'boolean' && values.length === 1 && (operator === 'eq' || operator === 'ne')) {
    return value === (operator === 'eq') ? name : `not ${name}`
  }
  switch (operator) {
    case 'like':
      return `${name} ${listWords(values.map((each) => patternWords(String(each))))}`
    case 'null':
      return `${name} is ${listWords(values.map((each) => (each === true ? 'empty' : 'not empty')))}`
    default:
      return `${name} ${comparisonWords(field)[operator]} ${listWords(values.map((each) => valueWords(field, operator, each)))}`
  }
}

/** A member of a related thing is said to be that thing's. */
function fieldWords({ name, through }: CollectionField): string {
  if (through === undefined) return label(name).toLowerCase()
  const own = through.field.name
  return `${label(name.slice(0, -own.length - 1)).toLowerCase()}'s ${label(own).toLowerCase()}`
}

type Comparing = Readonly<Record<Exclude<Operator, 'like' | 'null'>, string>>

const equal = { eq: 'is', ne: 'is not', regex: 'matches' }
const amounts: Comparing = { ...equal, gt: 'more than', gte: 'at least', lt: 'less than', lte: 'at most' }
const places: Comparing = { ...equal, gt: 'after', gte: 'from', lt: 'before', lte: 'until' }

/** Numbers are more or less, everything else comes before or after. */
const comparisonWords = ({ kind }: CollectionField): Comparing =>
  kind.name === 'integer' || kind.name === 'amount' ? amounts : places

function valueWords({ kind }: CollectionField, operator: Operator, value: Value): string {
  if (value === '') return 'empty'
  return operator === 'regex' ? String(value) : String(kind.write(value))
}

/** A pattern whose wildcards are at its ends says where in the text something occurs. */
function patternWords(pattern: string): string {
  const [, before, text, behind] = /^(%?)((?:[^\\%_]|\\.)*)(%?)$/su.exec(pattern) ?? []
  if (text === undefined) return `is like ${pattern}`
  const how = before ? (behind ? 'contains' : 'ends with') : behind ? 'starts with' : 'is like'
  return `${how} ${text.replaceAll(/\\(.)/gsu, '$1')}`
}

const MOST_LISTED = 5

function listWords(words: readonly string[]): string {
  const others = words.length - MOST_LISTED
  const listed = others > 1 ? [...words.slice(0, MOST_LISTED), `${others} others`] : words
  return listed.length < 2 ? listed.join() : `${listed.slice(0, -1).join(', ')} or ${listed.at(-1)}`
}
