import { bySchema } from '../../../model/declaration/by-schema.ts'
import type { DomainEvent } from '../../../model/declaration/event.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { partFrom } from '../../../model/perform/part.ts'
import { type Referrer, referrersOf } from '../../../model/schema/resources.ts'
import { onceFor } from '../../../values/memoize.ts'
import { changeRow, toldSince } from '../../rows/event.ts'
import { sinceAfter } from '../../rows/projection.ts'
import { columnOfField, keptPrevious } from '../../rows/things.ts'
import { statementIn } from '../../sql/dialect.ts'
import { prepared } from '../../sql/statement.ts'
import type { StoredThing, ThingReader } from '../facts/stored-thing.ts'
import { bind, type Work } from '../work.ts'
import type { Decision } from './decision.ts'
import type { WriteEngine } from './engine.ts'
import { BatchOutdated } from './outdated.ts'

/** The references with `stays` or `goes` to things of a resource. */
export const partingFrom = bySchema((resource: Resource): readonly Referrer[] =>
  referrersOf(resource).filter(({ without }) => without !== undefined),
)

/** Whether there may be such references to the thing that the decision removes. */
export const mayPart = ({ resource, after }: Decision): boolean =>
  after?.removed === true && partingFrom(resource).length > 0

/**
 * What happens to the things that refer to one that is removed. Nobody waits for a removed thing's lock while holding that of
 * a referring one.
 */
export function* partedFrom(engine: WriteEngine, removed: Decision, opened: string): Work<readonly Decision[]> {
  const { lockParting, isLocked = () => true } = engine
  const removal = removed.events.at(-1)?.event
  const id = removed.before?.thing.id
  if (removal === undefined || id === undefined) return []
  const parting = partingFrom(removed.resource)
  if (lockParting !== undefined) {
    const held = yield parting.map((referrer) => bind(lockParting(referrer), id))
    // The transaction already has its id: a lock this late does not keep events in order.
    if (!held.flat().every(([referring]) => isLocked(String(referring)))) throw new BatchOutdated()
  }
  const rows = yield parting.map((referrer) => bind(referringTo(engine.things)(referrer), id))
  return parting.flatMap((referrer, at) => {
    const things = rows[at]?.map((row) => engine.things.read(referrer.from, row)) ?? []
    return things.map((thing) => parted(referrer, thing, removal, opened))
  })
}

function parted(referrer: Referrer, before: StoredThing, removal: DomainEvent, opened: string): Decision {
  const { from: resource } = referrer
  const { event, removed } = partFrom(referrer, before.thing, removal)
  const told = changeRow(event, removed, toldSince(opened, before.thing))
  const { thing } = event
  const previousAt = keptPrevious(before.thing, thing)
  const since = sinceAfter(resource, before.thing, [event])
  const after = { thing, json: told.stored.doc, removed, previousAt, since }
  return { resource, before, after, events: [told], commands: [] }
}

const referringTo = onceFor(({ dialect, columns }: ThingReader) =>
  bySchema(({ from, field }: Referrer) => {
    const { name, plural } = from
    const text = `SELECT ${columns(from).join(', ')} FROM ${plural} WHERE ${columnOfField(from, field)} = ?1 ORDER BY id`
    return statementIn(dialect, prepared(`${name}-${field}-parting`, text))
  }),
)
