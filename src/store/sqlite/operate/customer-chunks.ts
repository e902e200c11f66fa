import type { DatabaseSync } from 'node:sqlite'
import {
  type CustomerChunk,
  changedBy,
  changedCustomer,
  chunkReader,
  NULL,
  newCustomer,
  sharedByRows,
} from '../../../model/customer/chunk.ts'
import { type Customer, customer } from '../../../model/customer/customer.ts'
import type { ImportCounts } from '../../../model/customer/imported.ts'
import { foldedTexts, writtenColumns } from '../../rows/things.ts'
import { gramWriter } from '../../select/grams.ts'
import type { GramAppender } from '../schema/search-index.ts'
import { thingRows } from '../write/thing-rows.ts'
import { documentReader, type ReadyDocuments } from './ready-documents.ts'

/** Rows per INSERT: half the cost per row of single inserts. */
const GROUP = 20

const columns = writtenColumns(customer)
const gramTextOf = gramWriter(customer)

/** As text or in UTF-8. */
type RowText = string | Uint8Array

/** Writes chunks of customers on one connection, in the caller's transaction. */
export interface CustomerChunks {
  /**
   * Reads the current state; must be called at the beginning of each transaction, because others may have written. With
   * the index of grams where the rows that are inserted are added to it with their chunk.
   */
  begin(grams?: GramAppender): void
  /** How many of a chunk's rows are certainly new customers. */
  countNew(chunk: CustomerChunk): number
  /** With the documents of new customers, as the thread that reads made them at the given time. */
  write(chunk: CustomerChunk, now: string, ready?: ReadyDocuments): ImportCounts
}

export function customerChunks(db: DatabaseSync): CustomerChunks {
  const customers = thingRows(db, customer)
  const lastRevision = db.prepare('SELECT max(revision) AS revision FROM events WHERE subject = ?')
  /** For the chunk that is being written. */
  let inserts = prepareInserts(db, {})
  /** The values of the rows that wait to be inserted; filled anew for each group. */
  let waiting: (RowText | number | null)[] = []
  const waitingIds = new Set<number>()
  /** The highest id of a customer. */
  let highest = 0
  let gramsOfNew: GramAppender | undefined

  const flush = (): void => {
    const { group, one, width } = inserts
    if (waitingIds.size === GROUP) group.run(...waiting)
    else for (let row = 0; row < waitingIds.size; row++) one.run(...waiting.slice(row * width, (row + 1) * width))
    waitingIds.clear()
  }

  const insert = (made: Customer, document: RowText, folded: RowText | null): void => {
    let at = waitingIds.size * inserts.width
    for (const name of inserts.names) waiting[at++] = made[name]
    waiting[at++] = document
    waiting[at] = folded
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
    begin(grams) {
      highest = Number(customers.newId()) - 1
      gramsOfNew = grams
    },
    countNew({ ids, rows }) {
      let count = 0
      for (const id of ids.subarray(0, rows)) if (id === NULL || id > highest) count++
      return count
    },
    write(chunk, now, ready) {
      const counts = { updated: 0, unchanged: 0 }
      inserts = prepareInserts(db, sharedByRows(chunk, now))
      waiting = Array(GROUP * inserts.width).fill(null)
      const row = chunkReader(chunk)
      const documents = ready && documentReader(ready)
      const newIds: number[] = []
      const gramTexts: RowText[] = []
      for (let at = 0; at < chunk.rows; at++) {
        const wanted = row(at)
        const before = wanted.id === undefined ? undefined : find(wanted.id)
        if (before === undefined) {
          const id = wanted.id ?? highest + 1
          const made = newCustomer(wanted, id, now, id > highest ? 0 : revisionBefore(id))
          if (documents && made.revision === 1) {
            insert(made, documents.document(at, id), documents.folded(at))
            gramTexts.push(documents.gramText(at))
          } else {
            insert(made, customer.toJson(made), foldedTexts(customer, made))
            gramTexts.push(gramTextOf(made))
          }
          newIds.push(id)
        } else if (changedBy(wanted, before).length > 0) {
          const after = changedCustomer(wanted, before, now)
          customers.update(before, after, customer.toJson(after))
          counts.updated++
        } else counts.unchanged++
      }
      flush()
      // Behind the rows, since both would take each other's place in the processor's caches.
      gramsOfNew?.add(newIds, gramTexts)
      return { ...counts, inserted: newIds.length }
    },
  }
}

/**
 * What all rows have in common stands in the statements: to bind a value takes as long as to store it. A statement of
 * many rows that could be undone by itself would have the gathered grams written first.
 */
function prepareInserts(db: DatabaseSync, shared: Partial<Customer>) {
  const names = customer.names.filter((name) => !(name in shared))
  const values = customer.names.map((name) => (name in shared ? quoted(shared[name] ?? null) : '?'))
  const row = `(${values.join(', ')}, CAST(? AS TEXT), CAST(? AS TEXT))`
  const prepare = (rows: number) =>
    db.prepare(`INSERT OR FAIL INTO customers (${columns.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')}`)
  return { names, width: names.length + columns.length - customer.names.length, group: prepare(GROUP), one: prepare(1) }
}

const quoted = (value: string | number | null): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
