import { anyOf, complementOf } from '../../../queries/expressions/combine.ts'
import type { LogicReading } from '../../../queries/expressions/logic.ts'
import { matchesNull, operators } from '../../../queries/operators.ts'
import type { Filter, Term } from '../../../queries/query.ts'

/** Where a condition is true and where it is false. As in SQL, it is neither if it compares null. */
export interface Truth {
  readonly isTrue: Filter
  readonly isFalse: Filter
}

/** Combines conditions in the three-valued logic of SQL; filters have two values. */
export const asInSql: Omit<LogicReading<Truth>, 'scanner' | 'collection'> = {
  term: truthOf,
  all: (operands) => ({
    isTrue: operands.flatMap(({ isTrue }) => isTrue),
    isFalse: anyOf(operands.map(({ isFalse }) => isFalse)),
  }),
  any: (operands) => ({
    isTrue: anyOf(operands.map(({ isTrue }) => isTrue)),
    isFalse: operands.flatMap(({ isFalse }) => isFalse),
  }),
  not: ({ isTrue, isFalse }) => ({ isTrue: isFalse, isFalse: isTrue }),
}

/** These are true or false for null too. */
const decisive: ReadonlySet<string> = new Set(['is', 'isdistinct', 'null', 'unknown'])

function truthOf(term: Term, operator: string): Truth {
  const { field } = term
  const complement = complementOf([term])
  if (decisive.has(operator)) return { isTrue: [term], isFalse: complement }
  const isKnown: Filter = field.kind.nullable ? [{ field, operator: 'null', values: [false] }] : []
  const { opposite } = operators[term.operator]
  const other = opposite && { ...term, operator: opposite }
  return {
    isTrue: matchesNull(term) ? [term, ...isKnown] : [term],
    isFalse: other === undefined || matchesNull(other) ? [...complement, ...isKnown] : [other],
  }
}
