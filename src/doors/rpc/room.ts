import type { Problem } from '../../http/contract/problems/problem.ts'
import { problemType } from '../../http/contract/problems/problem-types.ts'
import { problemMembers } from '../../http/contract/problems/told-problem.ts'
import { storeProblem } from '../../http/respond/problems/store-problem.ts'
import { takeTurns } from '../../store/port/take-turns.ts'
import type { DoorAnswer, DoorCall, Knocking, OpenRoom } from '../door.ts'
import { guardsMany, superfluousParameter } from '../kit/around.ts'
import { changePart, listInParts, type PartTexts, readPart } from '../kit/batch-parts.ts'
import {
  errorText,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  invalidRequest,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  type RpcError,
  type RpcRequest,
  readMessage,
  readRequest,
  resultText,
} from '../kit/json-rpc.ts'
import { callMethod, isReading } from './methods.ts'

/** The most requests of a batch. */
const MOST_REQUESTS = 1000

export const openRoom: OpenRoom = () => ({
  answer: answerRpc,
  tell: (problem, call) => ({
    ...json(errorText(errorOf(problem, call), null)),
    status: problemType(problem.code).status,
  }),
})

const JSON_TYPE = 'application/json'

const json = (content: string): DoorAnswer => ({ status: 200, content, contentType: JSON_TYPE })

async function answerRpc(call: DoorCall): Promise<DoorAnswer | { readonly problem: Problem }> {
  const around = superfluousParameter(call)
  if (around !== undefined) return { problem: around }
  const read = readMessage(call.bytes)
  if ('problem' in read) return failed({ ...errorOf(read.problem, call), code: PARSE_ERROR, message: 'Parse error' })
  const { body } = read
  if (body === undefined) return failed({ code: PARSE_ERROR, message: 'Parse error' })
  if (!Array.isArray(body)) return answered(await answerRequest(body, call, alone))
  if (body.length === 0) return failed(invalidRequest('The batch is empty.'))
  if (body.length > MOST_REQUESTS) {
    return failed(invalidRequest(`The batch has ${body.length} requests; ${MOST_REQUESTS} are allowed.`))
  }
  const guarded = guardsMany(call, 'request')
  if (guarded !== undefined) return { problem: guarded }
  call.budget.openBatch()
  const parts = await listInParts(answersTo(body, call), { start: '[', end: ']' })
  return parts === undefined ? { status: 204 } : { status: 200, parts, contentType: JSON_TYPE }
}

/** One after the other: a later request may need what an earlier one did. */
async function* answersTo(requests: readonly unknown[], call: DoorCall): AsyncGenerator<PartTexts> {
  const turn = takeTurns()
  for (const [among, each] of requests.entries()) {
    await turn()
    const text = await answerRequest(each, { ...call, around: { ...call.around, among } }, inBatch)
    if (text !== undefined) yield [text]
  }
}

/** Nothing is answered where there were notifications alone. */
const answered = (text: string | undefined): DoorAnswer => (text === undefined ? { status: 204 } : json(text))

const failed = (error: RpcError): DoorAnswer => json(errorText(error, null))

type Perform = (request: RpcRequest, call: DoorCall) => Promise<RpcResult>
type RpcResult = { readonly json: string } | { readonly error: RpcError }

/** The answer to one request; undefined for a notification. */
async function answerRequest(request: unknown, call: DoorCall, perform: Perform): Promise<string | undefined> {
  const read = readRequest(request)
  if ('error' in read) return errorText(read.error, read.id ?? null)
  const { id } = read
  const result = await perform(read, call)
  if (id === undefined) return undefined
  return 'error' in result ? errorText(result.error, id) : resultText(result.json, id)
}

/** A defect is one of the whole request. */
async function alone(request: RpcRequest, call: DoorCall): Promise<RpcResult> {
  try {
    return await perform(request, call)
  } catch (cause) {
    const problem = storeProblem(cause, call.instance, call.service.log)
    if (problem === undefined) throw cause
    return { error: errorOf(problem, call) }
  }
}

async function perform({ method, params }: RpcRequest, call: DoorCall): Promise<RpcResult> {
  const result = await callMethod(method, params, call)
  if ('unknown' in result) {
    return { error: { code: METHOD_NOT_FOUND, message: 'Method not found', data: { detail: result.unknown } } }
  }
  return 'problem' in result ? { error: errorOf(result.problem, call) } : result
}

/** One of several: that it fails does not undo the others. */
function inBatch(request: RpcRequest, call: DoorCall): Promise<RpcResult> {
  const refuse = (problem: Problem): RpcResult => ({ error: errorOf(problem, call) })
  if (!isReading(request.method, call)) return changePart(() => perform(request, call), refuse, call)
  const bytesOf = (result: RpcResult): number => ('json' in result ? Buffer.byteLength(result.json) : 0)
  return readPart(() => perform(request, call), { bytesOf, refuse }, call)
}

function errorOf(problem: Problem, { service, instance }: Knocking): RpcError {
  const { status, title } = problemType(problem.code)
  return {
    code: codeOf(status),
    message: title,
    data: { ...problemMembers(problem, service.addresses), instance },
  }
}

/** The specification leaves -32000 to -32099 to servers: the last two digits of the status, those of 5xx from 50 on. */
function codeOf(status: number): number {
  if (status === 400 || status === 422) return INVALID_PARAMS
  if (status === 500) return INTERNAL_ERROR
  return -32000 - (status % 100) - (status >= 500 ? 50 : 0)
}
