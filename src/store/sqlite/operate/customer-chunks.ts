import type { DatabaseSync, StatementSync } from 'node:sqlite'
import {
  type CustomerChunk,
  changedBy,
  changedCustomer,
  chunkReader,
  NULL,
  newCustomer,
} from '../../../model/customer/chunk.ts'
import { type Customer, customer } from '../../../model/customer/customer.ts'
import type { ImportCounts } from '../../../model/customer/imported.ts'
import { foldedTexts, writtenColumns } from '../../rows/things.ts'
import { thingRows } from '../write/thing-rows.ts'

/** Rows per INSERT: half the cost per row of single inserts. */
const GROUP = 20

const columns = writtenColumns(customer)

/** Writes chunks of customers on one connection, in the caller's transaction. */
export interface CustomerChunks {
  /** Reads the current state; must be called at the beginning of each transaction, because others may have written. */
  begin(): void
  /** How many of a chunk's rows are certainly new customers. */
  countNew(chunk: CustomerChunk): number
  write(chunk: CustomerChunk, now: string): ImportCounts
}

export function customerChunks(db: DatabaseSync): CustomerChunks {
  const customers = thingRows(db, customer)
  const lastRevision = db.prepare('SELECT max(revision) AS revision FROM events WHERE subject = ?')
  const insertGroup = prepareInsert(db, GROUP)
  const insertOne = prepareInsert(db, 1)
  let waiting: (string | number | null)[] = []
  const waitingIds = new Set<number>()
  /** The highest id of a customer. */
  let highest = 0

  const flush = (): void => {
    if (waiting.length === GROUP * columns.length) insertGroup.run(...waiting)
    else
      for (let at = 0; at < waiting.length; at += columns.length)
        insertOne.run(...waiting.slice(at, at + columns.length))
    waiting = []
    waitingIds.clear()
  }

  const insert = (made: Customer): void => {
    for (const name of customer.names) waiting.push(made[name])
    waiting.push(customer.toJson(made), foldedTexts(customer, made))
    waitingIds.add(made.id)
    if (made.id > highest) highest = made.id
    if (waitingIds.size === GROUP) flush()
  }

  const find = (id: number): Customer | undefined => {
    if (id > highest) return undefined
    if (waitingIds.has(id)) flush()
    return customers.find(id) as Customer | undefined
  }

  /** The last revision of a customer who may have been deleted. */
  const revisionBefore = (id: number): number => Number(lastRevision.get(String(id))?.revision ?? 0)

  return {
    begin() {
      highest = Number(customers.newId()) - 1
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
          const id = wanted.id ?? highest + 1
          insert(newCustomer(wanted, id, now, id > highest ? 0 : revisionBefore(id)))
          counts.inserted++
        } else if (changedBy(wanted, before).length > 0) {
          const after = changedCustomer(wanted, before, now)
          customers.update(before, after, customer.toJson(after))
          counts.updated++
        } else counts.unchanged++
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
