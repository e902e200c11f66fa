import { header } from '../../http/contract/endpoint.ts'
import type { Problem, RefusedCall } from '../../http/contract/problems/problem.ts'
import { problemType } from '../../http/contract/problems/problem-types.ts'
import { isFromElsewhere, ownOriginsOf } from '../../http/gate/cross-site.ts'
import { isWelcome } from '../../http/negotiate/negotiation.ts'
import { isObject } from '../../values/json/is-object.ts'
import type { DoorAnswer, DoorCall, OpenRoom } from '../door.ts'
import { superfluousParameter } from '../kit/around.ts'
import { JSON_TYPE } from '../kit/declaring.ts'
import {
  errorOf,
  errorText,
  INTERNAL_ERROR,
  invalidRequest,
  METHOD_NOT_FOUND,
  type RequestId,
  type RpcError,
  readMessage,
  readRequest,
  resultText,
} from '../kit/json-rpc.ts'
import { callMcp } from './methods.ts'
import { MODERN, readVersion } from './protocol.ts'

export const openRoom: OpenRoom = ({ settings }) => {
  const ownOrigins = ownOriginsOf(settings)
  return {
    answer: async (call) => headFault(call, ownOrigins) ?? answerMessage(call),
    tell: (problem, call) =>
      send(problemType(problem.code).status, errorText(errorOf(problem, call, codeOf), undefined)),
  }
}

const send = (status: number, content: string): DoorAnswer => ({ status, content, contentType: JSON_TYPE })

/** A page of another origin may not call, whatever its credential: the protocol demands it. */
function headFault(call: DoorCall, ownOrigins: ReadonlySet<string>): RefusedCall | undefined {
  if (isFromElsewhere(call.method, call.headers, ownOrigins)) return { problem: foreign }
  if (!isWelcome(header(call, 'accept'), undefined, [JSON_TYPE])) return { problem: unwelcome }
  const around = superfluousParameter(call)
  return around === undefined ? undefined : { problem: around }
}

const foreign: Problem = {
  code: 'cross-site-request',
  detail: 'A page of another origin may not call this, unless CORS_ORIGINS names it.',
}

const unwelcome: Problem = { code: 'not-acceptable', detail: `This is available as ${JSON_TYPE}.` }

/** One message: a request is answered, anything else is acknowledged. */
async function answerMessage(call: DoorCall): Promise<DoorAnswer> {
  const read = readMessage(call.bytes, call)
  if ('error' in read) return refused(read.error)
  const { body } = read
  if (Array.isArray(body)) return refused(invalidRequest('Batches are not part of the protocol since 2025-06-18.'))
  if (isResponse(body)) return { status: 202 }
  const request = readRequest(body)
  if ('error' in request) return refused(request.error, request.id)
  const { id, method, params } = request
  if (id === null) return refused(invalidRequest('id must be a text or a number.'))
  const head = readVersion(request, call)
  if ('error' in head) return refused(head.error, id)
  if (id === undefined) return { status: 202 }
  const answer = await callMcp(method, params, head.version, call)
  if (!('error' in answer)) return send(200, resultText(answer.json, id))
  const isMissing = head.version === MODERN && answer.error.code === METHOD_NOT_FOUND
  return send(isMissing ? 404 : 200, errorText(answer.error, id))
}

/** The server asks the client nothing, so its responses are not needed. */
const isResponse = (body: unknown): boolean =>
  isObject(body) && body.method === undefined && (body.result !== undefined || body.error !== undefined)

const refused = (error: RpcError, id?: RequestId): DoorAnswer => send(400, errorText(error, id ?? undefined))

/** The specification leaves codes outside those of JSON-RPC to servers: the status of HTTP. */
const codeOf = (status: number): number => (status === 500 ? INTERNAL_ERROR : status)
