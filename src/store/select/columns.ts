import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Resource, Schema } from '../../model/declaration/schema.ts'
import { importedWords } from '../../model/nouns/customer/imported.ts'
import { type ProjectionOn, projectionsOf } from '../../model/schema/resources.ts'
import type { Collection, CollectionField } from '../../queries/collection.ts'
import { resourceOf } from '../../queries/collections.ts'
import { digitsName } from '../../values/digits.ts'
import { isOwn, OWN, ownName } from '../../values/json/own.ts'
import type { Kind } from '../../values/kinds/kind.ts'
import { deliveredDeal } from '../rows/audited/delivery.ts'
import { subjectColumn } from '../rows/projection.ts'
import { columnOfField, FOLDED, isNumbered } from '../rows/things.ts'
import { ownTable, readyOwn } from '../rows/unique-lookup.ts'
import { columnName } from '../sql/column-name.ts'
import {
  type KeyIs,
  LED_ROW,
  LED_VALUE,
  type OwnIndex,
  type SomeEvents,
  type SqlColumn,
  type SqlDialect,
} from '../sql/dialect.ts'
import { type Slot, sql } from '../sql/sql.ts'
import { booleanText, columnType, kindColumns } from './kind-columns.ts'

export function columnOf({ schema, name }: Collection, field: CollectionField, dialect: SqlDialect): SqlColumn {
  return columnsIn(schema)[name]?.[field.name]?.(dialect) ?? usualColumn(field, dialect)
}

/** An added field whose values an index has. */
const ledColumn =
  (resource: Resource, name: string, kind: Kind<unknown>) =>
  (dialect: SqlDialect): SqlColumn => {
    const { plural: table } = resource
    const { row, key, join, type, kept } = dialect.ownIndex
    const field = `field = '${ownName(name)}'`
    const column = usualColumn({ name, kind }, dialect)
    const values = `(SELECT value AS ${LED_VALUE}, ${row} AS ${LED_ROW} FROM ${ownTable(resource)} WHERE ${field}) AS led`
    return {
      ...column,
      led: {
        values,
        from: `${values} ${join} ${table} ON ${table}.${key} = ${LED_ROW}`,
        among(is, areFew) {
          const { text, slots } = sql`SELECT ${row} FROM ${ownTable(resource)} WHERE ${field} AND ${is('value')}`
          const rows = `${table}.${key}`
          return { text: areFew ? dialect.isOneOf(text, rows) : `${rows} IN (${text})`, slots }
        },
        parameter: (slot) => ({ text: dialect.parameter(type), slots: [keptBy(kept, slot)] }),
      },
    }
  }

const keptBy =
  (kept: OwnIndex['kept'], slot: Slot): Slot =>
  (given) => {
    const value = slot(given) ?? null
    return value === null ? null : kept(value)
  }

/** The expression of a field: its column, or the value of an added field. */
function expressionOf({ name, kind }: Pick<CollectionField, 'name' | 'kind'>, dialect: SqlDialect): string {
  if (!isOwn(name)) return columnName(name, kind)
  return dialect.typed(dialect.member(OWN, ownName(name)), columnType({ kind }))
}

/**
 * The text that a folded pattern is compared with. For things, JavaScript folds what SQL cannot, when they are written.
 * decisions/0029
 */
export function foldedOf(collection: Collection, field: CollectionField, dialect: SqlDialect): string {
  const { text, folded } = columnOf(collection, field, dialect)
  if (folded !== undefined) return folded
  const isKept = isOwn(field.name) ? columnType(field) === 'text' : resourceOf(collection)?.texts.includes(field.name)
  if (isKept) return `coalesce(${dialect.member(FOLDED, field.name)}, ${dialect.lower(text)})`
  return field.kind.name === 'text' ? dialect.fold(text) : dialect.lower(text)
}

function usualColumn(field: Pick<CollectionField, 'name' | 'kind'>, dialect: SqlDialect): SqlColumn {
  const { type, column } = kindColumns[field.kind.name]
  const sql = expressionOf(field, dialect)
  return { sql, type, ...column(sql, field.kind, dialect) }
}

const named = (sql: string) => (): SqlColumn => ({ sql, type: 'text', text: sql })

/** The thing of an event or a command, if it is of this resource; its key is stored as text. */
function aboutColumn(resource: Resource, chain?: SqlDialect['chain']): SqlColumn {
  const { name, kinds } = resource
  // An id alone does not identify a thing: that of a view, which may be private, is not a deal's.
  const ofResource = `resource = '${name}'`
  const leading = chain && {
    leading: (is: KeyIs, some?: SomeEvents) => sql`sequence IN (${chain.events(resource, is, some)})`,
  }
  if (kinds.id?.name !== 'integer') {
    const subject = `CASE WHEN ${ofResource} THEN subject END`
    return { sql: subject, type: 'text', text: subject, equal: { sql: 'subject', of: ofResource, ...leading } }
  }
  // The subject of an import is not a customer, and not a number.
  const subject = `CASE WHEN ${ofResource} AND action <> '${importedWords.action}' THEN subject END`
  return {
    sql: `CAST(${subject} AS bigint)`,
    type: 'bigint',
    text: subject,
    equal: { sql: 'subject', of: ofResource, parameter: 'CAST(CAST(? AS bigint) AS text)', ...leading },
  }
}

/** An id that the store assigned. */
const keyColumn =
  ({ plural }: Resource) =>
  (dialect: SqlDialect): SqlColumn => {
    const order = dialect.keyOrder?.(plural)
    return { sql: 'id', type: 'text', text: 'id', ...(order && { order }) }
  }

const isSet =
  (column: string) =>
  (dialect: SqlDialect): SqlColumn => {
    const sql = `(${column} IS NOT NULL)`
    return { sql, type: 'boolean', text: booleanText(sql), is: dialect.presence(column) }
  }

/** Whether only one caller may see an event or a command. decisions/0039 */
const isPrivate = isSet('private_to')

/** The digits of a phone number; null if its text has them as they are. */
const digitsColumn =
  (field: string) =>
  ({ member }: SqlDialect): SqlColumn => {
    const sql = member(FOLDED, digitsName(field))
    return { sql, type: 'text', text: sql, folded: sql }
  }

/** Whether no earlier row of the thing has the same values. */
const isFirst =
  (projection: ProjectionOn) =>
  (dialect: SqlDialect): SqlColumn => {
    const { name, of, on } = projection
    const isSame = (column: string, isNullable = false): string =>
      `earlier.${column} ${isNullable ? 'IS NOT DISTINCT FROM' : '='} ${name}.${column}`
    const terms = [
      isSame(subjectColumn(projection)),
      ...of.map((field) => isSame(columnOfField(on, field), on.kinds[field]?.nullable)),
    ]
    const alone = `NOT EXISTS (SELECT 1 FROM ${name} AS earlier WHERE ${terms.join(' AND ')} AND earlier.revision < ${name}.revision)`
    const sql = dialect.firstOr(`${name}.revision = 1`, alone)
    // Compared with nothing, PostgreSQL joins.
    return { sql, type: 'boolean', text: booleanText(sql), is: { true: sql, false: `NOT ${sql}` } }
  }

/** The entries of a history are those of one thing. */
const entryRevision = ({ chain }: SqlDialect): SqlColumn => ({
  ...{ sql: 'revision', type: 'bigint', text: 'CAST(revision AS TEXT)' },
  ...(chain && { alike: 'sequence' }),
})

const position = ({ sequence }: SqlDialect): SqlColumn => sequence

interface Columns {
  readonly [collection: string]: { readonly [field: string]: (dialect: SqlDialect) => SqlColumn }
}

/** The fields whose columns have other names. */
const columnsIn = bySchema(({ resources }: Schema): Columns => {
  const about = Object.fromEntries(resources.map((resource) => [resource.name, () => aboutColumn(resource)]))
  const told = Object.fromEntries(
    resources.map((resource) => [resource.name, ({ chain }: SqlDialect) => aboutColumn(resource, chain)]),
  )
  return {
    ...Object.fromEntries(
      resources.map((resource) => [
        resource.plural,
        {
          ...(!isNumbered(resource) && { id: keyColumn(resource) }),
          ...(resource.keepsDeleted && { deleted: isSet('deleted_at') }),
          ...Object.fromEntries(
            readyOwn(resource).map(({ name, field }) => [name, ledColumn(resource, name, field.kind)]),
          ),
          ...Object.fromEntries((resource.dialled ?? []).map((field) => [digitsName(field), digitsColumn(field)])),
        },
      ]),
    ),
    ...Object.fromEntries(resources.flatMap(projectionsOf).map((each) => [each.name, { first: isFirst(each) }])),
    history: { ...told, revision: entryRevision },
    commands: { ...about, private: isPrivate },
    deliveries: { deal: named(deliveredDeal) },
    events: {
      ...told,
      ...{ private: isPrivate, time: named('at'), sequence: position, id: position },
    },
  }
})
