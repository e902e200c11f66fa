import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { type Customer, customerFields, customerToJson } from '../../model/customer/customer.ts'
import type { StoredCustomer } from '../port/store.ts'
import { snakeCase } from '../sql/snake-case.ts'

const fields = Object.keys(customerFields) as (keyof Customer)[]
const columns = fields.map(snakeCase)

export interface CustomerRows {
  find(id: number): Customer | undefined
  /** When the customer came into the state before its current one. */
  previousAt(id: number): string | null
  exists(id: number): boolean
  inUse(id: number): boolean
  /** Assigns the id of a customer that has none. */
  save(customer: Omit<Customer, 'id'> & { readonly id?: number }): StoredCustomer
  nextId(): number
  remove(id: number): void
}

export function customerRows(db: DatabaseSync): CustomerRows {
  const select = db.prepare(`SELECT ${columns.join(', ')} FROM customers WHERE id = ?`)
  select.setReturnArrays(true)
  const previous = db.prepare('SELECT previous_at FROM customers WHERE id = ?')
  const exists = db.prepare('SELECT 1 FROM customers WHERE id = ?')
  const inUse = db.prepare('SELECT 1 FROM deals WHERE customer_id = ? LIMIT 1')
  const next = db.prepare(
    `SELECT 1 + max(coalesce((SELECT max(id) FROM customers), 0),
                    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'customers'), 0)) AS id`,
  )
  const upsert = db.prepare(
    `INSERT INTO customers (${columns.join(', ')}, doc) VALUES (${columns.map(() => '?').join(', ')}, ?)
     ON CONFLICT (id) DO UPDATE SET previous_at = customers.updated_at, ${[...columns.slice(1), 'doc'].map((column) => `${column} = excluded.${column}`).join(', ')}`,
  )
  const remove = db.prepare('DELETE FROM customers WHERE id = ?')
  const nextId = (): number => Number(next.get()?.id)
  return {
    nextId,
    find(id) {
      const row = select.get(id) as unknown as SQLOutputValue[] | undefined
      return row && (Object.fromEntries(fields.map((field, index) => [field, row[index]])) as unknown as Customer)
    },
    previousAt: (id) => (previous.get(id)?.previous_at as string | null | undefined) ?? null,
    exists: (id) => exists.get(id) !== undefined,
    inUse: (id) => inUse.get(id) !== undefined,
    save(unsaved) {
      const customer: Customer = { ...unsaved, id: unsaved.id ?? nextId() }
      const json = customerToJson(customer)
      upsert.run(...fields.map((field) => customer[field]), json)
      return { id: customer.id, revision: customer.revision, updatedAt: customer.updatedAt, json }
    },
    remove(id) {
      remove.run(id)
    },
  }
}
