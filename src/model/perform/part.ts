import { notBefore } from '../../values/kinds/time.ts'
import type { DomainEvent } from '../declaration/event.ts'
import type { Thing } from '../declaration/resource.ts'
import { operationsOnExisting, type Referrer } from '../schema/resources.ts'

/**
 * What happens to a thing when the one that it refers to is removed: an operation like any other, with its event and
 * revision, by the same actor and command. decisions/0036
 */
export function partFrom(
  { from, field, without }: Referrer,
  thing: Thing,
  removal: Pick<DomainEvent, 'at' | 'actor' | 'key' | 'form' | 'commandId'>,
): { readonly event: DomainEvent; readonly removed: boolean } {
  const removed = without === 'goes'
  const operation = operationsOnExisting(from).find(({ removes, differences, changes }) =>
    removed ? removes : differences && changes.includes(field),
  )
  if (operation === undefined) throw new Error(`no operation parts a ${from.name} from its ${field}`)
  const at = notBefore(thing.updatedAt, removal.at)
  const decided = operation.decide(thing, removed ? {} : { [field]: null }, {
    now: at,
    exists: () => true,
    queryFaults: () => [],
  })
  if (!('thing' in decided)) throw new Error(`${operation.words.action} does not part a ${from.name} from its ${field}`)
  const { actor, key, form, commandId } = removal
  return { event: { operation, ...decided, at, actor, key, form, commandId }, removed }
}
