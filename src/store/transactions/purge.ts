import type { Resource, Schema } from '../../model/declaration/schema.ts'
import type { Purged } from '../port/maintenance.ts'
import { type SqlDialect, statementIn } from '../sql/dialect.ts'
import { isOf, isOfThings } from '../sql/thing-events.ts'
import { type Forget, type PurgeTables, partsOf } from './purge-parts.ts'
import { ask, askAll, bind, type Work } from './work.ts'

/** Bounds how long a transaction blocks others. */
const BATCH = 100

/** Removes the remains of things that were deleted before an instant, a batch and a transaction at a time. */
export async function* purgeDeleted(
  dialect: SqlDialect,
  schema: Schema,
  tables: PurgeTables,
  inTransaction: (work: () => Work<readonly string[]>) => Promise<readonly string[]>,
  before: string,
  dryRun: boolean,
): AsyncIterable<Purged> {
  const purges = [...ofKeptThings(dialect, tables, schema, dryRun), ...ofRemovedThings(dialect, schema)]
  for (const { resource, find, parts, removals, dated } of purges) {
    const finding = statementIn(dialect, { text: find })
    const removing = removals.map((text) => statementIn(dialect, { text }))
    const purgeNext = function* (last: string): Work<readonly string[]> {
      const ids = (yield* ask(finding, before, last)).map(([id]) => String(id))
      if (dryRun || ids.length === 0) return ids
      if (parts !== undefined) yield* parts(ids)
      yield* askAll(removing.map((statement) => bind(statement, ids, ...(dated ? [before] : []))))
      return ids
    }
    for (let last = ''; ; ) {
      const ids = await inTransaction(() => purgeNext(last))
      if (ids.length === 0) break
      yield { resource, ids }
      last = ids.at(-1) ?? ''
    }
  }
}

interface Purge {
  readonly resource: string
  /** Gives the ids after ?2 of the things that were deleted before ?1. */
  readonly find: string
  /** Removes what goes with some things. */
  readonly parts?: (ids: readonly string[]) => Work<void>
  /** Remove the remains of the things in the list ?1. */
  readonly removals: readonly string[]
  /** Whether the removals need the instant too, as ?2. */
  readonly dated: boolean
}

/** A deleted deal is kept, so that it can be restored. Of things that go with it only the event of that stays. */
function ofKeptThings(
  dialect: SqlDialect,
  tables: PurgeTables,
  { resources }: Schema,
  dryRun: boolean,
): readonly Purge[] {
  const { among, lock } = dialect
  const toldOf = (resource: Resource): readonly string[] => [
    `DELETE FROM events WHERE ${isOfThings(dialect, resource, '?1')}`,
    `DELETE FROM commands WHERE ${among('subject', '?1')}`,
    `DELETE FROM trimmed_histories WHERE ${among('subject', '?1')}`,
  ]
  const forget: Forget = function* (resource, subjects) {
    yield* askAll(toldOf(resource).map((text) => bind(statementIn(dialect, { text }), subjects)))
  }
  return resources
    .filter(({ keepsDeleted }) => keepsDeleted)
    .map((resource): Purge => {
      const { name, plural: table } = resource
      const key = dialect.keyOrder?.(table)
      const order = key?.sql ?? 'id'
      const compared = key?.compared?.('>', '?2') ?? '?2'
      return {
        resource: name,
        // Selected under a lock: one that is restored meanwhile stays, and nothing is written to a removed one.
        find: `SELECT id FROM ${table} WHERE ${dialect.presence('deleted_at').true} AND deleted_at < ?1
          AND ${order} > ${compared} ORDER BY ${order} LIMIT ${BATCH} ${dryRun ? '' : lock}`,
        parts: partsOf(dialect, tables, resource, forget),
        removals: [...toldOf(resource), `DELETE FROM ${table} WHERE ${among('id', '?1')}`],
        dated: false,
      }
    })
}

/**
 * Customers are removed at once; their events and commands still contain them. The event of the deletion stays, and so
 * does everything after it: an import can recreate an id.
 */
function ofRemovedThings(dialect: SqlDialect, { operations }: Schema): readonly Purge[] {
  const { among } = dialect
  return operations
    .filter(({ removes }) => removes)
    .map(({ on, words }): Purge => {
      const isDeletion = `type = '${words.event}'`
      const deletion = (table: string): string =>
        `(SELECT max(deletion.revision) FROM events AS deletion WHERE deletion.subject = ${table}.subject
          AND deletion.${isDeletion} AND deletion.at < ?2)`
      return {
        resource: on.name,
        find: `SELECT DISTINCT subject FROM events WHERE ${isDeletion} AND at < ?1 AND subject > ?2 AND (
            EXISTS (SELECT 1 FROM events AS earlier
              WHERE ${isOf(dialect, on, (key) => `${key} = events.subject`, 'earlier.')}
                AND earlier.revision < events.revision AND NOT earlier.${isDeletion})
            OR EXISTS (SELECT 1 FROM commands WHERE commands.subject = events.subject
              AND commands.revision <= events.revision))
          ORDER BY subject LIMIT ${BATCH}`,
        removals: [
          `DELETE FROM commands WHERE ${among('subject', '?1')} AND revision <= ${deletion('commands')}`,
          `DELETE FROM events WHERE ${isOfThings(dialect, on, '?1')} AND NOT ${isDeletion} AND revision < ${deletion('events')}`,
        ],
        dated: true,
      }
    })
}
