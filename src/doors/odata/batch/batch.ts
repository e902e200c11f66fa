import type { Problem, RefusedCall } from '../../../http/contract/problems/problem.ts'
import type { WriteOutcome } from '../../../http/contract/write.ts'
import { guardsMany } from '../../../http/write/intent.ts'
import { appliedOf, writeTogether } from '../../../http/write/write.ts'
import { takeTurns } from '../../../store/port/take-turns.ts'
import type { PackedTexts } from '../../../values/json/texts.ts'
import type { DoorAnswer, DoorResult } from '../../door.ts'
import { superfluousParameter } from '../../kit/around.ts'
import { changePart, listInParts, type PartTexts, packed, readPart } from '../../kit/batch-parts.ts'
import { problemHeaders } from '../../kit/told.ts'
import type { OdataCall } from '../entity-body.ts'
import { belowRoot, entityPath, type OdataPlace, readPlace } from '../place.ts'
import { contentTypeOf, jsonAnswer, preference, tellOdata, usualFormat, versionFor } from '../protocol.ts'
import { answerWritten, type ReadWrite, readWrite } from '../writes.ts'
import { type BatchRequest, type RequestRun, readBatch } from './batch-envelope.ts'
import { innerCall } from './batched-call.ts'

type AnswerPlace = (place: OdataPlace, call: OdataCall) => Promise<DoorResult>

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

/** POST /odata/$batch: one after the other; requests with an atomicityGroup take effect together or not at all. */
export async function answerBatch(call: OdataCall, answer: AnswerPlace): Promise<DoorResult> {
  const around = superfluousParameter(call) ?? guardsMany(call, 'headers')
  if (around !== undefined) return { problem: around }
  const read = readBatch(call.body)
  if ('problem' in read) return read
  const batch: RunningBatch = { call, answer, entities: new Map(), failed: new Set(), count: 0 }
  const goesOn = (preference(call, 'continue-on-error') ?? 'false') === 'true'
  const applied = goesOn ? { 'preference-applied': 'odata.continue-on-error' } : {}
  call.budget.openBatch()
  const parts = await listInParts(responsesTo(read.parts, batch, goesOn), { start: '{"responses":[', end: ']}' })
  if (parts === undefined) return jsonAnswer('{"responses":[]}', usualFormat, applied)
  return { status: 200, headers: applied, parts, contentType: contentTypeOf(usualFormat) }
}

async function* responsesTo(
  runs: readonly RequestRun[],
  batch: RunningBatch,
  goesOn: boolean,
): AsyncGenerator<PartTexts> {
  const turn = takeTurns()
  for (const run of runs) {
    await turn()
    const [only] = run.requests
    const because = failedBefore(run, batch) ?? (goesOn ? undefined : [...batch.failed][0])
    if (because !== undefined)
      for (const request of run.requests) yield respond(request, notTried(request, because), batch)
    else if (run.group === undefined) yield respond(only, await answerAlone(only, batch), batch)
    else yield* answerTogether(run.requests, batch)
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

/** An answer whose length is known. */
interface PartAnswer extends Omit<DoorAnswer, 'parts'> {
  /** Instead of the content, if it is long. */
  readonly texts?: PackedTexts
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
async function* answerTogether(requests: RequestRun['requests'], batch: RunningBatch): AsyncGenerator<PartTexts> {
  const { call } = batch
  const reads = requests.map((request, index) => readGrouped(request, index, batch))
  const writes = reads.map((read) => ('problem' in read ? read : { ...read.write.asked, around: read.inner.around }))
  const refuse = (problem: Problem): RefusedCall => ({ problem })
  const done = await changePart(() => writeTogether(writes, { atomic: true }, call), refuse, call)
  const written = 'problem' in done ? reads.map(() => done) : done.written
  const failed = requests[written.findIndex((each) => !wasApplied(each))]?.id
  for (const [index, request] of requests.entries()) {
    const read = reads[index]
    const each = written[index]
    if (read === undefined || each === undefined) throw new Error('a request of a group was not answered')
    const because = 'notTried' in each ? requests[each.notTried]?.id : failed
    yield respond(request, await answerGrouped(request, read, each, because, batch), batch)
  }
}

const wasApplied = (written: WriteOutcome): boolean => 'outcome' in written && written.outcome.kind === 'applied'

/** One of a group; `because` is the request because of which none of them took effect. */
async function answerGrouped(
  request: BatchRequest,
  read: GroupedWrite | RefusedCall,
  written: WriteOutcome,
  because: string | undefined,
  { call, entities }: RunningBatch,
): Promise<PartAnswer> {
  if ('problem' in written) return tellOf(written.problem, call)
  if ('problem' in read) return tellOf(read.problem, call)
  if ('notTried' in written) return notTried(request, because)
  const applied = appliedOf(written, call)
  if ('problem' in applied) return tellOf(applied.problem, read.inner)
  if (because !== undefined && !written.intent.dryRun) return notTried(request, because)
  entities.set(request.id, entityPath(read.write.set, applied.outcome.thing.id))
  return answerWritten(read.write, applied, read.inner)
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

const onlyWrites: Problem = { code: 'malformed-request', detail: 'An atomicityGroup has requests that change things.' }

function respond({ id, group }: BatchRequest, answered: PartAnswer, batch: RunningBatch): PartTexts {
  const { status, headers = {}, content, texts, contentType } = answered
  if (status >= 400) {
    batch.failed.add(id).add(group ?? id)
    batch.entities.delete(id)
  }
  const hasBody = content !== undefined || texts !== undefined
  const shown = {
    'odata-version': versionFor(batch.call),
    ...headers,
    ...(hasBody && contentType !== undefined && { 'content-type': contentType }),
  }
  const start = JSON.stringify({ id, ...(group !== undefined && { atomicityGroup: group }), status, headers: shown })
  if (!hasBody) return [start]
  const isJson = contentType?.startsWith('application/json')
  const body = texts ?? (isJson ? (content ?? '') : JSON.stringify(content))
  return [`${start.slice(0, -1)},"body":`, body, '}']
}
