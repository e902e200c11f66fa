import { type Endpoint, MULTIPART } from '../../contract/endpoint.ts'
import type { HeaderName } from '../../contract/headers.ts'
import { isReading } from '../../contract/route.ts'
import type { BodyShape, Success, WriteSuccess } from '../../contract/success.ts'
import { minimalStatus } from '../../respond/answer-write.ts'

/** A successful status of an endpoint and its meaning. */
export interface DescribedResponse {
  readonly status: number
  /** The possible bodies; empty if there is none. */
  readonly shows: readonly BodyShape[]
  readonly headers: readonly HeaderName[]
  readonly when: string
}

/** The successful responses of an endpoint, each status once. */
export function describedResponses({ describes, method, reads = [] }: Endpoint): readonly DescribedResponse[] {
  const { answers } = describes ?? { answers: [undescribed] }
  const isRead = isReading(method)
  const all = isRead ? answers.map(described) : answers.flatMap((success) => responsesToWrite(success))
  const isFromPages =
    !isRead && reads.some((type) => type === 'application/x-www-form-urlencoded' || type === MULTIPART)
  const led = isFromPages
    ? answers.filter((success: WriteSuccess) => !success.isShownOnce && success.status !== 303).slice(0, 1)
    : []
  const byStatus = Map.groupBy([...all, ...led.map(seeOther)], ({ status }) => status)
  return [...byStatus.values()].map(merged)
}

/** For an endpoint without a description. */
const undescribed: Success = { status: 200, headers: [], when: 'As asked for.' }

const described = ({ status, shows, headers, when }: Success): DescribedResponse => ({
  status,
  shows: shows === undefined ? [] : [shows],
  headers,
  when,
})

/** The three responses of every write: the usual one, a dry run, and one without a body. */
function responsesToWrite(success: WriteSuccess): readonly DescribedResponse[] {
  // A redirect has neither a dry run nor an answer without a body.
  if (success.status === 303) return [described(success)]
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
  headers: ['Location', 'Set-Cookie', ...(isRepeatable ? (['Idempotent-Replayed'] as const) : [])],
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
