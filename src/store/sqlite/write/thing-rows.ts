import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { type PartCounts, valueIn } from '../../../model/declaration/operation.ts'
import type { UsedBy } from '../../../model/declaration/refusal.ts'
import type { Key, Thing } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { OWN } from '../../../values/json/own.ts'
import type { Kind } from '../../../values/kinds/kind.ts'
import { millisecondsIn } from '../../../values/kinds/uuid.ts'
import { orderedIds } from '../../port/ordered-ids.ts'
import { holding, readHolders } from '../../rows/holders.ts'
import { type sinceAfter, sinceColumns } from '../../rows/projection.ts'
import {
  columnOfField,
  columnValue,
  FOLDED,
  foldedTexts,
  folds,
  isNumbered,
  keptPrevious,
  storedKind,
  writtenColumns,
} from '../../rows/things.ts'
import { uniqueLookup } from '../../rows/unique-lookup.ts'
import { countParts } from '../../work/model/part-places.ts'
import { selectRunner, workRunner } from '../connect/statements.ts'
import { LAST_EVENT } from '../schema/event-links.ts'
import { sqlite } from '../sql/dialect.ts'

/** Things as rows: a column for every field, amounts in thousandths, and the document as text. */
export interface ThingRows {
  find(id: Key): LastState | undefined
  exists(id: Key): boolean
  /** The thing whose unique field has a value. */
  idBy(field: string, value: unknown): Key | undefined
  /** The first things that refer to it. */
  heldBy(id: Key): readonly UsedBy[]
  /** The number of things in each part of it. */
  counts(id: Key): PartCounts
  /** When the previous revision was made. */
  previousAt(id: Key): string | null
  newId(): Key
  /** Others may have written since the last id. */
  begin(): void
  /** `since` are the values of `sinceColumns`; undefined ones stay as they are. */
  insert(thing: Thing, json: string, lastEvent: number | null, since?: SinceValues): void
  /** Writes only the columns that differ, so that only their indexes change. */
  update(before: Thing, after: Thing, json: string, lastEvent: number | null, since?: SinceValues): void
  remove(id: Key): void
}

export interface LastState {
  readonly thing: Thing
  /** The position of its last event; null if it has none. */
  readonly lastEvent: number | null
}

type SinceValues = ReturnType<typeof sinceAfter>

export function thingRows(db: DatabaseSync, resource: Resource): ThingRows {
  const { plural: table, columns: names } = resource
  const sinces = sinceColumns(resource)
  const columns = [...writtenColumns(resource), LAST_EVENT, ...sinces]
  const isText = (name: string): boolean => name === OWN || resource.texts.includes(name)
  const select = db.prepare(`SELECT ${[...selected(resource), LAST_EVENT].join(', ')} FROM ${table} WHERE id = ?`)
  select.setReturnArrays(true)
  const read = rowReader(resource)
  const exists = db.prepare(`SELECT 1 FROM ${table} WHERE id = ?`)
  const naming = new Map(
    resource.uniques.map((field) => {
      const { one, kept } = uniqueLookup(sqlite, resource, field)
      return [field, { statement: db.prepare(one), kept }] as const
    }),
  )
  const holders = holding(sqlite, resource, '?1')
  const run = selectRunner(db)
  const previous = db.prepare(`SELECT previous_at FROM ${table} WHERE id = ?`)
  const insert = db.prepare(
    `INSERT OR FAIL INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  const remove = db.prepare(`DELETE FROM ${table} WHERE id = ?`)
  const updates = new Map<string, StatementSync>()
  const prepareUpdate = (key: string, changed: readonly string[], more: readonly string[]): StatementSync => {
    const written = [...changed.map((field) => columnOfField(resource, field)), 'doc', ...more]
    const sets = written.map((column) => `${column} = ?`).join(', ')
    const statement = db.prepare(`UPDATE OR FAIL ${table} SET previous_at = ?, ${LAST_EVENT} = ?, ${sets} WHERE id = ?`)
    updates.set(key, statement)
    return statement
  }
  return {
    find(id) {
      const row = select.get(id) as unknown as SQLOutputValue[] | undefined
      return row && { thing: read(row), lastEvent: row[names.length] as number | null }
    },
    exists: (id) => exists.get(id) !== undefined,
    idBy(field, value) {
      const { statement, kept = toColumn } = naming.get(field) ?? {}
      return statement?.get(toColumn(kept(value)))?.id as Key | undefined
    },
    heldBy: (id) => (holders === undefined ? [] : readHolders(resource, run({ text: holders, values: [id] }))),
    counts: (id) => workRunner(db)(countParts(sqlite, resource, id)),
    previousAt: (id) => (previous.get(id)?.previous_at as string | null | undefined) ?? null,
    ...(isNumbered(resource) ? counter(db, table) : laterIds(db, table)),
    insert(thing, json, lastEvent, since = []) {
      const values = names.map((name) => toColumn(valueIn(thing, name)))
      const begun = sinces.map((_, at) => since[at] ?? null)
      insert.run(...values, json, foldedTexts(resource, thing), lastEvent, ...begun)
    },
    update(before, after, json, lastEvent, since = []) {
      const changed = names.filter((name) => valueIn(before, name) !== valueIn(after, name))
      const mayFold = changed.some(
        (name) => isText(name) && (folds(resource, before, name) || folds(resource, after, name)),
      )
      const folded = mayFold ? foldedTexts(resource, after) : null
      const isFolded = mayFold && folded !== foldedTexts(resource, before)
      const begun = since.flatMap((value, at) => (value === undefined ? [] : [{ column: sinces[at] ?? '', value }]))
      const more = [...(isFolded ? [FOLDED] : []), ...begun.map(({ column }) => column)]
      const key = `${changed},${more}`
      const statement = updates.get(key) ?? prepareUpdate(key, changed, more)
      const values = changed.map((name) => toColumn(valueIn(after, name)))
      statement.run(
        keptPrevious(before, after),
        lastEvent,
        ...values,
        json,
        ...(isFolded ? [folded] : []),
        ...begun.map(({ value }) => value),
        after.id,
      )
    },
    remove(id) {
      remove.run(id)
    },
  }
}

/** The driver refuses unsafe integers: totals, which an earlier release let grow so large, are read as text. */
function selected(resource: Resource): readonly string[] {
  return resource.columns.map((name) => {
    const column = columnOfField(resource, name)
    if (storedKind(resource, name).name !== 'amount') return column
    return `CASE WHEN ${column} > ${Number.MAX_SAFE_INTEGER} THEN CAST(${column} AS TEXT) ELSE ${column} END`
  })
}

function rowReader(resource: Resource): (row: readonly SQLOutputValue[]) => Thing {
  const names = resource.columns
  const readers = names.map((name) => valueReader(storedKind(resource, name)))
  return (row) => {
    const thing: Record<string, unknown> = {}
    names.forEach((name, at) => {
      thing[name] = readers[at]?.(row[at])
    })
    return thing as unknown as Thing
  }
}

function valueReader({ name }: Kind<unknown>): (value: unknown) => unknown {
  if (name === 'boolean') return (value) => (value === null ? null : value === 1)
  if (name === 'json') return (value) => (value === null ? null : JSON.parse(String(value)))
  if (name === 'amount') return (value) => (typeof value === 'string' ? BigInt(value) : value)
  return (value) => value
}

export const toColumn = (value: unknown): SQLInputValue =>
  (typeof value === 'boolean' ? Number(value) : columnValue(value)) as SQLInputValue

/** No number is used twice, not even that of a removed thing. */
function counter(db: DatabaseSync, table: string): Pick<ThingRows, 'newId' | 'begin'> {
  const next = db.prepare(
    `SELECT 1 + max(coalesce((SELECT max(id) FROM ${table}), 0),
                    coalesce((SELECT seq FROM sqlite_sequence WHERE name = '${table}'), 0)) AS id`,
  )
  return { newId: () => Number(next.get()?.id), begin() {} }
}

const newUuid = orderedIds()

/** Ids after all others of the table, whatever clock they are from: rows are numbered in the order of their ids. */
function laterIds(db: DatabaseSync, table: string): Pick<ThingRows, 'newId' | 'begin'> {
  const last = db.prepare(`SELECT max(id) AS id FROM ${table}`)
  // An id that is after all others is followed by later ones only, until others write.
  let isAfterAll = false
  return {
    newId() {
      const id = newUuid()
      if (isAfterAll) return id
      isAfterAll = true
      const greatest = last.get()?.id as string | null
      return greatest === null || id > greatest ? id : newUuid(millisecondsIn(greatest) + 1)
    },
    begin() {
      isAfterAll = false
    },
  }
}
