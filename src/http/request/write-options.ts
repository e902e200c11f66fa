import { reason } from '../../values/faults/fault.ts'
import type { Guard } from '../../values/guard.ts'
import { readMembers } from '../../values/members.ts'
import { type Call, header } from '../contract/endpoint.ts'
import { headerProblem, invalidBody, type Problem, wrongParameter } from '../contract/problems/problem.ts'
import type { Around } from '../contract/write.ts'
import { type KeyPlace, keyProblem, readIdempotencyKey } from './command-id.ts'
import { readSwitch } from './known-parameters.ts'
import { readGuard, statedPrecondition } from './preconditions.ts'

type AroundCall = Pick<Call, 'headers' | 'service' | 'schema'> & Partial<Pick<Call, 'fields'>>

/** Reads the options of a write outside its content: headers, the parameter `dry-run`, or a form's hidden fields. */
export function readAround(
  call: AroundCall,
  parameters: Call['parameters'],
): { readonly around: Around } | { readonly problem: Problem } {
  const dryRun = readSwitch(parameters, DRY_RUN)
  if ('problem' in dryRun) return dryRun
  const guard = guardOf(call)
  if ('problem' in guard) return guard
  const key = readKey(call)
  if ('problem' in key) return key
  return { around: { ...guard, ...key, ...(parameters.has(DRY_RUN) && { dryRun: dryRun.on }) } }
}

const DRY_RUN = 'dry-run'

/** The options outside several writes. A precondition refers to one thing, so each write has its own. */
export function readAroundMany(call: Call): ReturnType<typeof readAround> {
  const read = readAround(call, call.parameters)
  if ('problem' in read) return read
  const problem = guardsMany(call, 'revision') ?? tooLongKey(read.around.key, call)
  return problem === undefined ? read : { problem }
}

/** The fault of a precondition outside several writes, or undefined. */
export function guardsMany(call: Pick<Call, 'headers'>, wants: string): Problem | undefined {
  const stated = statedPrecondition(call)
  return stated === undefined ? undefined : headerProblem(stated, reason('for-one-thing', { wants }))
}

/** From the header or a form's hidden field; two different ids are a fault. decisions/0005 */
function readKey(call: AroundCall): { readonly key?: string } | { readonly problem: Problem } {
  const named = header(call, 'idempotency-key')
  const hidden = call.fields?.get('_command')
  const sent = named ?? hidden
  if (sent === undefined) return {}
  const key = readIdempotencyKey(sent, keyPlace(call))
  if ('problem' in key) return key
  if (named === undefined || hidden === undefined || hidden === key.command) return { key: key.command }
  return { problem: headerProblem('Idempotency-Key', reason('differs', { other: '_command' })) }
}

/** For a write of several commands, which add a dot and their index to the key. */
export function tooLongKey(key: string | undefined, call: AroundCall): Problem | undefined {
  if ((key?.length ?? 0) <= LONGEST_KEY) return undefined
  return keyProblem(keyPlace(call), reason('too-long', { max: LONGEST_KEY }))
}

const LONGEST_KEY = 112

const keyPlace = (call: AroundCall): KeyPlace =>
  header(call, 'idempotency-key') === undefined ? '_command' : 'Idempotency-Key'

/** For writes that have no command id. */
export function readWritingWithoutKey(
  call: Call,
): { readonly guard: Guard; readonly dryRun: boolean } | { readonly problem: Problem } {
  const read = readAround(call, call.parameters)
  if ('problem' in read) return read
  const { guard, dryRun = false, key } = read.around
  if (key === undefined) return { guard, dryRun }
  return { problem: headerProblem('Idempotency-Key', reason('meaningless', { wants: 'no-command' })) }
}

/** For a write without members: refuses a body that would be ignored. */
export function superfluousBody({ body }: Call): { readonly problem: Problem } | undefined {
  const read = readMembers({}, body ?? {})
  return 'faults' in read ? { problem: invalidBody(read.faults) } : undefined
}

function guardOf(call: AroundCall): { readonly guard: Guard } | { readonly problem: Problem } {
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
