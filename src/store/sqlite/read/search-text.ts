import type { Collection } from '../../../queries/collection.ts'
import { looksAtText, type Query, type Term } from '../../../queries/query.ts'
import type { GroupedRows } from '../../select/groups/group-text.ts'
import { segmentsOf } from '../../select/segments.ts'
import { prepare, type Select, type StepValues } from '../../select/select.ts'
import { tableOf } from '../../select/tables.ts'
import {
  behindCursor,
  dividedTerms,
  orderBy,
  PAGE,
  rowIdsSql,
  type SelectShape,
  SKIP,
  SKIP_AND_PAGE,
  selectedColumns,
  termConditions,
  treeConditions,
  where,
} from '../../select/texts/select-text.ts'
import { raw, type Sql, sql } from '../../sql/sql.ts'
import type { Row } from '../../sql/statement.ts'
import { sqlite } from '../sql/dialect.ts'

/** The rows of each select and the milliseconds they took; undefined if the step was interrupted. */
export type RunStep = (
  selects: readonly Select[],
) => Promise<{ readonly rows: readonly (readonly Row[])[]; readonly took: number } | undefined>

/**
 * The rows of statements without text conditions: they are never interrupted, which would look like an empty result.
 */
export async function runWhole(run: RunStep, selects: readonly Select[]): Promise<readonly (readonly Row[])[]> {
  const step = await run(selects)
  if (step === undefined) throw new Error('a step that looks at no text was interrupted')
  return step.rows
}

/** A step of a search: it scans only the next rows of the order, and `end` is the row after which the next one begins. */
export function stepSelect(collection: Collection, query: Query, step: number) {
  const make = (kind: string, write: (shape: SelectShape) => Sql) =>
    prepare(kind, collection, query, sqlite, write, { step })
  return { found: make('step', stepSql), end: make('step end', stepEndSql) }
}

/** The page of the rows that a search has found, or only the ids that the page needs. */
export function foundSelect(
  collection: Collection,
  query: Query,
  rowIds: readonly number[],
  gives: 'rows' | 'row ids',
): Select {
  const write = (shape: SelectShape) => foundSql(shape, gives)
  return prepare(`found ${gives}`, collection, query, sqlite, write, { rowIds: JSON.stringify(rowIds) })
}

/** The ids of the matching ones of some rows. */
export const matchingIds = (
  collection: Collection,
  query: Query,
  { name, write }: GroupedRows,
  values: Partial<StepValues>,
): Select =>
  prepare(`ids ${name}`, collection, query, sqlite, (shape) => sql`SELECT found.row_id${write(shape)}`, values)

/** The matching ones among the rows that a step scans. */
function stepSql(shape: SelectShape): Sql {
  const { name } = tableOf(shape.collection, shape.dialect)
  const { others, scan } = nextRows(shape)
  // Conditions on text come last.
  const rest = [...conditionsOf(shape, others, false), IN_TIME, ...conditionsOf(shape, others, true)]
  return sql`SELECT ${selectedColumns(shape)} FROM (${scan} LIMIT ${STEP}) AS scanned CROSS JOIN ${name} ON ${name}.rowid = scanned.row_id${where(rest)} LIMIT ${PAGE}`
}

/** The last row that a step scans, after which the next one begins; no row at the end. */
function stepEndSql(shape: SelectShape): Sql {
  const { name } = tableOf(shape.collection, shape.dialect)
  const { scan } = nextRows(shape)
  return sql`SELECT ${selectedColumns(shape)} FROM (${scan} LIMIT 1 OFFSET ${STEP_END}) AS scanned CROSS JOIN ${name} ON ${name}.rowid = scanned.row_id`
}

/** The conditions of terms and trees: either those on text, or the others. */
const conditionsOf = (shape: SelectShape, terms: readonly Term[], lookAtText: boolean): readonly Sql[] => [
  ...termConditions(
    shape,
    terms.filter((term) => looksAtText([term]) === lookAtText),
    () => false,
  ),
  ...treeConditions(
    shape,
    shape.trees.filter((tree) => looksAtText([tree]) === lookAtText),
  ),
]

function nextRows(shape: SelectShape): { readonly others: readonly Term[]; readonly scan: Sql } {
  const segments = segmentsOf(shape.order, shape.terms)
  const { sargable, others } = dividedTerms(shape, segments)
  return { others, scan: rowIdsSql(shape, segments, sargable, STEP) }
}

/** The matching ones of some rows: of the given ones, or of the next ones by their ids. `found.row_id` is their id. */
export const stepRows: Readonly<Record<'given' | 'next', GroupedRows>> = {
  given: { name: 'given', write: (shape) => rowsAmong(shape, sql`SELECT value AS row_id FROM json_each(${ROW_IDS})`) },
  next: { name: 'next', write: (shape) => rowsAmong(shape, sql`${nextIds(shape.collection)} LIMIT ${STEP}`) },
}

/** The id of the last of the next rows; no row if there are fewer. */
export const nextEndSelect = (collection: Collection, step: number, from: number): Select => ({
  text: `${nextIds(collection).text} LIMIT 1 OFFSET ?`,
  values: [from, step - 1],
})

const nextIds = (collection: Collection): Sql =>
  sql`SELECT rowid AS row_id FROM ${tableOf(collection, sqlite).name} WHERE rowid > ${FROM} ORDER BY rowid`

function rowsAmong(shape: SelectShape, ids: Sql): Sql {
  const { order, terms } = shape
  const texts = conditionsOf(shape, terms, true)
  // Without texts the length of a step is its number of rows.
  return rowsOfIds(shape, ids, [
    ...behindCursor(shape, segmentsOf(order, terms)),
    ...(texts.length === 0 ? [] : [IN_TIME, ...texts]),
  ])
}

/** The rows of these ids that still match; text is not examined again. */
export function rowsOfIds(shape: SelectShape, ids: Sql, more: readonly Sql[] = []): Sql {
  const { name } = tableOf(shape.collection, shape.dialect)
  const conditions = [...conditionsOf(shape, shape.terms, false), ...more]
  return sql` FROM (${ids}) AS found CROSS JOIN ${name} ON ${name}.rowid = found.row_id${where(conditions)}`
}

/** A page of rows that were found before, in order; the text is not matched again. */
function foundSql(shape: SelectShape, gives: 'rows' | 'row ids'): Sql {
  const { collection, dialect, order, terms } = shape
  const { name } = tableOf(collection, dialect)
  const conditions = [...conditionsOf(shape, terms, false), ...behindCursor(shape, segmentsOf(order, terms))]
  const columns = gives === 'rows' ? selectedColumns(shape) : 'found.row_id'
  const end = gives === 'rows' ? sql`LIMIT ${PAGE} OFFSET ${SKIP}` : sql`LIMIT ${SKIP_AND_PAGE}`
  return sql`SELECT ${columns} FROM (SELECT value AS row_id FROM json_each(${ROW_IDS})) AS found CROSS JOIN ${name} ON ${name}.rowid = found.row_id${where(conditions)} ORDER BY ${orderBy(shape, { bounds: [], sort: order.sort })} ${end}`
}

/** Ends a step whose time is over: conditions that SQLite evaluates itself would not. */
const IN_TIME = raw('within_step()')
const STEP: Sql = { text: '?', slots: [({ step }) => step] }
const STEP_END: Sql = { text: '?', slots: [({ step }) => step - 1] }
const FROM: Sql = { text: '?', slots: [({ from }) => from] }
const ROW_IDS: Sql = { text: '?', slots: [({ rowIds }) => rowIds] }
