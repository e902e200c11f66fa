import { valueIn } from '../../../model/declaration/operation.ts'
import type { Key, Thing } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { type DecidedRows, decideRows, type GivenRow, type RowFacts } from '../../../model/intent/import-rows.ts'
import { personFields } from '../../../model/intent/persons.ts'
import { type CallersReading, isMe } from '../../../model/nouns/user/person.ts'
import { linksOf, resourceNamed } from '../../../model/schema/resources.ts'
import { isExactNumber, parseExact } from '../../../values/json/exact-numbers.ts'
import { isOwn, OWN } from '../../../values/json/own.ts'
import { amountFromText } from '../../../values/kinds/money.ts'
import {
  columnIn,
  columnOfField,
  FOLDED,
  foldedTexts,
  membersInOwn,
  thingValues,
  writtenColumns,
} from '../../rows/things.ts'
import { uniqueLookup } from '../../rows/unique-lookup.ts'
import { type SqlDialect, statementIn } from '../../sql/dialect.ts'
import type { Row } from '../../sql/statement.ts'
import { isLeft } from '../../sql/thing-events.ts'
import { peopleWork } from '../accounts/people.ts'
import type { TableStatements } from '../table-statements.ts'
import { ask, askAll, bind, type Work } from '../work.ts'

/** Reads the things of the rows, and decides them. No other writer assigns numbers until the transaction ends. */
export function* decideAll(
  dialect: SqlDialect,
  { awaitLinks, lock, lastNumber }: Pick<TableStatements, 'awaitLinks' | 'lock' | 'lastNumber'>,
  resource: Resource,
  rows: readonly GivenRow[],
  reading: CallersReading,
): Work<{ readonly decided: DecidedRows; readonly last: number }> {
  const { plural: table } = resource
  const known = bind({ text: `SELECT max(id) FROM ${table}` })
  const linked = linksOf(resource).filter(({ field }) => rows.some((row) => (row[field] ?? null) !== null))
  yield* askAll(awaitLinks([...new Set(linked.map(({ to }) => to))]))
  const numbers = yield* askAll([...lock([table]), known, lastNumber(table)])
  const last = Math.max(0, ...numbers.map((found) => Number(found[0]?.[0] ?? 0)))
  const ids = yield* idsNamed(dialect, resource, rows)
  const sought = [...rows.map(({ id }) => id), ...[...ids.values()].flatMap((those) => [...those.values()])]
  const named = [...new Set(sought.flatMap((id) => (typeof id === 'number' && id <= last ? [id] : [])))]
  const facts = named.length === 0 ? nothing : yield* factsOf(dialect, resource, named)
  const idBy: RowFacts['idBy'] = (field, value) => ids.get(field)?.get(value)
  const exists = yield* existing(dialect, resource, rows)
  const people = yield* peopleWork(dialect)(textsFor(resource, rows, reading))
  const all = { ...facts, idBy, exists, people, last }
  return { decided: decideRows(resource, rows, all, new Date().toISOString(), reading), last }
}

/** The things that have the unique values of the rows, by field and value. */
function* idsNamed(
  dialect: SqlDialect,
  resource: Resource,
  rows: readonly GivenRow[],
): Work<ReadonlyMap<string, ReadonlyMap<unknown, Key>>> {
  const found = new Map<string, ReadonlyMap<unknown, Key>>()
  for (const field of resource.uniques) {
    const values = [...new Set(rows.map((row) => row[field] ?? null))].filter((value) => value !== null)
    if (values.length === 0) continue
    const { many, kept } = uniqueLookup(dialect, resource, field)
    const holding = yield* ask(statementIn(dialect, { text: many('?') }), values.map(kept))
    const ids = new Map(holding.map(([value, id]) => [value, Number(id)]))
    found.set(
      field,
      new Map(values.flatMap((value) => (ids.has(kept(value)) ? [[value, Number(ids.get(kept(value)))]] : []))),
    )
  }
  return found
}

/** The texts of rows for persons, and the caller if one may be meant. */
function textsFor(resource: Resource, rows: readonly GivenRow[], { self }: CallersReading): readonly string[] {
  const texts = rows.flatMap((row) => personFields(resource).flatMap(({ field }) => row[field] ?? [])).map(String)
  return self !== undefined && texts.some(isMe) ? [...texts, self] : texts
}

/** The things that the rows name, as far as they exist and are not deleted. */
function* existing(
  dialect: SqlDialect,
  { added, schema }: Resource,
  rows: readonly GivenRow[],
): Work<RowFacts['exists']> {
  const found = new Map<string, Set<unknown>>()
  for (const { name, field } of added) {
    const { refersTo: to } = field.kind
    const named = [...new Set(rows.flatMap((row) => row[name] ?? []))]
    if (to === undefined || named.length === 0) continue
    const of = resourceNamed(schema, to)
    const unlessDeleted = of.keepsDeleted ? 'AND deleted_at IS NULL' : ''
    const type = field.kind.name === 'integer' ? 'bigint' : 'text'
    const text = `SELECT id FROM ${of.plural} WHERE ${dialect.among('id', '?', type)} ${unlessDeleted}`
    const ids = yield* ask(statementIn(dialect, { text }), named)
    const known = found.get(to) ?? new Set<unknown>()
    found.set(to, known)
    for (const [id] of ids) known.add(type === 'bigint' ? Number(id) : id)
  }
  return (resource, id) => found.get(resource)?.has(id) ?? false
}

const nothing = { known: new Map<Key, Thing>(), lastRevisions: new Map<Key, number>() }

function* factsOf(dialect: SqlDialect, resource: Resource, ids: readonly number[]): Work<typeof nothing> {
  const find = `SELECT id, doc FROM ${resource.plural} WHERE ${dialect.among('id', '?', 'bigint')}`
  const docs = yield* ask(statementIn(dialect, { text: find }), ids)
  const known = new Map(docs.map(([id, doc]): [Key, Thing] => [Number(id), thingIn(resource, String(doc))]))
  const missing = ids.filter((id) => !known.has(id)).map(String)
  const past = `SELECT subject, max(revision) FROM events WHERE ${dialect.among('subject', '?')} AND ${isLeft(dialect)}
    GROUP BY subject`
  const found = missing.length === 0 ? [] : yield* ask(statementIn(dialect, { text: past }), missing)
  return { known, lastRevisions: new Map(found.map(([id, revision]) => [Number(id), Number(revision)])) }
}

/** A thing from its document. A document that was written before a field was added lacks it. */
export function thingIn(resource: Resource, doc: string): Thing {
  const { columns, kinds } = resource
  const json = parseExact(doc) as Readonly<Record<string, unknown>>
  const valueRead = (name: string): unknown => {
    const { [name]: told = null } = json
    const read = kinds[name]?.read(told)
    if (read !== undefined && 'value' in read) return read.value
    // A total that an earlier release kept. decisions/0018
    return isExactNumber(told) ? amountFromText(told.rawJSON) : told
  }
  const fields = columns.filter((name) => name !== OWN).map((name) => [name, valueRead(name)])
  const own = json[OWN] === undefined ? null : JSON.stringify(json[OWN])
  return { ...Object.fromEntries(fields), ...membersInOwn(resource, own) } as unknown as Thing
}

/** Writes the decided rows, this many in a statement. */
export function* writeDecided(
  { insert, update, index, continueNumbers }: Pick<TableStatements, 'insert' | 'update' | 'index' | 'continueNumbers'>,
  resource: Resource,
  { made, changed, last }: DecidedRows,
  lastBefore: number,
  atOnce: number,
): Work<void> {
  const { plural: table, columns: names } = resource
  const columns = writtenColumns(resource)
  // Another row may take a unique value that one gives up.
  for (const field of resource.uniques.filter((each) => !isOwn(each))) {
    const freed = changed.filter(({ before, after }) => {
      const value = valueIn(before, field)
      return value !== null && value !== valueIn(after, field)
    })
    for (const some of partsOf(freed, atOnce)) {
      const rows = some.map(({ before }) => [before.id, null])
      yield* askAll(update(table, ['id', columnOfField(resource, field)], rows))
    }
  }
  for (const some of partsOf(made, atOnce)) {
    const rows = some.map((thing) => thingValues(resource, thing, resource.toJson(thing)))
    yield* askAll(insert(table, columns, rows))
  }
  // Only the columns that differ are written, so that only their indexes change.
  const differing = ({ before, after }: (typeof changed)[number]): string =>
    names.filter((name) => columnIn(resource, before, name) !== columnIn(resource, after, name)).join()
  for (const [fields, alike] of Map.groupBy(changed, differing)) {
    const written = ['id', ...fields.split(',')]
    const updated = [...written.map((name) => columnOfField(resource, name)), 'doc', FOLDED]
    for (const some of partsOf(alike, atOnce)) {
      const rows = some.map(({ after }) => [
        ...written.map((name) => columnIn(resource, after, name)),
        resource.toJson(after),
        foldedTexts(resource, after),
      ])
      yield* askAll(update(table, updated, rows))
    }
  }
  yield* askAll(index(resource))
  if (last > lastBefore) yield* askAll(continueNumbers(table, last))
}

const changeColumns = ['import_id', 'resource', 'subject', 'first', 'revision', 'before'] as const

/** A thing that somebody else changed in between gets a revision that it never has: it cannot be undone. */
const CHANGED_AGAIN = `ON CONFLICT (import_id, resource, subject) DO UPDATE SET
  revision = CASE WHEN import_changes.revision = excluded.first - 1 THEN excluded.revision ELSE 0 END`

/** Keeps what the rows did with things, and what these were before, so that the import can be undone. */
export function* recordChanges(
  { insert }: Pick<TableStatements, 'insert'>,
  resource: Resource,
  { made, changed }: DecidedRows,
  importId: string,
  atOnce: number,
): Work<void> {
  const rowOf = (first: number, after: Thing, before: string | null): Row => [
    ...[importId, resource.name, String(after.id), first, after.revision, before],
  ]
  const rows = [
    ...made.map((thing) => rowOf(thing.revision, thing, null)),
    ...changed.map(({ before, after }) => rowOf(before.revision + 1, after, resource.toJson(before))),
  ]
  for (const some of partsOf(rows, atOnce)) {
    yield* askAll(insert('import_changes', changeColumns, some, CHANGED_AGAIN))
  }
}

const partsOf = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, nth) => all.slice(nth * size, (nth + 1) * size))
