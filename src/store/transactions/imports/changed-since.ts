import { valueIn } from '../../../model/declaration/operation.ts'
import type { ThingSince } from '../../../model/declaration/refusal.ts'
import type { Key, Thing } from '../../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import { linksOf, linksTo, referrersOf, resourceNamed } from '../../../model/schema/resources.ts'
import { isOwn, ownName } from '../../../values/json/own.ts'
import { MOST_NAMED, nameOf } from '../../rows/holders.ts'
import { columnOfField, isNumbered } from '../../rows/things.ts'
import { ownTable, uniqueLookup } from '../../rows/unique-lookup.ts'
import { type SqlDialect, statementIn } from '../../sql/dialect.ts'
import { ask, type Work } from '../work.ts'
import { type ImportEffect, type ImportedChange, importEffects, isOneOf, thingsNow } from './effects.ts'

/** The obstacles to undoing an import. */
export interface Since {
  readonly things: readonly ThingSince[]
  /** Whether the state before a change was trimmed with old events. */
  readonly isTrimmed: boolean
}

/** Finds the things of an import that were changed since, and things that began to refer to them. */
export function changedSince(dialect: SqlDialect, schema: Schema) {
  const { each, changed } = importEffects(dialect)

  return function* since(id: string): Work<Since> {
    const things: ThingSince[] = []
    let isTrimmed = false
    for (const resource of schema.resources) {
      yield* each(id, resource, function* (effects) {
        if (things.length >= MOST_NAMED) return
        things.push(...(yield* revised(dialect, resource, effects)))
        const made = effects.filter(({ isMade }) => isMade).map((effect) => effect.id)
        things.push(...(yield* newlyNaming(dialect, id, resource, made)))
        // Of things that the import made, nothing is needed but their ids.
        const others = yield* changed(
          id,
          resource,
          effects.filter(({ isMade }) => !isMade),
        )
        things.push(...(yield* unrestorable(dialect, resource, others)))
        things.push(...(yield* takenSince(dialect, id, resource, others)))
        isTrimmed ||= others.some(({ before }) => before === undefined)
      })
    }
    return { things: things.slice(0, MOST_NAMED), isTrimmed }
  }
}

/** Things whose revision is no longer the one that the import left. */
function* revised(
  dialect: SqlDialect,
  resource: Resource,
  effects: readonly ImportEffect[],
): Work<readonly ThingSince[]> {
  const text = `SELECT id, revision FROM ${resource.plural} WHERE ${isOneOf(dialect, resource)}`
  const ids = effects.map((effect) => effect.id)
  const rows = yield* ask(statementIn(dialect, { text }), ids)
  const now = new Map(rows.map(([key, revision]) => [String(key), Number(revision)]))
  const other = effects.filter(({ subject, revision }) => revision === undefined || now.get(subject) !== revision)
  if (other.length === 0) return []
  const told = other.slice(0, MOST_NAMED).map((effect) => effect.id)
  const known = yield* thingsNow(dialect, resource, told)
  return told.map((key) => named(resource, key, known.get(key)))
}

/** Things other than the import's own that refer to things that it made. */
function* newlyNaming(
  dialect: SqlDialect,
  id: string,
  resource: Resource,
  made: readonly Key[],
): Work<readonly ThingSince[]> {
  const found: ThingSince[] = []
  if (made.length === 0) return []
  for (const { from, field } of referrersOf(resource)) {
    const isOne = isOneOf(dialect, resource, columnOfField(from, field))
    found.push(...(yield* others(dialect, id, from, isOne, made)))
  }
  const { key, row, kept } = dialect.ownIndex
  for (const { from, field } of linksTo(resource)) {
    const isOne = `${key} IN (SELECT ${row} FROM ${ownTable(from)}
      WHERE field = '${ownName(field)}' AND ${dialect.among('value', '?1')})`
    found.push(...(yield* others(dialect, id, from, isOne, made.map(kept))))
  }
  return found
}

/** Things other than the import's own that meet a condition. */
function* others(
  dialect: SqlDialect,
  id: string,
  resource: Resource,
  condition: string,
  values: readonly unknown[],
): Work<readonly ThingSince[]> {
  const { name, plural } = resource
  const isImported = (table: string): string =>
    `EXISTS (SELECT 1 FROM ${table} AS own WHERE own.import_id = ?2 AND own.resource = '${name}'
      AND own.subject = CAST(${plural}.id AS text))`
  const text = `SELECT id, doc FROM ${plural} WHERE ${condition}
    AND NOT ${isImported('events')} AND NOT ${isImported('import_changes')} ORDER BY id LIMIT ${MOST_NAMED}`
  const rows = yield* ask(statementIn(dialect, { text }), values, id)
  return rows.map(([key, doc]) => named(resource, key as Key, JSON.parse(String(doc))))
}

/** Things that took unique values since which changed things had before. */
function* takenSince(
  dialect: SqlDialect,
  id: string,
  resource: Resource,
  changes: readonly ImportedChange[],
): Work<readonly ThingSince[]> {
  const found: ThingSince[] = []
  for (const field of resource.uniques) {
    const values = changes.flatMap(({ before }) => (before === undefined ? [] : (valueIn(before, field) ?? [])))
    if (values.length === 0) continue
    const { many, kept } = uniqueLookup(dialect, resource, field)
    const holding = `id IN (SELECT id FROM (${many('?1')}) AS holding)`
    found.push(...(yield* others(dialect, id, resource, holding, values.map(kept))))
  }
  return found
}

/** Changed things whose earlier state refers to something that was removed since, or names what the model lost. */
function* unrestorable(
  dialect: SqlDialect,
  resource: Resource,
  changes: readonly ImportedChange[],
): Work<readonly ThingSince[]> {
  const outdated = changes.filter(({ current, before }) => before && isOutdated(resource, current, before))
  const found = outdated.map(({ id, current }) => named(resource, id, current))
  for (const { field, to } of [...resource.references, ...linksOf(resource)]) {
    const other = resourceNamed(resource.schema, to)
    const referring = changes.flatMap(({ id, current, before }) => {
      const key = before === undefined ? null : (valueIn(before, field) as Key | null)
      const isKept = isOwn(field) && current !== undefined && valueIn(current, field) === key
      return key === null || isKept ? [] : [{ id, current, key }]
    })
    if (referring.length === 0) continue
    const keys = [...new Set(referring.map(({ key }) => key))]
    const isLeft = isOwn(field) && other.keepsDeleted ? 'AND deleted_at IS NULL' : ''
    const text = `SELECT id FROM ${other.plural}
      WHERE ${dialect.among('id', '?1', isNumbered(other) ? 'bigint' : 'text')} ${isLeft}`
    const known = new Set((yield* ask(statementIn(dialect, { text }), keys)).map(([key]) => String(key)))
    const lost = referring.filter(({ key }) => !known.has(String(key)))
    found.push(...lost.map(({ id, current }) => named(resource, id, current)))
  }
  return found
}

/** Whether an undoing would set a choice, or lead into a part, that is gone or being removed. */
function isOutdated({ added, entry, schema }: Resource, current: Thing | undefined, before: Thing): boolean {
  if (entry?.entered(current, before, schema)?.isClosing) return true
  return added.some(({ name, field: { kind } }) => {
    const value = valueIn(before, name)
    if (value === null || (current !== undefined && valueIn(current, name) === value)) return false
    return CHOICES.includes(kind.name) && 'fault' in kind.read(kind.write(value))
  })
}

const CHOICES: readonly string[] = ['choice', 'choices']

function named({ name: on }: Resource, id: Key, thing: object | undefined): ThingSince {
  return { on, id, name: thing === undefined ? null : nameOf(thing) }
}
