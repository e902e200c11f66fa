import { valuesOf } from '../values/kinds/choices.ts'
import type { Kind } from '../values/kinds/kind.ts'
import { isLike } from './like-pattern.ts'

/** A value as the model and the stores hold it: amounts in thousandths, dates and instants as text. */
export type Value = string | number | boolean | null

export type Operator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'regex' | 'like' | 'null' | 'unknown'

/**
 * The subject of an operator's comparison: the field's value itself or in the order of its kind, the text that clients
 * see, that text folded, whether there is a value at all, or whether it is the name of a user.
 */
export type Compared = 'value' | 'order' | 'text' | 'folded text' | 'presence' | 'user'

/** Whether a regular expression matches a text; undefined if there was no time to finish. */
export type MatchPattern = (pattern: string, text: string) => boolean | undefined

/** The order of a field's values; a set has none. */
export type Ordering = Pick<Kind<unknown>, 'ranks' | 'unordered'>

/**
 * The meaning of an operator, in memory and in SQL; `src/store/select` writes the compared expression for each engine.
 */
export interface OperatorMeaning {
  readonly compares: Compared
  /** Whether a field that is not null matches one value of a term. */
  readonly holds: (own: Value, given: Value, order: Ordering, match: MatchPattern) => boolean | undefined
  /** Whether null matches a value; by default it never does. */
  readonly ofNull?: (given: Value) => boolean
  /** A term matches if none of its values holds, rather than any. */
  readonly negated?: true
  /** For an order: the side of the value on which matches lie, and its SQL operator. */
  readonly bound?: { readonly side: 'above' | 'below'; readonly sign: '<' | '<=' | '>' | '>=' }
  /** Matches the values that this one does not, apart from null. */
  readonly opposite?: Operator
  /** The kinds for which documents name it; other kinds accept it too. */
  readonly suits?: (kind: Kind<unknown>) => boolean
}

/** A set has a value. */
const same: OperatorMeaning['holds'] = (own, given, { unordered }) =>
  unordered ? valuesOf(String(own)).includes(String(given)) : own === given

const ordered = (
  side: 'above' | 'below',
  sign: '<' | '<=' | '>' | '>=',
  opposite: Operator,
  isMet: (order: number) => boolean,
): OperatorMeaning => ({
  compares: 'order',
  holds: (own, given, kind) => {
    const order = compareValues(kind, own, given)
    return order !== undefined && isMet(order)
  },
  bound: { side, sign },
  opposite,
})

/** Every operator. decisions/0028 */
export const operators: Readonly<Record<Operator, OperatorMeaning>> = {
  eq: { compares: 'value', holds: same, opposite: 'ne' },
  ne: { compares: 'value', holds: same, opposite: 'eq', negated: true, ofNull: () => true },
  gt: ordered('above', '>', 'lte', (order) => order > 0),
  gte: ordered('above', '>=', 'lt', (order) => order >= 0),
  lt: ordered('below', '<', 'gte', (order) => order < 0),
  lte: ordered('below', '<=', 'gt', (order) => order <= 0),
  regex: { compares: 'text', holds: (own, given, _, match) => match(String(given), String(own)) },
  like: {
    compares: 'folded text',
    holds: (own, given) => isLike(String(own), String(given)),
    suits: ({ name }) => name === 'text',
  },
  null: {
    compares: 'presence',
    holds: (_, given) => given === false,
    ofNull: (given) => given === true,
    suits: ({ nullable }) => nullable,
  },
  unknown: {
    compares: 'user',
    holds: (isUser, given) => isUser !== given,
    // Nobody is not unknown.
    ofNull: (given) => given === false,
    suits: ({ namesUser = false }) => namesUser,
  },
}

/** Compares two values of one kind as both stores do: texts by code point, choices as declared. Not for null. */
export function compareValues({ ranks }: Ordering, a: Value, b: Value): number | undefined {
  if (ranks !== undefined) {
    const [one, other] = [ranks.get(a), ranks.get(b)]
    // A choice that is no longer declared has no rank.
    return one === undefined || other === undefined ? undefined : one - other
  }
  // UTF-8 bytes sort by code point; JavaScript's `<` compares UTF-16 units.
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return Number(a) - Number(b)
}

/** An operator with its values, on any field. */
interface OperatorUse {
  readonly operator: Operator
  readonly values: readonly Value[]
}

/** Whether a term matches a field that is null. */
export const matchesNull = ({ operator, values }: OperatorUse): boolean =>
  values.some(operators[operator].ofNull ?? never)

const never = (): boolean => false

/** The term that matches everything that this one does not, null included; undefined if there is none. */
export function complementTerm<T extends OperatorUse>(term: T): T | undefined {
  const { operator, values } = term
  const { compares, opposite } = operators[operator]
  if (compares === 'value' && opposite !== undefined) return { ...term, operator: opposite }
  // A term with both values leaves nothing.
  const isOne = isYesOrNo(compares) && new Set(values).size === 1
  return isOne ? { ...term, values: [values[0] !== true] } : undefined
}

/** Whether its values are true and false, one of which matches what the other does not. */
export const isYesOrNo = (compares: Compared): boolean => compares === 'presence' || compares === 'user'

/** Whether its matches are a range of an index. */
export function narrows(operator: Operator): boolean {
  const { compares, negated } = operators[operator]
  return compares === 'order' || (compares === 'value' && !negated)
}

/** Whether it examines text, whose cost per row is not known in advance. */
export function comparesText(operator: Operator): boolean {
  const { compares } = operators[operator]
  return compares === 'text' || compares === 'folded text' || compares === 'user'
}
