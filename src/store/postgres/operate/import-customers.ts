import { randomUUID } from 'node:crypto'
import {
  type CustomerChunk,
  changedBy,
  changedCustomer,
  chunkReader,
  newCustomer,
} from '../../../model/customer/chunk.ts'
import { type Customer, customer } from '../../../model/customer/customer.ts'
import { addCounts, hasChanges, type ImportCounts, noRows, rowsOf } from '../../../model/customer/imported.ts'
import type { DoneBy } from '../../../model/event.ts'
import type { UploadRun } from '../../port/import-store.ts'
import type { ImportedChunk, ImportProgress } from '../../port/maintenance.ts'
import { StoreAway, StoreUnavailable } from '../../port/store.ts'
import { thingColumns, thingValues, writtenColumns } from '../../rows/things.ts'
import { gramTable } from '../../select/grams.ts'
import { importWorks, SUPERSEDED } from '../../work/imports/imports.ts'
import type { Session } from '../connect/connection.ts'
import { isCanceled } from '../connect/faults.ts'
import { untilReached } from '../connect/recovered.ts'
import { inTransaction, runWork, type Transactions } from '../schema/transaction.ts'
import { postgres } from '../sql/dialect.ts'
import { readThing } from '../write/facts.ts'
import { insertRecords, recordsOf } from '../write/records.ts'
import { tableStatements } from '../write/table-statements.ts'

/** A chunk is a batch: a transaction of its own, while which the next chunk is read. */
export async function* importCustomers(
  transactions: Transactions,
  source: AsyncIterable<ImportedChunk>,
  by: DoneBy,
  run: UploadRun | undefined,
): AsyncIterable<ImportProgress> {
  // On the command line an import keeps its counts under an id of its own.
  const own = { id: randomUUID(), runner: randomUUID() }
  const pace = { rows: MOST_ROWS }
  let steps = 0
  let reached: ImportProgress = { taken: 0, kept: noRows, batches: 0 }
  let writing: Promise<ImportCounts> | undefined
  const settled = async (): Promise<ImportProgress> => {
    if (writing === undefined) return reached
    const counts = await writing
    writing = undefined
    reached = advanced(reached, counts)
    return reached
  }

  try {
    let failure: { readonly cause: unknown } | undefined
    try {
      for await (const chunk of source) {
        if (writing !== undefined) yield await settled()
        writing = writeSurely(transactions, chunk, { ...own, upto: ++steps }, pace)
        // It may fail while nobody waits for it yet.
        writing.catch(() => {})
      }
    } catch (cause) {
      failure = { cause }
    }
    // What was sent before is told first.
    yield await settled()
    await inTransaction(transactions, async (session) => {
      await runWork(session, imports.tell(run ?? own, by))
      await runWork(session, imports.forget(own))
      // Those that were broken off before.
      await runWork(session, imports.trim(new Date().toISOString()))
    })
    if (hasChanges(reached.kept)) await tidyGrams(transactions)
    if (failure !== undefined) throw failure.cause
  } finally {
    await writing?.catch(() => {})
  }
}

/** Whoever keeps the table locked, as VACUUM does, tidies it too. */
async function tidyGrams(transactions: Transactions): Promise<void> {
  const tidied = inTransaction(transactions, async ({ query }) => {
    const grams = gramTable(customer.plural)
    await query({ text: `SET LOCAL lock_timeout = '1s'` })
    // Grams wait in a list that every search reads.
    await query({ text: `SELECT gin_clean_pending_list('${grams}_index')` })
    // Searches ask which words are common.
    await query({ text: `ANALYZE ${grams}` })
  })
  await tidied.catch((cause) => {
    if (!(cause instanceof StoreUnavailable)) throw cause
  })
}

/** A step of the command line, which no upload has. */
interface OwnStep extends UploadRun {
  readonly upto: number
}

/** Rows that a statement writes: as many as there are, and on a server that ends it for its time fewer and fewer. */
const [MOST_ROWS, FEWEST_ROWS] = [2 ** 20, 64]

/** Writes a chunk once, also where the connection is lost: what was kept tells whether it has to be written again. */
async function writeSurely(
  transactions: Transactions,
  chunk: ImportedChunk,
  own: OwnStep,
  pace: { rows: number },
): Promise<ImportCounts> {
  const { id, upto } = chunk.step ?? own
  for (let tries = 1; ; tries++) {
    let counts: ImportCounts | undefined
    try {
      return await inTransaction(transactions, async (session) => {
        counts = await writeChunk(session, chunk, own, new Date().toISOString(), pace.rows)
        return counts
      })
    } catch (cause) {
      if (isCanceled(cause) && pace.rows > FEWEST_ROWS) {
        pace.rows = Math.max(FEWEST_ROWS, Math.ceil(Math.min(pace.rows, chunk.rows) / 2))
        // Fewer rows are another try, not one more of the same.
        tries--
        continue
      }
      if (!(cause instanceof StoreAway) || tries === MOST_TRIES) throw cause
      const kept = await untilReached(() =>
        inTransaction(transactions, (session) => runWork(session, imports.upto({ id }))),
      )
      if (counts !== undefined && kept >= upto) return counts
    }
  }
}

const MOST_TRIES = 5

function advanced({ kept, batches, taken }: ImportProgress, counts: ImportCounts): ImportProgress {
  const rows = rowsOf(counts)
  return { taken: taken + rows, kept: addCounts(kept, counts), batches: batches + (rows > 0 ? 1 : 0) }
}

/** A chunk is kept whole, in however many statements. */
async function writeChunk(
  session: Session,
  chunk: ImportedChunk,
  own: OwnStep,
  now: string,
  atOnce: number,
): Promise<ImportCounts> {
  const { query } = session
  // Customers are read meanwhile, and written by others afterwards: no id is given twice.
  await query({ text: 'LOCK TABLE customers IN SHARE ROW EXCLUSIVE MODE' })
  const [[last] = []] = await query(LAST_ID)
  const found = await query(FIND, [[...chunk.ids.subarray(0, chunk.rows)]])
  const known = found.map((row) => readThing(customer, row) as Customer)
  const revisions = await query(LAST_REVISIONS, [[...chunk.ids.subarray(0, chunk.rows)].map(String)])
  const lastRevisions = new Map(revisions.map(([id, revision]) => [Number(id), Number(revision)]))
  const { made, changed, highest, counts } = decide(chunk, known, lastRevisions, Number(last), now)
  for (const some of partsOf(made, atOnce)) await query(INSERT, [recordsFrom(some)])
  for (const some of partsOf(changed, atOnce)) await query(UPDATE, [recordsFrom(some)])
  await query(CONTINUE, [highest])
  if (chunk.step === undefined) await runWork(session, imports.record(own, own.upto, counts))
  else if (!(await runWork(session, imports.advance(chunk.step, counts)))) throw new StoreUnavailable(SUPERSEDED, 1)
  return counts
}

/** Row by row: one that comes twice is made first and changed then. */
function decide(
  chunk: CustomerChunk,
  found: readonly Customer[],
  lastRevisions: ReadonlyMap<number, number>,
  last: number,
  now: string,
) {
  const known = new Map(found.map((customer) => [customer.id, customer]))
  const made = new Map<number, Customer>()
  const changed = new Map<number, Customer>()
  const counts = { inserted: 0, updated: 0, unchanged: 0 }
  const row = chunkReader(chunk)
  let highest = last
  for (let at = 0; at < chunk.rows; at++) {
    const wanted = row(at)
    const id = wanted.id ?? highest + 1
    const before = made.get(id) ?? changed.get(id) ?? known.get(id)
    if (before === undefined) {
      made.set(id, newCustomer(wanted, id, now, lastRevisions.get(id) ?? 0))
      highest = Math.max(highest, id)
      counts.inserted++
    } else if (changedBy(wanted, before).length > 0) {
      const kept = made.has(id) ? made : changed
      kept.set(id, changedCustomer(wanted, before, now))
      counts.updated++
    } else counts.unchanged++
  }
  return { made: [...made.values()], changed: [...changed.values()], highest, counts }
}

const partsOf = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, nth) => all.slice(nth * size, (nth + 1) * size))

const imports = importWorks(postgres, tableStatements.append)

const LAST_ID = {
  text: `SELECT greatest((SELECT max(id) FROM customers),
    (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM customers_id_seq))`,
}

const FIND = { text: `SELECT ${thingColumns(customer).join(', ')} FROM customers WHERE id = ANY ($1::bigint[])` }

/** What is known of customers that may have been deleted. */
const LAST_REVISIONS = {
  text: `SELECT subject, max(revision) FROM events WHERE subject = ANY ($1::text[]) GROUP BY subject`,
}

const columns = writtenColumns(customer)

const recordsFrom = (customers: readonly Customer[]): string =>
  recordsOf(
    columns,
    customers.map((each) => thingValues(customer, each, customer.toJson(each))),
  )

const INSERT = insertRecords('customers', columns)

const UPDATE = {
  text: `UPDATE customers SET previous_at = customers.updated_at, ${columns
    .slice(1)
    .map((column) => `${column} = new.${column}`)
    .join(', ')}
    FROM json_populate_recordset(NULL::customers, $1) AS new WHERE customers.id = new.id`,
}

/** Ids given by hand are not given again. */
const CONTINUE = {
  text: `SELECT setval('customers_id_seq', $1) FROM customers_id_seq WHERE last_value < $1 OR NOT is_called AND $1 > 0`,
}
