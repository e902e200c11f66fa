import { bySchema } from '../../../model/declaration/by-schema.ts'
import { valueIn } from '../../../model/declaration/operation.ts'
import type { Key } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { isOwn } from '../../../values/json/own.ts'
import { commandColumns, commandValues } from '../../rows/command.ts'
import { eventColumns, eventValues } from '../../rows/event.ts'
import { sinceColumns } from '../../rows/projection.ts'
import { columnOfField, isNumbered, storedKind, thingValues, writtenColumns } from '../../rows/things.ts'
import { columnType } from '../../select/columns.ts'
import { prepared } from '../../sql/statement.ts'
import { type BoundStatement, bind } from '../../work/work.ts'
import type { Row, Statement } from '../connect/connection.ts'
import { arrayText } from './array-text.ts'
import type { TurnDecision } from './decide.ts'
import { projectionWrites } from './projection-rows.ts'

/**
 * The writes of decisions about things of one resource: one statement for those that are created, changed, removed or
 * kept. Each returns the ids of the written things, as text: a thing whose revision has changed since it was read is
 * not among them, and neither its commands nor its events are written.
 */
export function writesOf(
  resource: Resource,
  decisions: readonly TurnDecision[],
  writeId: string,
): readonly BoundStatement[] {
  const statements = writeStatements(resource)
  const writes = kinds.flatMap((kind) => {
    const those = decisions.filter((each) => kindOf(each) === kind)
    if (those.length === 0) return []
    const { statement, columns } = statements[kind]
    const things = those.map(({ before, after, commands }) => [
      ...(after === undefined || after.removed
        ? [subjectOf({ before, commands }), after?.json]
        : [
            ...thingValues(resource, after.thing, after.json),
            after.previousAt,
            ...after.since.map((since) => (since === undefined ? STAYS : since)),
          ]),
      before?.revision,
    ])
    const commands = those.flatMap((each) => each.commands.map(({ command, doc }) => [...commandValues(command), doc]))
    const events = those.flatMap(({ events, after }, at) =>
      events.map((row) => [...eventValues(row).with(DOC, row.kept === after?.json ? null : row.kept), at + 1]),
    )
    return [
      bind(
        statement,
        ...columnsOf(things, columns),
        ...columnsOf(commands, commandColumns.length + 1),
        ...columnsOf(events, eventColumns.length + 1),
        writeId,
      ),
    ]
  })
  return [...writes, ...projectionWrites(resource, decisions, writeId)]
}

/** The id that a thing has, or would have if its creation had not been refused. */
export const subjectOf = ({ before, commands }: Pick<TurnDecision, 'before' | 'commands'>): Key | undefined =>
  before?.id ?? commands[0]?.command.subject

/** In place of an instant: the column keeps its value. */
const STAYS = ''

/** Takes unique values from the things that give them up, before others of the same batch get them. */
export function freeing(resource: Resource, decisions: readonly TurnDecision[]): readonly BoundStatement[] {
  const type = isNumbered(resource) ? 'bigint' : 'text'
  return resource.uniques
    .filter((each) => !isOwn(each))
    .flatMap((field) => {
      const column = columnOfField(resource, field)
      const ids = decisions.flatMap(({ before, after }) => {
        if (before === undefined || after === undefined) return []
        const value = valueIn(before, field)
        return value !== null && (after.removed || valueIn(after.thing, field) !== value) ? [before.id] : []
      })
      // The value of a required field must be another one meanwhile.
      const none = storedKind(resource, field).nullable ? 'NULL' : 'id'
      const text = `UPDATE ${resource.plural} SET ${column} = ${none} WHERE id = ANY ($1::${type}[])`
      return ids.length === 0 ? [] : [bind({ text }, ids)]
    })
}

/** Whether there is anything to write. */
export const writesAnything = ({ events, commands }: TurnDecision): boolean => events.length + commands.length > 0

type WriteKind = (typeof kinds)[number]
/**
 * Kept: only commands are written, about a thing that must not change meanwhile. Unmade: only commands that were
 * refused to make a thing.
 */
const kinds = ['made', 'changed', 'removed', 'kept', 'unmade'] as const

function kindOf({ before, after }: TurnDecision): WriteKind {
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
