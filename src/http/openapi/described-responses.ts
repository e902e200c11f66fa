import type { Endpoint } from '../endpoint.ts'
import { minimalStatus } from '../respond/answer-write.ts'
import type { BodyShape, Success, WriteSuccess } from '../respond/success.ts'
import type { HeaderName } from './headers.ts'

/** One status that an endpoint answers with when it goes well, and what it means there. */
export interface DescribedResponse {
  readonly status: number
  /** What the body may show; nothing where there is none. */
  readonly shows: readonly BodyShape[]
  readonly headers: readonly HeaderName[]
  readonly when: string
}

/** What an endpoint answers when it goes well, each status once. */
export function describedResponses({ describes, method, reads = [] }: Endpoint): readonly DescribedResponse[] {
  const { answers } = describes ?? { answers: [undescribed] }
  const all = method === 'GET' ? answers.map(described) : answers.flatMap((success) => responsesToWrite(success))
  const isFromPages = reads.includes('application/x-www-form-urlencoded')
  const led = isFromPages ? answers.filter((success: WriteSuccess) => !success.isShownOnce).slice(0, 1) : []
  const byStatus = Map.groupBy([...all, ...led.map(seeOther)], ({ status }) => status)
  return [...byStatus.values()].map(merged)
}

/** For an endpoint that says nothing of itself. */
const undescribed: Success = { status: 200, headers: [], when: 'As asked for.' }

const described = ({ status, shows, headers, when }: Success): DescribedResponse => ({
  status,
  shows: shows === undefined ? [] : [shows],
  headers,
  when,
})

/** As it is, as a dry run, and without a body: the same three for every write. */
function responsesToWrite(success: WriteSuccess): readonly DescribedResponse[] {
  const { headers, isRepeatable, isShownOnce, foresees } = success
  const repeated: readonly HeaderName[] = isRepeatable ? ['Idempotent-Replayed'] : []
  const done = { ...described(success), headers: [...headers, ...repeated] }
  const tried = {
    status: 200,
    shows: foresees === undefined ? [] : [foresees],
    headers: ['Dry-Run', ...repeated] as const,
    when: 'After a dry run: what would result.',
  }
  const minimal = isShownOnce ? [] : [{ ...withoutBody(done), status: minimalStatus(success) }]
  return [done, ...minimal, tried, { ...withoutBody(tried), status: 204 }]
}

const withoutBody = (response: DescribedResponse): DescribedResponse => ({
  ...response,
  shows: [],
  headers: [...response.headers, 'Preference-Applied'],
  when: 'No body, as `Prefer` asks.',
})

const seeOther = ({ isRepeatable }: WriteSuccess): DescribedResponse => ({
  status: 303,
  shows: [],
  headers: ['Location', ...(isRepeatable ? (['Idempotent-Replayed'] as const) : [])],
  when: 'Done from a page: the address to see next.',
})

function merged(responses: readonly DescribedResponse[]): DescribedResponse {
  const shows = new Map(responses.flatMap((each) => each.shows).map((shape) => [JSON.stringify(shape), shape]))
  return {
    status: responses[0]?.status ?? 200,
    shows: [...shows.values()],
    headers: [...new Set(responses.flatMap(({ headers }) => headers))],
    when: [...new Set(responses.map(({ when }) => when))].join(' '),
  }
}
