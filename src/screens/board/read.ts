import type { Call } from '../../http/contract/endpoint.ts'
import { dayIn } from '../../languages/formats.ts'
import type { DealPlace } from '../../model/nouns/deal/place.ts'
import { resourceNamed } from '../../model/schema/resources.ts'
import { collectionsOf } from '../../queries/collections.ts'
import type { Filter } from '../../queries/query.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { type DataObject, readDocument } from '../../representations/read-document.ts'
import type { Desk } from '../../store/port/desk.ts'
import { mayDo } from '../../values/role.ts'
import { readStale } from '../deals/stale.ts'
import { newCommandId } from '../forms/command-id.ts'
import { readSavedViews } from '../list/saved-views.ts'
import { ask, unlessTooCostly } from '../parts/ask.ts'
import { thousandthsOf } from '../parts/money.ts'
import { readFilterNames, readNames } from '../parts/names.ts'
import { isUser, type Screen } from '../parts/screen.ts'
import { type Amount, readDeal, type ShownDeal } from '../parts/shown.ts'
import { untilChanged } from '../parts/until-changed.ts'
import { readReporting } from '../reporting/read.ts'
import { type CurrencySum, type Reporting, reportedSum } from '../reporting/reporting.ts'
import { isAt } from '../stages/stages.ts'
import { type BoardColumn, boardPage } from './view.ts'

interface StoredColumn extends Pick<BoardColumn, 'shown' | 'hasMore'> {
  readonly items: readonly string[]
}

/** The query of the board. */
interface BoardQuery {
  readonly parameters: readonly Parameter[]
  readonly filter: Filter
}

export async function showBoard(stored: readonly StoredColumn[], query: BoardQuery, call: Call): Promise<Screen> {
  const { addresses } = call.service
  const now = new Date().toISOString()
  const today = dayIn(now, call.reader.timeZone)
  const resource = resourceNamed(call.desk.schema, 'deal')
  const columns = stored.map(({ shown, items, hasMore }) => ({ shown, hasMore, deals: items.map(readDeal) }))
  const shown = columns.flatMap(({ deals }) => deals)
  const [names, filterNames, stale, reporting, saved, groups] = await Promise.all([
    readNames(resource, shown, call.desk),
    readFilterNames(resource, query.parameters, call.desk),
    readStale(shown, call.desk, now),
    readReporting(call, today),
    readSavedViews(resource.plural, call),
    columns.some(({ hasMore }) => hasMore) ? unlessTooCostly(groupsOf(call.desk, keyOf(query, call), query), []) : [],
  ])
  return () =>
    boardPage({
      resource,
      schema: resource.schema,
      columns: columns.map((column) => withNumbers(column, groups, reporting)),
      reporting,
      names,
      filterNames,
      stale,
      parameters: query.parameters,
      saved,
      isUser: isUser(call),
      today,
      addresses,
      commandId: mayDo(call, 'editor') ? newCommandId : undefined,
    })
}

/** The deals of a currency in a stage. */
interface StageSum extends CurrencySum, DealPlace {
  readonly count: number
}

/** A column that shows all of its deals is summed from them, so that its numbers always match its cards. */
function withNumbers(
  column: Pick<BoardColumn, 'shown' | 'deals' | 'hasMore'>,
  groups: readonly StageSum[],
  reporting: Reporting,
): BoardColumn {
  const sums = column.hasMore ? groups.filter(isAt(column.shown)) : column.deals.map(sumOf)
  const count = sums.reduce((all, each) => all + each.count, 0)
  return { ...column, count: Math.max(count, column.deals.length), sum: reportedSum(sums, reporting) }
}

const sumOf = ({ pipeline, stage, currency, price }: ShownDeal): StageSum => ({
  pipeline,
  stage,
  currency,
  count: 1,
  value: thousandthsOf(price),
})

const groupsOf = untilChanged(async (desk: Desk, _key: string, { filter }: BoardQuery) => {
  // The reader chooses the filter, so this has the budget of a page.
  const { items } = await ask(desk, collectionsOf(desk.schema).deals, GROUPS, filter)
  const groups = items.map((json) => readDocument(json) as DataObject)
  return groups.map(
    ({ pipeline, stage, currency, count, 'sum.price': sum }): StageSum => ({
      pipeline: String(pipeline),
      stage: String(stage),
      currency: String(currency),
      count: Number(count),
      value: thousandthsOf(sum as Amount),
    }),
  )
})

const GROUPS = 'status=open&group=pipeline,stage,currency&measure=count,sum.price&maxpagesize=1000'

/** Identifies a query; `owner=me` differs for each caller. */
const keyOf = ({ parameters }: BoardQuery, { caller }: Call): string =>
  JSON.stringify([caller?.user, ...parameters.map(({ raw }) => raw)])
