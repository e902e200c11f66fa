import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type CustomerChunk, NULL } from '../../model/customer/chunk.ts'
import { type ChunkRow, changedBy, changedCustomer, chunkReader, newCustomer } from '../../model/customer/chunk-rows.ts'
import { type Customer, customerFields, customerToJson } from '../../model/customer/customer.ts'
import type { ImportCounts } from '../port/maintenance.ts'
import { snakeCase } from '../sql/snake-case.ts'
import { customerRows } from './customer-rows.ts'

/** How many rows one statement inserts: it is half as dear for each as a statement of its own. */
const GROUP = 20

const fields = Object.keys(customerFields) as (keyof Customer)[]
const columns = [...fields, 'doc'].map(snakeCase)

/** Writes whole chunks of customers on one connection; the caller holds the transaction around it. */
export interface CustomerChunks {
  /** Looks at what is there; to be called again when a transaction has begun: others may have written since. */
  begin(): void
  /** How many of a chunk's rows surely are of customers that do not exist. */
  countNew(chunk: CustomerChunk): number
  write(chunk: CustomerChunk, now: string): ImportCounts
}

export function customerChunks(db: DatabaseSync): CustomerChunks {
  const customers = customerRows(db)
  const insertGroup = prepareInsert(db, GROUP)
  const insertOne = prepareInsert(db, 1)
  const update = updater(db)
  let waiting: (string | number | null)[] = []
  const waitingIds = new Set<number>()
  /** No customer has a higher id than this. */
  let highest = 0

  const flush = (): void => {
    if (waiting.length === GROUP * columns.length) insertGroup.run(...waiting)
    else
      for (let at = 0; at < waiting.length; at += columns.length)
        insertOne.run(...waiting.slice(at, at + columns.length))
    waiting = []
    waitingIds.clear()
  }

  const insert = (customer: Customer): void => {
    const { id, name, email, age, children, country, createdAt, updatedAt, revision } = customer
    waiting.push(id, name, email, age, children, country, createdAt, updatedAt, revision, customerToJson(customer))
    waitingIds.add(id)
    if (id > highest) highest = id
    if (waitingIds.size === GROUP) flush()
  }

  const find = (id: number): Customer | undefined => {
    if (id > highest) return undefined
    if (waitingIds.has(id)) flush()
    return customers.find(id)
  }

  return {
    begin() {
      highest = customers.nextId() - 1
    },
    countNew({ ids, rows }) {
      let count = 0
      for (const id of ids.subarray(0, rows)) if (id === NULL || id > highest) count++
      return count
    },
    write(chunk, now) {
      const counts = { inserted: 0, updated: 0, unchanged: 0 }
      const row = chunkReader(chunk)
      for (let at = 0; at < chunk.rows; at++) {
        const wanted = row(at)
        const before = wanted.id === undefined ? undefined : find(wanted.id)
        if (before === undefined) {
          insert(newCustomer(wanted, wanted.id ?? highest + 1, now))
          counts.inserted++
        } else if (update(before, wanted, now)) counts.updated++
        else counts.unchanged++
      }
      flush()
      return counts
    },
  }
}

function prepareInsert(db: DatabaseSync, rows: number): StatementSync {
  const row = `(${columns.map(() => '?').join(', ')})`
  return db.prepare(`INSERT INTO customers (${columns.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')}`)
}

/** Writes only the columns that differ, so that only their indexes are touched; says whether any did. */
function updater(db: DatabaseSync): (before: Customer, row: Readonly<ChunkRow>, now: string) => boolean {
  const statements = new Map<string, StatementSync>()
  const prepare = (names: string): StatementSync => {
    const sets = names.split(',').map((name) => `${snakeCase(name)} = ?`)
    const statement = db.prepare(
      `UPDATE customers SET previous_at = updated_at, ${sets.join(', ')}, updated_at = ?, revision = ?, doc = ? WHERE id = ?`,
    )
    statements.set(names, statement)
    return statement
  }
  return (before, row, now) => {
    const changed = changedBy(row, before)
    if (changed.length === 0) return false
    const values = changed.map((name) => row[name] ?? null)
    const after = changedCustomer(row, before, now)
    const statement = statements.get(changed.join()) ?? prepare(changed.join())
    statement.run(...values, after.updatedAt, after.revision, customerToJson(after), before.id)
    return true
  }
}
