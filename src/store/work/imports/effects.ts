import { bySchema } from '../../../model/by-schema.ts'
import { valueIn } from '../../../model/operation.ts'
import type { Key, Thing } from '../../../model/resource.ts'
import type { Resource } from '../../../model/schema.ts'
import { OWN } from '../../../values/json/own.ts'
import { TOLD_EVENTS } from '../../rows/event.ts'
import { isNumbered } from '../../rows/things.ts'
import { wholeState } from '../../rows/whole-state.ts'
import { type SqlDialect, statementIn, statementsIn } from '../../sql/dialect.ts'
import { isBefore, isOfThings } from '../../sql/thing-events.ts'
import { ask, type Work } from '../work.ts'
import { thingIn } from './write-rows.ts'

/** The number of things in memory at a time. */
const AT_ONCE = 500

/** The effect of an import on a thing. */
export interface ImportEffect {
  readonly id: Key
  /** The id as events have it. */
  readonly subject: string
  readonly isMade: boolean
  /** The revision that the import left. */
  readonly revision: number
  /** The thing now; undefined if it was removed. */
  readonly current: Thing | undefined
  /** The thing before a change; undefined if that is no longer known. */
  readonly before: Thing | undefined
  /** Whether somebody else changed it after the import's first change. */
  readonly isMixed: boolean
}

interface FoundEffect extends Omit<ImportEffect, 'id' | 'current' | 'before' | 'isMixed'> {
  /** The state before as a document, if it was stored. */
  readonly doc: string | undefined
}

/**
 * The effects of an import, a few at a time. The events of things that are imported row by row name their import; for
 * things that are imported together there is a table.
 */
export function importEffects(dialect: SqlDialect) {
  const { BY_EVENTS, BY_CHANGES, BEFORE } = statementsIn(dialect, 'import effects', {
    BY_EVENTS: `SELECT subject, min(revision), max(revision) FROM events WHERE import_id = ?1 AND resource = ?2
      AND subject > ?3 GROUP BY subject ORDER BY subject LIMIT ${AT_ONCE}`,
    BY_CHANGES: `SELECT subject, revision, before FROM import_changes WHERE import_id = ?1 AND resource = ?2
      AND subject > ?3 ORDER BY subject LIMIT ${AT_ONCE}`,
    BEFORE: `SELECT told.subject, told.doc FROM (
        SELECT subject, min(revision) AS first FROM events
        WHERE import_id = ?1 AND resource = ?2 AND ${dialect.among('subject', '?3')} GROUP BY subject
      ) AS changed JOIN events AS change ON change.import_id = ?1 AND change.resource = ?2
        AND change.subject = changed.subject AND change.revision = changed.first
      JOIN ${TOLD_EVENTS} AS told ON ${isBefore(dialect, 'told', 'change')}`,
  })
  const foreignOf = bySchema((resource: Resource) =>
    statementIn(dialect, {
      name: `import effects others ${resource.name}`,
      text: `SELECT DISTINCT subject FROM events AS other
        WHERE resource = ?2 AND ${isOfThings(dialect, resource, '?3')} AND (import_id IS NULL OR import_id <> ?1)
          AND revision > (SELECT min(own.revision) FROM events AS own
            WHERE own.import_id = ?1 AND own.resource = ?2 AND own.subject = other.subject)`,
    }),
  )

  function* byEvents(id: string, { name }: Resource, last: string): Work<readonly FoundEffect[]> {
    return (yield* ask(BY_EVENTS, id, name, last)).map(([subject, first, revision]) => ({
      ...{ subject: String(subject), isMade: Number(first) === 1, revision: Number(revision), doc: undefined },
    }))
  }

  function* byChanges(id: string, { name }: Resource, last: string): Work<readonly FoundEffect[]> {
    return (yield* ask(BY_CHANGES, id, name, last)).map(([subject, revision, before]) => ({
      ...{ subject: String(subject), isMade: before === null, revision: Number(revision) },
      doc: before === null ? undefined : String(before),
    }))
  }

  /** With the things now and before. */
  function* known(id: string, resource: Resource, found: readonly FoundEffect[]): Work<readonly ImportEffect[]> {
    const { name, plural } = resource
    const idOf = (subject: string): Key => (isNumbered(resource) ? Number(subject) : subject)
    const isOne = dialect.among('id', '?1', isNumbered(resource) ? 'bigint' : 'text')
    const find = statementIn(dialect, { text: `SELECT id, doc FROM ${plural} WHERE ${isOne}` })
    const subjects = found.map(({ subject }) => subject)
    const rows = yield* ask(find, subjects.map(idOf))
    const now = new Map(rows.map(([key, doc]) => [String(key), thingIn(resource, String(doc))]))
    const changed = found.filter(({ isMade, doc }) => !isMade && doc === undefined).map(({ subject }) => subject)
    const told = changed.length === 0 ? [] : yield* ask(BEFORE, id, name, changed)
    const before = new Map(told.map(([subject, doc]) => [String(subject), wholeState(String(doc))]))
    const others = new Set((yield* ask(foreignOf(resource), id, name, subjects)).map(([subject]) => String(subject)))
    return found.map(({ subject, isMade, revision, doc = before.get(subject) }) => ({
      ...{ id: idOf(subject), subject, isMade, revision, current: now.get(subject), isMixed: others.has(subject) },
      before: doc === undefined ? undefined : earlierThing(resource, doc, now.get(subject)),
    }))
  }

  return {
    *each(id: string, resource: Resource, act: (effects: readonly ImportEffect[]) => Work<void>): Work<void> {
      for (const source of [byEvents, byChanges]) {
        for (let last = ''; ; ) {
          const found = yield* source(id, resource, last)
          if (found.length === 0) break
          yield* act(yield* known(id, resource, found))
          last = found.at(-1)?.subject ?? ''
        }
      }
    },
  }
}

/** A field that was added since has no earlier value: the thing keeps it. */
function earlierThing(resource: Resource, doc: string, current: Thing | undefined): Thing {
  const told = JSON.parse(doc) as object
  // Without values of own fields a document has no member for them.
  const added = resource.columns.filter((name) => current !== undefined && name !== OWN && !Object.hasOwn(told, name))
  const kept = Object.fromEntries(added.map((name) => [name, valueIn(current as Thing, name)]))
  return { ...thingIn(resource, doc), ...kept }
}
