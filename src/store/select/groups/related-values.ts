import { type Collection, type CollectionField, fieldOf } from '../../../queries/collection.ts'
import type { Groups } from '../../../queries/members/groups.ts'
import { listField } from '../../../queries/named-choices.ts'
import type { SqlDialect } from '../../sql/dialect.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { columnOf } from '../columns.ts'
import { relatedRows } from '../related-rows.ts'
import { tableOf } from '../tables.ts'
import type { SelectShape } from '../texts/select-text.ts'

/** The grouped rows. */
export type GroupPlace = Pick<SelectShape, 'collection' | 'dialect'>

/** The rows, each with the values of its related rows that groups need: a related row is looked up once. */
export function withRelated(shape: GroupPlace, groups: Groups, rows: Sql): Sql {
  const { collection, dialect } = shape
  const { name } = tableOf(collection, dialect)
  const related = relatedFields(collection, groups)
  if (related.length === 0) return rows
  const joins = [...Map.groupBy(related, ({ through }) => through.reference).values()].map((fields, at) => {
    const [{ through }] = fields as [RelatedField]
    const { collection: of, table, key, reference } = relatedRows(collection, through, dialect)
    const values = fields.map(
      (field) => `${ownValue(of, field.through.field, dialect)} AS ${relatedName(collection, field)}`,
    )
    return ` LEFT JOIN (SELECT ${key} AS related_key${at}, ${values.join(', ')} FROM ${table}) AS related_rows${at} ON related_key${at} = ${reference}`
  })
  return sql` FROM (SELECT *${rows}) AS ${name}${joins.join('')}`
}

type RelatedField = CollectionField & Required<Pick<CollectionField, 'through'>>

/** The grouped and measured fields of related things, and those that say which list or currency their values are of. */
function relatedFields(collection: Collection, { by, measures }: Groups): readonly RelatedField[] {
  const asked = [...by, ...measures].flatMap((each) => ('field' in each ? [each.field] : []))
  const all = asked.flatMap((field) => {
    const { within } = field.kind
    const others = [within && listField(field, within), field.currencyIn]
    return [field, ...others.flatMap((other) => (other === undefined ? [] : [fieldOf(collection, other)]))]
  })
  return [...new Set(all)].filter((field): field is RelatedField => field.through !== undefined)
}

const relatedName = ({ fields }: Collection, { name }: CollectionField): string =>
  `related${[...fields.keys()].indexOf(name)}`

/** A field's own value, or that of a related row. */
export const fieldValue = ({ collection, dialect }: GroupPlace, field: CollectionField): string =>
  field.through === undefined ? ownValue(collection, field, dialect) : relatedName(collection, field)

function ownValue(collection: Collection, field: CollectionField, dialect: SqlDialect): string {
  const { sql, selected, whole } = columnOf(collection, field, dialect)
  return whole ?? selected ?? sql
}
