import type { Problem, RefusedCall } from '../../../http/contract/problems/problem.ts'
import { guardsMany } from '../../../http/write/intent.ts'
import { takeTurns } from '../../../store/port/take-turns.ts'
import type { PackedTexts } from '../../../values/json/texts.ts'
import type { DoorAnswer, DoorResult } from '../../door.ts'
import { superfluousParameter } from '../../kit/around.ts'
import { changePart, listInParts, type PartTexts, packed, readPart } from '../../kit/batch-parts.ts'
import { problemHeaders } from '../../kit/told.ts'
import { type PartOutcome, writeParts } from '../../kit/write-parts.ts'
import type { OdataCall } from '../entity-body.ts'
import { belowRoot, entityPath, type OdataPlace, readPlace } from '../place.ts'
import { contentTypeOf, preference, tellOdata, usualFormat } from '../protocol.ts'
import { answerWritten, type ReadWrite, readWrite } from '../writes.ts'
import type { BatchRequest, RequestRun } from './batch-envelope.ts'
import { innerCall } from './batched-call.ts'

type AnswerPlace = (place: OdataPlace, call: OdataCall) => Promise<DoorResult>

/** How a batch is written: as JSON or as multipart. */
export interface BatchFormat {
  readonly start: string
  readonly between: string
  readonly end: string
  readonly contentType: string
  /** The text of a response; none if it is not sent. */
  readonly write: (response: BatchResponse) => PartTexts
}

/** The response to one request. */
export interface BatchResponse {
  readonly request: BatchRequest
  readonly answer: PartAnswer
  readonly run: RequestRun
  /** The request of its run because of which nothing of it took effect, if there is one. */
  readonly failed: BatchRequest | undefined
}

/** An answer whose length is known. */
export interface PartAnswer extends Omit<DoorAnswer, 'parts'> {
  /** Instead of the content, if it is long. */
  readonly texts?: PackedTexts
}

/** A batch under way. */
interface RunningBatch {
  readonly call: OdataCall
  readonly answer: AnswerPlace
  readonly entities: Map<string, string>
  /** Requests and groups that did not succeed. */
  readonly failed: Set<string>
  /** The number of earlier requests. */
  count: number
}

/** POST /odata/$batch: one after the other; requests of one group take effect together or not at all. */
export async function answerBatch(
  runs: readonly RequestRun[],
  format: BatchFormat,
  call: OdataCall,
  answer: AnswerPlace,
): Promise<DoorResult> {
  const around = superfluousParameter(call) ?? guardsMany(call, 'headers')
  if (around !== undefined) return { problem: around }
  const batch: RunningBatch = { call, answer, entities: new Map(), failed: new Set(), count: 0 }
  const goesOn = (preference(call, 'continue-on-error') ?? 'false') === 'true'
  const headers = goesOn ? { 'preference-applied': 'odata.continue-on-error' } : {}
  const { start, end, contentType } = format
  call.budget.openBatch()
  const parts = await listInParts(writtenResponses(responsesTo(runs, batch, goesOn), format), format)
  if (parts === undefined) return { status: 200, headers, content: start + end, contentType }
  return { status: 200, headers, parts, contentType }
}

async function* writtenResponses(
  responses: AsyncGenerator<BatchResponse>,
  { write }: BatchFormat,
): AsyncGenerator<PartTexts> {
  for await (const response of responses) {
    const texts = write(response)
    if (texts.length > 0) yield texts
  }
}

async function* responsesTo(
  runs: readonly RequestRun[],
  batch: RunningBatch,
  goesOn: boolean,
): AsyncGenerator<BatchResponse> {
  const turn = takeTurns()
  for (const run of runs) {
    await turn()
    const [only] = run.requests
    const because = failedBefore(run, batch) ?? (goesOn ? undefined : [...batch.failed][0])
    if (because !== undefined)
      for (const request of run.requests) yield respond(request, notTried(request, because), run, only, batch)
    else if (run.group === undefined) {
      const answer = await answerAlone(only, batch)
      yield respond(only, answer, run, answer.status < 400 ? undefined : only, batch)
    } else yield* answerTogether(run, batch)
    batch.count += run.requests.length
  }
}

const failedBefore = ({ requests }: RequestRun, { failed }: RunningBatch): string | undefined =>
  requests.flatMap(({ dependsOn }) => dependsOn).find((name) => failed.has(name))

/** RFC 4918 §11.4: 424, failed dependency. */
const notTried = ({ id }: BatchRequest, because = ''): DoorAnswer => ({
  status: 424,
  content: JSON.stringify({
    error: { code: 'not-tried', message: `Request ${id} was not tried, because ${because} did not succeed.` },
  }),
  contentType: contentTypeOf(usualFormat),
})

/** A request as if it had come alone, and its place. */
function readInner(request: BatchRequest, index: number, batch: RunningBatch): InnerRequest | RefusedCall {
  const inner = innerCall(request, batch.count + index, batch)
  if ('problem' in inner) return inner
  const place = readPlace(inner.path.slice('/odata'.length), inner)
  return 'problem' in place ? place : { inner, place }
}

interface InnerRequest {
  readonly inner: OdataCall
  readonly place: OdataPlace
}

async function answerAlone(request: BatchRequest, batch: RunningBatch): Promise<PartAnswer> {
  const read = readInner(request, 0, batch)
  if ('problem' in read) return tellOf(read.problem, batch.call)
  const { inner, place } = read
  const refuse = (problem: Problem): PartAnswer => tellOf(problem, inner)
  const perform = async (): Promise<PartAnswer> => {
    const told = place.kind === 'batch' ? { problem: nested } : await batch.answer(place, inner)
    return 'problem' in told ? refuse(told.problem) : countable(told)
  }
  const answered =
    inner.method === 'GET'
      ? await readPart(perform, { bytesOf, refuse }, inner)
      : await changePart(perform, refuse, inner)
  const made = answered.headers?.location ?? (place.kind === 'entity' ? inner.path : undefined)
  if (made !== undefined) batch.entities.set(request.id, belowRoot(made))
  return answered
}

const countable = async ({ parts, ...told }: DoorAnswer): Promise<PartAnswer> =>
  parts === undefined ? told : { ...told, texts: await packed(parts) }

const bytesOf = ({ status, content = '', texts }: PartAnswer): number =>
  status < 400 ? (texts?.size ?? Buffer.byteLength(content)) : 0

const nested: Problem = { code: 'malformed-request', detail: 'A batch is not part of a batch.' }

/** The headers of a problem are part of its answer. */
function tellOf(problem: Problem, call: OdataCall): DoorAnswer {
  const told = tellOdata(problem, call)
  return { ...told, headers: { ...problemHeaders(problem, call), ...told.headers } }
}

/** All in one commit, or none. */
async function* answerTogether(run: RequestRun, batch: RunningBatch): AsyncGenerator<BatchResponse> {
  const { requests } = run
  const { call } = batch
  const reads = requests.map((request, index) => readGrouped(request, index, batch))
  const writes = reads.map((read) => ('problem' in read ? read : { ...read.write.asked, around: read.inner.around }))
  const refuse = (problem: Problem): RefusedCall => ({ problem })
  const done = await changePart(() => writeParts(writes, call), refuse, call)
  const outcomes = 'problem' in done ? reads.map(() => done) : done
  const failed = requests[outcomes.findIndex((each) => 'problem' in each)]
  for (const [index, request] of requests.entries()) {
    const read = reads[index]
    const outcome = outcomes[index]
    if (read === undefined || outcome === undefined) throw new Error('a request of a group was not answered')
    const answer =
      'because' in outcome
        ? notTried(request, requests[outcome.because]?.id)
        : await answerGrouped(request, read, outcome, batch)
    yield respond(request, answer, run, failed, batch)
  }
}

async function answerGrouped(
  request: BatchRequest,
  read: GroupedWrite | RefusedCall,
  outcome: Exclude<PartOutcome, { readonly because: number }>,
  { call, entities }: RunningBatch,
): Promise<PartAnswer> {
  if ('problem' in read) return tellOf(read.problem, call)
  if ('problem' in outcome) return tellOf(outcome.problem, read.inner)
  entities.set(request.id, entityPath(read.write.set, outcome.outcome.thing.id))
  return answerWritten(read.write, outcome, read.inner)
}

interface GroupedWrite {
  readonly inner: OdataCall
  readonly write: ReadWrite
}

function readGrouped(request: BatchRequest, index: number, batch: RunningBatch): GroupedWrite | RefusedCall {
  const read = readInner(request, index, batch)
  if ('problem' in read) return read
  const { inner, place } = read
  if (inner.method === 'GET') return { problem: onlyWrites }
  const write = readWrite(place, inner)
  if ('problem' in write) return write
  // The store's name for the result of an earlier change of the same commit. decisions/0038
  batch.entities.set(request.id, entityPath(write.set, `$${index}`))
  return { inner, write }
}

const onlyWrites: Problem = { code: 'malformed-request', detail: 'Requests that take effect together change things.' }

function respond(
  request: BatchRequest,
  answer: PartAnswer,
  run: RequestRun,
  failed: BatchRequest | undefined,
  batch: RunningBatch,
): BatchResponse {
  const { id, group } = request
  if (answer.status >= 400) {
    batch.failed.add(id).add(group ?? id)
    batch.entities.delete(id)
  }
  return { request, answer, run, failed }
}
