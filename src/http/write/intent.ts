import { createHash } from 'node:crypto'
import { REGION_FIELD } from '../../languages/decimals.ts'
import type { DoneBy } from '../../model/declaration/event.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { Intent } from '../../model/intent/intent.ts'
import type { PersonReading } from '../../model/nouns/user/person.ts'
import { resourceNamed } from '../../model/schema/resources.ts'
import { requestBounds } from '../../values/bounds.ts'
import { type Reason, reason } from '../../values/faults/fault.ts'
import type { Guard } from '../../values/guard.ts'
import { canonicalJson } from '../../values/json/canonical.ts'
import { isObject } from '../../values/json/is-object.ts'
import type { Json } from '../../values/json/json.ts'
import { locale } from '../../values/kinds/locale.ts'
import { isOrdinal } from '../../values/kinds/number.ts'
import { readMembers } from '../../values/members.ts'
import { type Call, header } from '../contract/endpoint.ts'
import { bare } from '../contract/form.ts'
import {
  headerProblem,
  invalidBody,
  type Problem,
  type RefusedCall,
  wrongParameter,
} from '../contract/problems/problem.ts'
import type { Around, Write, WriteWords } from '../contract/write.ts'
import { type KeyPlace, keyProblem, readCommandId, readIdempotencyKey } from '../request/command-id.ts'
import { readSwitch } from '../request/known-parameters.ts'
import { readGuard, statedPrecondition } from '../request/preconditions.ts'

type AroundCall = Pick<Call, 'headers' | 'service' | 'schema'> & Partial<Pick<Call, 'fields'>>

/** Reads the options of a write outside its content: headers, the parameter `dry-run`, or a form's hidden fields. */
export function readAround(
  call: AroundCall,
  parameters: Call['parameters'],
): { readonly around: Around } | RefusedCall {
  const dryRun = parameters.has(DRY_RUN) ? readSwitch(parameters, DRY_RUN) : undefined
  if (dryRun !== undefined && 'problem' in dryRun) return dryRun
  const guard = statedGuard(call)
  if ('problem' in guard) return guard
  const key = readKey(call)
  if ('problem' in key) return key
  const problem = wrongRegion(call)
  if (problem !== undefined) return { problem }
  const persons = call.fields?.has(REGION_FIELD) ? { persons: AS_TYPED } : undefined
  return { around: { ...guard, ...key, ...persons, ...(dryRun && { dryRun: dryRun.on }) } }
}

/** Only pages have a region in their forms: people type full names and addresses. */
export const AS_TYPED: PersonReading = { byWords: true }

/** A form without a region is read as programs write. */
function wrongRegion({ fields }: AroundCall): Problem | undefined {
  const region = fields?.get(REGION_FIELD)
  const read = region === undefined ? undefined : locale.read(region)
  return read !== undefined && 'fault' in read ? wrongParameter(REGION_FIELD, read.fault) : undefined
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
function readKey(call: AroundCall): { readonly key?: string } | RefusedCall {
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
  if ((key?.length ?? 0) <= requestBounds.key) return undefined
  return keyProblem(keyPlace(call), reason('too-long', { max: requestBounds.key }))
}

const keyPlace = (call: AroundCall): KeyPlace =>
  header(call, 'idempotency-key') === undefined ? '_command' : 'Idempotency-Key'

/** For writes that have no command id. */
export function readWritingWithoutKey(call: Call): { readonly guard: Guard; readonly dryRun: boolean } | RefusedCall {
  const read = readAround(call, call.parameters)
  if ('problem' in read) return read
  const { guard, dryRun = false, key } = read.around
  if (key === undefined) return { guard, dryRun }
  return { problem: headerProblem('Idempotency-Key', reason('meaningless', { wants: 'no-command' })) }
}

/** For a write without members: refuses a body that would be ignored. */
export function superfluousBody({ body }: Call): RefusedCall | undefined {
  const read = readMembers({}, body ?? {})
  return 'faults' in read ? { problem: invalidBody(read.faults) } : undefined
}

function statedGuard(call: AroundCall): { readonly guard: Guard } | RefusedCall {
  const required = call.service.settings.requireIfMatch
  const shown = call.fields?.get('_revision')
  const { 'if-match': match, 'if-none-match': noneMatch, 'if-unmodified-since': since } = call.headers
  const isConditional = (match ?? noneMatch ?? since) !== undefined
  const stated = isConditional ? readGuard(call, call.service.tags(call.schema), required) : { guard: { required } }
  if (shown === undefined || 'problem' in stated) return stated
  if (stated.guard.revisions !== undefined) {
    return { problem: headerProblem('If-Match', reason('not-together', { other: '_revision' })) }
  }
  if (/^[1-9]\d{0,15}$/.test(shown)) return { guard: { ...stated.guard, revisions: [Number(shown)] } }
  return { problem: wrongParameter('_revision', reason('malformed', { wants: 'revision' })) }
}

/** The intent of a write: its content, the options outside it, and the caller. */
export function intentOf(
  write: Write,
  around: Around,
  asking: Pick<Call, 'actor' | 'caller' | 'desk'> & { readonly form: string },
): Intent | RefusedCall {
  const words = wordsOf(write)
  if ('problem' in words) return words
  const conflict = conflictOf(words, around)
  if (conflict !== undefined) return { problem: conflict }
  const id = commandOf(write, words, around)
  if (id !== undefined && 'problem' in id) return id
  const command = id && { ...id, sentAs: digestOf(write) }
  const { resource, target, within, seen, change, faultsIfNew, address, prepared, pointers = bare, faults = [] } = write
  return {
    resource,
    ...(within && { within }),
    ...(address !== undefined && { address }),
    ...(prepared !== undefined && { prepared }),
    ...(target !== undefined && { target: targetNamed(target, resourceNamed(asking.desk.schema, resource)) }),
    ...(seen && { seen }),
    change,
    pointers,
    faults,
    ...(faultsIfNew && { faultsIfNew }),
    ...(command && { command }),
    guard: guardOf(write, words, around),
    ...(around.persons && { persons: around.persons }),
    form: asking.form,
    dryRun: words.dryRun ?? around.dryRun ?? false,
    ...doneBy(asking),
  }
}

/** Of a target, only a value that names it: its id may be spelt in several ways. */
function digestOf({ target, change, sent = change }: Write): string {
  const content = canonicalJson([sent, isObject(target) ? target : null] as Json)
  return createHash('sha256').update(content).digest('base64url')
}

/** A thing may be named by the field that its address has. */
function targetNamed(target: unknown, { addressedBy, kinds }: Resource): unknown {
  if (addressedBy === undefined || typeof target !== 'string') return target
  const isRead = (field: string): boolean => 'value' in (kinds[field]?.read(target) ?? {})
  return isRead(addressedBy) && !isRead('id') ? { [addressedBy]: target } : target
}

interface ReadWords {
  readonly commandId: string | null
  readonly expectedRevision: number | null
  readonly dryRun: boolean | null
}

/** Values that a protocol leaves untyped are checked here. */
function wordsOf({ commandId, expectedRevision, dryRun }: WriteWords): ReadWords | RefusedCall {
  const words = { commandId: commandId ?? null, expectedRevision: expectedRevision ?? null, dryRun: dryRun ?? null }
  if (words.dryRun !== null && typeof words.dryRun !== 'boolean')
    return wrong('dryRun', reason('type', { wants: 'boolean' }))
  if (words.expectedRevision !== null && !isOrdinal(words.expectedRevision))
    return wrong('expectedRevision', reason('malformed', { wants: 'revision' }))
  if (words.commandId !== null && typeof words.commandId !== 'string')
    return wrong('commandId', reason('type', { wants: 'string' }))
  return words as ReadWords
}

/** The options inside and outside the content must agree if both are given. */
function conflictOf(
  { commandId, expectedRevision, dryRun }: ReadWords,
  { key, guard, dryRun: around, among }: Around,
): Problem | undefined {
  if (key !== undefined && commandId !== null && commandId !== key && among === undefined) {
    return headerProblem('Idempotency-Key', reason('differs', { other: 'commandId' }))
  }
  if (around !== undefined && dryRun !== null && dryRun !== around) {
    return wrongParameter('dry-run', reason('differs', { other: 'dryRun' }))
  }
  const { revisions = [] } = guard
  // An unknown tag is not a revision: it is refused as always.
  if (revisions === 'any' || revisions.length === 0 || expectedRevision === null) return undefined
  const isNamed = revisions.some((each) => (typeof each === 'number' ? each : each.revision) === expectedRevision)
  return isNamed ? undefined : headerProblem('If-Match', reason('differs', { other: 'expectedRevision' }))
}

/** A write's own id takes precedence over the one derived from the key. */
function commandOf(
  { command }: Write,
  { commandId }: ReadWords,
  { key, among, guard: { noneOf } }: Around,
): Intent['command'] | RefusedCall {
  if (command !== undefined) {
    if (key !== undefined && among === undefined)
      return { problem: headerProblem('Idempotency-Key', reason('meaningless', { wants: 'own-id' })) }
    return noneOf === undefined ? command : { ...command, noneOf }
  }
  if (commandId !== null && (commandId !== key || among !== undefined)) {
    const read = readCommandId(commandId)
    return 'problem' in read ? read : { id: read.command, by: 'id' }
  }
  if (key === undefined) return undefined
  const read = readIdempotencyKey(among === undefined ? key : `${key}.${among}`)
  return 'problem' in read ? read : { id: read.command, by: 'key' }
}

/** At a command's own address, If-None-Match is about the command; all other preconditions are about the thing. */
function guardOf({ command, target }: Write, { expectedRevision }: ReadWords, { guard }: Around): Guard {
  const { noneOf, required, ...rest } = guard
  return {
    ...rest,
    ...(noneOf !== undefined && command === undefined && { noneOf }),
    // Nobody has seen the result of another write of the same request, so no revision of it is required.
    required: required && !isReference(target),
    ...(expectedRevision !== null && { stated: expectedRevision }),
  }
}

/** Whether an id refers to the thing of an earlier write of the same commit. decisions/0038 */
export const isReference = (id: unknown): boolean => typeof id === 'string' && id.startsWith('$')

/** The calling user, and the key that a program used. */
export function actorOf({ actor, caller }: Pick<Call, 'actor' | 'caller'>): DoneBy {
  const isUsersKey = caller !== null && caller.key !== null && caller.user !== null
  return isUsersKey ? { actor, key: caller.key } : { actor }
}

/** The actor of a change, for every intent. */
function doneBy(call: Pick<Call, 'actor' | 'caller' | 'desk'>): DoneBy & Pick<Intent, 'caller'> {
  const { caller } = call.desk
  return { ...actorOf(call), ...(caller && { caller }) }
}

const wrong = (parameter: string, why: Reason): RefusedCall => ({
  problem: wrongParameter(parameter, why),
})
