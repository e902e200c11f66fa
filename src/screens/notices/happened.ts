import type { Call } from '../../http/contract/endpoint.ts'
import type { Params } from '../../model/declaration/operation.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Operation, Resource } from '../../model/declaration/schema.ts'
import { operationNamed, resourceNamed } from '../../model/schema/resources.ts'
import type { StoredEvent } from '../../store/port/desk.ts'
import { eventOf } from '../../store/port/event-of.ts'
import { parseExact } from '../../values/json/exact-numbers.ts'
import type { Done } from './done-cookie.ts'

/** One performed operation, from the history. */
export interface Happened {
  readonly operation: Operation
  readonly params: Params
  readonly id: Key
  readonly revision: number
  /** The document of the resulting thing. */
  readonly doc: string
}

/** The effects of a form, as far as they are recorded and the caller may see them. */
interface Happenings {
  readonly made: readonly Happened[]
  /** The number of operations that cannot be described. */
  readonly unknown: number
}

/** The operations that a form performed, up to a limit. */
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
      // A command without a change has no event of its own.
      const event = eventOf(command, await desk.event(resource, subject, revision))
      if (event !== undefined) made.push(seen(resource, subject, event))
    }
  }
  const known = made.filter((each) => each !== undefined)
  return { made: known, unknown: made.length - known.length }
}

/** The document of the thing before the operation; undefined if it is not recorded. */
export async function stateBefore(
  { operation, id, revision }: Happened,
  { desk }: Pick<Call, 'desk'>,
): Promise<Params | undefined> {
  const past = await desk.past(operation.on, id, { revision: revision - 1 })
  return 'thing' in past ? (parseExact(past.thing.json) as Params) : undefined
}

function seen(resource: Resource, id: Key, event: StoredEvent | undefined): Happened | undefined {
  const operation = event && operationNamed(event.operation, resource)
  if (event === undefined || operation === undefined) return undefined
  const { params } = parseExact(event.entry) as { readonly params: Params }
  return { operation, params, id, revision: event.revision, doc: event.doc }
}
