import { randomFillSync } from 'node:crypto'
import type { Deal } from '../../model/deal/deal.ts'
import { uuidV7 } from '../../values/uuid.ts'
import { type Outcome, type Store, StoreUnavailable } from '../port/store.ts'
import { commandColumns, readCommand } from './command-rows.ts'
import { openConnections } from './connections.ts'
import { credentialRows } from './credential-rows.ts'
import { customerChanger } from './customers.ts'
import type { Asked } from './decide-together.ts'
import { eventNotices } from './event-notices.ts'
import { eventFinder } from './event-rows.ts'
import { asUnusable, migrate } from './migrate.ts'
import { postgresOverview } from './overview.ts'
import { postgresPages } from './pages.ts'
import { keyOf, performer } from './perform.ts'
import { takingTurns } from './taking-turns.ts'
import { postgresWebhooks } from './webhooks.ts'

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
    ...postgresOverview(connections),
    async check() {
      // They come back one by one, and not every request can be answered before the last.
      if (!connections.isWhole()) throw new StoreUnavailable('the database cannot be reached', 1)
      const [row] = await connections.write('check', ALIVE, [])
      if (row?.[0] !== false) throw new StoreUnavailable('the database is read-only now', 2)
    },
    counts: turns.counts,
    searches: connections.scans,
    credentials: credentialRows(connections),
    onEvents: notices.onEvents,
    webhooks: postgresWebhooks(connections),
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
const COMMAND = { name: 'command', text: `SELECT ${commandColumns.join(', ')} FROM commands WHERE id = $1` }
const ALIVE = { name: 'alive', text: 'SELECT pg_is_in_recovery()' }

const random = new Uint8Array(10)
const newDealId = (): string => uuidV7(Date.now(), randomFillSync(random))
