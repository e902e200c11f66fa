import { valueIn } from '../../../model/declaration/operation.ts'
import type { Key, Thing } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { OWN } from '../../../values/json/own.ts'
import { TOLD_EVENTS } from '../../rows/event.ts'
import { isNumbered } from '../../rows/things.ts'
import { wholeState } from '../../rows/whole-state.ts'
import { type SqlDialect, statementIn, statementsIn } from '../../sql/dialect.ts'
import { isBefore } from '../../sql/thing-events.ts'
import { ask, type Work } from '../work.ts'
import { thingIn } from './write-rows.ts'

/** The number of things in memory at a time. */
export const AT_ONCE = 500

/** The effect of an import on a thing. */
export interface ImportEffect {
  readonly id: Key
  /** The id as events have it. */
  readonly subject: string
  readonly isMade: boolean
  /** The revision that the import left; none if somebody else changed the thing between two changes of the import. */
  readonly revision: number | undefined
  /** The state before a change as a document, if it was stored with the import. */
  readonly doc: string | undefined
}

/** A thing that an import changed. */
export interface ImportedChange {
  readonly id: Key
  /** The thing now; undefined if it was removed. */
  readonly current: Thing | undefined
  /** The thing before; undefined if that is no longer known. */
  readonly before: Thing | undefined
}

/**
 * The effects of an import, a few at a time. The events of things that are imported row by row name their import; for
 * things that are imported together there is a table.
 */
export function importEffects(dialect: SqlDialect) {
  const { BY_EVENTS, BY_CHANGES, BEFORE } = statementsIn(dialect, 'import effects', {
    BY_EVENTS: `SELECT subject, min(revision), max(revision), count(*) FROM events WHERE import_id = ?1 AND resource = ?2
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
  const idOf = (resource: Resource, subject: string): Key => (isNumbered(resource) ? Number(subject) : subject)

  function* byEvents(id: string, resource: Resource, last: string): Work<readonly ImportEffect[]> {
    return (yield* ask(BY_EVENTS, id, resource.name, last)).map(([key, first, revision, events]) => {
      const subject = String(key)
      // Each event makes one revision.
      const isMixed = Number(events) <= Number(revision) - Number(first)
      return {
        ...{ id: idOf(resource, subject), subject, isMade: Number(first) === 1, doc: undefined },
        revision: isMixed ? undefined : Number(revision),
      }
    })
  }

  function* byChanges(id: string, resource: Resource, last: string): Work<readonly ImportEffect[]> {
    return (yield* ask(BY_CHANGES, id, resource.name, last)).map(([key, revision, before]) => {
      const subject = String(key)
      return {
        ...{ id: idOf(resource, subject), subject, isMade: before === null, revision: Number(revision) },
        doc: before === null ? undefined : String(before),
      }
    })
  }

  return {
    /** Does something with some effects after the other. */
    *each(
      id: string,
      resource: Resource,
      act: (effects: readonly ImportEffect[]) => Work<void> | undefined,
    ): Work<void> {
      for (const source of [byEvents, byChanges]) {
        for (let last = ''; ; ) {
          const found = yield* source(id, resource, last)
          if (found.length === 0) break
          yield* act(found) ?? []
          last = found.at(-1)?.subject ?? ''
        }
      }
    },

    /** Things that the import changed, as they are and as they were. */
    *changed(id: string, resource: Resource, effects: readonly ImportEffect[]): Work<readonly ImportedChange[]> {
      if (effects.length === 0) return []
      const now = yield* thingsNow(
        dialect,
        resource,
        effects.map((effect) => effect.id),
      )
      const unknown = effects.filter(({ doc }) => doc === undefined).map(({ subject }) => subject)
      const told = unknown.length === 0 ? [] : yield* ask(BEFORE, id, resource.name, unknown)
      const before = new Map(told.map(([subject, doc]) => [String(subject), wholeState(String(doc))]))
      return effects.map(({ id: key, subject, doc = before.get(subject) }) => {
        const current = now.get(key)
        return { id: key, current, before: doc === undefined ? undefined : earlierThing(resource, doc, current) }
      })
    },
  }
}

/** The things that there are of some ids. */
export function* thingsNow(
  dialect: SqlDialect,
  resource: Resource,
  ids: readonly Key[],
): Work<ReadonlyMap<Key, Thing>> {
  const find = `SELECT doc FROM ${resource.plural} WHERE ${isOneOf(dialect, resource)}`
  const rows = yield* ask(statementIn(dialect, { text: find }), ids)
  const things = rows.map(([doc]) => thingIn(resource, String(doc)))
  return new Map(things.map((thing) => [thing.id, thing]))
}

/** The condition that a thing is among the ids of the first parameter. */
export const isOneOf = (dialect: SqlDialect, resource: Resource, column = 'id'): string =>
  dialect.among(column, '?1', isNumbered(resource) ? 'bigint' : 'text')

/** A field that was added since has no earlier value: the thing keeps it. */
function earlierThing(resource: Resource, doc: string, current: Thing | undefined): Thing {
  const told = JSON.parse(doc) as object
  // Without values of own fields a document has no member for them.
  const added = resource.columns.filter((name) => current !== undefined && name !== OWN && !Object.hasOwn(told, name))
  const kept = Object.fromEntries(added.map((name) => [name, valueIn(current as Thing, name)]))
  return { ...thingIn(resource, doc), ...kept }
}
