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

export interface DescribedResponses {
  readonly usual: readonly DescribedResponse[]
  /** Bodies of another shape, by the parameters that ask for them: a program that sends none gets the usual ones. */
  readonly asked: ReadonlyMap<string, readonly BodyShape[]>
}

interface PossibleResponse extends DescribedResponse {
  readonly askedBy: readonly string[]
}

/** The successful responses of an endpoint, each status once. */
export function describedResponses(endpoint: Endpoint): DescribedResponses {
  const { describes, method } = endpoint
  const { answers } = describes ?? { answers: [undescribed] }
  const all = isReading(method) ? answers.map(described) : answers.flatMap((success) => responsesToWrite(success))
  const usual = byStatus([...all.filter(({ askedBy }) => askedBy.length === 0), ...ledOn(endpoint, answers)])
  const others = all.filter((each) => each.askedBy.length > 0 && !usual.some((response) => isSame(response, each)))
  const asked = Map.groupBy(others, ({ askedBy }) => askedBy.join())
  return { usual, asked: new Map([...asked].map(([parameters, responses]) => [parameters, merged(responses).shows])) }
}

/** Whether a response with the same status shows the same. */
const isSame = (one: DescribedResponse, other: DescribedResponse): boolean =>
  one.status === other.status &&
  other.shows.every((shape) => one.shows.some((each) => JSON.stringify(each) === JSON.stringify(shape)))

/** A form of a page is answered with the address to see next. */
function ledOn({ method, reads = [] }: Endpoint, answers: readonly WriteSuccess[]): readonly DescribedResponse[] {
  const isFromPages =
    !isReading(method) && reads.some((type) => type === 'application/x-www-form-urlencoded' || type === MULTIPART)
  const shown = isFromPages ? answers.filter(({ isShownOnce, status }) => !isShownOnce && status !== 303) : []
  return shown.slice(0, 1).map(seeOther)
}

/** For an endpoint without a description. */
const undescribed: Success = { status: 200, headers: [], when: 'As asked for.' }

const described = ({ status, shows, headers, when, askedBy = [] }: Success): PossibleResponse => ({
  status,
  shows: shows === undefined ? [] : [shows],
  headers,
  when,
  askedBy,
})

const DRY_RUN = ['dry-run']

/** The three responses of every write: the usual one, a dry run, and one without a body. */
function responsesToWrite(success: WriteSuccess): readonly PossibleResponse[] {
  // A redirect has neither a dry run nor an answer without a body.
  if (success.status === 303) return [described(success)]
  const { headers, isRepeatable, isShownOnce, foresees } = success
  const repeated: readonly HeaderName[] = isRepeatable ? ['Idempotent-Replayed'] : []
  const usual = described(success)
  // A dry run is answered with 200, whatever it shows.
  const trial: readonly HeaderName[] = success.status === 200 ? ['Dry-Run'] : []
  const done = { ...usual, headers: [...headers, ...repeated, ...trial] }
  const tried: PossibleResponse = {
    status: 200,
    shows: foresees === undefined ? [] : [foresees],
    headers: ['Dry-Run', ...repeated],
    when: 'After a dry run: what would result.',
    askedBy: DRY_RUN,
  }
  const minimal = isShownOnce ? [] : [{ ...withoutBody(done), status: minimalStatus(success) }]
  return [done, ...minimal, tried, { ...withoutBody(tried), status: 204, askedBy: [] }]
}

const withoutBody = (response: PossibleResponse): PossibleResponse => ({
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

function byStatus(responses: readonly DescribedResponse[]): readonly DescribedResponse[] {
  return [...Map.groupBy(responses, ({ status }) => status).values()].map(merged)
}

function merged(responses: readonly DescribedResponse[]): DescribedResponse {
  const shows = new Map(responses.flatMap((each) => each.shows).map((shape) => [JSON.stringify(shape), shape]))
  return {
    status: responses[0]?.status ?? 200,
    shows: [...shows.values()],
    headers: [...new Set(responses.flatMap(({ headers }) => headers))],
    when: [...new Set(responses.map(({ when }) => when))].join(' '),
  }
}
