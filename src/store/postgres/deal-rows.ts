import { type Deal, dealFields } from '../../model/deal/deal.ts'
import { columnName } from '../sql/column-name.ts'
import type { Row } from './connection.ts'

const fields = Object.keys(dealFields) as (keyof Deal)[]

/** Every field is a column, in the order in which a deal is written; the document is the last. */
export const dealColumns: readonly string[] = fields.map((field) => columnName(field, dealFields[field]))

/** Nothing for a row of nulls, as an outer join gives it. */
export function readDeal(row: Row): Deal | undefined {
  if (row[0] === null) return undefined
  return Object.fromEntries(fields.map((field, at) => [field, row[at]])) as unknown as Deal
}

export const dealValues = (deal: Deal, json: string): readonly unknown[] => [
  ...fields.map((field) => deal[field]),
  json,
]
