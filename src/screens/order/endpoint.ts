import type { Answer } from '../../http/contract/answer.ts'
import type { Call, Endpoint } from '../../http/contract/endpoint.ts'
import { writeTogether } from '../../http/write/write.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { collectionOf } from '../../queries/collections.ts'
import { localPath } from '../../values/address.ts'
import { newCommandId } from '../forms/command-id.ts'
import { arranged, isArranged, listOrders } from '../list/list-screen.ts'
import { tellNext } from '../notices/done-cookie.ts'
import { ask } from '../parts/ask.ts'
import { readThing, type SeenThing } from '../parts/shown.ts'

/** Moves a thing one place up or down among those that it is shown with: a commit changes the places that differ. */
export const orderEndpoint: Endpoint = {
  method: 'POST',
  path: '/order/:collection',
  role: 'editor',
  summary: 'Move an entry of an arranged list up or down',
  offers: 'resource',
  reads: ['application/x-www-form-urlencoded'],
  forPeople: true,
  handle: move,
}

async function move(call: Call): Promise<Answer> {
  const resource = call.schema.resources.find(({ plural }) => plural === call.params.collection)
  const change = resource?.operations.find(({ differences }) => differences)
  if (resource === undefined || change === undefined || !isArranged(resource))
    return { problem: { code: 'not-found', detail: 'There is no such change of a list.' } }
  const fields = call.fields ?? new Map<string, string>()
  const places = newPlaces(
    await readArranged(resource, call),
    fields.get('_up'),
    fields.get('_down'),
    arranged[resource.name],
  )
  const key = newCommandId()
  const around = { guard: { required: false }, key }
  const asked = places.map(({ id, position }, among) => ({
    resource: resource.name,
    target: id,
    change: { action: change.name, params: { position } },
    around: { ...around, among },
  }))
  const location = call.service.addresses.base + (localPath(fields.get('_return')) ?? resource.path)
  if (asked.length === 0) return { status: 303, headers: { location } }
  const done = await writeTogether(asked, { atomic: true }, { ...call, around, form: 'batch' })
  if ('problem' in done) return done
  const problem = done.written.find((each) => 'problem' in each)
  if (problem !== undefined && 'problem' in problem) return problem
  const told = tellNext({ done: { key, count: asked.length } }, call)
  return { status: 303, headers: { location, 'set-cookie': told } }
}

async function readArranged(resource: Resource, { desk }: Call): Promise<readonly SeenThing[]> {
  const search = `sort=${listOrders[resource.name]}&maxpagesize=1000`
  return (await ask(desk, collectionOf(resource), search)).items.map(readThing)
}

/** The places that change when one thing is moved, so that no two have the same. */
export function newPlaces(
  things: readonly SeenThing[],
  up: string | undefined,
  down: string | undefined,
  { within }: { readonly within?: string } = {},
): readonly { readonly id: SeenThing['id']; readonly position: number }[] {
  const moved = things.find(({ id }) => String(id) === (up ?? down))
  if (moved === undefined) return []
  const those = things.filter((each) => within === undefined || each[within] === moved[within])
  const at = those.indexOf(moved)
  const first = up === undefined ? at : at - 1
  const [one, other] = those.slice(Math.max(first, 0), first + 2)
  if (first < 0 || one === undefined || other === undefined) return []
  const next = those.with(first, other).with(first + 1, one)
  // Places that differ stay as they are: two things exchange theirs.
  const before = those.map(({ position }) => Number(position))
  const areApart = before.every((place, index) => index === 0 || place > Number(before[index - 1]))
  return next.flatMap((thing, index) => {
    const position = areApart ? Number(before[index]) : index
    return position === thing.position ? [] : [{ id: thing.id, position }]
  })
}
