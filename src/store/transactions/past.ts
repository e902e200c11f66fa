import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { StoreReads } from '../desks.ts'
import type { Past, Stored } from '../port/desk.ts'
import { TOLD_EVENTS } from '../rows/event.ts'
import { storedAfter } from '../rows/things.ts'
import { wholeState } from '../rows/whole-state.ts'
import { type SqlDialect, statementsIn } from '../sql/dialect.ts'
import { isOfThing } from '../sql/thing-events.ts'
import type { RunStatement } from './work.ts'

/** Milliseconds after which no write is under way any more. */
const LONGEST_WRITE = 60_000

/**
 * Things in past states. An event contains the resulting thing, so a revision is read from its event; not every
 * revision has one, because imports and earlier releases changed customers without events. `decided` resolves when the
 * writes that are under way have ended: their events have instants before their commit. decisions/0031
 */
export function pastReader(
  dialect: SqlDialect,
  find: StoreReads['find'],
  read: RunStatement,
  decided: () => Promise<unknown>,
): StoreReads['past'] {
  const statementsOf = bySchema((resource: Resource) => {
    const isOne = `${isOfThing(dialect, resource, '?1', '?2')} AND resource = '${resource.name}'`
    return statementsIn(dialect, `past ${resource.name}`, {
      STATE: `SELECT at, doc FROM ${TOLD_EVENTS} WHERE ${isOne} AND revision = ?2`,
      LATEST: `SELECT revision, at FROM events WHERE ${isOne} AND revision <= ?2 ORDER BY revision DESC LIMIT 1`,
    })
  })

  return async (resource, id, moment) => {
    if ('asOf' in moment && Date.parse(moment.asOf) > Date.now() - LONGEST_WRITE) await decided()
    const present = await find(resource, id)
    if (present === undefined) return { missing: 'thing' }
    return 'revision' in moment ? stateOf(resource, present, moment.revision) : stateAt(resource, present, moment.asOf)
  }

  async function stateOf(resource: Resource, present: Stored, revision: number): Promise<Past> {
    if (revision > present.revision) return { missing: 'later', present }
    if (revision === present.revision) return { thing: present, present }
    const [row] = await read(statementsOf(resource).STATE, String(present.id), revision)
    if (row === undefined) return { missing: 'unrecorded', present }
    const at = String(row[0])
    const doc = wholeState(String(row[1]))
    // An import can recreate the id of a removed thing.
    if (createdAtIn(doc) !== createdAtIn(present.json)) return { missing: 'before', present }
    return { thing: storedAfter(resource, present.id, { revision, at, doc }), present }
  }

  async function stateAt(resource: Resource, present: Stored, asOf: string): Promise<Past> {
    if (asOf >= present.updatedAt) return { thing: present, present }
    if (asOf < createdAtIn(present.json)) return { missing: 'before', present }
    const revision = await lastRevisionAt(resource, present, asOf)
    // The state lasts until the next revision; if that has no event, its time is unknown.
    const next = revision + 1
    const isKnown = next === present.revision || (await latest(resource, present.id, next))?.revision === next
    if (revision === 0 || !isKnown) return { missing: 'unrecorded', present }
    const found = await stateOf(resource, present, revision)
    return 'thing' in found ? found : { missing: 'unrecorded', present }
  }

  /** The last revision with an event at an instant; 0 if none is that old. Instants follow revisions. */
  async function lastRevisionAt(resource: Resource, { id, revision }: Stored, asOf: string): Promise<number> {
    let found = 0
    let low = 1
    let high = revision - 1
    while (low <= high) {
      const middle = Math.floor((low + high) / 2)
      const event = await latest(resource, id, middle)
      if (event !== undefined && event.at > asOf) high = event.revision - 1
      else {
        found = event?.revision ?? found
        low = middle + 1
      }
    }
    return found
  }

  async function latest(resource: Resource, id: Key, revision: number) {
    const [row] = await read(statementsOf(resource).LATEST, String(id), revision)
    return row && { revision: Number(row[0]), at: String(row[1]) }
  }
}

const createdAtIn = (json: string): string => String((JSON.parse(json) as { readonly createdAt?: string }).createdAt)
