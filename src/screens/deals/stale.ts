import { say } from '../../languages/say.ts'
import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import { fieldOf } from '../../queries/collection.ts'
import { collectionsOf } from '../../queries/collections.ts'
import type { Markup } from '../../representations/markup/markup.ts'
import { type DataObject, readDocument } from '../../representations/read-document.ts'
import type { Desk } from '../../store/port/desk.ts'
import { ask } from '../parts/ask.ts'
import { mark } from '../parts/marks.ts'
import { stageAt } from '../stages/stages.ts'

/** A deal as far as its stage matters. */
interface PlacedDeal {
  readonly id: string
  readonly status: string
  readonly pipeline: string
  readonly stage: string
}

/** The mark of a deal that has been in its stage for too long; undefined for others. */
export type MarkStale = (deal: Pick<PlacedDeal, 'id'>) => Markup | undefined

/** The whole days since a deal entered its stage, if they are more than the stage allows; null allows any number. */
export function daysStale(staleAfter: number | null, since: string, now: string): number | undefined {
  const elapsed = Date.parse(now) - Date.parse(since)
  return staleAfter !== null && elapsed > staleAfter * DAY ? Math.floor(elapsed / DAY) : undefined
}

const DAY = 86_400_000

/** Reads since when open deals are in their stages; nothing is read if these allow any number of days. */
export async function readStale(deals: Iterable<PlacedDeal>, desk: Desk, now: string): Promise<MarkStale> {
  if (!hasLimits(desk.schema)) return () => undefined
  const limits = new Map<string, number>()
  for (const deal of deals) {
    const staleAfter = deal.status === 'open' ? staleAfterOf(desk.schema, deal) : null
    if (staleAfter !== null) limits.set(deal.id, staleAfter)
  }
  const marks = new Map<string, Markup>()
  const ids = [...limits.keys()]
  for (let at = 0; at < ids.length; at += MOST) {
    for (const { id, stageSince } of await sinceOf(ids.slice(at, at + MOST), desk)) {
      const days = daysStale(limits.get(String(id)) ?? null, String(stageSince), now)
      if (days !== undefined) marks.set(String(id), mark('late', say('{count} days in this stage', { count: days })))
    }
  }
  return ({ id }) => marks.get(id)
}

/** As many as a page of groups has. */
const MOST = 1000

/** The documents of deals do not have it. */
async function sinceOf(ids: readonly string[], desk: Desk): Promise<readonly DataObject[]> {
  const { deals } = collectionsOf(desk.schema)
  const among = { field: fieldOf(deals, 'id'), operator: 'eq', values: ids } as const
  const { items } = await ask(desk, deals, `group=id,stageSince&maxpagesize=${MOST}`, [among])
  return items.map((json) => readDocument(json) as DataObject)
}

const hasLimits = bySchema(({ pipelines }: Schema): boolean =>
  pipelines.some(({ stages }) => stages.some(({ staleAfter }) => staleAfter !== null)),
)

/** The declared days of a deal's stage. */
const staleAfterOf = (schema: Schema, deal: PlacedDeal): number | null => stageAt(schema, deal)?.staleAfter ?? null
