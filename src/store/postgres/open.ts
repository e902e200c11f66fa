import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Resource, SchemaSource } from '../../model/declaration/schema.ts'
import type { IntentBatch } from '../../model/intent/batch.ts'
import type { Intent } from '../../model/intent/intent.ts'
import { isOfModel } from '../../model/schema/stored-model.ts'
import { countDurations } from '../../monitoring/durations.ts'
import { isObject } from '../../values/json/is-object.ts'
import { type StoreReads, storeOf } from '../desks.ts'
import type { Stored, WriteCounts } from '../port/desk.ts'
import { MOVED_ON, type OnStep } from '../port/opening.ts'
import { type BatchOutcome, type Outcome, type Store, StoreAway, StoreUnavailable } from '../port/store.ts'
import { hasEvents } from '../rows/event.ts'
import { pointColumns, pointReader } from '../rows/things.ts'
import { withWholeEvents } from '../rows/whole-events.ts'
import { prepared } from '../sql/statement.ts'
import { withAudited } from '../transactions/audited/audited.ts'
import { repeatReader } from '../transactions/model/repeated-values.ts'
import { namedWork, portsOver, shapesModel, worksOf } from '../transactions/ports.ts'
import { pointReads } from '../transactions/reads.ts'
import type { RunStatement } from '../transactions/work.ts'
import type { Session } from './connect/connection.ts'
import { type Connections, openConnections } from './connect/connections.ts'
import { endedOwners } from './connect/owners.ts'
import { eventNotices } from './feed/event-notices.ts'
import { PostgresPages } from './read/pages.ts'
import { asUnusable, migrate } from './schema/migrate.ts'
import { migrations } from './schema/migrations.ts'
import { type ModelInUse, openModel } from './schema/model-in-use.ts'
import { inTransaction, runWork, writesEnded } from './schema/transaction.ts'
import { postgres } from './sql/dialect.ts'
import { batchPerformer, takeBatches } from './write/batch/perform-batch.ts'
import { type BatchedRuns, GroupCommit } from './write/group-commit.ts'
import { performer, turnOf } from './write/perform.ts'
import { tableStatements } from './write/table-statements.ts'

export interface PostgresSettings {
  readonly url: string
  readonly currency: string
  /** Called with lines for the operator's log. */
  readonly onNote?: (line: string) => void
  /** Called with each step of a migration; without it an old schema is refused. */
  readonly onStep?: OnStep | undefined
  /** The source of the schema that it opens with; by default the stored one. */
  readonly source?: SchemaSource
}

/** The store for more than one machine: any number of instances share it. */
export async function openPostgres(given: PostgresSettings): Promise<Store> {
  const { url, currency, onNote, onStep } = given
  const opening = await migrate(url, given.source, onStep)
  const durations = { commits: countDurations(), statements: countDurations() }
  const connections = await openConnections(url, migrations.length, onNote, durations.statements).catch((cause) => {
    throw asUnusable(cause, url)
  })
  const model = await openModel(connections, given)
  const performBatch = batchPerformer(connections, model.settings)
  const writes = new GroupCommit<Intent, Outcome>(
    performer(connections, model.settings, performBatch),
    (intent) => turnOf(intent, model.schemas.current),
    durations.commits,
  )
  const batches = takeBatches(performBatch, durations.commits)
  const notices = eventNotices(connections)

  const decided = decider(model, writes, batches)
  const scan: RunStatement = (statement, ...values) => connections.scan(statement, values)
  const reads = pointReads(
    postgres,
    finder(connections),
    (statement, ...values) => connections.read(statement, values),
    scan,
    () => model.schemas.current,
    () => writesEnded(connections.read),
  )
  const repeats = repeatReader(postgres, scan, () => model.schemas.current)

  const { audited, ...ports } = portsOver(
    works(model.schemas.current),
    connections.owner,
    (work) => runWork({ query: connections.read }, namedWork(works(model.schemas.current), work)),
    (work) =>
      model.byStoredModel(() => {
        const schema = model.schemas.current
        const run = (session: Session) => runWork(session, namedWork(works(schema), work))
        return inTransaction(connections, run, { version: schema.version, isChanged: shapesModel(schema, work) })
      }),
    async (on, field) => {
      // A writer that looked for a value before the index was full has committed by then.
      await inTransaction(connections, async () => {}, { version: null, isChanged: true })
      return repeats(on, field)
    },
  )

  return storeOf({
    opening,
    defaults: { currency },
    schemas: model.schemas,
    perform: withAudited(
      () => model.schemas.current,
      audited,
      () => model.schemas.catchUp(),
      async (batch) => {
        const done = await model.byStoredModel(() => model.gate.through(() => decided(batch)))
        if (!hasEvents(done)) return done
        if (batch.intents.some((each) => each !== 'refused' && isOfModel(model.schemas.current, each.resource)))
          await model.schemas.catchUp().catch(() => {})
        notices.notify()
        return done
      },
    ),
    ...ports,
    reads: {
      ...reads,
      ...withWholeEvents(new PostgresPages(connections)),
    },
    check: () => check(connections),
    giveUp: connections.giveUp,
    // The connections of reads are open.
    counts: sumOf(writes.counts, batches.counts),
    durations,
    searches: connections.scans,
    pool: connections.pool,
    onEvents: notices.onEvents,
    settled: notices.settled,
    async close() {
      model.close()
      notices.close()
      // Intents that wait at the gate came before.
      await model.gate.alone(() => Promise.all([writes.close(), batches.close()]))
      await connections.close()
    },
  })
}

/** A single intent shares its transaction with others that come at the same time. */
function decider(
  model: ModelInUse,
  writes: BatchedRuns<Intent, Outcome>,
  batches: BatchedRuns<IntentBatch, BatchOutcome<Outcome>>,
): (batch: IntentBatch) => Promise<BatchOutcome<Outcome>> {
  return async (batch) => {
    const [only] = batch.intents
    const isAlone = batch.intents.length === 1 && !batch.atomic && !batch.linked
    // The turn of a thing that a unique value names is known only when its id is.
    if (!isAlone || only === undefined || only === 'refused' || isObject(only.target)) return batches.run(batch)
    // Each change of the model is decided by the one that the change before has left.
    if (isOfModel(model.schemas.current, only.resource)) return batches.run(batch)
    return { isKept: !batch.dryRun, outcomes: [await writes.run(only)] }
  }
}

async function check(connections: Connections): Promise<void> {
  // Connections are restored one by one, and some requests fail until the last is back.
  if (!connections.isWhole()) throw new StoreAway('the database cannot be reached', 1)
  const [[isStandby, version, isHeldUp] = []] = await connections.write(ALIVE, [])
  if (isStandby !== false) throw new StoreUnavailable('the database is read-only now', 2)
  if (version !== migrations.length) throw new StoreUnavailable(MOVED_ON, 5)
  if (isHeldUp === true) throw new StoreUnavailable('writes wait for a standby that does not answer', 2)
}

const sumOf = (one: WriteCounts, other: WriteCounts): WriteCounts => ({
  get commits() {
    return one.commits + other.commits
  },
  get changes() {
    return one.changes + other.changes
  },
  get waiting() {
    return one.waiting + other.waiting
  },
})

function finder(connections: Connections): StoreReads['find'] {
  return async <S extends Stored>(resource: Resource, id: Key) => {
    const { statement, read } = pointOf(resource)
    const [row] = await connections.read(statement, [id])
    return (row && read(id, row)) as S | undefined
  }
}

const pointOf = bySchema((resource: Resource) => {
  const { name, plural } = resource
  const text = `SELECT ${pointColumns(resource).join(', ')} FROM ${plural} WHERE id = $1`
  return { statement: prepared(name, text), read: pointReader(resource, (_kind, code) => code) }
})

const works = worksOf(postgres, tableStatements, endedOwners)

/** The last value: whether a commit of ours has been waiting for a synchronous standby. */
const ALIVE = {
  name: 'alive',
  text: `SELECT pg_is_in_recovery(), (SELECT version::bigint FROM dealdesk_schema), EXISTS (
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'SyncRep'
      AND query_start < clock_timestamp() - interval '2 seconds')`,
}
