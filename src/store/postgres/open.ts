import type { Intent } from '../../model/perform/intent.ts'
import type { Key, Resource } from '../../model/resource.ts'
import { resources } from '../../model/resources.ts'
import { storeOf } from '../desks.ts'
import type { Stored } from '../port/desk.ts'
import { MOVED_ON, type OnStep } from '../port/opening.ts'
import { type Outcome, type Store, StoreUnavailable } from '../port/store.ts'
import { findCommand, readCommand } from '../rows/command.ts'
import { lastEvent, openedAt } from '../rows/event.ts'
import { isNumbered, pointColumns, pointReader } from '../rows/things.ts'
import { withWholeEvents } from '../rows/whole-events.ts'
import { statementIn } from '../sql/dialect.ts'
import { type AccountWorks, accountStore, accountWorks } from '../work/accounts/account-store.ts'
import { type ImportWorks, importStore, importWorks } from '../work/imports/imports.ts'
import { type ManagedWorks, managedWorks } from '../work/managed.ts'
import { orderedIds } from '../work/ordered-ids.ts'
import { pastReader } from '../work/past.ts'
import { relatedReader } from '../work/related.ts'
import { trimmedReader } from '../work/trimmed.ts'
import { type WebhookWorks, webhookStore, webhookWorks } from '../work/webhooks/webhook-store.ts'
import { type RunWork, type Works, workOf } from '../work/work.ts'
import { openConnections } from './connect/connections.ts'
import { endedOwners } from './connect/owners.ts'
import { eventNotices } from './feed/event-notices.ts'
import { postgresPages } from './read/pages.ts'
import { asUnusable, migrate } from './schema/migrate.ts'
import { migrations } from './schema/migrations.ts'
import { inTransaction, runWork } from './schema/transaction.ts'
import { postgres } from './sql/dialect.ts'
import { batchPerformer } from './write/batch/perform-batch.ts'
import { eventFinder } from './write/event-rows.ts'
import { groupCommit } from './write/group-commit.ts'
import { performer, turnOf } from './write/perform.ts'
import { tableStatements } from './write/table-statements.ts'

export interface PostgresSettings {
  readonly url: string
  readonly currency: string
  /** Called with lines for the operator's log. */
  readonly onNote?: (line: string) => void
  /** Called with each step of a migration; without it an old schema is refused. */
  readonly onStep?: OnStep | undefined
}

/** The store for more than one machine: any number of instances share it. */
export async function openPostgres({ url, currency, onNote, onStep }: PostgresSettings): Promise<Store> {
  const opening = await migrate(url, onStep)
  const connections = await openConnections(url, migrations.length, onNote).catch((cause) => {
    throw asUnusable(cause, url)
  })
  const settings = { defaults: { currency }, opened: openedAt(await connections.read(LAST, [])) }
  const writes = groupCommit<Intent, Outcome>(performer(connections, settings, newIdsFor), turnOf)
  const batches = batchPerformer(connections, settings, newIdsFor)
  const notices = eventNotices(connections)
  const reading =
    (works: Works) =>
    (name: PropertyKey, ...args: readonly unknown[]) =>
      runWork({ query: connections.read }, workOf(works, name, args))
  const writing =
    (works: Works) =>
    (name: PropertyKey, ...args: readonly unknown[]) =>
      inTransaction(connections, (session) => runWork(session, workOf(works, name, args)))
  const webhooks = webhookWorks(postgres, endedOwners)
  const accounts = accountWorks(postgres)
  const manage = writing(managedWorks(postgres)) as RunWork<ManagedWorks>
  const imports = importWorks(postgres, tableStatements)

  /** A number is taken only for a thing that may really be made. */
  async function newIdsFor(resource: Resource, intents: readonly Intent[]): Promise<readonly Key[]> {
    if (!isNumbered(resource)) return intents.map(() => newUuid())
    const makes = ({ target, dryRun }: Intent): boolean => target === undefined && !dryRun
    const count = intents.filter(makes).length
    const numbers = count === 0 ? [] : [...(await connections.read(NEXT_NUMBERS, [resource.plural, count]))]
    return intents.map((intent) => (makes(intent) ? Number(numbers.shift()?.[0]) : 0))
  }

  async function find<S extends Stored>({ name }: Resource, id: Key): Promise<S | undefined> {
    const point = points.get(name)
    const [row] = point === undefined ? [] : await connections.read(point.statement, [id])
    return (row && point?.read(id, row)) as S | undefined
  }

  return storeOf({
    opening,
    async perform(intent) {
      const outcome = await writes.run(intent)
      const isNew = outcome.kind === 'applied' && outcome.event !== undefined && !outcome.replayed
      if (isNew && !intent.dryRun) notices.notify()
      return outcome
    },
    async performTogether(batch) {
      const outcome = await batches.run(batch)
      if (outcome.isKept) notices.notify()
      return outcome
    },
    manage: (intent) => manage('manage', intent),
    reads: {
      find,
      past: pastReader(postgres, find, (statement, ...values) => connections.read(statement, values)),
      trimmed: trimmedReader(postgres, (statement, ...values) => connections.read(statement, values)),
      async command(id) {
        const [row] = await connections.read(COMMAND, [id])
        return row && readCommand(row)
      },
      event: eventFinder(connections),
      ...withWholeEvents(postgresPages(connections)),
      related: relatedReader(
        postgres,
        (statement, ...values) => connections.read(statement, values),
        (statement, ...values) => connections.scan(statement, values),
      ),
      async customerNames(ids) {
        const rows = (await connections.read(NAMES, [ids])) as readonly (readonly [number, string])[]
        return new Map(rows)
      },
    },
    async check() {
      // They come back one by one, and not every request can be answered before the last.
      if (!connections.isWhole()) throw new StoreUnavailable('the database cannot be reached', 1)
      const [[isStandby, version, isHeldUp] = []] = await connections.write(ALIVE, [])
      if (isStandby !== false) throw new StoreUnavailable('the database is read-only now', 2)
      if (version !== migrations.length) throw new StoreUnavailable(MOVED_ON, 5)
      if (isHeldUp === true) throw new StoreUnavailable('writes wait for a standby that does not answer', 2)
    },
    giveUp: connections.giveUp,
    counts: {
      get commits() {
        return writes.counts.commits + batches.counts.commits
      },
      get changes() {
        return writes.counts.changes + batches.counts.changes
      },
      get waiting() {
        return writes.counts.waiting + batches.counts.waiting
      },
    },
    searches: connections.scans,
    pool: connections.pool,
    accounts: accountStore(reading(accounts) as RunWork<AccountWorks>, writing(accounts) as RunWork<AccountWorks>),
    onEvents: notices.onEvents,
    webhooks: webhookStore(
      reading(webhooks) as RunWork<WebhookWorks>,
      writing(webhooks) as RunWork<WebhookWorks>,
      connections.owner,
    ),
    imports: importStore(reading(imports) as RunWork<ImportWorks>, writing(imports) as RunWork<ImportWorks>),
    async close() {
      notices.close()
      await Promise.all([writes.close(), batches.close()])
      await connections.close()
    },
  })
}

const points = new Map(resources.map((resource) => [resource.name, pointRead(resource)]))

function pointRead(resource: Resource) {
  const { name, plural } = resource
  const text = `SELECT ${pointColumns(resource).join(', ')} FROM ${plural} WHERE id = $1`
  return { statement: { name, text }, read: pointReader(resource, (_kind, code) => code) }
}

const COMMAND = statementIn(postgres, findCommand)
const LAST = statementIn(postgres, lastEvent)
const NAMES = { name: 'customer-names', text: 'SELECT id, name FROM customers WHERE id = ANY($1::bigint[])' }
const NEXT_NUMBERS = {
  name: 'next-numbers',
  text: `SELECT nextval(pg_get_serial_sequence($1, 'id')) FROM generate_series(1, $2::int)`,
}
/** The last: whether a commit of ours has been waiting for a synchronous standby. */
const ALIVE = {
  name: 'alive',
  text: `SELECT pg_is_in_recovery(), (SELECT version::bigint FROM dealdesk_schema), EXISTS (
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'SyncRep'
      AND query_start < clock_timestamp() - interval '2 seconds')`,
}

const newUuid = orderedIds()
