import type { Session } from './connection.ts'
import { inTransaction, type Transactions } from './transaction.ts'

/** Bounds how long a transaction keeps others waiting. */
const BATCH = 100

/** Deals deleted before an instant, with their events and commands. */
export async function* purgeDeals(
  transactions: Transactions,
  before: string,
  dryRun: boolean,
): AsyncIterable<readonly string[]> {
  const work = dryRun ? findNext : removeNext
  const next = (last: string) => inTransaction(transactions, (session) => work(session, before, last))
  for (let found = await next(''); found.length > 0; found = await next(found.at(-1) ?? '')) yield found
}

const findNext = async ({ query }: Session, before: string, last: string): Promise<readonly string[]> =>
  ids(await query({ text: FIND }, [before, last]))

async function removeNext({ query }: Session, before: string, last: string): Promise<readonly string[]> {
  // Found under a lock: a deal that is restored meanwhile stays, and nothing is written about one that goes.
  const found = ids(await query({ text: `${FIND} FOR UPDATE` }, [before, last]))
  await Promise.all(REMOVE.map((text) => query({ text }, [found])))
  return found
}

const ids = (rows: readonly (readonly unknown[])[]): readonly string[] => rows.map(([id]) => String(id))

const FIND = `SELECT id FROM deals WHERE deleted_at IS NOT NULL AND deleted_at < $1 AND id > $2 ORDER BY id LIMIT ${BATCH}`

const REMOVE = [
  'DELETE FROM events WHERE deal_id = ANY ($1::text[])',
  'DELETE FROM commands WHERE deal_id = ANY ($1::text[])',
  'DELETE FROM deals WHERE id = ANY ($1::text[])',
]
