import { reason } from '../../values/faults/fault.ts'
import type { Guard } from '../../values/guard.ts'
import { readMembers } from '../../values/members.ts'
import { type Call, header } from '../contract/endpoint.ts'
import { headerProblem, invalidBody, type Problem, wrongParameter } from '../contract/problems/problem.ts'
import { type KeyPlace, keyProblem, readIdempotencyKey } from './command-id.ts'
import { readSwitch } from './known-parameters.ts'
import { readGuard } from './preconditions.ts'

/** The options of every write, from headers or a form's hidden fields. */
export interface Writing {
  readonly guard: Guard
  readonly dryRun: boolean
  readonly key: string | undefined
}

export function readWriting(call: Call): Writing | { readonly problem: Problem } {
  const dryRun = readSwitch(call.parameters, 'dry-run')
  if ('problem' in dryRun) return dryRun
  const guard = guardOf(call)
  if ('problem' in guard) return guard
  const key = readKey(call)
  return 'problem' in key ? key : { guard: guard.guard, dryRun: dryRun.on, key: key.key }
}

/** From the header or a form's hidden field; two different ids are a fault. decisions/0005 */
function readKey(call: Call): { readonly key: string | undefined } | { readonly problem: Problem } {
  const named = header(call, 'idempotency-key')
  const hidden = call.fields?.get('_command')
  const sent = named ?? hidden
  if (sent === undefined) return { key: undefined }
  const key = readIdempotencyKey(sent, keyPlace(call))
  if ('problem' in key) return key
  if (named === undefined || hidden === undefined || hidden === key.command) return { key: key.command }
  return { problem: headerProblem('Idempotency-Key', reason('differs', { other: '_command' })) }
}

/** For a write of several commands, which add a dot and their index to the key. */
export function tooLongKey(key: string | undefined, call: Call): Problem | undefined {
  if ((key?.length ?? 0) <= LONGEST_KEY) return undefined
  return keyProblem(keyPlace(call), reason('too-long', { max: LONGEST_KEY }))
}

const LONGEST_KEY = 112

const keyPlace = (call: Call): KeyPlace =>
  header(call, 'idempotency-key') === undefined ? '_command' : 'Idempotency-Key'

/** For writes that have no command id. */
export function readWritingWithoutKey(call: Call): Writing | { readonly problem: Problem } {
  const writing = readWriting(call)
  if ('problem' in writing || writing.key === undefined) return writing
  return { problem: headerProblem('Idempotency-Key', reason('meaningless', { wants: 'no-command' })) }
}

/** For a write without members: refuses a body that would be ignored. */
export function superfluousBody({ body }: Call): { readonly problem: Problem } | undefined {
  const read = readMembers({}, body ?? {})
  return 'faults' in read ? { problem: invalidBody(read.faults) } : undefined
}

function guardOf(call: Call): { readonly guard: Guard } | { readonly problem: Problem } {
  const required = call.service.settings.requireIfMatch
  const shown = call.fields?.get('_revision')
  const stated = readGuard(call, call.service.tags(call.schema), required)
  if (shown === undefined || 'problem' in stated) return stated
  if (stated.guard.revisions !== undefined) {
    return { problem: headerProblem('If-Match', reason('not-together', { other: '_revision' })) }
  }
  if (/^[1-9]\d{0,15}$/.test(shown)) return { guard: { ...stated.guard, revisions: [Number(shown)] } }
  return { problem: wrongParameter('_revision', reason('malformed', { wants: 'revision' })) }
}
