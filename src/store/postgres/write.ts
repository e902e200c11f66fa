import { commandColumns, commandValues } from '../rows/command.ts'
import { eventColumns, eventValues } from '../rows/event.ts'
import type { Statement, Values } from './connection.ts'
import { dealColumns, dealValues } from './deal-rows.ts'
import type { Decided } from './decide-together.ts'

/** What was decided, as one statement: all of it happens, or nothing. */
export interface Write {
  readonly statement: Statement
  readonly values: Values
}

/** Nothing when there is nothing to write. The statement answers with how many deals it held on to: one or none. */
export function writeOf(decided: Decided, writeId: string): Write | undefined {
  const { before, after, events, commands } = decided
  if (events.length === 0 && commands.length === 0) return undefined
  const rows = [
    ...columnsOf(commands.map(commandValues), commandColumns.length),
    ...columnsOf(events.map(eventValues), eventColumns.length),
    writeId,
  ]
  if (after === undefined) return { statement: keeping, values: [before?.id, before?.revision, ...rows] }
  const deal = dealValues(after.deal, after.json)
  if (before === undefined) return { statement: making, values: [...deal, ...rows] }
  return { statement: changing, values: [before.id, before.revision, ...deal.slice(1), ...rows] }
}

const eventTypes = eventColumns.map((column) => (column === 'revision' ? 'bigint' : 'text'))

/** Rows as one array for each column. */
const columnsOf = (rows: readonly (readonly unknown[])[], count: number): readonly (readonly unknown[])[] =>
  Array.from({ length: count }, (_, at) => rows.map((row) => row[at]))

/**
 * Commands and events are made from the deal that was written, never beside it:
 * when its revision has moved on, none of them is.
 */
function statement(name: string, written: string, first: number): Statement {
  const commandTypes = commandColumns.map((column) => (column === 'revision' ? 'bigint' : 'text'))
  const commands = commandTypes.map((type, at) => `$${first + at}::${type}[]`)
  const behind = first + commands.length
  const events = eventTypes.map((type, at) => `$${behind + at}::${type}[]`)
  const writeId = `$${behind + events.length}::uuid`
  return {
    name,
    text: `WITH written AS (${written}),
      commanded AS (
        INSERT INTO commands (${commandColumns.join(', ')})
        SELECT command.* FROM written CROSS JOIN unnest(${commands.join(', ')}) AS command
      ),
      recorded AS (
        INSERT INTO events (deal_id, sequence, write_id, ${eventColumns.join(', ')})
        SELECT written.id, ${nextSequence}, ${writeId}, ${eventColumns.map((column) => `event.${column}`).join(', ')}
        FROM written CROSS JOIN feed_generation
          CROSS JOIN unnest(${events.join(', ')}) AS event (${eventColumns.join(', ')})
        ORDER BY event.revision
      )
      SELECT count(*) FROM written`,
  }
}

/** For a select from `feed_generation`. */
export const nextSequence = `lpad(generation::text, 4, '0') || lpad(pg_current_xact_id()::text, 20, '0')
  || lpad(nextval('event_numbers')::text, 15, '0')`

const columns = [...dealColumns, 'doc']

/**
 * Whose turn it is to change a deal: a lock that ends with the transaction. Writers take it before anything gives
 * them a transaction id, and the commit releases it, so of two writers the later one has the higher id: the events of
 * a deal sort by revision. A row lock cannot promise this: who waits for one may have its id already (decisions/0014).
 */
const turn = `hashtextextended($1::text, 0)`

export const awaitTurn: Statement = { name: 'await-turn', text: `SELECT pg_advisory_xact_lock(${turn})` }

/** The turn is tried, not waited for: this statement may be on a connection that others share. */
const unmoved = `id = $1 AND revision = $2 AND pg_try_advisory_xact_lock(${turn})`

const changing = statement(
  'change',
  `UPDATE deals SET previous_at = updated_at, ${columns
    .slice(1)
    .map((column, at) => `${column} = $${at + 3}`)
    .join(', ')} WHERE ${unmoved} RETURNING id`,
  columns.length + 2,
)

const making = statement(
  'make',
  `INSERT INTO deals (${columns.join(', ')}) VALUES (${columns.map((_, at) => `$${at + 1}`).join(', ')}) RETURNING id`,
  columns.length + 1,
)

/** Only commands are written, about a deal that must not move meanwhile. */
const keeping = statement('keep', `SELECT id FROM deals WHERE ${unmoved} FOR SHARE`, 3)
