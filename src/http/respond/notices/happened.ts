import type { Operation, Params } from '../../../model/operation.ts'
import { isOneOf, maySee } from '../../../model/perform/privacy.ts'
import type { Key, Resource } from '../../../model/resource.ts'
import { operationNamed, resourceNamed } from '../../../model/resources.ts'
import { claimantOf } from '../../ask/claimant.ts'
import type { Call } from '../../endpoint.ts'
import type { Done } from './done-cookie.ts'

type Onlooker = Pick<Call, 'service' | 'caller' | 'role'>

/** One operation that was done, as the history has it. */
export interface Happened {
  readonly operation: Operation
  readonly params: Params
  readonly id: Key
  readonly revision: number
  /** The document of the thing as it was left behind. */
  readonly doc: string
}

/** The operations that a form did, as far as they are recorded and the caller may see them; at most so many. */
export async function happened(
  done: Done,
  call: Onlooker,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly Happened[]> {
  if (!('key' in done))
    return [await madeRevision(resourceNamed(done.resource), done.id, done.revision, call)].flatMap(given)
  const all: Happened[] = []
  for (let n = 0; n < Math.min(done.count, most); n++) {
    const command = await call.service.store.command(`${done.key}.${n}`)
    const isSeen = command?.status === 'applied' && isOneOf(command.privateTo, claimantOf(call))
    if (!isSeen) continue
    const made = await madeRevision(resourceNamed(command.resource), command.subject, command.revision, call)
    all.push(...given(made))
  }
  return all
}

const given = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value])

async function madeRevision(
  resource: Resource,
  id: Key,
  revision: number,
  call: Onlooker,
): Promise<Happened | undefined> {
  const event = await call.service.store.event(id, revision)
  const operation = event && operationNamed(event.operation, resource)
  if (event === undefined || operation === undefined) return undefined
  if (!maySee(resource, JSON.parse(event.doc) as object, claimantOf(call))) return undefined
  const { params } = JSON.parse(event.entry) as { readonly params: Params }
  return { operation, params, id, revision, doc: event.doc }
}
