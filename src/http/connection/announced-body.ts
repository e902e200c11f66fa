import type { IncomingHttpHeaders } from 'node:http'
import { bodyBounds, formBounds } from '../../values/bounds.ts'
import { reason } from '../../values/faults/fault.ts'
import { memoize } from '../../values/memoize.ts'
import { FILE_TYPES, MULTIPART, NDJSON } from '../contract/endpoint.ts'
import { headerProblem, type Problem } from '../contract/problems/problem.ts'

/** The media types that an endpoint reads, which headers can be checked against. */
export interface Reading {
  readonly method: string
  readonly reads: readonly string[]
}

/** The fault that headers alone reveal, for a client that waits for 100 (Continue) before it sends the body. */
export function announcedFault(headers: IncomingHttpHeaders, reading: Reading): Problem | undefined {
  const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)
  const isSent = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  if (!isSent || length === 0) return rangeFault(headers, reading.method)
  const largest = reading.reads.includes(MULTIPART) ? formBounds.bytes : bodyBounds.bytes
  if (Number.isFinite(length) && length > largest && !reading.reads.includes(NDJSON)) return tooLarge(largest)
  // A body this short may be `{}`, which counts as none whatever its type.
  if (length <= SAYS_LITTLE) return rangeFault(headers, reading.method)
  return rangeFault(headers, reading.method) ?? codingFault(headers) ?? typeFault(headers, reading)
}

export const SAYS_LITTLE = 8

/** RFC 9110 §14.5: a part of a representation must not replace the whole. */
export const rangeFault = (headers: IncomingHttpHeaders, method: string): Problem | undefined =>
  method === 'PUT' && headers['content-range'] !== undefined
    ? headerProblem('Content-Range', reason('meaningless', { wants: 'whole' }))
    : undefined

/** RFC 9110 §8.4: an unaccepted coding is 415, which names the accepted ones. */
export function codingFault(headers: IncomingHttpHeaders): Problem | undefined {
  const coding = headers['content-encoding']
  if (coding === undefined || coding.toLowerCase() === 'identity') return undefined
  return {
    code: 'unsupported-media-type',
    detail: `The body is in the Content-Encoding ${JSON.stringify(coding)}; send it as it is.`,
    headers: { 'accept-encoding': 'identity' },
  }
}

export function typeFault(headers: IncomingHttpHeaders, reading: Reading): Problem | undefined {
  const { type, charset } = readType(headers['content-type'] ?? '')
  if (!reading.reads.includes(type)) return unsupported(type, reading)
  // The encoding of a file is recognised.
  if (charset === undefined || isUtf8.test(charset) || isFile(type)) return undefined
  const detail = `The body is in the charset ${JSON.stringify(charset)}; only UTF-8 is read.`
  return { code: 'unsupported-media-type', detail, headers: acceptHeaders(reading) }
}

export const mediaTypeOf = (headers: IncomingHttpHeaders): string => readType(headers['content-type'] ?? '').type

const isFile = (type: string): boolean => (FILE_TYPES as readonly string[]).includes(type)

const isUtf8 = /^(?:utf-?8|us-ascii)$/i

const readType = memoize((header): { readonly type: string; readonly charset: string | undefined } => ({
  type: header.split(';', 1)[0]?.trim().toLowerCase() ?? '',
  charset: /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(header)?.[1],
}))

function unsupported(type: string, reading: Reading): Problem {
  const { reads } = reading
  const sent = type === '' ? 'A body without a Content-Type' : type
  return {
    code: 'unsupported-media-type',
    detail: reads.length === 0 ? 'No body is read here.' : `${sent} is not read here; send ${reads.join(' or ')}.`,
    headers: acceptHeaders(reading),
  }
}

/** `curl -d` without a header sends the type of a form, whatever the body is. */
export const jsonAsForm = (reading: Reading): Problem => ({
  code: 'unsupported-media-type',
  detail:
    'The body is JSON, but was sent as an HTML form (application/x-www-form-urlencoded). Send the header Content-Type: application/json.',
  headers: acceptHeaders(reading),
})

/** RFC 9110 §15.5.16, RFC 5789 §2.2 and RFC 10008 §3. */
function acceptHeaders({ method, reads }: Reading): { readonly [name: string]: string } {
  if (reads.length === 0) return {}
  const types = reads.join(', ')
  const own = acceptedBy[method]
  return { accept: types, ...(own !== undefined && { [own]: types }) }
}

/** The header that lists the media types of a method's content. */
export const acceptedBy: { readonly [method: string]: string } = {
  PATCH: 'accept-patch',
  POST: 'accept-post',
  QUERY: 'accept-query',
}

const tooLarge = (largest: number): Problem => ({
  code: 'body-too-large',
  detail: `The body has more than ${largest} bytes.`,
})
