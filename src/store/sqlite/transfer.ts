import { SEQUENCE_DIGITS } from '../../values/sequence.ts'
import type { Transfer, TransferDirection, TransferRow } from '../transfer.ts'
import { connect, prepareDatabase } from './connect.ts'

const BATCH = 1000

/** Makes the database where there is none to write into. */
export function openSqliteTransfer(path: string, direction: TransferDirection): Transfer {
  prepareDatabase(path)
  const db = connect(path)
  db.exec(direction === 'in' ? 'BEGIN IMMEDIATE' : 'BEGIN')
  let lastSequence = 0

  /** The number that it had, where it came from here; otherwise the next one. */
  const numbered = (digits: unknown): number => {
    const number = Number(digits)
    lastSequence = Number.isSafeInteger(number) && number > lastSequence ? number : lastSequence + 1
    return lastSequence
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
    async *rows({ name, order }, columns) {
      const select = db.prepare(`SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${order}`)
      select.setReturnArrays(true)
      let batch: TransferRow[] = []
      const at = name === 'events' ? columns.indexOf('sequence') : -1
      for (const row of select.iterate() as unknown as Iterable<(string | number | null)[]>) {
        if (at !== -1) row[at] = String(row[at]).padStart(SEQUENCE_DIGITS.sqlite, '0')
        if (batch.push(row) < BATCH) continue
        yield batch
        batch = []
      }
      if (batch.length > 0) yield batch
    },
    async write({ name }, columns, rows) {
      const insert = db.prepare(
        `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      )
      const at = name === 'events' ? columns.indexOf('sequence') : -1
      for (const row of rows) insert.run(...row.map((value, place) => (place === at ? numbered(value) : value)))
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
