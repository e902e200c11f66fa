import { DatabaseSync, type StatementSync } from 'node:sqlite'

/** Deals on two connections: what a turn wrote is not read by others before it is durable. */
export interface BareDeals {
  read(id: string): string | undefined
  /** Writes the deal and its event, and answers with the deal. */
  create(id: string, sent: Sent, text: string, now: string): string
  /** Nothing when the deal is not in the state for it. */
  operate(id: string, operation: string, sent: Sent, text: string, now: string): string | undefined
  commit(): void
}

type Sent = Readonly<Record<string, string | number>>

export function openBareDeals(path: string): BareDeals {
  const reads = open(path)
  const writes = open(path)
  const select = reads.prepare(`SELECT ${dealJson} FROM deals WHERE id = ?`)
  select.setReturnArrays(true)
  // `doc` is the service's; here SQLite builds the JSON when it is asked for, so nothing is kept.
  const insert = writes.prepare(
    `INSERT INTO deals (id, name, price_thousandths, currency, customer_id, owner, description, stage, completion_date, status, held,
      archived, amercement_thousandths, paid_thousandths, created_at, updated_at, revision, doc)
     VALUES (?, ?, ?, 'EUR', ?, ?, '', ?, ?, 'open', 0, 0, 0, 0, ?, ?, 1, '') RETURNING ${dealJson}, revision`,
  )
  const update = (set: string, when: string): StatementSync =>
    writes.prepare(
      `UPDATE deals SET ${set}, updated_at = ?, revision = revision + 1
       WHERE id = ? AND deleted_at IS NULL AND ${when} RETURNING ${dealJson}, revision`,
    )
  const operations = new Map([
    ['hold', { event: 'held', action: 'HoldDeal', run: update('held = 1, hold_reason = ?', "status = 'open'") }],
    ['unhold', { event: 'unheld', action: 'UnholdDeal', run: update('held = 0, hold_reason = ?', 'held = 1') }],
    [
      'record-payment',
      {
        event: 'payment-recorded',
        action: 'RecordDealPayment',
        run: update('paid_thousandths = paid_thousandths + ?', 'archived = 0'),
      },
    ],
  ])
  for (const { run } of operations.values()) run.setReturnArrays(true)
  insert.setReturnArrays(true)
  const insertEvent = writes.prepare(
    `INSERT INTO events (subject, revision, type, operation, action, actor, form, command_id, at, params, doc)
     VALUES (?, ?, ?, ?, ?, NULL, ?, NULL, ?, ?, ?)`,
  )
  const begin = writes.prepare('BEGIN IMMEDIATE')

  const record = (
    row: Row,
    id: string,
    name: string,
    event: string,
    action: string,
    form: string,
    params: string,
    now: string,
  ) => {
    const [json, revision] = row
    insertEvent.run(id, revision, `deal.${event}`, name, action, form, now, params, json)
    return json
  }

  return {
    read: (id) => (select.get(id) as unknown as [string] | undefined)?.[0],
    create(id, sent, text, now) {
      if (!writes.isTransaction) begin.run()
      const { name = '', price, customerId = null, owner = null, stage = 'lead', completionDate = null } = sent
      const amount = Math.round(Number(price) * 1000)
      const row = insert.get(id, name, amount, customerId, owner, stage, completionDate, now, now) as unknown as Row
      return record(row, id, 'create', 'created', 'CreateDeal', 'resource', text, now)
    },
    operate(id, name, sent, text, now) {
      const operation = operations.get(name)
      if (operation === undefined) return undefined
      if (!writes.isTransaction) begin.run()
      const value = sent.amount === undefined ? (sent.reason ?? null) : Math.round(Number(sent.amount) * 1000)
      const row = operation.run.get(value, now, id) as unknown as Row | undefined
      return row && record(row, id, name, operation.event, operation.action, 'verb', text, now)
    },
    commit() {
      writes.exec('COMMIT')
    },
  }
}

type Row = readonly [json: string, revision: number]

/** With the cache that the service's connections have. */
export function open(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 5000 })
  db.exec('PRAGMA synchronous = FULL; PRAGMA cache_size = -16384')
  return db
}

const dealJson = `json_object('id', id, 'name', name, 'price', price_thousandths / 1000.0, 'currency', currency,
  'customerId', customer_id, 'owner', owner, 'description', description, 'stage', stage,
  'completionDate', completion_date, 'status', status, 'held', json(iif(held, 'true', 'false')),
  'holdReason', hold_reason, 'archived', json(iif(archived, 'true', 'false')), 'amercement', amercement_thousandths / 1000.0,
  'paid', paid_thousandths / 1000.0, 'completedOn', completed_on, 'acceptedBy', accepted_by, 'closingReason', closing_reason,
  'deletedAt', deleted_at, 'createdAt', created_at, 'updatedAt', updated_at, 'revision', revision)`
