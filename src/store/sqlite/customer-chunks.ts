import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { ABSENT, CHUNK_TEXTS, type CustomerChunk, NULL, SEGMENT } from '../../customers/chunk.ts'
import { type Customer, customerFields, customerToJson } from '../../customers/customer.ts'
import type { ImportCounts } from '../maintenance.ts'
import { snakeCase } from '../snake-case.ts'
import { customerRows } from './customer-rows.ts'

/** How many rows one statement inserts: it is half as dear for each as a statement of its own. */
const GROUP = 20

const fields = Object.keys(customerFields) as (keyof Customer)[]
const columns = [...fields, 'doc'].map(snakeCase)
const given = ['name', 'email', 'age', 'children', 'country'] as const

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
      const row = rowReader(chunk)
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

interface Row extends Pick<Customer, 'name'> {
  id: number | undefined
  name: string
  email: string | null | undefined
  age: number | null | undefined
  children: number | null | undefined
  country: Customer['country'] | undefined
  createdAt: string | null | undefined
}

/** Rows of a chunk, read in their order, each into the same object. */
function rowReader({ ids, ages, children, texts, lengths }: CustomerChunk): (at: number) => Readonly<Row> {
  let text = ''
  let place = 0
  const nextText = (length: number): string | null | undefined => {
    if (length < 0) return length === ABSENT ? undefined : null
    place += length
    return text.slice(place - length, place)
  }
  const number = (value: number): number | null | undefined =>
    value >= 0 ? value : value === ABSENT ? undefined : null
  const row: Row = {
    id: undefined,
    name: '',
    email: undefined,
    age: undefined,
    children: undefined,
    country: undefined,
    createdAt: undefined,
  }
  return (at) => {
    if (at % SEGMENT === 0) {
      text = texts[at / SEGMENT] ?? ''
      place = 0
    }
    const id = ids[at] ?? NULL
    const first = at * CHUNK_TEXTS
    row.id = id === NULL ? undefined : id
    row.age = number(ages[at] ?? ABSENT)
    row.children = number(children[at] ?? ABSENT)
    row.name = nextText(lengths[first] ?? ABSENT) ?? ''
    row.email = nextText(lengths[first + 1] ?? ABSENT)
    row.country = nextText(lengths[first + 2] ?? ABSENT) as Row['country']
    row.createdAt = nextText(lengths[first + 3] ?? ABSENT)
    return row
  }
}

function newCustomer(row: Readonly<Row>, id: number, now: string): Customer {
  return {
    id,
    name: row.name,
    email: row.email ?? null,
    age: row.age ?? null,
    children: row.children ?? null,
    country: row.country ?? null,
    createdAt: row.createdAt ?? now,
    updatedAt: now,
    revision: 1,
  }
}

/** Writes only the columns that differ, so that only their indexes are touched; says whether any did. */
function updater(db: DatabaseSync): (before: Customer, row: Readonly<Row>, now: string) => boolean {
  const statements = new Map<string, StatementSync>()
  const prepare = (names: string): StatementSync => {
    const sets = names.split(',').map((name) => `${snakeCase(name)} = ?`)
    const statement = db.prepare(
      `UPDATE customers SET ${sets.join(', ')}, updated_at = ?, revision = ?, doc = ? WHERE id = ?`,
    )
    statements.set(names, statement)
    return statement
  }
  return (before, row, now) => {
    const changed = given.filter((name) => row[name] !== undefined && row[name] !== before[name])
    if (changed.length === 0) return false
    const values = changed.map((name) => row[name] ?? null)
    const sets = Object.fromEntries(changed.map((name) => [name, row[name] ?? null]))
    const after: Customer = { ...before, ...sets, updatedAt: now, revision: before.revision + 1 }
    const statement = statements.get(changed.join()) ?? prepare(changed.join())
    statement.run(...values, now, after.revision, customerToJson(after), before.id)
    return true
  }
}
