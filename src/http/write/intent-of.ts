import type { Intent } from '../../model/perform/intent.ts'
import { type Reason, reason } from '../../values/faults/fault.ts'
import type { Guard } from '../../values/guard.ts'
import { isOrdinal } from '../../values/kinds/number.ts'
import { doneBy } from '../ask/done-by.ts'
import type { Call } from '../contract/endpoint.ts'
import { bare } from '../contract/form.ts'
import { headerProblem, type Problem, wrongParameter } from '../contract/problems/problem.ts'
import type { Around, Write, WriteWords } from '../contract/write.ts'
import { readCommandId, readIdempotencyKey } from '../request/command-id.ts'

/** The intent of a write: its content, the options outside it, and the caller. */
export function intentOf(
  write: Write,
  around: Around,
  asking: Pick<Call, 'actor' | 'caller' | 'desk'> & { readonly form: string },
): Intent | { readonly problem: Problem } {
  const words = wordsOf(write)
  if ('problem' in words) return words
  const conflict = conflictOf(words, around)
  if (conflict !== undefined) return { problem: conflict }
  const command = commandOf(write, words, around)
  if (command !== undefined && 'problem' in command) return command
  const { resource, target, seen, change, faultsIfNew, pointers = bare, faults = [] } = write
  return {
    resource,
    ...(target !== undefined && { target }),
    ...(seen && { seen }),
    change,
    pointers,
    faults,
    ...(faultsIfNew && { faultsIfNew }),
    ...(command && { command }),
    guard: guardOf(write, words, around),
    form: asking.form,
    dryRun: words.dryRun ?? around.dryRun ?? false,
    ...doneBy(asking),
  }
}

interface ReadWords {
  readonly commandId: string | null
  readonly expectedRevision: number | null
  readonly dryRun: boolean | null
}

/** Values that a protocol leaves untyped are checked here. */
function wordsOf({ commandId, expectedRevision, dryRun }: WriteWords): ReadWords | { readonly problem: Problem } {
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
): Intent['command'] | { readonly problem: Problem } {
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

const wrong = (parameter: string, why: Reason): { readonly problem: Problem } => ({
  problem: wrongParameter(parameter, why),
})
