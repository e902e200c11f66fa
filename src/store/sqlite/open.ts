import { resolve } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { buildSchema, laterSchema, NOTHING_ADDED, sourceOf } from '../../model/build/build-schema.ts'
import { bySchema } from '../../model/by-schema.ts'
import type { Key } from '../../model/resource.ts'
import type { Resource, Schema, SchemaSource } from '../../model/schema.ts'
import { type StoreDriver, type StoreReads, storeOf } from '../desks.ts'
import type { Stored } from '../port/desk.ts'
import { MOVED_ON, type OnStep } from '../port/opening.ts'
import { hasEvents, type Store, StoreUnavailable } from '../port/store.ts'
import { columnOfField, pointColumns, pointReader } from '../rows/things.ts'
import { withWholeEvents } from '../rows/whole-events.ts'
import { accountReads, accountWorks } from '../work/accounts/account-store.ts'
import { importReads, importStore, importWorks } from '../work/imports/imports.ts'
import { managedWorks } from '../work/managed.ts'
import { pastReader } from '../work/past.ts'
import { relatedReader } from '../work/related.ts'
import { trimmedReader } from '../work/trimmed.ts'
import { webhookReads, webhookStore, webhookWorks } from '../work/webhooks/webhook-store.ts'
import { ask, methodsOf, type Works, workOf } from '../work/work.ts'
import { connect } from './connect/connection.ts'
import { noteFaults } from './connect/faults.ts'
import { endedOwners, newOwner } from './connect/owners.ts'
import { encoded, workRunner } from './connect/statements.ts'
import { tellFaults } from './connect/tell-faults.ts'
import { watchFiles } from './connect/watch-files.ts'
import { eventNotices } from './feed/event-notices.ts'
import { sqlitePages } from './read/pages.ts'
import { openReaders } from './read/readers.ts'
import { openSearches } from './read/searches.ts'
import { migrations } from './schema/migrations.ts'
import { prepared } from './schema/prepared.ts'
import { sqlite } from './sql/dialect.ts'
import { saveRemovedLog } from './write/checkpoints.ts'
import { commandRows } from './write/command-rows.ts'
import { eventRows } from './write/event-rows.ts'
import { openGroupCommit } from './write/group-commit.ts'
import type { WorkKind } from './write/jobs.ts'
import { type BatchRow, readBatchRow } from './write/outcome-row.ts'
import { tableStatements } from './write/table-statements.ts'

const READERS = 2

export interface SqliteSettings {
  readonly path: string
  readonly currency: string
  /** Called when the database can no longer be trusted. */
  readonly onFatal: (cause: Error) => void
  /** Called with lines for the operator's log. */
  readonly onNote: (line: string) => void
  /** Called with each step of a migration; without it an old schema is refused. */
  readonly onStep?: OnStep | undefined
  /** The source of the schema that it opens with. */
  readonly source?: SchemaSource
}

/**
 * The embedded store. Point reads and indexed pages run here, on the main thread's own connection; writes run in the
 * writer thread, scans in reader threads, text searches stepwise in separate threads.
 */
export async function openSqlite(settings: SqliteSettings): Promise<Store> {
  const { path, currency, onFatal, onNote, onStep, source = NOTHING_ADDED } = settings
  const file = resolve(path)
  let schema = buildSchema(source)
  const opening = await prepared(file, schema, onStep)
  const db = connect(file)
  const faults = noteFaults(onFatal)
  const writer = await openGroupCommit({ path: file, currency, source }, faults, onNote)
  const findGone = watchFiles(file)
  const readers = openReaders(file, READERS)
  const searches = openSearches(file)
  const events = eventRows(db)
  const commands = commandRows(db)
  const pointOf = bySchema((resource: Resource) => pointRead(db, resource))
  const version = db.prepare('PRAGMA user_version')
  const notices = eventNotices(db)
  const runWork = workRunner(db)
  const runHere = async (...[statement, ...values]: Parameters<typeof ask>) => runWork(ask(statement, ...values))
  /** Reads run here, the others in the writer. */
  const methods = <All extends Works>(
    kind: WorkKind,
    worksBy: (schema: Schema) => All,
    reads: readonly (keyof All)[],
  ) =>
    methodsOf(
      worksBy(schema),
      reads,
      async (name, ...args) => runWork(workOf(worksBy(schema), name, args)),
      (name, ...args) => writer.run({ kind, name, args }),
    )
  const accounts = accountWorks(sqlite)

  const find: StoreReads['find'] = async <S extends Stored>(resource: Resource, id: Key) =>
    pointOf(resource)(id) as S | undefined

  const driver: StoreDriver = {
    opening,
    schemas: {
      get current() {
        return schema
      },
      async adopt(source) {
        const next = laterSchema(schema, source)
        await writer.run({ kind: 'adopt', source: sourceOf(source) })
        schema = next
      },
    },
    async perform(batch) {
      const done = readBatchRow((await writer.run({ kind: 'perform', batch })) as BatchRow, batch, schema)
      if (hasEvents(done)) notices.notify()
      return done
    },
    ...methods(
      'managed',
      bySchema((by: Schema) => managedWorks(sqlite, by)),
      [],
    ),
    reads: {
      find,
      past: pastReader(sqlite, find, runHere),
      trimmed: trimmedReader(sqlite, runHere),
      command: async (id) => commands.find(id, schema),
      event: async (resource, id, revision) => events.find(resource, id, revision),
      ...withWholeEvents(sqlitePages(db, readers, searches)),
      related: relatedReader(sqlite, runHere, async (statement, ...values) => {
        const [rows = []] = await readers.rows([encoded({ statement, values })])
        return rows
      }),
    },
    counts: writer.counts,
    searches: {
      get waiting() {
        return readers.counts.waiting + searches.counts.waiting
      },
    },
    accounts: methods('accounts', () => accounts, accountReads),
    onEvents: notices.onEvents,
    webhooks: webhookStore(
      methods(
        'webhooks',
        bySchema((by: Schema) => webhookWorks(sqlite, endedOwners, by)),
        webhookReads,
      ),
      newOwner(),
    ),
    imports: importStore(
      methods(
        'imports',
        bySchema((by: Schema) => importWorks(sqlite, tableStatements, by)),
        importReads,
      ),
    ),
    async check() {
      if (version.get()?.user_version !== migrations.length) throw new StoreUnavailable(MOVED_ON, 5)
      writer.check()
      const gone = findGone()
      if (gone === undefined) return
      saveRemovedLog(db, gone)
      throw faults.end('a file of the database was removed or replaced', new Error(gone))
    },
    // A thread answers for as long as its disk does.
    giveUp() {},
    async close() {
      notices.close()
      await writer.close()
      await Promise.all([readers.close(), searches.close()])
      db.close()
    },
  }
  return storeOf(tellFaults(driver, faults))
}

function pointRead(db: DatabaseSync, resource: Resource): (id: Key) => Stored | undefined {
  const amounts = new Set(
    resource.markings
      .filter((name) => resource.kinds[name]?.name === 'amount')
      .map((name) => columnOfField(resource, name)),
  )
  // The driver refuses unsafe integers, which an earlier release stored.
  const columns = pointColumns(resource).map((column) =>
    amounts.has(column) ? `min(${column}, ${Number.MAX_SAFE_INTEGER})` : column,
  )
  const select = arrays(db.prepare(`SELECT ${columns.join(', ')} FROM ${resource.plural} WHERE id = ?`))
  const read = pointReader(resource, ({ name }, code) => (name === 'boolean' ? `${code} === 1` : code))
  return (id) => {
    const row = select.get(id) as unknown as readonly unknown[] | undefined
    return row && read(id, row)
  }
}

function arrays(statement: StatementSync): StatementSync {
  statement.setReturnArrays(true)
  return statement
}
