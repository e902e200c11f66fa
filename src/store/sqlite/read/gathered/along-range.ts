import type { Collection, CollectionField } from '../../../../queries/collection.ts'
import { narrows } from '../../../../queries/operators.ts'
import { leavesOf, looksAtText, type Query, termsOf, withoutPlace } from '../../../../queries/query.ts'
import { columnOf } from '../../../select/columns.ts'
import type { GroupedRows, GroupQuery } from '../../../select/groups/group-text.ts'
import { drivingFields, prepare, probeSelect, type StepValues } from '../../../select/select.ts'
import { tableOf } from '../../../select/tables.ts'
import { type SelectShape, termConditions, treeConditions, where } from '../../../select/texts/select-text.ts'
import { raw, type Sql, sql } from '../../../sql/sql.ts'
import { sqlite } from '../../sql/dialect.ts'
import { newPace } from '../pace.ts'
import { type RunStep, runWhole } from '../search-text.ts'
import type { StepStatement } from './each-match.ts'

/** Beyond this part of all rows, related rows are looked up in the order of the table: in another they are far apart. */
const MOST_WITH_RELATED = 1 / 8
const MOST_COUNTED = 1_000_000

/**
 * The day or time whose range of an index holds the matching rows: read along that index, none is looked up before, and
 * what the index has needs no row. Text is looked at in steps that can be interrupted instead.
 */
export async function rangeOf(
  collection: Collection,
  query: GroupQuery,
  run: RunStep,
): Promise<CollectionField | undefined> {
  if (looksAtText(query.filter)) return undefined
  const range = drivingFields(collection, query).find(
    (field) => field.through === undefined && isOfTime(field) && isBounded(field, query),
  )
  if (range === undefined || !looksAtRelated(query)) return range
  const counts = [
    probeSelect(collection, query, sqlite, range, MOST_COUNTED),
    { text: `SELECT max(rowid) - min(rowid) FROM ${tableOf(collection, sqlite).name}`, values: [] },
  ]
  const [[[count] = []] = [], [[all] = []] = []] = await runWhole(run, counts)
  return Number(count) <= Number(all) * MOST_WITH_RELATED ? range : undefined
}

const looksAtRelated = ({ filter, groups }: GroupQuery): boolean =>
  [...leavesOf(filter), ...groups.by].some(({ field }) => field.through !== undefined)

const isOfTime = ({ kind }: CollectionField): boolean => kind.name === 'date' || kind.name === 'instant'

const isBounded = (field: CollectionField, { filter }: Query): boolean =>
  ['gt', 'gte'].some((operator) => termsOf(filter).some((term) => term.field === field && term.operator === operator))

/** Runs a statement over the rows of the range, in small steps along the index. There is at least one step. */
export async function alongRange(
  collection: Collection,
  query: Query,
  field: CollectionField,
  run: RunStep,
  statement: StepStatement,
): Promise<void> {
  const unsorted = { ...withoutPlace(query), sort: [] }
  const select = (kind: string, write: (shape: SelectShape) => Sql, values: Partial<StepValues> = {}) =>
    prepare(`${kind} ${field.name}`, collection, unsorted, sqlite, write, values)
  const ends = [
    select('first', (shape) => endSql(shape, field, 'min')),
    select('last', (shape) => endSql(shape, field, 'max')),
  ]
  const [[[first] = []] = [], [[last] = []] = []] = await runWhole(run, ends)
  const rows = rowsBetween(field)
  const pace = newPace()
  let from = String(first ?? '')
  for (const behind = `${last ?? ''}${BEHIND}`; from < behind; ) {
    const values = { step: pace.rows, between: [from, behind] as const }
    const [[[next] = []] = []] = await runWhole(run, [select('next', (shape) => nextSql(shape, field), values)])
    const to = next === undefined ? behind : String(next)
    const step = await run([statement(rows, { between: [from, to] })])
    pace.keep(step?.took)
    if (step !== undefined) from = to
  }
}

/** Sorts behind a value, and before those that follow it. */
const BEHIND = '~'

/** The rows from one value of the field on and before another. */
const rowsBetween = (field: CollectionField): GroupedRows => ({
  name: `along ${field.name}`,
  write(shape) {
    const planned: SelectShape = { ...shape, strategy: 'planned' }
    const { name } = tableOf(shape.collection, shape.dialect)
    const conditions = termConditions(planned, shape.terms, (term) => term.field !== field)
    return sql` FROM ${name}${where([...conditions, ...treeConditions(planned), ...bounds(shape, field)])}`
  },
})

/** The first or the last value that the filter leaves. */
function endSql(shape: SelectShape, field: CollectionField, end: 'min' | 'max'): Sql {
  const { sql: column } = columnOf(shape.collection, field, shape.dialect)
  return sql`SELECT ${end}(${column}) FROM ${tableOf(shape.collection, shape.dialect).name}${where(ownConditions(shape, field))}`
}

/** The value with which the next step begins; no row at the end. */
function nextSql(shape: SelectShape, field: CollectionField): Sql {
  const { sql: column } = columnOf(shape.collection, field, shape.dialect)
  const [from, to] = bounds(shape, field, '>')
  const { name } = tableOf(shape.collection, shape.dialect)
  return sql`SELECT ${column} FROM ${name}${where([from, to])} ORDER BY ${column} LIMIT 1 OFFSET ${STEP_END}`
}

function ownConditions(shape: SelectShape, field: CollectionField): readonly Sql[] {
  const terms = shape.terms.filter((term) => term.field === field && narrows(term.operator))
  return termConditions({ ...shape, strategy: 'planned' }, terms, () => true)
}

function bounds(shape: SelectShape, field: CollectionField, sign: '>=' | '>' = '>='): readonly [Sql, Sql] {
  const { sql: column } = columnOf(shape.collection, field, shape.dialect)
  return [sql`${column} ${raw(sign)} ${FROM}`, sql`${column} < ${TO}`]
}

const FROM: Sql = { text: '?', slots: [({ between: [from] }) => from] }
const TO: Sql = { text: '?', slots: [({ between: [, to] }) => to] }
const STEP_END: Sql = { text: '?', slots: [({ step }) => step - 1] }
