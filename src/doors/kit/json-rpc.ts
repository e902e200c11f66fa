import { invalidBody, type Problem } from '../../http/contract/problems/problem.ts'
import { detailOf } from '../../http/contract/problems/told-problem.ts'
import { readJson } from '../../http/request/body.ts'
import type { Fault } from '../../values/faults/fault.ts'
import { type ExactNumber, isExactNumber } from '../../values/json/exact-numbers.ts'
import { isObject } from '../../values/json/is-object.ts'
import { boundMembers, parseWith } from '../../values/json/parse-json.ts'
import { unknownMembers } from '../../values/members.ts'
import type { Knocking } from '../door.ts'
import { told } from './told.ts'

// https://www.jsonrpc.org/specification

export type RequestId = string | number | ExactNumber | null

export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: object
}

/** A request; without an id it is a notification, which is not answered. */
export interface RpcRequest {
  readonly id: RequestId | undefined
  readonly method: string
  readonly params: object | undefined
}

const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603

/** The sent message; an id that a double cannot hold is kept as written. */
export function readMessage(
  bytes: Buffer,
  call: Knocking,
): { readonly body: unknown } | { readonly error: RpcError; readonly id?: undefined } {
  const read = readJson(bytes)
  const { body } = 'problem' in read ? {} : read
  if (body === undefined) {
    const data = 'problem' in read && { data: told(read.problem, call).members }
    return { error: { code: PARSE_ERROR, message: 'Parse error', ...data } }
  }
  const isBatch = Array.isArray(body)
  if (!(isBatch ? body.some(hasLongId) : hasLongId(body))) return { body }
  const written = parseWith(boundMembers(bytes.toString('utf8')), asWritten)
  return {
    body: isBatch ? body.map((each, at) => withIdOf(each, (written as unknown[])[at])) : withIdOf(body, written),
  }
}

const asWritten = (literal: string) => ({ value: JSON.rawJSON(literal) })

const hasLongId = (request: unknown): boolean =>
  isObject(request) && typeof request.id === 'number' && !Number.isSafeInteger(request.id)

const withIdOf = (request: unknown, written: unknown): unknown =>
  hasLongId(request) ? { ...(request as object), id: (written as { readonly id: ExactNumber }).id } : request

/** A problem as an error, with the protocol's code for its status; its message is the reason, which clients show. */
export function errorOf(problem: Problem, call: Knocking, codeOf: (status: number) => number): RpcError {
  const { status, detail, members } = told(problem, call)
  return { code: codeOf(status), message: detail, data: members }
}

/** A request, or the error with the id as far as it is known. */
export function readRequest(
  request: unknown,
): RpcRequest | { readonly error: RpcError; readonly id: RequestId | undefined } {
  if (!isObject(request)) return { error: invalidRequest('A request is an object.'), id: undefined }
  const { jsonrpc, method, params, id } = request
  const refuse = (detail: string) => ({ error: invalidRequest(detail), id: isRequestId(id) ? id : undefined })
  if (jsonrpc !== '2.0') return refuse('jsonrpc must be "2.0".')
  if (id !== undefined && !isRequestId(id)) return refuse('id must be a text, a number or null.')
  if (typeof method !== 'string') return refuse('method must be a text.')
  const [unknown] = unknownMembers(request, ['jsonrpc', 'method', 'params', 'id'])
  if (unknown !== undefined) return refuse(sentence(unknown))
  if (params !== undefined && (typeof params !== 'object' || params === null))
    return refuse('params must be an object.')
  return { id, method, params: params as object | undefined }
}

/** A fault as a sentence. */
export function sentence(fault: Fault): string {
  const detail = detailOf(invalidBody([fault]))
  return detail.endsWith('?') ? detail : `${detail}.`
}

const isRequestId = (id: unknown): id is RequestId =>
  id === null || typeof id === 'string' || typeof id === 'number' || isExactNumber(id)

export const invalidRequest = (detail: string): RpcError => ({
  code: INVALID_REQUEST,
  message: 'Invalid Request',
  data: { detail },
})

/** An error; without an id if the request is unknown. */
export const errorText = (error: RpcError, id: RequestId | undefined): string =>
  JSON.stringify({ jsonrpc: '2.0', error, id })

export const resultText = (json: string, id: RequestId): string =>
  `{"jsonrpc":"2.0","result":${json},"id":${JSON.stringify(id)}}`
