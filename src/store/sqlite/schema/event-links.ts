import type { DatabaseSync } from 'node:sqlite'
import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import { undoneWords } from '../../../model/nouns/imports/undone.ts'
import { WHOLE_EACH } from '../../rows/event.ts'
import { isNumbered } from '../../rows/things.ts'

// Each event leads to the previous one of the same thing, whose row leads to the last one. decisions/0060

/** The column with the position of a thing's last event. */
export const LAST_EVENT = 'last_event'

/** Links the events of a copied database, in the caller's transaction. */
export function linkEvents(db: DatabaseSync, { resources }: Schema): void {
  db.exec(`CREATE TEMP TABLE links AS SELECT sequence, lag(sequence) OVER own AS previous, lead(sequence) OVER own IS NULL
      AS is_last, resource, subject FROM events WINDOW own AS (PARTITION BY subject ORDER BY revision);
    UPDATE events SET previous = links.previous, milestone = ${isMilestone('links.is_last')} FROM temp.links
      WHERE events.sequence = links.sequence`)
  for (const resource of resources) {
    const { name, plural } = resource
    db.exec(`UPDATE ${plural} SET ${LAST_EVENT} = sequence FROM temp.links
        WHERE is_last AND resource = '${name}' AND ${isOwn(resource)} AND ${plural}.id = ${keyOf(resource)};
      UPDATE events SET milestone = ${isMilestone('false')}
        FROM ${plural} WHERE events.sequence = ${plural}.${LAST_EVENT}`)
  }
  db.exec('DROP TABLE temp.links')
}

/** Besides every 16th: what nothing else leads to. */
const isMilestone = (isLast: string): string =>
  `(${isLast} OR events.revision % ${WHOLE_EACH} = 0 OR events.type = '${undoneWords.event}'
    OR events.sequence <= coalesce((SELECT max(upto) FROM trimmed_feed), 0))`

/** The subject of an import is not a thing, and may begin with a number. */
const isOwn = (resource: Resource): string =>
  isNumbered(resource) ? `CAST(${keyOf(resource)} AS TEXT) = subject` : 'true'

const keyOf = (resource: Resource): string => (isNumbered(resource) ? 'CAST(subject AS INTEGER)' : 'subject')

/** Whether some event cannot be reached, or leads to a wrong one, or a thing's last event is not its last. */
export function areEventsLinked(db: DatabaseSync, { resources }: Schema): boolean {
  db.exec(`CREATE TEMP TABLE links AS SELECT sequence, previous, milestone, resource, subject, revision,
      doc LIKE '{%' AS is_whole, lag(revision) OVER own AS earlier, lag(sequence) OVER own AS before,
      lag(milestone) OVER own AS is_before_milestone, lead(sequence) OVER own IS NULL AS is_last
    FROM events WINDOW own AS (PARTITION BY subject ORDER BY revision);
    CREATE UNIQUE INDEX temp.links_sequence ON links (sequence)`)
  const lasts = resources.map(({ plural }) => `SELECT ${LAST_EVENT} FROM ${plural} WHERE ${LAST_EVENT} IS NOT NULL`)
  const wrong = [
    `SELECT 1 FROM temp.links WHERE earlier = revision
      OR previous IS NOT before AND (NOT is_whole OR is_before_milestone = 0)
      OR is_last AND milestone = 0 AND sequence NOT IN (${lasts.join(' UNION ALL ')})`,
    ...resources.map((resource) => {
      const { name, plural, imports } = resource
      const isOther = `resource <> '${name}' OR subject <> CAST(${plural}.id AS TEXT) OR NOT is_last`
      // Imported together, things change without an event for each.
      const isLate = imports === 'together' ? 'false' : `links.revision <> ${plural}.revision`
      return `SELECT 1 FROM ${plural} LEFT JOIN temp.links ON sequence = ${LAST_EVENT}
        WHERE ${LAST_EVENT} IS NOT NULL AND (sequence IS NULL OR ${isOther} OR ${isLate})`
    }),
  ]
  const isWrong = wrong.some((sql) => db.prepare(`${sql} LIMIT 1`).get() !== undefined)
  db.exec('DROP TABLE temp.links')
  return !isWrong
}
