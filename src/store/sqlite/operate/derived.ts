import type { DatabaseSync } from 'node:sqlite'
import type { Schema } from '../../../model/declaration/schema.ts'
import { projectionsOf } from '../../../model/schema/resources.ts'
import { type Finding, fault, ok } from '../../port/examination.ts'
import { sinceColumns, subjectColumn } from '../../rows/projection.ts'
import { areEventsLinked } from '../schema/event-links.ts'
import { wrongTotals } from '../schema/kept-totals.ts'
import { disordered } from '../schema/row-order.ts'

/** Compares the tables that follow from others with what their rows give. */
export function derivedFinding(db: DatabaseSync, schema: Schema): Finding {
  const unlinked = areEventsLinked(db, schema) ? [] : ['events']
  const wrong = [...wrongTotals(db, schema), ...wrongPeriods(db, schema), ...disordered(db, schema), ...unlinked]
  return wrong.length === 0
    ? ok('derived', 'totals, periods, the links of events and the order of rows are as the rows give them')
    : fault('derived', `${wrong.join(', ')} differ from what the rows give; restore a backup, or report this`)
}

/** The projections whose last row of a thing does not begin when the thing says. */
const wrongPeriods = (db: DatabaseSync, { resources }: Schema): readonly string[] =>
  resources.flatMap((resource) =>
    projectionsOf(resource).flatMap((projection) => {
      const { name, since = {} } = projection
      const columns = sinceColumns(resource)
      if (Object.keys(since).length === 0) return []
      const begun = `coalesce(${[...columns, 'NULL'].join(', ')})`
      const found = db
        .prepare(`SELECT 1 FROM ${resource.plural} LEFT JOIN ${name}
          ON ${name}.${subjectColumn(projection)} = ${resource.plural}.id AND until IS NULL
          WHERE ${begun} IS NOT since LIMIT 1`)
        .get()
      return found === undefined ? [] : [name]
    }),
  )
