import type { DoneBy } from '../../../model/declaration/event.ts'
import type { Key, Thing } from '../../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import { importUndone, type UndoneThings, undoneOf } from '../../../model/nouns/imports/undone.ts'
import { referencedFirst } from '../../../model/schema/resources.ts'
import { isOwn } from '../../../values/json/own.ts'
import { notBefore } from '../../../values/kinds/time.ts'
import { changeRow, undoneRow } from '../../rows/event.ts'
import { sinceAfter, sinceColumns } from '../../rows/projection.ts'
import { thingValues, writtenColumns } from '../../rows/things.ts'
import { type SqlDialect, statementIn, statementsIn } from '../../sql/dialect.ts'
import type { Statement } from '../../sql/statement.ts'
import { isOfThings } from '../../sql/thing-events.ts'
import type { TableStatements } from '../table-statements.ts'
import { ask, askAll, bind, type Work } from '../work.ts'
import { AT_ONCE, type ImportedChange, importEffects, isOneOf } from './effects.ts'
import { projectChanges } from './project-changes.ts'
import { importStatements } from './statements.ts'

/**
 * Undoes a whole import in one transaction, so that no reader ever sees a part of it: restores what the import changed,
 * then removes what it made, as a purge does. The things are read and written a few hundred at a time. `changedSince`
 * must have found nothing in the same transaction. decisions/0051
 */
export function undoImports(dialect: SqlDialect, tables: TableStatements, schema: Schema) {
  const { each, changed } = importEffects(dialect)
  const sql = importStatements(dialect)
  const { FORGET_CHANGES } = statementsIn(dialect, 'undo import', {
    FORGET_CHANGES: 'DELETE FROM import_changes WHERE import_id = ?1 AND resource = ?2',
  })

  return function* undo(id: string, by: DoneBy): Work<UndoneThings> {
    const now = new Date().toISOString()
    const order = referencedFirst(schema)
    const restored = new Map<string, Key[]>()
    const removed = new Map<string, Key[]>()
    for (const resource of order) {
      yield* each(id, resource, (effects) => {
        for (const { id: key, isMade } of effects) idsIn(isMade ? removed : restored, resource).push(key)
        return undefined
      })
    }
    // Restored things may take unique values that others give up.
    for (const resource of order.filter(({ name }) => restored.has(name))) {
      for (const ids of [...partsOf(restored, resource), ...partsOf(removed, resource)]) yield* release(resource, ids)
    }
    for (const resource of order.filter(({ name }) => restored.has(name))) {
      yield* each(id, resource, function* (effects) {
        const things = yield* changed(
          id,
          resource,
          effects.filter(({ isMade }) => !isMade),
        )
        if (things.length > 0) yield* restore(resource, things, id, by, now)
      })
    }
    // Things are removed before those that they refer to.
    for (const resource of order.toReversed()) {
      for (const ids of partsOf(removed, resource)) yield* remove(resource, ids)
      yield* ask(FORGET_CHANGES, id, resource.name)
    }
    const things = { removed: Object.fromEntries(removed), restored: Object.fromEntries(restored) }
    const [[last] = []] = yield* ask(sql.LAST_EVENT, id)
    yield* askAll(tables.append([undoneRow(importUndone, id, things, Number(last ?? 0) + 1, now, by)]))
    yield* ask(sql.UNDONE, id)
    return things
  }

  function* release(resource: Resource, ids: readonly Key[]): Work<void> {
    for (const field of resource.uniques.filter((each) => !isOwn(each))) {
      const text = `UPDATE ${resource.plural} SET ${field} = NULL WHERE ${isOneOf(dialect, resource)} AND ${field} IS NOT NULL`
      yield* ask(statementIn(dialect, { text }), ids)
    }
  }

  function* restore(
    resource: Resource,
    things: readonly ImportedChange[],
    id: string,
    by: DoneBy,
    now: string,
  ): Work<void> {
    const changes = things.map(({ current, before }) => {
      if (current === undefined || before === undefined) throw new Error('a thing to restore is missing')
      const updatedAt = notBefore(current.updatedAt, now)
      const after: Thing = { ...before, revision: current.revision + 1, updatedAt }
      const event = { operation: undoneOf(resource), params: { import: id }, thing: after, at: updatedAt, ...by }
      return { before: current, after, row: changeRow({ ...event, form: 'import', commandId: null }, false, undefined) }
    })
    const rows = changes.map(({ before, after, row }) => ({
      values: thingValues(resource, after, row.stored.doc),
      since: sinceAfter(resource, before, [{ thing: after }]),
    }))
    // The instants of the last period change only if another one begins.
    const begins = Map.groupBy(rows, ({ since }) => since.every((value) => value !== undefined))
    for (const [isBegun, some] of begins) {
      const columns = [...writtenColumns(resource), ...(isBegun ? sinceColumns(resource) : [])]
      const values = some.map((each) => [...each.values, ...(isBegun ? each.since : [])])
      yield* askAll(tables.update(resource.plural, columns, values))
    }
    yield* askAll(tables.append(changes.map(({ row }) => row)))
    yield* projectChanges(dialect, tables, resource, changes)
    yield* askAll(tables.index(resource))
  }

  function* remove(resource: Resource, ids: readonly Key[]): Work<void> {
    const subjects = ids.map(String)
    const [events, commands, histories, things] = [
      `DELETE FROM events WHERE resource = ?1 AND ${isOfThings(dialect, resource, '?2')}`,
      `DELETE FROM commands WHERE resource = ?1 AND ${dialect.among('subject', '?2')}`,
      `DELETE FROM trimmed_histories WHERE ${dialect.among('subject', '?1')}`,
      `DELETE FROM ${resource.plural} WHERE ${isOneOf(dialect, resource)}`,
    ].map((text) => statementIn(dialect, { text })) as [Statement, Statement, Statement, Statement]
    yield* askAll([
      bind(events, resource.name, subjects),
      bind(commands, resource.name, subjects),
      bind(histories, subjects),
      bind(things, ids),
    ])
  }
}

function idsIn(all: Map<string, Key[]>, { name }: Resource): Key[] {
  const ids = all.get(name) ?? []
  all.set(name, ids)
  return ids
}

function* partsOf(all: ReadonlyMap<string, readonly Key[]>, { name }: Resource): Generator<readonly Key[]> {
  const ids = all.get(name) ?? []
  for (let from = 0; from < ids.length; from += AT_ONCE) yield ids.slice(from, from + AT_ONCE)
}
