import { dealToJson } from '../../model/deal/deal.ts'
import type { Content } from '../port/maintenance.ts'
import { commandColumns, commandValues } from '../rows/command.ts'
import { eventColumns, eventRow, eventValues } from '../rows/event.ts'
import type { Session } from './connection.ts'
import { customerColumns, customerRecord } from './customers.ts'
import { dealColumns, dealValues } from './deal-rows.ts'
import { inTransaction, type Transactions } from './transaction.ts'
import { nextSequence } from './write.ts'

/** All of it or nothing, and only into a database that holds nothing. */
export function fillDatabase(transactions: Transactions, content: Content): Promise<'filled' | 'not empty'> {
  return inTransaction(transactions, async (session) => {
    // Instances may read meanwhile; whoever writes waits.
    await session.query({ text: `LOCK TABLE ${tables.join(', ')} IN EXCLUSIVE MODE` })
    const taken = tables.map((table) => `EXISTS (SELECT 1 FROM ${table})`).join(' OR ')
    const [[isTaken] = []] = await session.query({ text: `SELECT ${taken}` })
    if (isTaken === true) return 'not empty'
    await write(session, content)
    return 'filled'
  })
}

const tables = ['customers', 'deals', 'events', 'commands'] as const

async function write({ query }: Session, { customers, deals, events, commands }: Content): Promise<void> {
  const insert = (table: (typeof tables)[number], columns: readonly string[], records: readonly object[]) =>
    query(
      {
        text: `INSERT INTO ${table} (${columns.join(', ')})
          SELECT ${columns.join(', ')} FROM json_populate_recordset(NULL::${table}, $1)`,
      },
      [JSON.stringify(records)],
    )
  const columns = [...dealColumns, 'doc']
  await insert('customers', [...customerColumns, 'doc'], customers.map(customerRecord))
  await insert(
    'deals',
    columns,
    deals.map((deal) => record(columns, dealValues(deal, dealToJson(deal)))),
  )
  await insert(
    'commands',
    commandColumns,
    commands.map((command) => record(commandColumns, commandValues(command))),
  )
  const rows = events.map((event) => ({
    ...record(eventColumns, eventValues(eventRow(event, dealToJson(event.deal)))),
    deal_id: event.deal.id,
  }))
  await query({ text: INSERT_EVENTS }, [JSON.stringify(rows)])
  await query({ text: CONTINUE_CUSTOMERS })
}

const record = (columns: readonly string[], values: readonly unknown[]): object =>
  Object.fromEntries(columns.map((column, at) => [column, values[at]]))

/** In the order in which they happened. */
const INSERT_EVENTS = `INSERT INTO events (deal_id, sequence, ${eventColumns.join(', ')})
  SELECT deal_id, ${nextSequence}, ${eventColumns.join(', ')} FROM feed_generation
    CROSS JOIN ROWS FROM (json_populate_recordset(NULL::events, $1)) WITH ORDINALITY AS event ORDER BY ordinality`

const CONTINUE_CUSTOMERS = `SELECT setval('customers_id_seq', max(id)) FROM customers HAVING count(*) > 0`
