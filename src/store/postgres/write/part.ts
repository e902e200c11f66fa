import { bySchema } from '../../../model/declaration/by-schema.ts'
import type { Key } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { partFrom } from '../../../model/perform/part.ts'
import { type Referrer, referrersOf } from '../../../model/schema/resources.ts'
import { changeRow, toldSince } from '../../rows/event.ts'
import { sinceAfter } from '../../rows/projection.ts'
import { columnOfField, keptPrevious, thingColumns } from '../../rows/things.ts'
import { prepared } from '../../sql/statement.ts'
import type { BoundStatement } from '../../work/work.ts'
import type { Session, Statement } from '../connect/connection.ts'
import type { TurnSettings } from '../schema/model-in-use.ts'
import type { TurnDecision } from './decide.ts'
import { readThing } from './facts.ts'
import { writesOf } from './thing-rows.ts'

/** Whether there may be references, with `stays` or `goes`, to the thing that the decision removes. */
export const mayPart = (resource: Resource, { after }: TurnDecision): boolean =>
  after?.removed === true && partingFrom(resource).length > 0

/** Waits for the locks of the things that refer to one; returns their ids. */
export async function awaitParting(
  { query }: Session,
  resource: Resource,
  id: Key | undefined,
): Promise<readonly string[]> {
  const rows = await Promise.all(partingFrom(resource).map(({ lock }) => query(lock, [id])))
  return rows.flat().map(([referring]) => String(referring))
}

/**
 * The writes for the things that refer to a removed one, before its removal. Waits for their locks: nobody waits for a
 * removed thing's lock while holding that of a referring one.
 */
export async function partingWrites(
  { query }: Session,
  resource: Resource,
  { before, after, events }: TurnDecision,
  writeId: string,
  { opened }: TurnSettings,
): Promise<readonly BoundStatement[]> {
  const removal = events.at(-1)?.event
  if (after?.removed !== true || removal === undefined) return []
  const writes: BoundStatement[] = []
  for (const { referrer, lock, find } of partingFrom(resource)) {
    const { from } = referrer
    await query(lock, [before?.id])
    const decisions = (await query(find, [before?.id])).flatMap((row): TurnDecision[] => {
      const thing = readThing(from, row)
      if (thing === undefined) return []
      const { event, removed } = partFrom(referrer, thing, removal)
      const told = changeRow(event, removed, toldSince(opened, thing))
      const since = sinceAfter(from, thing, [event])
      const parted = {
        thing: event.thing,
        json: told.stored.doc,
        removed,
        previousAt: keptPrevious(thing, event.thing),
        since,
      }
      return [{ before: thing, after: parted, events: [told], commands: [], answers: [] }]
    })
    writes.push(...writesOf(from, decisions, writeId))
  }
  return writes
}

interface Parting {
  readonly referrer: Referrer
  readonly lock: Statement
  readonly find: Statement
}

const partingFrom = bySchema((resource: Resource): readonly Parting[] =>
  referrersOf(resource)
    .filter(({ without }) => without !== undefined)
    .map((referrer): Parting => {
      const { from, field } = referrer
      const referring = `FROM ${from.plural} WHERE ${columnOfField(from, field)} = $1`
      return {
        referrer,
        lock: {
          name: `${from.name}-${field}-await-turns`,
          text: `SELECT id::text, pg_advisory_xact_lock(hashtextextended(id::text, 0))
            FROM (SELECT id ${referring} ORDER BY id) AS referring`,
        },
        find: prepared(
          `${from.name}-${field}-parting`,
          `SELECT ${thingColumns(from).join(', ')} ${referring} ORDER BY id`,
        ),
      }
    }),
)
