import { bySchema } from '../../../model/declaration/by-schema.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { OWN } from '../../../values/json/own.ts'
import { sinceColumns } from '../../rows/projection.ts'
import {
  columnIn,
  columnOfField,
  columnValue,
  FOLDED,
  foldedTexts,
  folds,
  thingValues,
  writtenColumns,
} from '../../rows/things.ts'
import type { Statement } from '../../sql/statement.ts'
import { type BoundStatement, bind } from '../../transactions/work.ts'
import type { ChangedThing, Decision } from '../../transactions/write/decision.ts'
import { LAST_EVENT } from '../schema/event-links.ts'

/** The row of a changed thing, which leads to its last event. */
export function thingRow({ resource, before, after }: Decision, lastEvent: number | null): readonly BoundStatement[] {
  if (after === undefined) return []
  const { INSERT, REMOVE } = statementsOf(resource)
  if (after.removed) return [bind(REMOVE, after.thing.id)]
  if (before !== undefined) return [update(resource, before.thing, after, lastEvent)]
  const since = sinceColumns(resource).map((_, at) => after.since[at] ?? null)
  return [bind(INSERT, ...thingValues(resource, after.thing, after.json), lastEvent, ...since)]
}

/** Writes only the columns that differ, so that only their indexes change. */
function update(
  resource: Resource,
  before: ChangedThing['thing'],
  { thing: after, json, previousAt, since }: ChangedThing,
  lastEvent: number | null,
): BoundStatement {
  const changed = resource.columns.filter(
    (name) => columnIn(resource, before, name) !== columnIn(resource, after, name),
  )
  const isText = (name: string): boolean => name === OWN || resource.texts.includes(name)
  const mayFold = changed.some(
    (name) => isText(name) && (folds(resource, before, name) || folds(resource, after, name)),
  )
  const folded = mayFold ? foldedTexts(resource, after) : null
  const isFolded = mayFold && folded !== foldedTexts(resource, before)
  const begun = since.flatMap((value, at) => (value === undefined ? [] : [{ at, value }]))
  const sinces = sinceColumns(resource)
  const more = [...(isFolded ? [FOLDED] : []), ...begun.map(({ at }) => sinces[at] ?? '')]
  return bind(
    statementsOf(resource).update(changed, more),
    ...[previousAt, lastEvent],
    ...changed.map((name) => columnValue(columnIn(resource, after, name))),
    json,
    ...(isFolded ? [folded] : []),
    ...begun.map(({ value }) => value),
    after.id,
  )
}

const statementsOf = bySchema((resource: Resource) => {
  const { plural: table } = resource
  const columns = [...writtenColumns(resource), LAST_EVENT, ...sinceColumns(resource)]
  const updates = new Map<string, Statement>()
  return {
    INSERT: {
      text: `INSERT OR FAIL INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    },
    REMOVE: { text: `DELETE FROM ${table} WHERE id = ?` },
    update(changed: readonly string[], more: readonly string[]): Statement {
      const key = `${changed},${more}`
      const known = updates.get(key)
      if (known !== undefined) return known
      const written = [...changed.map((field) => columnOfField(resource, field)), 'doc', ...more]
      const sets = written.map((column) => `${column} = ?`).join(', ')
      const made = { text: `UPDATE OR FAIL ${table} SET previous_at = ?, ${LAST_EVENT} = ?, ${sets} WHERE id = ?` }
      updates.set(key, made)
      return made
    },
  }
})
