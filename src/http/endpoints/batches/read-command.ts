import type { Intent } from '../../../model/perform/intent.ts'
import { type Fault, reason, within } from '../../../values/faults/fault.ts'
import type { Guard } from '../../../values/guard.ts'
import { isOrdinal } from '../../../values/kinds/number.ts'
import { isObject, NO_OBJECT } from '../../../values/members.ts'
import type { AskedWrite } from '../../ask/ask.ts'
import type { Call } from '../../contract/endpoint.ts'
import { headerProblem, type Problem, wrongMember } from '../../contract/problems/problem.ts'
import { resourceIn } from '../../forms/command.ts'
import { readEnvelope } from '../../forms/parts/envelope.ts'
import { whatIsWrong } from '../../request/command-id.ts'
import { statedPrecondition } from '../../request/preconditions.ts'
import { readWriting, tooLongKey, type Writing } from '../../request/write-options.ts'

/** Where a command stands: its index, and the pointer to it in what was sent. */
export interface CommandPlace {
  readonly index: number
  readonly pointer: string
}

/** Reads `{ id?, deal?, action, params?, revision? }`, where `deal` may be any resource's name. */
export function readCommand(
  raw: unknown,
  { index, pointer }: CommandPlace,
  { guard, key, dryRun }: Writing,
  form: string,
  { schema }: Call,
): AskedWrite | { readonly problem: Problem } {
  if (!isObject(raw)) return { problem: wrongMember(pointer, NO_OBJECT) }
  const resource = resourceIn(raw, schema)
  const asked = readEnvelope(resource, raw, { [resource.name]: {}, id: {}, revision: {} })
  const target = raw[resource.name] ?? undefined
  const faults = [...asked.faults, ...idFaults(raw.id), ...revisionFaults(raw.revision)]
  const command = commandOf(raw.id, key, index)
  const { action, params } = asked.pointers
  return {
    ...asked,
    ...(target !== undefined && { target }),
    pointers: { target: pointer + asked.pointers.target, action: pointer + action, params: pointer + params },
    faults: faults.map((fault) => within(pointer, fault)),
    ...(command && { command }),
    guard: guardOf(raw.revision, target, guard),
    form,
    dryRun,
  }
}

/** A command's own id goes before the one that it has by the key. */
function commandOf(id: unknown, key: string | undefined, index: number): Intent['command'] {
  if (typeof id === 'string') return { id, by: 'id' }
  return key === undefined ? undefined : { id: `${key}.${index}`, by: 'key' }
}

function idFaults(id: unknown): readonly Fault[] {
  if (id === undefined) return []
  const why = typeof id === 'string' ? whatIsWrong(id) : reason('type', { wants: 'string' })
  return why === undefined ? [] : [{ ...why, at: { pointer: '/id' } }]
}

const revisionFaults = (revision: unknown): readonly Fault[] =>
  revision === undefined || isOrdinal(revision)
    ? []
    : [{ ...reason('malformed', { wants: 'revision' }), at: { pointer: '/revision' } }]

/** Nobody has seen what a command of the same batch makes, so no revision of it is required. */
function guardOf(revision: unknown, target: unknown, { required }: Guard): Guard {
  if (isOrdinal(revision)) return { required, revisions: [revision] }
  return { required: required && !(typeof target === 'string' && target.startsWith('$')) }
}

/** The options of a request with many commands. Preconditions are those of each command. */
export function readWritingMany(call: Call): Writing | { readonly problem: Problem } {
  const writing = readWriting(call)
  if ('problem' in writing) return writing
  const stated = statedPrecondition(call)
  if (stated !== undefined) {
    return { problem: headerProblem(stated, reason('for-one-thing', { wants: 'revision' })) }
  }
  const tooLong = tooLongKey(writing.key, call)
  return tooLong === undefined ? writing : { problem: tooLong }
}
