import type { Resource } from '../../../model/resource.ts'
import { resources } from '../../../model/resources.ts'
import { commandColumns, commandValues } from '../../rows/command.ts'
import { eventColumns, eventValues } from '../../rows/event.ts'
import { thingValues, writtenColumns } from '../../rows/things.ts'
import type { Statement, Values } from '../connect/connection.ts'
import type { BatchDecision } from './decide-together.ts'

/** What was decided, as one statement: all of it happens, or nothing. */
export interface Write {
  readonly statement: Statement
  readonly values: Values
}

/** Nothing when there is nothing to write. The statement answers with how many things it held on to: one or none. */
export function writeOf(resource: Resource, decided: BatchDecision, writeId: string): Write | undefined {
  const { before, after, events, commands } = decided
  if (events.length === 0 && commands.length === 0) return undefined
  const { changing, making, keeping, removing } = statements.get(resource.name) as Statements
  const rows = [
    ...columnsOf(
      commands.map(({ command, doc }) => [...commandValues(command), doc]),
      commandColumns.length + 1,
    ),
    ...columnsOf(events.map(eventValues), eventColumns.length),
    writeId,
  ]
  if (after === undefined) return { statement: keeping, values: [before?.id, before?.revision, ...rows] }
  if (after.removed) return { statement: removing, values: [before?.id, before?.revision, ...rows] }
  const values = thingValues(resource, after.thing, after.json)
  if (before === undefined) return { statement: making, values: [...values, ...rows] }
  return { statement: changing, values: [before.id, before.revision, ...values.slice(1), ...rows] }
}

/** Rows as one array for each column. */
const columnsOf = (rows: readonly (readonly unknown[])[], count: number): readonly (readonly unknown[])[] =>
  Array.from({ length: count }, (_, at) => rows.map((row) => row[at]))

/**
 * Commands and events are made from the thing that was written, never beside it:
 * when its revision has moved on, none of them is.
 */
function statement(name: string, written: string, first: number): Statement {
  const typed = (columns: readonly string[], from: number) =>
    columns.map((column, at) => `$${from + at}::${column === 'revision' ? 'bigint' : 'text'}[]`).join(', ')
  const commands = [...commandColumns, 'doc']
  const behind = first + commands.length
  const writeId = `$${behind + eventColumns.length}::uuid`
  return {
    name,
    text: `WITH written AS (${written}),
      commanded AS (
        INSERT INTO commands (${commands.join(', ')})
        SELECT command.* FROM written CROSS JOIN unnest(${typed(commands, first)}) AS command
      ),
      recorded AS (
        INSERT INTO events (sequence, write_id, ${eventColumns.join(', ')})
        SELECT ${nextSequence}, ${writeId}, ${eventColumns.map((column) => `event.${column}`).join(', ')}
        FROM written CROSS JOIN feed_generation
          CROSS JOIN unnest(${typed(eventColumns, behind)}) AS event (${eventColumns.join(', ')})
        ORDER BY event.revision
      )
      SELECT count(*) FROM written`,
  }
}

/** For a select from `feed_generation`. */
export const nextSequence = `lpad(generation::text, 4, '0') || lpad(pg_current_xact_id()::text, 20, '0')
  || lpad(nextval('event_numbers')::text, 15, '0')`

/**
 * Whose turn it is to change a thing: a lock that ends with the transaction. Writers take it before anything gives
 * them a transaction id, and the commit releases it, so of two writers the later one has the higher id: the events of
 * a thing sort by revision. A row lock cannot promise this: who waits for one may have its id already (decisions/0014).
 */
const turn = `hashtextextended($1::text, 0)`

export const awaitTurn: Statement = { name: 'await-turn', text: `SELECT pg_advisory_xact_lock(${turn})` }

/** The turn is tried, not waited for: this statement may be on a connection that others share. */
const unmoved = ({ kinds }: Resource): string => {
  const id = kinds.id?.name === 'integer' ? '$1::text::bigint' : '$1'
  return `id = ${id} AND revision = $2 AND pg_try_advisory_xact_lock(${turn})`
}

interface Statements {
  readonly changing: Statement
  readonly making: Statement
  readonly removing: Statement
  /** Only commands are written, about a thing that must not move meanwhile. */
  readonly keeping: Statement
}

const statements = new Map(resources.map((resource) => [resource.name, statementsFor(resource)]))

function statementsFor(resource: Resource): Statements {
  const { name, plural: table } = resource
  const columns = writtenColumns(resource)
  const sets = columns.slice(1).map((column, at) => `${column} = $${at + 3}`)
  const places = columns.map((_, at) => `$${at + 1}`)
  return {
    changing: statement(
      `change-${name}`,
      `UPDATE ${table} SET previous_at = updated_at, ${sets.join(', ')} WHERE ${unmoved(resource)} RETURNING id`,
      columns.length + 2,
    ),
    making: statement(
      `make-${name}`,
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')}) RETURNING id`,
      columns.length + 1,
    ),
    removing: statement(`remove-${name}`, `DELETE FROM ${table} WHERE ${unmoved(resource)} RETURNING id`, 3),
    keeping: statement(`keep-${name}`, `SELECT id FROM ${table} WHERE ${unmoved(resource)} FOR SHARE`, 3),
  }
}
