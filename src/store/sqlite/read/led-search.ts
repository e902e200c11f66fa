import type { Collection } from '../../../queries/collection.ts'
import { type Filter, type Query, skippedBy } from '../../../queries/query.ts'
import type { Page } from '../../port/desk.ts'
import { type GramLead, gramLeads, leadSelect } from '../../select/gram-leads.ts'
import { hasGram } from '../../select/grams.ts'
import { readPage } from '../../select/read-page.ts'
import { sqlite } from '../sql/dialect.ts'
import { checkSelect, foundSelect, type RunStep, runWhole } from './search-text.ts'

/** Rows checked in one step. */
const STEP = 1000

/** The number of matching rows that suffices, from the lowest row ids or the highest. */
interface FirstRows {
  readonly enough: number
  readonly descending: boolean
}

const allRows: FirstRows = { enough: Number.POSITIVE_INFINITY, descending: false }

/** A first page in the order of the row ids needs only its own rows and one more. */
function firstRows(collection: Collection, { sort, size, count, after, before, ...place }: Query): FirstRows {
  const [first] = sort
  const isByRow = first?.field.name === collection.key && first.field.kind.name === 'integer'
  if (!isByRow || count || after !== undefined || before !== undefined) return allRows
  return { enough: skippedBy({ ...place, size }) + size + 1, descending: first.descending }
}

/** A page of the rows that the index of grams leads to; undefined as for `ledRows`. */
export function ledSearch(
  collection: Collection,
  query: Query,
  run: RunStep,
): ((most: number) => Promise<Page | undefined>) | undefined {
  const led = ledRows(collection, query, run)
  if (led === undefined) return undefined
  return async (most) => {
    const found = await led(most, firstRows(collection, query))
    if (found === undefined) return undefined
    const [rows = []] = await runWhole(run, [foundSelect(collection, query, found, 'rows')])
    return readPage(query, rows, query.count ? found.length : undefined)
  }
}

/** The ids of the matching rows that the index of grams leads to; undefined as for `ledIds`. */
function ledRows(
  collection: Collection,
  query: Query,
  run: RunStep,
): ((most: number, first: FirstRows) => Promise<readonly number[] | undefined>) | undefined {
  const led = ledIds(collection, query.filter, run)
  return (
    led &&
    (async (most, first) => {
      const rowIds = await led(most)
      return rowIds && check(rowIds, first)
    })
  )

  async function check(unsorted: readonly number[], { enough, descending }: FirstRows): Promise<readonly number[]> {
    const rowIds = unsorted.toSorted((one, other) => (descending ? other - one : one - other))
    const found: number[] = []
    let step = STEP
    for (let at = 0; at < rowIds.length && found.length < enough; ) {
      const result = await run([checkSelect(collection, query, rowIds.slice(at, at + step))])
      if (result === undefined) {
        step = Math.max(1, step >> 2)
        continue
      }
      for (const [rowId] of result.rows[0] ?? []) found.push(Number(rowId))
      at += step
    }
    return found
  }
}

/**
 * The ids of the rows that the index of grams leads to, or undefined if there are more than the limit. The function
 * itself is undefined if the filter has no gram to look up.
 */
export function ledIds(
  collection: Collection,
  filter: Filter,
  run: RunStep,
): ((most: number) => Promise<readonly number[] | undefined>) | undefined {
  const leads = gramLeads(collection, filter)
  if (leads.length === 0) return undefined
  const [long, short] = [leads.filter(hasGrams), leads.filter((lead) => !hasGrams(lead))]
  // The beginning of a gram leads to many rows: it is used only if nothing else leads.
  return async (most) => (await follow(long, most)) ?? (await follow(short, most))

  /** The common rows of those leads that lead to fewer than the limit. */
  async function follow(some: readonly GramLead[], most: number): Promise<readonly number[] | undefined> {
    if (some.length === 0) return undefined
    const led = await run(some.map((lead) => leadSelect(collection, lead, sqlite, 'row id', most)))
    const sets = (led?.rows ?? []).filter((rows) => rows.length < most).map((rows) => new Set(rows.map(([id]) => id)))
    const [first, ...rest] = sets
    if (first === undefined) return undefined
    return [...rest.reduce((left, each) => left.intersection(each), first)].filter((id) => id !== null).map(Number)
  }
}

const hasGrams = (lead: GramLead): boolean => lead.every(({ literals }) => literals.every(hasGram))
