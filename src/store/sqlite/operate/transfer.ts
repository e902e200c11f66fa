import { SEQUENCE_DIGITS } from '../../../values/kinds/sequence.ts'
import type { Transfer, TransferDirection, TransferRow } from '../../port/transfer.ts'
import { connect } from '../connect/connection.ts'
import { prepareDatabase } from '../schema/migrate.ts'

const BATCH = 1000

/** Creates the database if it is the target and does not exist. */
export function openSqliteTransfer(path: string, direction: TransferDirection): Transfer {
  prepareDatabase(path)
  const db = connect(path)
  db.exec(direction === 'in' ? 'BEGIN IMMEDIATE' : 'BEGIN')
  let lastSequence = 0
  // The new number of each event, for webhooks and deliveries that refer to it.
  db.exec('CREATE TEMP TABLE numbered (digits TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID')
  const remember = db.prepare('INSERT INTO numbered (digits, number) VALUES (?, ?)')
  const upTo = db.prepare('SELECT number FROM numbered WHERE digits <= ? ORDER BY digits DESC LIMIT 1')
  const exactly = db.prepare('SELECT number FROM numbered WHERE digits = ?')

  /** The number that the event had, if it comes from SQLite; otherwise the next one. */
  const numberOf = (digits: string): number => {
    const number = Number(digits)
    lastSequence = Number.isSafeInteger(number) && number > lastSequence ? number : lastSequence + 1
    remember.run(padded(digits), lastSequence)
    return lastSequence
  }

  /** The number of the last event up to a position. */
  const numberUpTo = (digits: string): number => Number(upTo.get(padded(digits))?.number ?? 0)

  /** The number of the event at a position; if it was purged, a number that no event has. */
  const numberAt = (digits: string): number => Number(exactly.get(padded(digits))?.number ?? 0)

  const numbering: { readonly [table: string]: (digits: string) => number } = {
    events: numberOf,
    webhooks: numberUpTo,
    deliveries: numberAt,
  }

  return {
    async columns({ name }) {
      return db
        .prepare(`SELECT name FROM pragma_table_info('${name}')`)
        .all()
        .map((row) => String(row.name))
    },
    async count({ name }) {
      return Number(db.prepare(`SELECT count(*) AS n FROM ${name}`).get()?.n)
    },
    async *rows({ name, order, place }, columns) {
      const select = db.prepare(`SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${order}`)
      select.setReturnArrays(true)
      select.setReadBigInts(true)
      let batch: TransferRow[] = []
      const at = place === undefined ? -1 : columns.indexOf(place)
      for (const raw of select.iterate() as unknown as Iterable<(string | bigint | null)[]>) {
        const row = raw.map(transferred)
        if (at !== -1) row[at] = String(row[at]).padStart(SEQUENCE_DIGITS.sqlite, '0')
        if (batch.push(row) < BATCH) continue
        yield batch
        batch = []
      }
      if (batch.length > 0) yield batch
    },
    async write({ name, place }, columns, rows) {
      const insert = db.prepare(
        `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      )
      const numbered = numbering[name]
      for (const row of rows) {
        insert.run(...row.map((value, at) => (columns[at] === place && numbered ? numbered(String(value)) : value)))
      }
    },
    async lastCustomer() {
      return Number(db.prepare(`SELECT seq FROM sqlite_sequence WHERE name = 'customers'`).get()?.seq ?? 0)
    },
    async continueCustomers(last) {
      db.prepare(`DELETE FROM sqlite_sequence WHERE name = 'customers'`).run()
      db.prepare(`INSERT INTO sqlite_sequence (name, seq) VALUES ('customers', ?)`).run(last)
    },
    async commit() {
      db.exec('COMMIT')
    },
    async close() {
      if (db.isTransaction) db.exec('ROLLBACK')
      db.close()
    },
  }
}

/** Unsafe integers, which only an earlier release stored, are copied as text. */
function transferred(value: string | bigint | null): string | number | null {
  if (typeof value !== 'bigint') return value
  const integer = Number(value)
  return Number.isSafeInteger(integer) ? integer : String(value)
}

/** Pads sequences, so that those of both stores sort together. */
const padded = (digits: string): string => digits.padStart(SEQUENCE_DIGITS.postgres, '0')
