import { acceptedCoding } from '../../http/negotiate/content-coding.ts'
import { judgeRead } from '../../http/request/preconditions.ts'
import { codingOf } from '../../http/respond/send/send-text.ts'
import type { State } from '../../values/guard.ts'
import type { DoorAnswer, DoorCall, DoorResult } from '../door.ts'

/** The tag of a thing in a text as it will be sent, in the coding that the client takes. */
export const contentTag = (
  state: State,
  content: string,
  { headers, service, schema }: Pick<DoorCall, 'headers' | 'service' | 'schema'>,
  representation = 'json',
): string => service.tags(schema).tag(state, { representation, coding: codingOf(content, acceptedCoding(headers)) })

/** The answer to a read, or 304 or 412, by the tag that it has and the state that it shows. */
export function judged(answer: DoorAnswer, state: State | undefined, call: DoorCall): DoorResult {
  const tag = answer.headers?.etag
  const verdict = judgeRead(call, { tag, state }, call.service.tags(call.schema))
  if (verdict === 'not-modified') return { status: 304, ...(tag !== undefined && { headers: { etag: tag } }) }
  return verdict === 'send' ? answer : verdict
}
