import type { Call } from '../../http/contract/endpoint.ts'
import type { Params } from '../../model/operation.ts'
import type { Key } from '../../model/resource.ts'
import { operationNamed, resourceNamed } from '../../model/resources.ts'
import type { Operation, Resource } from '../../model/schema.ts'
import type { StoredEvent } from '../../store/port/desk.ts'
import { eventOf } from '../../store/port/event-of.ts'
import type { Done } from './done-cookie.ts'

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
export async function happened(
  done: Done,
  { desk, schema }: Pick<Call, 'desk' | 'schema'>,
  most = Number.POSITIVE_INFINITY,
): Promise<Happenings> {
  const made: (Happened | undefined)[] = []
  if (!('key' in done)) {
    const resource = resourceNamed(schema, done.resource)
    made.push(seen(resource, done.id, await desk.event(resource, done.id, done.revision)))
  }
  for (let n = 0; 'key' in done && n < done.count && made.length < most; n++) {
    const command = await desk.command(`${done.key}.${n}`)
    if (command?.status !== 'applied') made.push(undefined)
    else {
      const { subject, revision } = command
      const resource = resourceNamed(schema, command.resource)
      // What changed nothing left the thing as something else had made it.
      const event = eventOf(command, await desk.event(resource, subject, revision))
      if (event !== undefined) made.push(seen(resource, subject, event))
    }
  }
  const known = made.filter((each) => each !== undefined)
  return { made: known, unknown: made.length - known.length }
}

function seen(resource: Resource, id: Key, event: StoredEvent | undefined): Happened | undefined {
  const operation = event && operationNamed(event.operation, resource)
  if (event === undefined || operation === undefined) return undefined
  const { params } = JSON.parse(event.entry) as { readonly params: Params }
  return { operation, params, id, revision: event.revision, doc: event.doc }
}
