import { bySchema } from '../../../model/declaration/by-schema.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { type ProjectionOn, projectionsOf } from '../../../model/schema/resources.ts'
import { projectionColumns, rowsBegun, subjectColumn } from '../../rows/projection.ts'
import { prepared, type Statement } from '../../sql/statement.ts'
import { type BoundStatement, bind } from '../../transactions/work.ts'
import type { Decision } from '../../transactions/write/decision.ts'
import { recordsOf } from './records.ts'

/**
 * Ends and begins the rows of things, after their events: a thing that was not written, because its revision had
 * changed, has none.
 */
export function projectionWrites(
  resource: Resource,
  decisions: readonly Decision[],
  writeId: string,
): readonly BoundStatement[] {
  const stay = decisions.filter(({ after }) => after?.removed === false)
  return projectionsOf(resource).flatMap((projection) => {
    const begun = stay.flatMap(({ before, events }) =>
      rowsBegun(
        projection,
        before?.thing,
        events.map(({ event }) => event),
      ),
    )
    return begun.length === 0
      ? []
      : [bind(writing(projection), recordsOf(projectionColumns(projection), begun), writeId)]
  })
}

const writing = bySchema((projection: ProjectionOn): Statement => {
  const { name } = projection
  const subject = subjectColumn(projection)
  const columns = projectionColumns(projection).join(', ')
  return prepared(
    `${name}-begun`,
    `WITH begun AS (
        SELECT * FROM json_populate_recordset(NULL::${name}, $1) AS new WHERE $2::uuid = (
          SELECT write_id FROM events WHERE subject = new.${subject}::text AND events.revision = new.revision)
      ),
      ended AS (
        UPDATE ${name} SET until = next.since, seconds = seconds_between(${name}.since, next.since)
        FROM (SELECT ${subject}, min(since) AS since FROM begun GROUP BY ${subject}) AS next
        WHERE ${name}.${subject} = next.${subject} AND ${name}.until IS NULL
      )
      INSERT INTO ${name} (${columns}) SELECT ${columns} FROM begun`,
  )
})
