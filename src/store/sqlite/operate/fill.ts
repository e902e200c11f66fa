import { resources } from '../../../model/resources.ts'
import type { InitialContent } from '../../port/maintenance.ts'
import { eventRow } from '../../rows/event.ts'
import { connect } from '../connect/connection.ts'
import { inTransaction } from '../connect/transaction.ts'
import { eventRows } from '../feed/event-rows.ts'
import { commandRows } from '../write/command-rows.ts'
import { thingRows } from '../write/thing-rows.ts'

/** Writes everything or nothing, and only into an empty database. */
export function fillDatabase(path: string, content: InitialContent): 'filled' | 'not empty' {
  const db = connect(path)
  try {
    return inTransaction(db, () => {
      const tables = [...resources.map(({ plural }) => plural), 'events', 'commands']
      if (tables.some((table) => db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined)) return 'not empty'
      for (const { resource, things } of content.things) {
        const rows = thingRows(db, resource)
        for (const thing of things) rows.insert(thing, resource.toJson(thing))
      }
      const events = eventRows(db)
      const commands = commandRows(db)
      for (const event of content.events) events.insert(eventRow(event, event.operation.on.toJson(event.thing)))
      for (const command of content.commands) commands.insert(command, null)
      return 'filled'
    })
  } finally {
    db.close()
  }
}
