import { invalidBody, type Problem } from '../../http/contract/problems/problem.ts'
import { readJson } from '../../http/request/body.ts'
import { isObject } from '../../values/json/is-object.ts'
import { NO_OBJECT } from '../../values/members.ts'
import type { DoorCall } from '../door.ts'
import { closedFaults, unknownIn } from './sent-meta.ts'

/** The document of a request; empty if none was sent. */
export type SentDocument = { readonly [name: string]: unknown }

/** The members of a document: a resource may be sent back in the document that it was read in. */
const members = {
  resource: ['data', 'meta', 'jsonapi', 'links'],
  operations: ['atomic:operations', 'meta', 'jsonapi'],
} as const

/** Reads a document. The members of `data` and `meta` depend on what they are for; the others are closed here. */
export function readDocument(
  call: Pick<DoorCall, 'bytes'>,
  kind: keyof typeof members,
): { readonly document: SentDocument } | { readonly problem: Problem; readonly sent?: unknown } {
  const read = readJson(call.bytes)
  if ('problem' in read) return read
  const { body = {} } = read
  if (!isObject(body)) return { problem: invalidBody([{ ...NO_OBJECT, at: { pointer: '' } }]), sent: body }
  const { jsonapi, links } = body
  const faults = [
    ...unknownIn(body, members[kind], ''),
    ...closedFaults(jsonapi, ['version', 'ext', 'profile', 'meta'], '/jsonapi'),
    ...closedFaults(isObject(jsonapi) ? jsonapi.meta : undefined, [], '/jsonapi/meta'),
    ...closedFaults(links, ['self', 'related', 'describedby'], '/links'),
  ]
  return faults.length === 0 ? { document: body } : { problem: invalidBody(faults), sent: body }
}
