import { valueIn } from '../model/declaration/operation.ts'
import type { Key } from '../model/declaration/resource.ts'
import type { Resource } from '../model/declaration/schema.ts'
import { dialledDigits } from '../values/digits.ts'
import { fold } from '../values/fold.ts'
import { parseExact } from '../values/json/exact-numbers.ts'
import { groupOf } from '../values/json/places.ts'
import type { Kind } from '../values/kinds/kind.ts'
import { amountFromText, amountToText, type Total } from '../values/kinds/money.ts'
import { groupsOf, memberEntries } from '../values/members.ts'
import type { Collection, CollectionField } from './collection.ts'
import { type Compared, type MatchPattern, matchesNull, type Ordering, operators } from './operators.ts'
import { type Condition, type Filter, isTerm, type Term, type Tree, type Value } from './query.ts'
import { compilePattern, matches as matchesText } from './regex/regex.ts'
import { beginMatch, type StepwiseMatch } from './regex/stepwise-match.ts'

/** Facts beyond the thing itself that a filter may need. */
export interface MatchFacts {
  /** The thing that a reference leads to, deleted or not; undefined if there is none. */
  readonly related: (resource: Resource, key: Key) => object | undefined
  /** The value of a hidden field, such as the time since which a deal has been in its stage. */
  readonly hidden: (field: CollectionField, thing: object) => Value
  /** Whether a text is the name of a user, whatever its case. */
  readonly isUser: (text: string) => boolean
}

/**
 * Whether a thing of the model matches a filter: exactly if a query with that filter returns it, on either store.
 * decisions/0028
 */
export const matches = (filter: Filter, thing: object, facts: MatchFacts = ALONE): boolean =>
  allHold(filter, { thing, facts, match: matchAtOnce }) === true

/** The same in steps that can pause: the time of a regular expression is its size times the text's length. */
export function beginMatches(filter: Filter, thing: object, facts: MatchFacts = ALONE): StepwiseMatch {
  const begun = new Map<string, StepwiseMatch | boolean>()
  return {
    advance(isOver) {
      const match: MatchPattern = (pattern, text) => {
        // No text contains the separator.
        const of = `${pattern}\0${text}`
        const known = begun.get(of) ?? beginMatch(compilePattern(pattern), text)
        const found = typeof known === 'boolean' ? known : known.advance(isOver)
        begun.set(of, found ?? known)
        return found
      }
      return allHold(filter, { thing, facts, match })
    },
  }
}

/** A thing of the model, from its document. */
export function readThing({ fields, columns }: Pick<Collection, 'fields' | 'columns'>, json: string): object {
  const thing = JSON.parse(json, (name, value: unknown, context?: { readonly source?: string }) => {
    const kind = typeof value === 'number' ? fields.get(name)?.kind : undefined
    return kind?.name === 'amount' ? amountFromText(context?.source ?? String(value), kind.decimals) : value
  }) as object
  if (groupsOf(columns).size === 0) return thing
  // Within a group, a name may be that of another field.
  const grouped = memberEntries(columns, parseExact(json) as object).filter(([name]) => groupOf(name) !== '')
  const read = grouped.map(([name, value]) => {
    const found = fields.get(name)?.kind.read(value)
    return [name, found !== undefined && 'value' in found ? found.value : null]
  })
  return { ...thing, ...Object.fromEntries(read) }
}

/** For filters on the thing's own members only. */
const ALONE: MatchFacts = {
  related: ({ plural }) => unknown(`one of the ${plural}`),
  hidden: ({ name }) => unknown(name),
  isUser: (text) => unknown(`the user ${text}`),
}

function unknown(asked: string): never {
  throw new Error(`a filter asks for ${asked}, which nobody knows`)
}

const matchAtOnce: MatchPattern = (pattern, text) => matchesText(compilePattern(pattern), text)

/** The thing to judge, and the facts. */
interface Judgement {
  readonly thing: object
  readonly facts: MatchFacts
  readonly match: MatchPattern
}

// Each of these returns undefined as soon as a regular expression has no more time.

function allHold(filter: Filter, judgement: Judgement): boolean | undefined {
  for (const condition of filter) {
    const holds = conditionHolds(condition, judgement)
    if (holds !== true) return holds
  }
  return true
}

const conditionHolds = (condition: Condition, judgement: Judgement): boolean | undefined =>
  isTerm(condition) ? termHolds(condition, judgement) : treeHolds(condition, judgement)

function treeHolds({ any, negated }: Tree, judgement: Judgement): boolean | undefined {
  for (const filter of any) {
    const holds = allHold(filter, judgement)
    if (holds !== false) return holds && !negated
  }
  return negated
}

function termHolds(term: Term, { thing, facts, match }: Judgement): boolean | undefined {
  const { field, operator, values } = term
  const { compares, holds, negated = false } = operators[operator]
  const value = fieldValue(field, thing, facts)
  if (value === null) return matchesNull(term)
  const own = seen[compares](value, field.kind, facts)
  const order = orderingOf(field, thing, facts)
  for (const given of values) {
    const fits = holds(own, given, order, match)
    if (fits !== false) return fits && !negated
  }
  return negated
}

/** A field of a thing, or of the thing that it refers to. */
function fieldValue(field: CollectionField, thing: object, facts: MatchFacts): Value | bigint {
  const { name, hidden, through, digitsOf } = field
  if (through !== undefined) {
    const key = (valueIn(thing, through.reference) ?? null) as Key | null
    const related = key === null ? undefined : facts.related(through.of, key)
    return related === undefined ? null : fieldValue(through.field, related, facts)
  }
  if (digitsOf !== undefined) {
    const text = valueIn(thing, digitsOf)
    return typeof text === 'string' ? (dialledDigits(text) ?? null) : null
  }
  if (!hidden) return (valueIn(thing, name) ?? null) as Value | bigint
  return name === 'deleted' ? (valueIn(thing, 'deletedAt') ?? null) !== null : facts.hidden(field, thing)
}

/** The order of a field's values, which may depend on another field of the same thing. */
function orderingOf({ kind, through }: CollectionField, thing: object, facts: MatchFacts): Ordering {
  if (kind.within === undefined) return kind
  if (through === undefined) return { ranks: kind.within.ranks.get(valueIn(thing, kind.within.field)) ?? UNRANKED }
  const related = facts.related(through.of, valueIn(thing, through.reference) as Key)
  return related === undefined ? { ranks: UNRANKED } : orderingOf(through.field, related, facts)
}

const UNRANKED: ReadonlyMap<unknown, number> = new Map()

type HeldValue = Exclude<Value, null> | bigint

/** The comparable forms of a value. */
const seen: Readonly<Record<Compared, (value: HeldValue, kind: Kind<unknown>, facts: MatchFacts) => Value>> = {
  value: bounded,
  order: bounded,
  presence: bounded,
  text: shownText,
  'folded text': (value, kind) => fold(shownText(value, kind)),
  user: (value, _kind, { isUser }) => isUser(String(value)),
}

/** Totals above the safe integers, which an earlier release stored, compare as the largest of them. decisions/0018 */
function bounded(value: HeldValue): Value {
  return typeof value === 'bigint' ? Number.MAX_SAFE_INTEGER : value
}

/** As clients see it. */
function shownText(value: HeldValue, { name, decimals }: Kind<unknown>): string {
  return name === 'amount' ? amountToText(value as Total, decimals) : String(value)
}
