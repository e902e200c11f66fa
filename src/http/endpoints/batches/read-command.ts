import type { Schema } from '../../../model/declaration/schema.ts'
import { type Fault, reason, within } from '../../../values/faults/fault.ts'
import { isObject } from '../../../values/json/is-object.ts'
import { isOrdinal } from '../../../values/kinds/number.ts'
import { NO_OBJECT } from '../../../values/members.ts'
import { type Problem, wrongMember } from '../../contract/problems/problem.ts'
import type { Write } from '../../contract/write.ts'
import { resourceIn } from '../../forms/command.ts'
import { readEnvelope } from '../../forms/parts/envelope.ts'
import { whatIsWrong } from '../../request/command-id.ts'

/** Reads `{ id?, deal?, action, params?, revision? }`, where `deal` may be any resource's name. */
export function readCommand(raw: unknown, pointer: string, schema: Schema): Write | { readonly problem: Problem } {
  if (!isObject(raw)) return { problem: wrongMember(pointer, NO_OBJECT) }
  const resource = resourceIn(raw, schema)
  const asked = readEnvelope(resource, raw, { [resource.name]: {}, id: {}, revision: {} })
  const { id, revision, [resource.name]: target } = raw
  const faults = [...asked.faults, ...idFaults(id), ...revisionFaults(revision)]
  const { action, params } = asked.pointers
  return {
    ...asked,
    target: target ?? undefined,
    pointers: { target: pointer + asked.pointers.target, action: pointer + action, params: pointer + params },
    faults: faults.map((fault) => within(pointer, fault)),
    ...(typeof id === 'string' && { command: { id, by: 'id' } }),
    ...(isOrdinal(revision) && { expectedRevision: revision }),
  }
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
