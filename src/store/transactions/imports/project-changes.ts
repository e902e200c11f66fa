import type { Thing } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { projectionsOf } from '../../../model/schema/resources.ts'
import { projectionColumns, rowsBegun, SINCE, secondOf, subjectColumn } from '../../rows/projection.ts'
import { type SqlDialect, statementIn } from '../../sql/dialect.ts'
import type { TableStatements } from '../table-statements.ts'
import { ask, askAll, bind, type Work } from '../work.ts'

/** Ends and begins the rows of projections for changes of things, each with one event. */
export function* projectChanges(
  dialect: SqlDialect,
  { insert }: Pick<TableStatements, 'insert'>,
  resource: Resource,
  changes: readonly { readonly before: Thing; readonly after: Thing }[],
): Work<void> {
  for (const projection of projectionsOf(resource)) {
    const { name } = projection
    const begun = changes.flatMap(({ before, after }) => rowsBegun(projection, before, [{ thing: after }]))
    if (begun.length === 0) continue
    const subject = subjectColumn(projection)
    const [open, end] = [
      `SELECT id, ${subject}, since FROM ${name} WHERE until IS NULL AND ${dialect.among(subject, '?1')}`,
      `UPDATE ${name} SET until = ?2, seconds = ?3 WHERE id = ?1`,
    ].map((text) => statementIn(dialect, { text })) as [Parameters<typeof bind>[0], Parameters<typeof bind>[0]]
    const since = new Map(begun.map((row) => [String(row[1]), String(row[SINCE])]))
    const rows = yield* ask(open, [...since.keys()])
    const ends = rows.map(([id, thing, from]) => {
      const until = since.get(String(thing)) ?? ''
      return bind(end, id, until, secondOf(until) - secondOf(String(from)))
    })
    yield* askAll([...ends, ...insert(name, projectionColumns(projection), begun)])
  }
}
