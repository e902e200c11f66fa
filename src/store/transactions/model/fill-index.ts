import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import { resourceNamed } from '../../../model/schema/resources.ts'
import type { FilledIndex } from '../../port/own-indexes.ts'
import { isNumbered } from '../../rows/things.ts'
import { ownTable, UNFILLED } from '../../rows/unique-lookup.ts'
import { type SqlDialect, statementIn } from '../../sql/dialect.ts'
import type { TableStatements } from '../table-statements.ts'
import { ask, askAll, type Work } from '../work.ts'

/**
 * The index of an added field gets the values that things had before. Triggers keep up what is written from the change
 * of the model on, so each step takes the next things in the order of their rows, in a short transaction. The index's
 * row in `own_indexes` has the place that was reached: any instance takes the next step, also after another has ended.
 * decisions/0063
 */
export const modelWorks = (dialect: SqlDialect, tables: TableStatements, schema: Schema) => ({
  /** `build` is the revision of the field that asks for it: another one begins again. */
  *fillIndex(on: string, field: string, build: number, most: number): Work<FilledIndex> {
    const resource = resourceNamed(schema, on)
    const { plural: table } = resource
    const { CLAIM, LAST, FILL, REACHED } = statements(dialect, resource)
    const [claimed] = yield* ask(CLAIM, table, field)
    if (claimed === undefined) return 'busy'
    const [known, reached] = claimed
    const from = Number(known) === build ? String(reached) : UNFILLED
    const things = yield* ask(LAST, from, most)
    const last = things.at(-1)?.[0]
    if (last === undefined) return 'done'
    yield* ask(FILL, field, from, String(last))
    yield* ask(REACHED, table, field, build, String(last))
    return things.length < most ? 'done' : 'more'
  },

  *tidyIndex(on: string): Work<void> {
    yield* askAll(tables.analyze([ownTable(resourceNamed(schema, on))]))
  },
})

function statements(dialect: SqlDialect, resource: Resource) {
  const { plural: table } = resource
  const { row, key, values, place, lockRows } = dialect.ownIndex
  const at = (parameter: string): string => place(parameter, isNumbered(resource))
  const made = (name: string, text: string) => statementIn(dialect, { name: `${name}-${table}`, text })
  return {
    CLAIM: made(
      'claim-index',
      `SELECT build, upto FROM own_indexes WHERE on_table = ?1 AND field = ?2 ${dialect.lockFree}`,
    ),
    LAST: made(
      'rows-to-index',
      `SELECT ${key} FROM ${table} WHERE ${key} > ${at('?1')} ORDER BY ${key} LIMIT ?2 ${lockRows}`,
    ),
    FILL: made(
      'fill-index',
      `INSERT INTO ${ownTable(resource)} (field, value, ${row}) SELECT ?1, ${values.value}, ${table}.${key}
        FROM ${table} CROSS JOIN ${values.each(`${table}.own`)} AS member
        WHERE ${table}.${key} > ${at('?2')} AND ${table}.${key} <= ${at('?3')} AND member.key = ?1
        ON CONFLICT DO NOTHING`,
    ),
    REACHED: made('index-reached', 'UPDATE own_indexes SET build = ?3, upto = ?4 WHERE on_table = ?1 AND field = ?2'),
  }
}
