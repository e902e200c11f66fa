import { bySchema } from '../../model/by-schema.ts'
import { type Relation, resourceNamed } from '../../model/resources.ts'
import type { Resource, Schema } from '../../model/schema.ts'
import type { StoreReads } from '../desks.ts'
import { findCommand, readCommand } from '../rows/command.ts'
import { findEvent, readEvent } from '../rows/event.ts'
import { columnOfField, kindIn } from '../rows/things.ts'
import { columnType } from '../select/columns.ts'
import { type SqlDialect, statementIn, statementsIn } from '../sql/dialect.ts'
import type { Statement } from '../sql/statement.ts'
import { pastReader } from './past.ts'
import type { RunStatement } from './work.ts'

/** The reads that take a statement or a few: `read` runs short ones, `scan` those that may take longer. */
export function pointReads(
  dialect: SqlDialect,
  find: StoreReads['find'],
  read: RunStatement,
  scan: RunStatement,
  schemaNow: () => Schema,
): Omit<StoreReads, 'page' | 'textPage' | 'stream' | 'unsearchable'> {
  const { UP_TO, OF } = statementsIn(dialect, 'trimmed', {
    UP_TO: `SELECT ${dialect.sequence.text} FROM (SELECT upto AS sequence FROM trimmed_feed) AS place`,
    OF: 'SELECT events FROM trimmed_histories WHERE subject = ?1',
  })
  const command = statementIn(dialect, findCommand)
  return {
    find,
    past: pastReader(dialect, find, read),
    related: relatedReader(dialect, read, scan),
    event: eventReader(dialect, read),
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

/** Finds the event that made a thing's revision. */
export function eventReader(dialect: SqlDialect, read: RunStatement): StoreReads['event'] {
  const statement = statementIn(dialect, findEvent)
  return async ({ name }, subject, revision) => {
    const [row] = await read(statement, String(subject), revision, name)
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
    return new Map(rows.map(([key, docs]) => [String(key), docs === null ? [] : String(docs).split('\n')]))
  }
}

const referenced = (resource: Resource, dialect: SqlDialect): string =>
  `SELECT id, doc FROM ${resource.plural} WHERE ${isOneOf('id', resource, dialect)}`

/** Keys grow with time, so the largest are the latest. A document has no line break, which is the separator here. */
function referring({ of, field }: Relation, most: number, dialect: SqlDialect): string {
  const referredTo = resourceNamed(of.schema, of.references.find((each) => each.field === field)?.to ?? '')
  const isLive = of.keepsDeleted ? ' AND deleted_at IS NULL' : ''
  const latest = `SELECT doc FROM ${of.plural} WHERE ${columnOfField(of, field)} = own.id${isLive} ORDER BY id DESC LIMIT ${most}`
  return `SELECT own.id, (SELECT string_agg(doc, '\n') FROM (${latest}) AS latest)
    FROM ${referredTo.plural} AS own WHERE ${isOneOf('own.id', referredTo, dialect)}`
}

const isOneOf = (column: string, { kinds }: Resource, dialect: SqlDialect): string =>
  dialect.among(column, '?1', columnType({ kind: kindIn(kinds, 'id') }))
