import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import { type Deal, dealFields } from '../../model/deal/deal.ts'
import { columnName } from '../sql/column-name.ts'

const fields = Object.keys(dealFields) as (keyof Deal)[]
const columnOf = (field: keyof Deal): string => columnName(field, dealFields[field])
const columns = fields.map(columnOf)
const booleans = new Set<string>(fields.filter((field) => dealFields[field].name === 'boolean'))

const totals = new Set<string>(['amercement', 'paid'] satisfies (keyof Deal)[])

/** The driver refuses integers beyond the safe ones: totals of an earlier release that are so large come as text. */
const read = fields.map((field) => {
  const column = columnOf(field)
  if (!totals.has(field)) return column
  return `CASE WHEN ${column} > ${Number.MAX_SAFE_INTEGER} THEN CAST(${column} AS TEXT) ELSE ${column} END`
})

/** Deals as rows: every field a column, amounts in thousandths, the document as text beside them. */
export interface DealRows {
  find(id: string): Deal | undefined
  insert(deal: Deal, json: string): void
  /** When the deal came into the state before its current one. */
  previousAt(id: string): string | null
  /** Writes only the columns that differ, so that only their indexes are touched. */
  update(before: Deal, after: Deal, json: string): void
}

export function dealRows(db: DatabaseSync): DealRows {
  const select = db.prepare(`SELECT ${read.join(', ')} FROM deals WHERE id = ?`)
  select.setReturnArrays(true)
  const insert = db.prepare(
    `INSERT INTO deals (${columns.join(', ')}, doc) VALUES (${columns.map(() => '?').join(', ')}, ?)`,
  )
  const previous = db.prepare('SELECT previous_at FROM deals WHERE id = ?')
  const updates = new Map<string, StatementSync>()
  const prepareUpdate = (changed: readonly (keyof Deal)[]): StatementSync => {
    const sets = changed.map((field) => `${columnOf(field)} = ?`).join(', ')
    const statement = db.prepare(`UPDATE deals SET previous_at = updated_at, ${sets}, doc = ? WHERE id = ?`)
    updates.set(changed.join(), statement)
    return statement
  }
  return {
    find(id) {
      const row = select.get(id) as unknown as SQLOutputValue[] | undefined
      return row && readDeal(row)
    },
    previousAt: (id) => (previous.get(id)?.previous_at as string | null | undefined) ?? null,
    insert(deal, json) {
      insert.run(...fields.map((field) => toColumn(deal[field])), json)
    },
    update(before, after, json) {
      const changed = fields.filter((field) => before[field] !== after[field])
      const statement = updates.get(changed.join()) ?? prepareUpdate(changed)
      statement.run(...changed.map((field) => toColumn(after[field])), json, after.id)
    },
  }
}

function readDeal(row: readonly SQLOutputValue[]): Deal {
  const deal: Record<string, unknown> = {}
  fields.forEach((field, index) => {
    const value = row[index]
    deal[field] = booleans.has(field)
      ? value === 1
      : totals.has(field) && typeof value === 'string'
        ? BigInt(value)
        : value
  })
  return deal as unknown as Deal
}

const toColumn = (value: string | number | bigint | boolean | null): string | number | bigint | null =>
  typeof value === 'boolean' ? Number(value) : value
