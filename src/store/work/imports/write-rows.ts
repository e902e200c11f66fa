import { type DecidedRows, decideRows, type GivenRow } from '../../../model/imports/import-rows.ts'
import { valueIn } from '../../../model/operation.ts'
import type { Key, Thing } from '../../../model/resource.ts'
import type { Resource } from '../../../model/schema.ts'
import { columnOfField, FOLDED, foldedTexts, thingValues, writtenColumns } from '../../rows/things.ts'
import { type SqlDialect, statementIn } from '../../sql/dialect.ts'
import type { TableStatements } from '../table-statements.ts'
import { ask, askAll, bind, type Work } from '../work.ts'

/** Reads the things of the rows, and decides them. No other writer assigns numbers until the transaction ends. */
export function* decideAll(
  dialect: SqlDialect,
  { lock, lastNumber }: Pick<TableStatements, 'lock' | 'lastNumber'>,
  resource: Resource,
  rows: readonly GivenRow[],
): Work<{ readonly decided: DecidedRows; readonly last: number }> {
  const { plural: table } = resource
  const known = bind({ text: `SELECT max(id) FROM ${table}` })
  const numbers = yield* askAll([...lock([table]), known, lastNumber(table)])
  const last = Math.max(0, ...numbers.map((found) => Number(found[0]?.[0] ?? 0)))
  const named = [...new Set(rows.flatMap(({ id }) => (typeof id === 'number' && id <= last ? [id] : [])))]
  const facts = named.length === 0 ? nothing : yield* factsOf(dialect, resource, named)
  return { decided: decideRows(resource, rows, { ...facts, last }, new Date().toISOString()), last }
}

const nothing = { known: new Map<Key, Thing>(), lastRevisions: new Map<Key, number>() }

function* factsOf(dialect: SqlDialect, resource: Resource, ids: readonly number[]): Work<typeof nothing> {
  const find = `SELECT id, doc FROM ${resource.plural} WHERE ${dialect.among('id', '?', 'bigint')}`
  const docs = yield* ask(statementIn(dialect, { text: find }), ids)
  const known = new Map(docs.map(([id, doc]): [Key, Thing] => [Number(id), thingIn(resource, String(doc))]))
  const missing = ids.filter((id) => !known.has(id)).map(String)
  const past = `SELECT subject, max(revision) FROM events WHERE ${dialect.among('subject', '?')} GROUP BY subject`
  const found = missing.length === 0 ? [] : yield* ask(statementIn(dialect, { text: past }), missing)
  return { known, lastRevisions: new Map(found.map(([id, revision]) => [Number(id), Number(revision)])) }
}

/** A thing from its document. A document that was written before a field was added lacks it. */
function thingIn({ names, kinds }: Resource, doc: string): Thing {
  const json = JSON.parse(doc) as Readonly<Record<string, unknown>>
  const valueRead = (name: string): unknown => {
    const { [name]: told = null } = json
    const read = kinds[name]?.read(told)
    return read !== undefined && 'value' in read ? read.value : told
  }
  return Object.fromEntries(names.map((name) => [name, valueRead(name)])) as unknown as Thing
}

/** Writes the decided rows, this many in a statement. */
export function* writeDecided(
  { insert, update, index, continueNumbers }: Pick<TableStatements, 'insert' | 'update' | 'index' | 'continueNumbers'>,
  resource: Resource,
  { made, changed, last }: DecidedRows,
  lastBefore: number,
  atOnce: number,
): Work<void> {
  const { plural: table, names } = resource
  const columns = writtenColumns(resource)
  for (const some of partsOf(made, atOnce)) {
    const rows = some.map((thing) => thingValues(resource, thing, resource.toJson(thing)))
    yield* askAll(insert(table, columns, rows))
  }
  // Only the columns that differ are written, so that only their indexes change.
  const differing = ({ before, after }: (typeof changed)[number]): string =>
    names.filter((name) => valueIn(before, name) !== valueIn(after, name)).join()
  for (const [fields, alike] of Map.groupBy(changed, differing)) {
    const written = ['id', ...fields.split(',')]
    const updated = [...written.map((name) => columnOfField(resource, name)), 'doc', FOLDED]
    for (const some of partsOf(alike, atOnce)) {
      const rows = some.map(({ after }) => [
        ...written.map((name) => valueIn(after, name)),
        resource.toJson(after),
        foldedTexts(resource, after),
      ])
      yield* askAll(update(table, updated, rows))
    }
  }
  yield* askAll(index(resource))
  if (last > lastBefore) yield* askAll(continueNumbers(table, last))
}

const partsOf = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, nth) => all.slice(nth * size, (nth + 1) * size))
