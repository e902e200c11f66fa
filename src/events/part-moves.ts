import type { Intent } from '../model/perform/intent.ts'
import type { CountedParts, Lane, PartMoves } from '../model/resource.ts'
import { resourceNamed } from '../model/resources.ts'
import type { Resource } from '../model/schema.ts'
import { type Collection, fieldOf } from '../queries/collection.ts'
import { collectionOf, collectionsOf } from '../queries/collections.ts'
import { parseQuery } from '../queries/parse/parse-query.ts'
import { withKey } from '../queries/sort.ts'
import { SERVICE } from '../store/port/desk.ts'
import type { Store } from '../store/port/store.ts'
import type { Json } from '../values/kinds/kind.ts'

// Parts of things that are being removed: what is in them moves, in small commits. There is no lease: a thing that is
// no longer where it was found is not moved, so several instances may work at once. One that finds another at work
// waits for its next look. decisions/0061

/** Things that move in one commit. */
const TOGETHER = 50
/** Milliseconds between two looks, besides those that events cause. */
const POLL = 1000

interface MovesDone {
  close(): Promise<void>
}

/** Moves what is in parts that are being removed, and then removes these. */
export function startMoves(store: Store, onFault: (cause: unknown) => void): MovesDone {
  let isOpen = true
  let isWanted = false
  let running: Promise<void> | undefined
  const wake = (): void => {
    isWanted = true
    running ??= run().finally(() => {
      running = undefined
      if (isWanted && isOpen) wake()
    })
  }
  const run = async (): Promise<void> => {
    try {
      while (isWanted && isOpen) {
        isWanted = false
        for (const resource of store.schemas.current.resources) {
          if (resource.parts !== undefined && (await moveAll(store, resource, resource.parts, () => isOpen)))
            isWanted = true
        }
      }
    } catch (cause) {
      isWanted = false
      onFault(cause)
    }
  }
  const stop = store.onEvents(wake)
  const timer = setInterval(wake, POLL)
  timer.unref()
  wake()
  return {
    async close() {
      isOpen = false
      clearInterval(timer)
      stop()
      await running
    },
  }
}

interface RemovedFrom {
  readonly id?: string
  readonly revision?: number
}

/** One step of each removal that is under way; returns whether there may be more to do now. */
async function moveAll(store: Store, resource: Resource, parts: CountedParts, isOpen: () => boolean): Promise<boolean> {
  const { shapes, schema } = resource
  let isMore = false
  for (const item of shapes === undefined ? [] : (schema[shapes.part] as readonly RemovedFrom[])) {
    const moves = parts.moves(item)
    if (moves.length === 0 || !isOpen()) continue
    const actor = await begunBy(store, resource, parts, item)
    const done = await movedSome(store, resource, parts, moves, actor)
    if (done === 'none there') await finish(store, resource, parts, item, actor)
    else if (done === 'moved') isMore = true
  }
  return isMore
}

/** Moves the first things of the first part that has any. */
async function movedSome(
  store: Store,
  { schema }: Resource,
  { on, within, part }: CountedParts,
  moves: readonly PartMoves[],
  actor: string | null,
): Promise<'moved' | 'done by another' | 'none there'> {
  const resource: Resource = resourceNamed(schema, on)
  const lane = resource.lanes?.find((each) => [within, part].every((field) => each.within.includes(field)))
  for (const move of moves) {
    for (const query of queriesFor(resource, lane, move)) {
      const ids = (await itemsOf(store, collectionOf(resource), query, lane?.by)).map(({ id }) => id)
      if (ids.length === 0) continue
      const intents = ids.map((id) => intentTo(on, id, move, actor, { seen: asSeen(move) }))
      const { outcomes } = await store.perform({ intents, atomic: false, dryRun: false, linked: false })
      return outcomes.some(({ kind }) => kind === 'applied') ? 'moved' : 'done by another'
    }
  }
  return 'none there'
}

const asSeen = ({ from }: PartMoves) =>
  Object.fromEntries(Object.entries(from).map(([field, value]) => [field, JSON.stringify(value)]))

/** With an index: a query for each of the values that its lane begins with; and the same for deleted things. */
function queriesFor(resource: Resource, lane: Lane | undefined, { from }: PartMoves): readonly string[] {
  const fixed = Object.entries(from).map(([field, value]) => `${field}=${encodeURIComponent(value)}`)
  const others = (lane?.within ?? []).filter((field) => !Object.hasOwn(from, field))
  const all = others.reduce(
    (queries, field) =>
      queries.flatMap((query) => choicesOf(resource, field).map((value) => `${query}&${field}=${value}`)),
    [fixed.join('&')],
  )
  const page = `fields=id&pageSize=${TOGETHER}`
  const live = all.map((query) => `${query}&${page}`)
  return resource.keepsDeleted ? [...live, ...live.map((query) => `${query}&deleted=true`)] : live
}

const choicesOf = ({ kinds }: Resource, field: string): readonly string[] =>
  (kinds[field]?.schema.enum as readonly string[] | undefined) ?? []

interface FoundItem {
  readonly [member: string]: unknown
  readonly id: string
}

/** `by` is a field that only the service sorts by: that of an index. */
async function itemsOf(store: Store, collection: Collection, text: string, by?: string): Promise<readonly FoundItem[]> {
  const parsed = parseQuery(collection, text)
  if (!('query' in parsed)) throw new Error(`a query cannot be read: ${text}`)
  const sort =
    by === undefined ? undefined : withKey(collection, [{ field: fieldOf(collection, by), descending: true }])
  const query = { ...parsed.query, ...(sort && { sort }) }
  const { items } = await store.as(SERVICE).page(collection, [], query)
  return items.map((json) => JSON.parse(json) as FoundItem)
}

/** Everything has moved. If the thing was changed meanwhile, or a thing came in, the next look decides. */
async function finish(store: Store, { name }: Resource, parts: CountedParts, item: RemovedFrom, actor: string | null) {
  const { revision = 0 } = item
  const intent = intentTo(name, item.id, parts.afterwards(item), actor, {
    guard: { required: false, revisions: [revision] },
  })
  await store.perform({ intents: [intent], atomic: false, dryRun: false, linked: false })
}

function intentTo(
  resource: string,
  target: unknown,
  { operation, params }: { readonly operation: string; readonly params: { readonly [name: string]: Json } },
  actor: string | null,
  more: Partial<Intent>,
): Intent {
  return {
    ...{ resource, target, change: { action: operation, params }, actor },
    ...{ pointers: { target: '', action: '', params: '' }, faults: [], guard: { required: false } },
    ...{ unconditional: true, form: 'service', dryRun: false },
    ...more,
  }
}

/** The one who asked for the removal; null if that was forgotten. */
async function begunBy(store: Store, { name, schema }: Resource, parts: CountedParts, { id }: RemovedFrom) {
  const { events } = collectionsOf(schema)
  const items = await itemsOf(store, events, `${name}=${id}&sort=-sequence&pageSize=50`)
  const told = items.map(({ data }) => data as { readonly actor: string | null; readonly params: object })
  const begun = told.find(({ params }) => parts.begunBy.some((field) => Object.hasOwn(params, field)))
  return begun?.actor ?? null
}
