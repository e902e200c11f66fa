import type { DomainEvent } from '../../../model/event.ts'
import type { Resource } from '../../../model/resource.ts'
import { resources } from '../../../model/resources.ts'
import type { InitialContent } from '../../port/maintenance.ts'
import { commandColumns, commandValues } from '../../rows/command.ts'
import { eventRow } from '../../rows/event.ts'
import { thingColumns } from '../../rows/things.ts'
import type { Session } from '../connect/connection.ts'
import { inTransaction, type Transactions } from '../connect/transaction.ts'
import { insertEvents } from '../feed/event-rows.ts'
import { thingRecord } from '../write/thing-rows.ts'

/** All of it or nothing, and only into a database that holds nothing. */
export function fillDatabase(transactions: Transactions, content: InitialContent): Promise<'filled' | 'not empty'> {
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

const tables = [...resources.map(({ plural }) => plural), 'events', 'commands']

async function write(session: Session, { things, events, commands }: InitialContent): Promise<void> {
  const { query } = session
  const insert = (table: string, columns: readonly string[], records: readonly object[]) =>
    query(
      {
        text: `INSERT INTO ${table} (${columns.join(', ')})
          SELECT ${columns.join(', ')} FROM json_populate_recordset(NULL::${table}, $1)`,
      },
      [JSON.stringify(records)],
    )
  for (const { resource, things: all } of things) {
    const columns = [...thingColumns(resource), 'doc']
    const records = all.map((thing) => thingRecord(resource, thing))
    await insert(resource.plural, columns, records)
    if (resource.kinds.id?.name === 'integer') await query({ text: continueNumbers(resource) })
  }
  const kept = commands.map((command) => {
    const values = commandValues(command)
    return Object.fromEntries(commandColumns.map((column, at) => [column, values[at]]))
  })
  await insert('commands', commandColumns, kept)
  await insertEvents(
    session,
    events.map((event) => eventRow(event, docOf(event))),
  )
}

const docOf = ({ operation, thing }: DomainEvent): string => operation.on.toJson(thing)

const continueNumbers = ({ plural }: Resource): string =>
  `SELECT setval(pg_get_serial_sequence('${plural}', 'id'), max(id)) FROM ${plural} HAVING count(*) > 0`
