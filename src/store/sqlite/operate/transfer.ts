import type { Schema } from '../../../model/declaration/schema.ts'
import { SEQUENCE_DIGITS } from '../../../values/kinds/sequence.ts'
import type { Transfer, TransferDirection, TransferRow } from '../../port/transfer.ts'
import { TRANSFER_BATCH, transferOver } from '../../transactions/transfer.ts'
import { connect } from '../connect/connection.ts'
import { workRunner } from '../connect/statements.ts'
import { linkEvents } from '../schema/event-links.ts'
import { prepareDatabase } from '../schema/migrate.ts'
import { indexLater } from '../schema/search-index.ts'
import { beginWriting } from '../schema/transaction.ts'
import { tableStatements } from '../write/table-statements.ts'

/** Creates the database if it is the target and does not exist. */
export function openSqliteTransfer(path: string, schema: Schema, direction: TransferDirection): Transfer {
  prepareDatabase(path, schema)
  const db = connect(path)
  if (direction === 'in') beginWriting(db)
  else db.exec('BEGIN')
  const run = workRunner(db)
  let lastSequence = 0
  // The new number of each event, for webhooks and deliveries that refer to it.
  db.exec('CREATE TEMP TABLE numbered (digits TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID')
  const remember = db.prepare('INSERT INTO numbered (digits, number) VALUES (?, ?)')
  const upTo = db.prepare('SELECT number FROM numbered WHERE digits <= ? ORDER BY digits DESC LIMIT 1')
  const exactly = db.prepare('SELECT number FROM numbered WHERE digits = ?')

  const last = db.prepare(`SELECT seq FROM sqlite_sequence WHERE name = 'events'`)
  const raise = db.prepare(`UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'events'`)
  const begin = db.prepare(`INSERT INTO sqlite_sequence (name, seq) VALUES ('events', ?)`)

  const numbering: { readonly [table: string]: (digits: string) => number } = {
    /** The event's former number, if it was once in SQLite; otherwise the next one. */
    events(digits) {
      const number = Number(digits)
      lastSequence = Number.isSafeInteger(number) && number > lastSequence ? number : lastSequence + 1
      remember.run(padded(digits), lastSequence)
      return lastSequence
    },
    /** The number of the last event up to a position. */
    webhooks: (digits) => Number(upTo.get(padded(digits))?.number ?? 0),
    trimmed_feed: (digits) => Number(upTo.get(padded(digits))?.number ?? 0),
    /** The number of the event at a position; if it was purged, a number that no event has. */
    deliveries: (digits) => Number(exactly.get(padded(digits))?.number ?? 0),
  }

  return transferOver({
    schema,
    placeDigits: SEQUENCE_DIGITS.sqlite,
    lastPlace: async () => Number(last.get()?.seq ?? 0),
    async continueFeed(number) {
      if (raise.run(number).changes === 0) begin.run(number)
    },
    statements: tableStatements,
    run: async (work) => run(work),
    // From SQLite every position stays unchanged, also that of a removed event: the next one comes after all of them.
    placeIn: (table, digits) => {
      const number = numbering[table]?.(digits) ?? digits
      return digits.length < SEQUENCE_DIGITS.postgres ? Number(digits) : number
    },
    async *rows({ name, order }, columns) {
      const select = db.prepare(`SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${order}`)
      select.setReturnArrays(true)
      select.setReadBigInts(true)
      let batch: TransferRow[] = []
      for (const row of select.iterate() as unknown as Iterable<(string | bigint | null)[]>) {
        if (batch.push(row.map(transferred)) < TRANSFER_BATCH) continue
        yield batch
        batch = []
      }
      if (batch.length > 0) yield batch
    },
    async commit() {
      if (direction === 'in') {
        linkEvents(db, schema)
        indexLater(db, schema)
      }
      db.exec('COMMIT')
    },
    async close() {
      if (db.isTransaction) db.exec('ROLLBACK')
      db.close()
    },
  })
}

/** Unsafe integers, which only an earlier release stored, are copied as text. */
function transferred(value: string | bigint | null): string | number | null {
  if (typeof value !== 'bigint') return value
  const integer = Number(value)
  return Number.isSafeInteger(integer) ? integer : String(value)
}

/** Pads sequences, so that those of both stores sort together. */
const padded = (digits: string): string => digits.padStart(SEQUENCE_DIGITS.postgres, '0')
