import type { Headers } from '../../http/contract/answer.ts'
import { header } from '../../http/contract/endpoint.ts'
import { headerProblem, type Problem, type RefusedCall } from '../../http/contract/problems/problem.ts'
import { type ToldError, toldErrors } from '../../http/contract/problems/told-problem.ts'
import type { WriteWords } from '../../http/contract/write.ts'
import { preferredType } from '../../http/negotiate/accept.ts'
import { readHttpDate } from '../../http/negotiate/http-date.ts'
import { readIdempotencyKey } from '../../http/request/command-id.ts'
import { reason } from '../../values/faults/fault.ts'
import type { DoorAnswer, DoorCall, Knocking } from '../door.ts'
import { JSON_TYPE } from '../kit/declaring.ts'
import { told } from '../kit/told.ts'

type Asking = Pick<Knocking, 'headers'>

/** 4.01 only if OData-MaxVersion allows it; control information keeps its prefix in either. */
export function versionFor(call: Asking): string {
  const most = Number.parseFloat(header(call, 'odata-maxversion') ?? '')
  return most >= 4.01 ? '4.01' : '4.0'
}

export function versionProblem(call: Asking): Problem | undefined {
  const sent = header(call, 'odata-version')
  if (sent !== undefined && !/^4\.0?[01]$/.test(sent.trim()))
    return headerProblem('OData-Version', reason('not-one-of', { values: ['4.0', '4.01'] }))
  const most = header(call, 'odata-maxversion')
  if (most === undefined || Number.parseFloat(most) >= 4) return undefined
  return headerProblem('OData-MaxVersion', reason('malformed', { wants: 'max-version' }))
}

/** The amount of control information, and whether wide numbers are texts. */
export interface JsonFormat {
  readonly metadata: 'minimal' | 'none'
  readonly ieee754: boolean
}

export const usualFormat: JsonFormat = { metadata: 'minimal', ieee754: false }

/** The format of data, from `$format` or Accept; undefined if the client does not accept JSON. */
export function jsonFormat(call: Asking, format: string | undefined): JsonFormat | undefined {
  const asked = format ?? header(call, 'accept') ?? ''
  const isTaken = format === undefined ? preferredType(asked, [JSON_TYPE]) !== undefined : isFormat(format, 'json')
  if (!isTaken) return undefined
  return { metadata: /\bmetadata=none\b/i.test(asked) ? 'none' : 'minimal', ieee754: isIeee754(asked) }
}

/** By its short name or its media type; parameters may follow. */
const isFormat = (format: string, name: string): boolean =>
  [name, `application/${name}`].includes(format.replace(/;.*/s, '').trim().toLowerCase())

export const isIeee754 = (mediaType: string | undefined): boolean => /\bieee754compatible=true\b/i.test(mediaType ?? '')

export const contentTypeOf = ({ metadata, ieee754 }: JsonFormat): string =>
  `${JSON_TYPE};odata.metadata=${metadata}${ieee754 ? ';IEEE754Compatible=true' : ''};charset=utf-8`

/** The name of a format in tags. */
export function taggedFormat({ metadata, ieee754 }: JsonFormat): string {
  if (metadata === 'none') return ieee754 ? 'metadata=none ieee754' : 'metadata=none'
  return ieee754 ? 'ieee754' : 'json'
}

/** XML unless JSON is preferred; undefined if neither is accepted. */
export function metadataFormat(call: Asking, format: string | undefined): 'xml' | 'json' | undefined {
  if (format !== undefined) return (['xml', 'json'] as const).find((name) => isFormat(format, name))
  const preferred = preferredType(header(call, 'accept'), ['application/xml', JSON_TYPE])
  return preferred && (preferred === JSON_TYPE ? 'json' : 'xml')
}

/** A preference (RFC 7240), with or without the prefix of OData 4.0; `true` if it has no value. */
export function preference(call: Asking, name: string): string | undefined {
  for (const part of (header(call, 'prefer') ?? '').split(',')) {
    const [, found = '', value] = /^\s*(?:odata\.)?([\w-]+)\s*(?:=\s*"?([^";\s]*)"?)?/i.exec(part) ?? []
    if (found.toLowerCase() === name) return value ?? 'true'
  }
  return undefined
}

/** OData's own name for the id under which a write is decided once. */
export function repeatableId(
  call: Pick<DoorCall, 'headers' | 'around'>,
): (Pick<WriteWords, 'commandId'> & { readonly headers: Headers }) | RefusedCall {
  const own = header(call, REPEATABLE)
  if (own === undefined) return { headers: {} }
  if (call.around.key !== undefined && own !== call.around.key) {
    return { problem: headerProblem('Repeatability-Request-ID', reason('differs', { other: 'Idempotency-Key' })) }
  }
  const sent = header(call, 'repeatability-first-sent')
  if (sent === undefined || readHttpDate(sent.trim()) === undefined) {
    return { problem: headerProblem('Repeatability-First-Sent', reason('malformed', { wants: 'http-date' })) }
  }
  const read = readIdempotencyKey(own)
  if ('problem' in read) return read
  return { commandId: read.command, headers: { 'repeatability-result': 'accepted' } }
}

const REPEATABLE = 'repeatability-request-id'

/** A problem in the format of OData; the whole problem is its inner error. */
export function tellOdata(problem: Problem, call: Knocking): DoorAnswer {
  const { code } = problem
  const details = toldErrors(problem).map((each) => ({ code, message: each.detail, target: targetOf(each) }))
  const { status, detail: message, members: innererror } = told(problem, call)
  const error = { code, message, ...(details.length > 0 && { target: details[0]?.target, details }), innererror }
  return {
    status,
    headers: { 'odata-version': versionFor(call) },
    content: JSON.stringify({ error }),
    contentType: contentTypeOf(usualFormat),
  }
}

const targetOf = ({ header, pointer, parameter = '' }: ToldError): string => header ?? pointer?.slice(1) ?? parameter

export const notJson: Problem = { code: 'not-acceptable', detail: 'This is available as application/json.' }

export const jsonAnswer = (content: string, format: JsonFormat, headers: Headers = {}): DoorAnswer => ({
  status: 200,
  headers,
  content,
  contentType: contentTypeOf(format),
})

/** The beginning of an object, with the address of its description. */
export const contextText = (
  fragment: string,
  { metadata }: JsonFormat,
  { service }: Pick<DoorCall, 'service'>,
): string =>
  metadata === 'none' ? '' : `"@odata.context":${JSON.stringify(`${rootOf(service)}/$metadata${fragment}`)}`

export const rootOf = ({ addresses }: DoorCall['service']): string => `${addresses.base}/odata`
