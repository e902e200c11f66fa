import { dealToJson } from '../../model/deal/deal.ts'
import type { Content } from '../port/maintenance.ts'
import { eventRow } from '../rows/event.ts'
import { commandRows } from './command-rows.ts'
import { connect } from './connection.ts'
import { customerRows } from './customer-rows.ts'
import { dealRows } from './deal-rows.ts'
import { eventRows } from './event-rows.ts'
import { inTransaction } from './transaction.ts'

/** All of it or nothing, and only into a database that holds nothing. */
export function fillDatabase(path: string, content: Content): 'filled' | 'not empty' {
  const db = connect(path)
  try {
    return inTransaction(db, () => {
      const tables = ['customers', 'deals', 'events', 'commands']
      if (tables.some((table) => db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined)) return 'not empty'
      const customers = customerRows(db)
      const deals = dealRows(db)
      const events = eventRows(db)
      const commands = commandRows(db)
      for (const customer of content.customers) customers.save(customer)
      for (const deal of content.deals) deals.insert(deal, dealToJson(deal))
      for (const event of content.events) events.insert(eventRow(event, dealToJson(event.deal)))
      for (const command of content.commands) commands.insert(command)
      return 'filled'
    })
  } finally {
    db.close()
  }
}
