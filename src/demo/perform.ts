import type { DomainEvent } from '../model/declaration/event.ts'
import type { Params } from '../model/declaration/operation.ts'
import type { Key, Thing } from '../model/declaration/resource.ts'
import type { Resource } from '../model/declaration/schema.ts'
import type { Command, DecisionFacts, Intent } from '../model/intent/intent.ts'
import { decideIntent } from '../model/perform/perform.ts'
import { instantAt } from './time.ts'

interface ToldStep extends Pick<Intent, 'form' | 'actor' | 'command'> {
  readonly resource: Resource
  readonly id: Key
  /** Undefined for a thing that is created. */
  readonly before: Thing | undefined
  readonly operation: string
  readonly params: Params
  readonly at: number
  /** The things that it refers to. */
  readonly related?: DecisionFacts['related']
}

interface ToldThing {
  readonly thing: Thing
  readonly events: readonly DomainEvent[]
  readonly commands: readonly Command[]
}

/** Samples are created and changed by the real operations. */
export function perform({
  resource,
  id,
  before,
  operation,
  params,
  at,
  related = NOBODY,
  ...asked
}: ToldStep): ToldThing {
  const verdict = decideIntent(
    {
      ...asked,
      resource: resource.name,
      ...(before && { target: id }),
      change: { action: operation, params },
      pointers: { target: `/${resource.name}`, action: '/action', params: '' },
      faults: [],
      guard: { required: false },
      dryRun: false,
    },
    {
      resource,
      thing: before,
      command: undefined,
      exists: () => true,
      related,
      idBy: () => undefined,
      queryFaults: () => [],
      people: () => [],
      heldBy: [],
      now: instantAt(at),
      newId: () => id,
      defaults: { currency: 'EUR' },
    },
  )
  if (verdict.kind === 'apply')
    return { thing: verdict.thing, events: verdict.events, commands: verdict.command ? [verdict.command] : [] }
  throw new Error(`${operation} of ${resource.name} ${id} was not done: ${JSON.stringify(verdict)}`)
}

const NOBODY = () => undefined
