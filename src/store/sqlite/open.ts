import { resolve } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Resource, SchemaSource } from '../../model/declaration/schema.ts'
import { buildSchema } from '../../model/schema/build-schema.ts'
import { countDurations, type Durations } from '../../monitoring/durations.ts'
import { follow } from '../../work/follow.ts'
import { type StoreDriver, type StoreReads, storeOf } from '../desks.ts'
import type { Stored } from '../port/desk.ts'
import { MOVED_ON, type OnStep } from '../port/opening.ts'
import { type Store, StoreUnavailable } from '../port/store.ts'
import { hasEvents } from '../rows/event.ts'
import { columnOfField, pointColumns, pointReader } from '../rows/things.ts'
import { withWholeEvents } from '../rows/whole-events.ts'
import { withAudited } from '../transactions/audited/audited.ts'
import { repeatReader } from '../transactions/model/repeated-values.ts'
import { namedWork, portsOver } from '../transactions/ports.ts'
import { pointReads } from '../transactions/reads.ts'
import { ask, type RunStatement } from '../transactions/work.ts'
import { connect } from './connect/connection.ts'
import { type Faults, noteFaults } from './connect/faults.ts'
import { newOwner } from './connect/owners.ts'
import { encoded, workRunner } from './connect/statements.ts'
import { tellFaults } from './connect/tell-faults.ts'
import { watchFiles } from './connect/watch-files.ts'
import { eventNotices } from './feed/event-notices.ts'
import { SqlitePages } from './read/pages.ts'
import { openReaders } from './read/readers.ts'
import { openSearches } from './read/searches.ts'
import { migrations } from './schema/migrations.ts'
import { ModelInUse } from './schema/model-in-use.ts'
import { prepared } from './schema/prepared.ts'
import { modelRows, storedSource } from './schema/stored-model.ts'
import { sqlite } from './sql/dialect.ts'
import { saveRemovedLog } from './write/checkpoints.ts'
import { GroupCommit } from './write/group-commit.ts'
import { type BatchRow, readBatchRow } from './write/outcome-row.ts'
import { sqliteWorks } from './write/sqlite-works.ts'

const READERS = 2
/** Milliseconds between two looks at the model, which another process may have changed. */
const FOLLOW = 200

export interface SqliteSettings {
  readonly path: string
  readonly currency: string
  /** Called when the database can no longer be trusted. */
  readonly onFatal: (cause: Error) => void
  /** Called with lines for the operator's log. */
  readonly onNote: (line: string) => void
  /** Called with each step of a migration; without it an old schema is refused. */
  readonly onStep?: OnStep | undefined
  /** The source of the schema that it opens with; by default the stored one. */
  readonly source?: SchemaSource
}

/**
 * The embedded store. Point reads and indexed pages run here, on the main thread's own connection; writes run in the
 * writer thread, scans in reader threads, text searches stepwise in separate threads. A thread begins with its first job.
 */
export async function openSqlite(settings: SqliteSettings): Promise<Store> {
  const { path, currency, onFatal, onNote, onStep } = settings
  const file = resolve(path)
  const opening = await prepared(file, buildSchema(settings.source ?? storedSource(file)), onStep)
  const db = connect(file)
  const rows = modelRows(db)
  const source = settings.source ?? rows.source()
  const model = new ModelInUse(rows, source)
  const schemaNow = () => model.schema
  const faults = noteFaults(onFatal)
  const notices = eventNotices(db)
  const durations = { commits: countDurations(), statements: countDurations() }
  const requireFiles = fileCheck(db, file, faults)
  const writer = new GroupCommit(
    { path: file, currency, source },
    { faults, onNote, onModel: (later) => model.use(later), requireFiles, durations: durations.commits },
  )
  // The writer follows another process when it writes next, and looks after the files from its first write on.
  const following = follow({
    async step() {
      if (!writer.hasBegun) requireFiles()
      model.catchUp()
    },
    pace: { first: FOLLOW, look: FOLLOW },
    // The next read reports it.
    onFault: () => {},
  })
  const readers = openReaders(file, READERS, durations.statements)
  const searches = openSearches(file)
  const version = db.prepare('PRAGMA user_version')
  const runWork = workRunner(db, durations.statements)
  const runHere: RunStatement = async (statement, ...values) => runWork(ask(statement, ...values))
  const scan: RunStatement = async (statement, ...values) => {
    const [found = []] = await readers.rows([encoded({ statement, values })])
    return found
  }

  // Reads run here, the others in the writer.
  const { audited, ...ports } = portsOver(
    sqliteWorks(model.schema),
    newOwner(),
    async (work) => runWork(namedWork(sqliteWorks(model.schema), work)),
    (work) => writer.run(work),
    repeatReader(sqlite, scan, schemaNow),
  )
  // Whatever the writer has decided is committed before it answers.
  const decided = () => writer.run({ kind: 'accounts', name: 'any', args: [] })

  const driver: StoreDriver = {
    opening,
    defaults: { currency },
    schemas: {
      get current() {
        return model.schema
      },
      adopt: (later) => model.adopt(later, (written) => writer.run({ kind: 'adopt', source: written })),
      catchUp: async () => model.catchUp(),
    },
    perform: withAudited(
      schemaNow,
      audited,
      async () => model.catchUp(),
      async (batch) => {
        const done = readBatchRow((await writer.run({ kind: 'perform', batch })) as BatchRow, batch, model.schema)
        if (hasEvents(done)) notices.notify()
        return done
      },
    ),
    ...ports,
    reads: {
      ...pointReads(sqlite, finder(db, durations.statements), runHere, scan, schemaNow, decided),
      ...withWholeEvents(new SqlitePages(db, readers, searches, durations.statements)),
    },
    counts: writer.counts,
    durations,
    searches: {
      get waiting() {
        return readers.counts.waiting + searches.counts.waiting
      },
    },
    onEvents: notices.onEvents,
    settled: notices.settled,
    async check() {
      if (version.get()?.user_version !== migrations.length) throw new StoreUnavailable(MOVED_ON, 5)
      writer.check()
      requireFiles()
    },
    // A thread answers for as long as its disk does.
    giveUp() {},
    async close() {
      await following.close()
      notices.close()
      await writer.close()
      await Promise.all([readers.close(), searches.close()])
      db.close()
    },
  }
  return storeOf(tellFaults(driver, faults))
}

/** Throws if the open files were removed or replaced. */
function fileCheck(db: DatabaseSync, file: string, faults: Faults): () => void {
  const findGone = watchFiles(file)
  return () => {
    const gone = findGone()
    if (gone === undefined) return
    saveRemovedLog(db, gone)
    throw faults.end('a file of the database was removed or replaced', new Error(gone))
  }
}

function finder(db: DatabaseSync, durations: Durations): StoreReads['find'] {
  const pointOf = bySchema((resource: Resource) => pointRead(db, resource, durations))
  return async <S extends Stored>(resource: Resource, id: Key) => pointOf(resource)(id) as S | undefined
}

function pointRead(db: DatabaseSync, resource: Resource, durations: Durations): (id: Key) => Stored | undefined {
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
    const began = performance.now()
    const row = select.get(id) as unknown as readonly unknown[] | undefined
    durations.observe((performance.now() - began) / 1000)
    return row && read(id, row)
  }
}

function arrays(statement: StatementSync): StatementSync {
  statement.setReturnArrays(true)
  return statement
}
