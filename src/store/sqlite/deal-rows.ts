import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import { type Deal, dealFields } from '../../deals/deal.ts'
import { snakeCase } from '../snake-case.ts'

const fields = Object.keys(dealFields) as (keyof Deal)[]
const columns = fields.map(snakeCase)
const booleans = new Set<string>(fields.filter((field) => dealFields[field].name === 'boolean'))

/** Deals as rows: every field a column, amounts in cents, the document as text beside them. */
export interface DealRows {
  find(id: string): Deal | undefined
  insert(deal: Deal, json: string): void
  /** When the deal came into the state before its current one. */
  previousAt(id: string): string | null
  /** Writes only the columns that differ, so that only their indexes are touched. */
  update(before: Deal, after: Deal, json: string): void
}

export function dealRows(db: DatabaseSync): DealRows {
  const select = db.prepare(`SELECT ${columns.join(', ')} FROM deals WHERE id = ?`)
  select.setReturnArrays(true)
  const insert = db.prepare(
    `INSERT INTO deals (${columns.join(', ')}, doc) VALUES (${columns.map(() => '?').join(', ')}, ?)`,
  )
  const previous = db.prepare('SELECT previous_at FROM deals WHERE id = ?')
  const updates = new Map<string, StatementSync>()
  const prepareUpdate = (changed: readonly string[]): StatementSync => {
    const sets = changed.map((field) => `${snakeCase(field)} = ?`).join(', ')
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
    deal[field] = booleans.has(field) ? row[index] === 1 : row[index]
  })
  return deal as unknown as Deal
}

const toColumn = (value: string | number | boolean | null): string | number | null =>
  typeof value === 'boolean' ? Number(value) : value
