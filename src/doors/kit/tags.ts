import type { FixedContent, Headers } from '../../http/contract/answer.ts'
import type { Applied } from '../../http/contract/write.ts'
import { acceptedCoding } from '../../http/negotiate/content-coding.ts'
import { judgeRead } from '../../http/request/preconditions.ts'
import { codingOf } from '../../http/respond/send/send-text.ts'
import { replayed } from '../../http/write/write.ts'
import type { Intent } from '../../model/intent/intent.ts'
import type { Outcome } from '../../store/port/store.ts'
import type { State } from '../../values/guard.ts'
import type { DoorAnswer, DoorCall, DoorResult } from '../door.ts'

/** The tag of a thing in a text as it will be sent, in the coding that the client accepts. */
export const contentTag = (
  state: State,
  content: string,
  { headers, service, schema }: Pick<DoorCall, 'headers' | 'service' | 'schema'>,
  representation = 'json',
): string => service.tags(schema).tag(state, { representation, coding: codingOf(content, acceptedCoding(headers)) })

/**
 * The tag of a written thing. The thing of a repeat may have changed since, and the result of a dry run is not a state.
 */
export const writtenTag = (
  { intent, outcome }: Applied,
  content: string,
  call: DoorCall,
  representation?: string,
): Headers =>
  outcome.replayed || intent.dryRun ? {} : { etag: contentTag(outcome.thing, content, call, representation) }

/** The headers of the answer to a write, the same in every protocol. */
export const writtenHeaders = ({ dryRun }: Pick<Intent, 'dryRun'>, outcome: Pick<Outcome, 'replayed'>): Headers => ({
  ...replayed(outcome),
  ...(dryRun && { 'dry-run': 'true' }),
})

/** A text that follows from the schema alone, or 304 or 412, by the tag of its bytes. */
export function fixedAnswer({ text, tag }: FixedContent, contentType: string, call: DoorCall): DoorResult {
  const etag = tag(codingOf(text, acceptedCoding(call.headers)))
  return judged({ status: 200, headers: { etag }, content: text, contentType }, undefined, call)
}

/** The answer to a read, or 304 or 412, by its tag and state. */
export function judged(answer: DoorAnswer, state: State | undefined, call: DoorCall): DoorResult {
  const tag = answer.headers?.etag
  const verdict = judgeRead(call, { tag, state }, call.service.tags(call.schema))
  if (verdict === 'not-modified') return { status: 304, ...(tag !== undefined && { headers: { etag: tag } }) }
  return verdict === 'send' ? answer : verdict
}
