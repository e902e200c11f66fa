import type { Collection } from '../../../queries/collection.ts'
import type { Filter } from '../../../queries/query.ts'
import { type GramLead, gramLeads, leadSelect } from '../../select/gram-leads.ts'
import { hasGram } from '../../select/grams.ts'
import { sqlite } from '../sql/dialect.ts'
import type { RunStep } from './search-text.ts'

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
