import type pg from 'pg'
import { nextSequence } from '../../src/store/postgres/write/thing-rows.ts'

/** A deal to make, hold or unhold, with the text of its event. */
export interface BareWrite {
  readonly id: string
  readonly operation: 'create' | 'hold' | 'unhold'
  readonly sent: Readonly<Record<string, string | number | null>>
  readonly text: string
}

/** Writes one deal and its event, and gives the deal's JSON; nothing if the deal is not in the state for it. */
export type WriteDeal = (write: BareWrite) => Promise<string | undefined>

/** A statement for each write, on whichever connection comes next: nobody waits for another's answer. */
export function pipelinedWrites(clients: readonly pg.Client[]): WriteDeal {
  let turn = 0
  return async (write) => {
    const [json] = await writeAll(clients[turn++ % clients.length] as pg.Client, [write])
    return json
  }
}

/** One statement for all creations and one for all operations that came while the one before was under way. */
export function batchedWrites(clients: readonly pg.Client[]): WriteDeal {
  const [creating, operating] = clients.map(batchOver) as [WriteDeal, WriteDeal]
  return (write) => (write.operation === 'create' ? creating(write) : operating(write))
}

function batchOver(client: pg.Client): WriteDeal {
  type Waiting = { readonly write: BareWrite; readonly resolve: (json: string | undefined) => void }
  let gathering: Waiting[] = []
  let isRunning = false
  const flush = async (): Promise<void> => {
    while (gathering.length > 0) {
      // A deal is changed once by a statement: what else is asked of it waits for the next one.
      const ids = new Set<string>()
      const isFirst = ({ write: { id } }: Waiting): boolean => ids.size < ids.add(id).size
      const { now: batch = [], later = [] } = Object.groupBy(gathering, (each) => (isFirst(each) ? 'now' : 'later'))
      gathering = later
      const jsons = await writeAll(
        client,
        batch.map(({ write }) => write),
      )
      for (const [at, { resolve }] of batch.entries()) resolve(jsons[at])
    }
    isRunning = false
  }
  return (write) =>
    new Promise((resolve) => {
      gathering.push({ write, resolve })
      if (isRunning) return
      isRunning = true
      setImmediate(flush)
    })
}

/** All of them are creations, or none. */
async function writeAll(client: pg.Client, writes: readonly BareWrite[]): Promise<readonly (string | undefined)[]> {
  const now = new Date().toISOString()
  const column = (name: string) => writes.map(({ sent }) => sent[name] ?? null)
  const ids = writes.map(({ id }) => id)
  const texts = writes.map(({ text }) => text)
  const { rows } =
    writes[0]?.operation === 'create'
      ? await client.query<string[]>({
          name: 'create',
          text: CREATE,
          rowMode: 'array',
          values: [
            ids,
            column('name'),
            writes.map(({ sent }) => Math.round(Number(sent.price) * 1000)),
            ...['customerId', 'owner', 'stage', 'completionDate'].map(column),
            texts,
            now,
          ],
        })
      : await client.query<string[]>({
          name: 'operate',
          text: OPERATE,
          rowMode: 'array',
          values: [ids, writes.map(({ operation }) => operation === 'hold'), column('reason'), texts, now],
        })
  const written = new Map(rows as unknown as readonly [string, string][])
  return ids.map((id) => written.get(id))
}

const dealJson = `json_build_object('id', id, 'name', name, 'price', price_thousandths / 1000.0, 'currency', currency,
  'customerId', customer_id, 'owner', owner, 'description', description, 'stage', stage,
  'completionDate', completion_date, 'status', status, 'held', held, 'holdReason', hold_reason, 'archived', archived,
  'amercement', amercement_thousandths / 1000.0, 'paid', paid_thousandths / 1000.0, 'completedOn', completed_on,
  'acceptedBy', accepted_by, 'closingReason', closing_reason, 'deletedAt', deleted_at, 'createdAt', created_at,
  'updatedAt', updated_at, 'revision', revision)`

const recorded = (operation: string, type: string, action: string, form: string, time: string): string => `
  INSERT INTO events (sequence, resource, subject, revision, type, operation, action, form, at, params, doc)
  SELECT ${nextSequence}, 'deal', id, revision, ${type}, ${operation}, ${action}, '${form}', ${time}, params, json
  FROM written JOIN new USING (id) CROSS JOIN feed_generation`

// `doc` is the service's; here PostgreSQL builds the JSON, and nothing is kept.
const CREATE = `WITH new AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[])
      AS new (id, name, price, customer_id, owner, stage, completion_date, params)
  ), written AS (
    INSERT INTO deals (id, name, price_thousandths, currency, customer_id, owner, description, stage, completion_date,
      status, held, archived, amercement_thousandths, paid_thousandths, created_at, updated_at, revision, doc)
    SELECT id, name, price, 'EUR', customer_id, owner, '', stage, completion_date, 'open', false, false, 0, 0, $9, $9, 1, ''
    FROM new RETURNING id, revision, ${dealJson}::text AS json
  ), recorded AS (${recorded(`'create'`, `'deal.created'`, `'CreateDeal'`, 'resource', '$9')})
  SELECT id, json FROM written`

const OPERATE = `WITH new AS (
    SELECT * FROM unnest($1::text[], $2::boolean[], $3::text[], $4::text[]) AS new (id, hold, reason, params)
  ), written AS (
    UPDATE deals SET held = new.hold, hold_reason = new.reason, updated_at = $5, revision = deals.revision + 1
    FROM new WHERE deals.id = new.id AND deleted_at IS NULL AND status = 'open' AND (new.hold OR held)
    RETURNING deals.id, deals.revision, ${dealJson.replace("'id', id", "'id', deals.id")}::text AS json
  ), recorded AS (${recorded(
    `CASE WHEN hold THEN 'hold' ELSE 'unhold' END`,
    `CASE WHEN hold THEN 'deal.held' ELSE 'deal.unheld' END`,
    `CASE WHEN hold THEN 'HoldDeal' ELSE 'UnholdDeal' END`,
    'verb',
    '$5',
  )})
  SELECT id, json FROM written`
