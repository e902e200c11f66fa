import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../model/declaration/schema.ts'
import { type Relation, referrersOf, resourceNamed } from '../../model/schema/resources.ts'
import type { StoreReads } from '../desks.ts'
import { findCommand, readCommand } from '../rows/command.ts'
import { findEvent, readEvent } from '../rows/event.ts'
import { shownDocument } from '../rows/shown-document.ts'
import { columnOfField, isNumbered, kindIn } from '../rows/things.ts'
import { uniqueLookup } from '../rows/unique-lookup.ts'
import { columnType } from '../select/kind-columns.ts'
import { type SqlDialect, statementIn, statementsIn } from '../sql/dialect.ts'
import type { Statement } from '../sql/statement.ts'
import { pastReader } from './past.ts'
import type { RunStatement } from './work.ts'

/**
 * The reads that take a statement or a few: `read` runs short ones, `scan` those that may take longer. `decided` waits for
 * the writes that are under way.
 */
export function pointReads(
  dialect: SqlDialect,
  find: StoreReads['find'],
  read: RunStatement,
  scan: RunStatement,
  schemaNow: () => Schema,
  decided: () => Promise<unknown>,
): Omit<StoreReads, 'page' | 'textPage' | 'stream' | 'unsearchable'> {
  const { UP_TO, OF } = statementsIn(dialect, 'trimmed', {
    UP_TO: `SELECT ${dialect.sequence.text} FROM (SELECT upto AS sequence FROM trimmed_feed) AS place`,
    OF: 'SELECT events FROM trimmed_histories WHERE subject = ?1',
  })
  const command = statementIn(dialect, findCommand)
  const storedEvent = eventReader(dialect, read)
  return {
    find,
    idBy: idReader(dialect, read),
    past: pastReader(dialect, find, read, decided),
    related: relatedReader(dialect, read, scan),
    lastNoted: lastNotedReader(dialect, scan),
    async event(resource, subject, revision) {
      const event = await storedEvent(resource, subject, revision)
      return event && { ...event, doc: shownDocument(resource)(event.doc) }
    },
    async command(id) {
      const [row] = await read(command, id)
      return row && readCommand(row, schemaNow())
    },
    trimmed: {
      async upTo() {
        const [row] = await read(UP_TO)
        return row && String(row[0])
      },
      async of(subject) {
        const [row] = await read(OF, String(subject))
        return Number(row?.[0] ?? 0)
      },
    },
  }
}

/** Finds the thing whose unique field has a value. */
function idReader(dialect: SqlDialect, read: RunStatement): StoreReads['idBy'] {
  const statementOf = bySchema(
    (resource: Resource) =>
      new Map(
        resource.uniques.map((field) => {
          const { one: text, kept } = uniqueLookup(dialect, resource, field)
          const statement = statementIn(dialect, { name: `${resource.name}-id-by-${field}`, text })
          return [field, { statement, kept }] as const
        }),
      ),
  )
  return async (resource, field, value) => {
    const found = statementOf(resource).get(field)
    if (found === undefined) throw new Error(`${field} of a ${resource.name} is not unique`)
    const [row] = await read(found.statement, found.kept(value))
    return row && (row[0] as Key)
  }
}

/** Finds the event that made a thing's revision, with its document as it is stored. */
export function eventReader(dialect: SqlDialect, read: RunStatement): StoreReads['event'] {
  const statementOf = bySchema((resource: Resource) => findEvent(dialect, resource))
  return async (resource, subject, revision) => {
    const [row] = await read(statementOf(resource), String(subject), revision)
    return row && readEvent(row)
  }
}

/** Larger numbers of keys are read on connections or threads for long reads. */
const FEW = 100

/** The things related to many others, in one statement: `read` runs short ones, `scan` those that may take longer. */
export function relatedReader(dialect: SqlDialect, read: RunStatement, scan: RunStatement): StoreReads['related'] {
  const statementsOf = bySchema((_resource: Resource) => new Map<string, Statement>())

  function statementOf(relation: Relation, most: number): Statement {
    const name = `related ${relation.kind} ${relation.of.name}.${relation.field} ${most}`
    const statements = statementsOf(relation.of)
    const known = statements.get(name)
    if (known !== undefined) return known
    const text = relation.kind === 'one' ? referenced(relation.of, dialect) : referring(relation, most, dialect)
    const made = statementIn(dialect, { name, text })
    statements.set(name, made)
    return made
  }

  return async (relation, keys, most) => {
    if (keys.length === 0) return new Map()
    const run = relation.kind === 'one' && keys.length <= FEW ? read : scan
    const rows = await run(statementOf(relation, most), keys)
    const show = shownDocument(relation.of)
    return new Map(rows.map(([key, docs]) => [String(key), docs === null ? [] : String(docs).split('\n').map(show)]))
  }
}

const referenced = (resource: Resource, dialect: SqlDialect): string =>
  `SELECT id, doc FROM ${resource.plural} WHERE ${isOneOf('id', resource, dialect)}`

/** Keys grow with time, so the largest are the latest. A document has no line break, which is the separator here. */
function referring({ of, field }: Relation, most: number, dialect: SqlDialect): string {
  const referredTo = resourceNamed(of.schema, of.references.find((each) => each.field === field)?.to ?? '')
  const isLive = of.keepsDeleted ? ' AND deleted_at IS NULL' : ''
  const order = (!isNumbered(of) && dialect.keyOrder?.(of.plural)?.sql) || 'id'
  const latest = `SELECT doc FROM ${of.plural} WHERE ${columnOfField(of, field)} = own.id${isLive} ORDER BY ${order} DESC LIMIT ${most}`
  return `SELECT own.id, (SELECT string_agg(doc, '\n') FROM (${latest}) AS latest)
    FROM ${referredTo.plural} AS own WHERE ${isOneOf('own.id', referredTo, dialect)}`
}

const isOneOf = (column: string, { kinds }: Resource, dialect: SqlDialect): string =>
  dialect.among(column, '?1', columnType({ kind: kindIn(kinds, 'id') }))

/** When the latest notes on things happened, or on things that refer to them. */
export function lastNotedReader(dialect: SqlDialect, scan: RunStatement): StoreReads['lastNoted'] {
  const statementOf = bySchema((resource: Resource) =>
    statementIn(dialect, { name: `last noted ${resource.name}`, text: lastNoted(resource, dialect) }),
  )
  return async (resource, keys) => {
    if (keys.length === 0) return new Map()
    const rows = await scan(statementOf(resource), keys.map(String), keys)
    return new Map(rows.map(([key, at]) => [String(key), String(at)]))
  }
}

function lastNoted(resource: Resource, dialect: SqlDialect): string {
  const { among, member } = dialect
  // An event of an earlier release has its whole body in this column.
  const happened = `CASE WHEN events.params LIKE '{%' THEN ${member('events.params', 'happenedAt')} ELSE events.at END`
  const isNote = `events.operation = 'add-note'`
  const own = `SELECT events.subject AS noted, ${happened} AS happened FROM events
    WHERE ${isNote} AND events.resource = '${resource.name}' AND ${among('events.subject', '?1')}`
  const ofReferrers = referrersOf(resource)
    .filter(({ from }) => from.operations.some(({ lasting }) => lasting))
    .map(({ from, field }) => {
      const reference = `referring.${columnOfField(from, field)}`
      const isLive = from.keepsDeleted ? ' AND referring.deleted_at IS NULL' : ''
      return `SELECT CAST(${reference} AS text), ${happened} FROM ${from.plural} AS referring
        JOIN events ON events.subject = CAST(referring.id AS text) AND ${isNote}
        WHERE ${among(reference, '?2', columnType({ kind: kindIn(resource.kinds, 'id') }))}${isLive}`
    })
  return `SELECT noted, max(happened) FROM (${[own, ...ofReferrers].join(' UNION ALL ')}) AS notes GROUP BY noted`
}
