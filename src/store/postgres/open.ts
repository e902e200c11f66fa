import { randomFillSync } from 'node:crypto'
import type { Deal } from '../../model/deal/deal.ts'
import { uuidV7 } from '../../values/uuid.ts'
import { type Outcome, type Store, StoreUnavailable } from '../port/store.ts'
import { findCommand, readCommand } from '../rows/command.ts'
import { statementIn } from '../sql/dialect.ts'
import { credentialStore } from '../work/credentials.ts'
import { overviews } from '../work/overview.ts'
import { type WebhookWorks, webhookStore, webhookWorks } from '../work/webhook-store.ts'
import { type RunWork, workOf } from '../work/work.ts'
import { openConnections } from './connections.ts'
import { customerChanger } from './customers.ts'
import type { Asked } from './decide-together.ts'
import { postgres } from './dialect.ts'
import { eventNotices } from './event-notices.ts'
import { eventFinder } from './event-rows.ts'
import { asUnusable, migrate } from './migrate.ts'
import { endedOwners } from './owners.ts'
import { postgresPages } from './pages.ts'
import { keyOf, performer } from './perform.ts'
import { takingTurns } from './taking-turns.ts'
import { inTransaction, runAll, runWork } from './transaction.ts'

export interface PostgresSettings {
  readonly url: string
  readonly currency: string
}

/** The store for more than one machine: any number of instances share it. */
export async function openPostgres({ url, currency }: PostgresSettings): Promise<Store> {
  const opening = await migrate(url)
  const connections = await openConnections(url).catch((cause) => {
    throw asUnusable(cause, url)
  })
  const turns = takingTurns<Asked, Outcome>(performer(connections, currency))
  const notices = eventNotices(connections)
  const webhooks = webhookWorks(postgres, endedOwners)
  const readWebhooks = ((name, ...args) =>
    runWork({ query: connections.read }, workOf(webhooks, name, args))) as RunWork<WebhookWorks>
  const writeWebhooks = ((name, ...args) =>
    inTransaction(connections, (session) => runWork(session, workOf(webhooks, name, args)))) as RunWork<WebhookWorks>

  return {
    opening,
    async perform(intent) {
      const asked = { intent, newId: newDealId() }
      const outcome = await turns.run(keyOf([asked]), asked)
      const isNew = outcome.kind === 'applied' && outcome.event !== undefined && !outcome.replayed
      if (isNew && !intent.dryRun) notices.notify()
      return outcome
    },
    changeCustomer: customerChanger(connections),
    async deal(id) {
      const [row] = await connections.read(DEAL, [id])
      if (row === undefined) return undefined
      const [revision, updatedAt, deletedAt, customerId, status, held, archived, amercement, json, previousAt] =
        row as DealRow
      return { id, revision, updatedAt, deletedAt, customerId, status, held, archived, amercement, json, previousAt }
    },
    async customer(id) {
      const [row] = await connections.read(CUSTOMER, [id])
      if (row === undefined) return undefined
      const [revision, updatedAt, json, previousAt] = row as [number, string, string, string | null]
      return { id, revision, updatedAt, json, previousAt }
    },
    async command(id) {
      const [row] = await connections.read(COMMAND, [id])
      return row && readCommand(row)
    },
    event: eventFinder(connections),
    ...postgresPages(connections),
    ...overviews(postgres, (steps) => runAll(connections.scan, steps)),
    async customerNames(ids) {
      const rows = (await connections.read(NAMES, [ids])) as readonly (readonly [number, string])[]
      return new Map(rows)
    },
    async check() {
      // They come back one by one, and not every request can be answered before the last.
      if (!connections.isWhole()) throw new StoreUnavailable('the database cannot be reached', 1)
      const [row] = await connections.write('check', ALIVE, [])
      if (row?.[0] !== false) throw new StoreUnavailable('the database is read-only now', 2)
    },
    counts: turns.counts,
    searches: connections.scans,
    credentials: credentialStore(
      postgres,
      (statement, ...values) => connections.read(statement, values),
      (statement, ...values) => connections.write('credentials', statement, values),
    ),
    onEvents: notices.onEvents,
    webhooks: webhookStore(readWebhooks, writeWebhooks, connections.owner),
    async close() {
      notices.close()
      await turns.close()
      await connections.close()
    },
  }
}

type DealRow = [
  number,
  string,
  string | null,
  number | null,
  Deal['status'],
  boolean,
  boolean,
  number,
  string,
  string | null,
]

const DEAL = {
  name: 'deal',
  text: `SELECT revision, updated_at, deleted_at, customer_id, status, held, archived, amercement_thousandths, doc,
    previous_at
    FROM deals WHERE id = $1`,
}
const CUSTOMER = {
  name: 'customer',
  text: 'SELECT revision, updated_at, doc, previous_at FROM customers WHERE id = $1',
}
const COMMAND = statementIn(postgres, findCommand)
const NAMES = { name: 'customer-names', text: 'SELECT id, name FROM customers WHERE id = ANY($1::bigint[])' }
const ALIVE = { name: 'alive', text: 'SELECT pg_is_in_recovery()' }

const random = new Uint8Array(10)
const newDealId = (): string => uuidV7(Date.now(), randomFillSync(random))
