import type { Problem } from '../../http/contract/problems/problem.ts'
import { problemType } from '../../http/contract/problems/problem-types.ts'
import { guardsMany } from '../../http/write/intent.ts'
import { takeTurns } from '../../store/port/take-turns.ts'
import { batchBounds } from '../../values/bounds.ts'
import type { DoorAnswer, DoorCall, DoorResult, OpenRoom } from '../door.ts'
import { superfluousParameter } from '../kit/around.ts'
import { changePart, listInParts, type PartTexts, readPart } from '../kit/batch-parts.ts'
import { JSON_TYPE } from '../kit/declaring.ts'
import {
  errorOf,
  errorText,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  invalidRequest,
  type RpcError,
  type RpcRequest,
  readMessage,
  readRequest,
  resultText,
} from '../kit/json-rpc.ts'
import { orProblem } from '../kit/told.ts'
import { callMethod, isReading, type MethodResult } from './methods.ts'

export const openRoom: OpenRoom = () => ({
  answer: answerRpc,
  tell: (problem, call) => ({
    ...json(errorText(errorOf(problem, call, codeOf), null)),
    status: problemType(problem.code).status,
  }),
})

const json = (content: string): DoorAnswer => ({ status: 200, content, contentType: JSON_TYPE })

async function answerRpc(call: DoorCall): Promise<DoorResult> {
  const around = superfluousParameter(call)
  if (around !== undefined) return { problem: around }
  const read = readMessage(call.bytes, call)
  if ('error' in read) return failed(read.error)
  const { body } = read
  if (!Array.isArray(body)) return answered(await answerRequest(body, call, alone))
  if (body.length === 0) return failed(invalidRequest('The batch is empty.'))
  if (body.length > batchBounds.requests) {
    return failed(invalidRequest(`The batch has ${body.length} requests; ${batchBounds.requests} are allowed.`))
  }
  const guarded = guardsMany(call, 'request')
  if (guarded !== undefined) return { problem: guarded }
  call.budget.openBatch()
  const parts = await listInParts(answersTo(body, call), { start: '[', end: ']' })
  return parts === undefined ? { status: 204 } : { status: 200, parts, contentType: JSON_TYPE }
}

/** One after the other: a later request may need the result of an earlier one. */
async function* answersTo(requests: readonly unknown[], call: DoorCall): AsyncGenerator<PartTexts> {
  const turn = takeTurns()
  for (const [among, each] of requests.entries()) {
    await turn()
    const text = await answerRequest(each, { ...call, around: { ...call.around, among } }, inBatch)
    if (text !== undefined) yield [text]
  }
}

/** Notifications alone get no answer. */
const answered = (text: string | undefined): DoorAnswer => (text === undefined ? { status: 204 } : json(text))

const failed = (error: RpcError): DoorAnswer => json(errorText(error, null))

type Perform = (request: RpcRequest, call: DoorCall) => Promise<MethodResult>

/** The answer to one request; undefined for a notification. */
async function answerRequest(request: unknown, call: DoorCall, perform: Perform): Promise<string | undefined> {
  const read = readRequest(request)
  if ('error' in read) return errorText(read.error, read.id ?? null)
  const { id } = read
  const result = await perform(read, call)
  if (id === undefined) return undefined
  if ('json' in result) return resultText(result.json, id)
  return errorText('unknown' in result ? result.unknown : errorOf(result.problem, call, codeOf), id)
}

/** A defect fails the whole request. */
const alone: Perform = ({ method, params }, call) => orProblem(() => callMethod(method, params, call), call)

/** One of several: its failure does not undo the others. */
function inBatch({ method, params }: RpcRequest, call: DoorCall): Promise<MethodResult> {
  const refuse = (problem: Problem): MethodResult => ({ problem })
  const perform = () => callMethod(method, params, call)
  if (!isReading(method, call)) return changePart(perform, refuse, call)
  const bytesOf = (result: MethodResult): number => ('json' in result ? Buffer.byteLength(result.json) : 0)
  return readPart(perform, { bytesOf, refuse }, call)
}

/** The specification leaves -32000 to -32099 to servers: the last two digits of the status, those of 5xx from 50 on. */
function codeOf(status: number): number {
  if (status === 400 || status === 422) return INVALID_PARAMS
  if (status === 500) return INTERNAL_ERROR
  return -32000 - (status % 100) - (status >= 500 ? 50 : 0)
}
