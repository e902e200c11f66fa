import { searchOptionsOf } from '../../http/ask/read-page.ts'
import type { Answer } from '../../http/contract/answer.ts'
import type { Call, Endpoint } from '../../http/contract/endpoint.ts'
import { parameterProblem } from '../../http/contract/problems/problem.ts'
import { overview } from '../../http/contract/success.ts'
import { sentParameters } from '../../http/endpoints/collections/read-whole.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import { type Collection, fieldOf } from '../../queries/collection.ts'
import { collectionsOf } from '../../queries/collections.ts'
import { askerOf, withCaller } from '../../queries/parse/caller.ts'
import { parseQuery } from '../../queries/parse/parse-query.ts'
import { type Filter, termsOf } from '../../queries/query.ts'
import { misplaced, settingNames, spellingsOf } from '../../queries/settings.ts'
import { withKey } from '../../queries/sort.ts'
import { equals } from '../../queries/term.ts'
import { reason } from '../../values/faults/fault.ts'
import { lazily } from '../../values/lazily.ts'
import { type ShownStage, stagesOf } from '../stages/stages.ts'

const boardScreen = lazily(() => import('./read.ts'))

/** Open deals by stage, those that came last into it first; takes the same filters as the list of deals. decisions/0027 */
export const boardEndpoint = (schema: Schema): Endpoint => ({
  method: 'GET',
  path: '/board',
  role: 'reader',
  summary: 'The open deals by stage',
  offers: 'resource',
  parameters: 'filters',
  describes: {
    group: 'Deals',
    asks: collectionsOf(schema).deals,
    answers: [overview('Board', 'A column for each stage.')],
    refuses: ['query-too-costly'],
  },
  handle: readBoard,
})

const LONGEST_COLUMN = 30
const NO_PAGES = reason('meaningless', { wants: 'board' })

async function readBoard(call: Call): Promise<Answer> {
  const { deals } = collectionsOf(call.schema)
  const latestCome = withKey(deals, [{ field: fieldOf(deals, 'stageSince'), descending: true }])
  const parsed = withCaller(
    parseQuery(deals, call.query, { sort: latestCome }),
    askerOf(call.schema, call.caller?.user ?? null),
  )
  if ('faults' in parsed) return { problem: parameterProblem(parsed.faults) }
  const refused = misplaced(call.query, notForBoard, NO_PAGES)
  if (refused.length > 0) return { problem: parameterProblem(refused) }
  const { addresses } = call.service
  const { filter, sort } = parsed.query
  const query = { filter, sort, size: LONGEST_COLUMN, page: 1, count: false, refuseEmpty: false }
  const options = searchOptionsOf(query, call)
  const columns = await Promise.all(
    columnsOf(call.schema, filter).map(async (shown) => ({
      shown,
      ...(await call.desk.page(deals, within(deals, shown), query, options)),
    })),
  )
  const json = columns.map(
    ({ shown: { pipeline, stage }, items, hasMore }) =>
      `{"pipeline":"${pipeline}","stage":"${stage}","items":[${items.join()}],"hasMore":${hasMore}}`,
  )
  const links = JSON.stringify({ self: addresses.board, deals: addresses.deals })
  const screen =
    call.representation === 'html'
      ? await (await boardScreen()).showBoard(columns, { parameters: sentParameters(call.query), filter }, call)
      : undefined
  return {
    status: 200,
    document: {
      title: 'Board',
      kind: 'resource',
      item: 'board',
      json: `{"columns":[${json}],"links":${links}}`,
      ...(screen && { screen }),
    },
  }
}

const notForBoard = settingNames.difference(spellingsOf('sort', 'format'))

/** The stages of the pipeline that is asked for, or of all. */
function columnsOf(schema: Schema, filter: Filter): readonly ShownStage[] {
  const asked = termsOf(filter).find(({ field, operator }) => field.name === 'pipeline' && operator === 'eq')
  return stagesOf(schema).filter(({ pipeline }) => asked?.values.includes(pipeline) ?? true)
}

const within = (deals: Collection, { pipeline, stage }: ShownStage): Filter => [
  equals(deals, 'status', 'open'),
  equals(deals, 'pipeline', pipeline),
  equals(deals, 'stage', stage),
]
