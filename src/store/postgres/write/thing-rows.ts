import { bySchema } from '../../../model/declaration/by-schema.ts'
import { valueIn } from '../../../model/declaration/operation.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { isOwn } from '../../../values/json/own.ts'
import { commandColumns, commandValues } from '../../rows/command.ts'
import { type EventRow, eventColumns, eventValues } from '../../rows/event.ts'
import { sinceColumns } from '../../rows/projection.ts'
import { columnOfField, isNumbered, storedKind, thingValues, writtenColumns } from '../../rows/things.ts'
import { columnType } from '../../select/kind-columns.ts'
import { prepared } from '../../sql/statement.ts'
import { type BoundStatement, bind } from '../../transactions/work.ts'
import { subjectOf } from '../../transactions/write/decided-things.ts'
import type { Decision } from '../../transactions/write/decision.ts'
import type { Row, Statement } from '../connect/connection.ts'
import { arrayText } from './array-text.ts'

/**
 * The writes of decisions about things of one resource: one statement for those that are created, changed, removed or
 * kept. Each returns the ids of the written things, as text: a thing whose revision has changed since it was read is
 * not among them, and neither its commands nor its events are written. `events` are those to write with the things.
 */
export function writesOf(
  resource: Resource,
  decisions: readonly Decision[],
  writeId: string,
  events: readonly EventRow[] = decisions.flatMap((each) => each.events),
): readonly BoundStatement[] {
  const statements = writeStatements(resource)
  return [...Map.groupBy(decisions, kindOf)].map(([kind, those]) => {
    const { statement, columns } = statements[kind]
    const things = those.map((each) => thingRow(resource, each))
    const commands = those.flatMap((each) => each.commands.map(({ command, doc }) => [...commandValues(command), doc]))
    return bind(
      statement,
      ...columnsOf(things, columns),
      ...columnsOf(commands, commandColumns.length + 1),
      ...columnsOf(eventsOf(those, events), eventColumns.length + 1),
      writeId,
    )
  })
}

function thingRow(resource: Resource, { before, after, commands }: Decision): Row {
  if (after === undefined || after.removed)
    return [subjectOf({ before, commands }), after?.json, before?.thing.revision]
  const since = after.since.map((value) => (value === undefined ? STAYS : value))
  return [...thingValues(resource, after.thing, after.json), after.previousAt, ...since, before?.thing.revision]
}

/** The events of some things, each with the place of its thing among them. */
function eventsOf(those: readonly Decision[], events: readonly EventRow[]): readonly Row[] {
  const places = new Map(those.map((each, at) => [each.after?.thing.id, at]))
  return events.flatMap((row) => {
    const at = places.get(row.event.thing.id)
    if (at === undefined) return []
    const kept = row.kept === those[at]?.after?.json ? null : row.kept
    return [[...eventValues(row).with(DOC, kept), at + 1]]
  })
}

/** In place of an instant: the column keeps its value. */
const STAYS = ''

/** Takes unique values from the things that give them up, before others of the same batch get them. */
export function freeing(resource: Resource, decisions: readonly Decision[]): readonly BoundStatement[] {
  const type = isNumbered(resource) ? 'bigint' : 'text'
  return resource.uniques
    .filter((each) => !isOwn(each))
    .flatMap((field) => {
      const column = columnOfField(resource, field)
      const ids = decisions.flatMap(({ before, after }) => {
        if (before === undefined || after === undefined) return []
        const value = valueIn(before.thing, field)
        return value !== null && (after.removed || valueIn(after.thing, field) !== value) ? [before.thing.id] : []
      })
      // The value of a required field must be another one meanwhile.
      const none = storedKind(resource, field).nullable ? 'NULL' : 'id'
      const text = `UPDATE ${resource.plural} SET ${column} = ${none} WHERE id = ANY ($1::${type}[])`
      return ids.length === 0 ? [] : [bind({ text }, ids)]
    })
}

type WriteKind = (typeof kinds)[number]
/**
 * Kept: only commands are written, about a thing that must not change meanwhile. Unmade: only commands that were
 * refused to make a thing.
 */
const kinds = ['made', 'changed', 'removed', 'kept', 'unmade'] as const

export function kindOf({ before, after }: Decision): WriteKind {
  if (after === undefined) return before === undefined ? 'unmade' : 'kept'
  if (after.removed) return 'removed'
  return before === undefined ? 'made' : 'changed'
}

/** Rows as one array for each column. */
const columnsOf = (rows: readonly Row[], count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => arrayText(rows.map((row) => row[at])))

type WriteStatements = {
  readonly [kind in WriteKind]: {
    readonly statement: Statement
    /** The number of columns of the things. */
    readonly columns: number
  }
}

const writeStatements = bySchema((resource: Resource): WriteStatements => {
  const { name, plural: table, columns: names } = resource
  const sinces = sinceColumns(resource)
  const columns = [...writtenColumns(resource), 'previous_at', ...sinces]
  const types = columns.map((_, at) => (names[at] ? columnType({ kind: storedKind(resource, names[at]) }) : 'text'))
  const all = arrays([...types, 'bigint'], 1)
  const known = arrays([types[0] ?? 'text', 'text', 'bigint'], 1)
  const unmoved = `${table}.id = new.id AND ${table}.revision = new.was`
  const written = `RETURNING ${table}.id::text AS subject`
  const writtenTo = (column: string): string =>
    sinces.includes(column)
      ? `CASE new.${column} WHEN '${STAYS}' THEN ${table}.${column} ELSE new.${column} END`
      : `new.${column}`
  const sets = columns.slice(1).map((column) => `${column} = ${writtenTo(column)}`)
  const sought = `unnest(${known}) AS new (id, doc, was) WHERE ${unmoved}`
  const of = (kind: WriteKind, taken: readonly string[], text: string) => ({
    statement: prepared(`${name}-${kind}`, withRecords(text, taken.length + 1, `$${taken.indexOf('doc') + 1}::text[]`)),
    columns: taken.length,
  })
  return {
    made: of(
      'made',
      [...columns, 'was'],
      `INSERT INTO ${table} (${columns.join(', ')})
       SELECT ${columns.join(', ')} FROM unnest(${all}) AS new (${columns.join(', ')}, was) ${written}`,
    ),
    changed: of(
      'changed',
      [...columns, 'was'],
      `UPDATE ${table} SET ${sets.join(', ')}
       FROM unnest(${all}) AS new (${columns.join(', ')}, was) WHERE ${unmoved} ${written}`,
    ),
    removed: of('removed', ['id', 'doc', 'was'], `DELETE FROM ${table} USING ${sought} ${written}`),
    kept: of(
      'kept',
      ['id', 'doc', 'was'],
      `SELECT ${table}.id::text AS subject FROM ${table}, ${sought} FOR SHARE OF ${table}`,
    ),
    unmade: of(
      'unmade',
      ['id', 'doc', 'was'],
      `SELECT new.id::text AS subject FROM unnest(${known}) AS new (id, doc, was)`,
    ),
  }
})

/**
 * Commands and events are written only together with their things. The set of written things is looked up in a hash: a
 * comparison that may be null is not planned as a join. All instances write commands in one order, so that of two
 * instances with the same ones the later waits for the earlier. An event that stores the whole thing takes its document
 * from the written row, which then need not be sent twice.
 */
function withRecords(written: string, first: number, docs: string): string {
  const commands = [...commandColumns, 'doc']
  const behind = first + commands.length
  const events = [...eventColumns, 'thing']
  const writeId = `$${behind + events.length}::uuid`
  const isWritten = '(subject IN (SELECT subject FROM written)) IS TRUE'
  const recorded = eventColumns.map((column) => (column === 'doc' ? `coalesce(doc, (${docs})[thing])` : column))
  return `WITH written AS (${written}),
    commanded AS (
      INSERT INTO commands (${commands.join(', ')})
      SELECT * FROM unnest(${arrays(commands.map(typeOf), first)}) AS command (${commands.join(', ')})
      WHERE ${isWritten} ORDER BY id
    ),
    recorded AS (
      INSERT INTO events (sequence, write_id, ${eventColumns.join(', ')})
      SELECT ${nextSequence}, ${writeId}, ${recorded.join(', ')}
      FROM feed_generation CROSS JOIN unnest(${arrays(events.map(typeOf), behind)})
        WITH ORDINALITY AS event (${events.join(', ')}, place)
      WHERE ${isWritten} ORDER BY place
    )
    SELECT subject FROM written`
}

const typeOf = (column: string): string => (column === 'revision' ? 'bigint' : column === 'thing' ? 'integer' : 'text')

const DOC = eventColumns.indexOf('doc')

const arrays = (types: readonly string[], first: number): string =>
  types.map((type, at) => `$${first + at}::${type}[]`).join(', ')

/** For a select from `feed_generation`. */
export const nextSequence = `lpad(generation::text, 4, '0') || lpad(pg_current_xact_id()::text, 20, '0')
  || lpad(nextval('event_numbers')::text, 15, '0')`
