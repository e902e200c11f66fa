import { bySchema } from '../../../model/declaration/by-schema.ts'
import type { AddedName } from '../../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import { ownName } from '../../../values/json/own.ts'
import { ownTable, readyOwn } from '../../rows/unique-lookup.ts'
import type { SqlDialect } from '../../sql/dialect.ts'

/** A table of indexed values, and statements that return a row if it is not as the things give it. */
export interface IndexCheck {
  readonly table: string
  readonly texts: readonly string[]
}

/** Finds values that are missing in the indexes of added fields, surplus or different, and repeated unique ones. */
export const indexChecks = (dialect: SqlDialect, schema: Schema): readonly IndexCheck[] =>
  extensibleIn(schema).map((resource) => {
    const { plural } = resource
    const { row, key, values } = dialect.ownIndex
    const table = ownTable(resource)
    const members = (condition: string): string => `SELECT member.key, ${values.value}, ${plural}.${key}
      FROM ${plural} CROSS JOIN ${values.each(`${plural}.own`)} AS member WHERE ${plural}.own IS NOT NULL AND ${condition}`
    const kept = (condition: string): string => `SELECT field, value, ${row} FROM ${table} WHERE ${condition}`
    const ready = readyOwn(resource)
    const unique = ready.filter(({ field }) => field.added?.unique)
    return {
      table,
      texts: [
        `${members(among('member.key', ready))} EXCEPT ${kept('true')} LIMIT 1`,
        `${kept('true')} EXCEPT ${members('true')} LIMIT 1`,
        `SELECT 1 FROM ${table} WHERE ${among('field', unique)} GROUP BY field, value HAVING count(*) > 1 LIMIT 1`,
      ],
    }
  })

const extensibleIn = bySchema(({ resources }: Schema): readonly Resource[] =>
  resources.filter(({ extensible }) => extensible),
)

const among = (column: string, fields: readonly AddedName[]): string =>
  fields.length === 0 ? 'false' : `${column} IN (${fields.map(({ name }) => `'${ownName(name)}'`).join(', ')})`
