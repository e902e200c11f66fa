import type { Operation, Params } from '../../../model/operation.ts'
import { isOneOf, maySee } from '../../../model/perform/privacy.ts'
import type { Key, Resource } from '../../../model/resource.ts'
import { operationNamed, resourceNamed } from '../../../model/resources.ts'
import type { StoredEvent } from '../../../store/port/desk.ts'
import { eventOf } from '../../../store/rows/event.ts'
import { claimantOf } from '../../ask/claimant.ts'
import type { Call } from '../../contract/endpoint.ts'
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

/** What a form did, as far as it is recorded and the caller may see it. */
interface Happenings {
  readonly made: readonly Happened[]
  /** Of how many operations nothing can be told. */
  readonly unknown: number
}

/** The operations that a form did, at most so many. */
export async function happened(done: Done, call: Onlooker, most = Number.POSITIVE_INFINITY): Promise<Happenings> {
  const { store } = call.service
  const made: (Happened | undefined)[] = []
  if (!('key' in done)) {
    const resource = resourceNamed(done.resource)
    made.push(seen(resource, done.id, await store.event(resource, done.id, done.revision), call))
  }
  for (let n = 0; 'key' in done && n < done.count && made.length < most; n++) {
    const command = await store.command(`${done.key}.${n}`)
    const isSeen = command?.status === 'applied' && isOneOf(command.privateTo, claimantOf(call))
    if (!isSeen) made.push(undefined)
    else {
      const { subject, revision } = command
      const resource = resourceNamed(command.resource)
      // What changed nothing left the thing as something else had made it.
      const event = eventOf(command, await store.event(resource, subject, revision))
      if (event !== undefined) made.push(seen(resource, subject, event, call))
    }
  }
  const known = made.filter((each) => each !== undefined)
  return { made: known, unknown: made.length - known.length }
}

function seen(resource: Resource, id: Key, event: StoredEvent | undefined, call: Onlooker): Happened | undefined {
  const operation = event && operationNamed(event.operation, resource)
  if (event === undefined || operation === undefined) return undefined
  if (!maySee(resource, JSON.parse(event.doc) as object, claimantOf(call))) return undefined
  const { params } = JSON.parse(event.entry) as { readonly params: Params }
  return { operation, params, id, revision: event.revision, doc: event.doc }
}
