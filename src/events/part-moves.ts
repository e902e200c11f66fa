import type { Lane } from '../model/declaration/resource.ts'
import type { Resource } from '../model/declaration/schema.ts'
import type { Intent } from '../model/intent/intent.ts'
import { resourceNamed } from '../model/schema/resources.ts'
import type { AskedAttributes, AskedOperation } from '../model/source/asked.ts'
import type { CountedParts, PartMoves } from '../model/source/counted-parts.ts'
import { type Collection, fieldOf } from '../queries/collection.ts'
import { collectionOf, collectionsOf } from '../queries/collections.ts'
import { parseQuery } from '../queries/parse/parse-query.ts'
import type { Query, Term, Value } from '../queries/query.ts'
import { withKey } from '../queries/sort.ts'
import { SERVICE } from '../store/port/desk.ts'
import type { Store } from '../store/port/store.ts'
import type { Json } from '../values/json/json.ts'
import { memberIn } from '../values/members.ts'
import { follow, type Loop } from '../work/follow.ts'

// Parts of things that are being removed: what is in them moves, in small commits. There is no lease: a thing that is
// no longer where it was found is not moved, so several instances may work at once. One that finds another at work
// waits for its next look. decisions/0061, 0064

/** Things that move in one commit. */
const TOGETHER = 50
/** Milliseconds between two looks, besides those that events cause. */
const POLL = 1000

/** Moves what is in parts that are being removed, and then removes these. */
export function startMoves(store: Store, onFault: (cause: unknown) => void): Loop {
  const reached = new Map<string, readonly Value[]>()
  return follow({
    due: (wake) => store.onEvents(wake),
    async step(closing) {
      let isMore = false
      for (const resource of store.schemas.current.resources) {
        if (resource.parts === undefined) continue
        if (await moveAll({ store, reached, closing }, resource, resource.parts)) isMore = true
      }
      return isMore
    },
    pace: { look: POLL },
    onFault,
  })
}

interface Moving {
  readonly store: Store
  /** How far a search without an index has come, so that the next does not begin at the start; only in memory. */
  readonly reached: Map<string, readonly Value[]>
  readonly closing: AbortSignal
}

interface RemovedFrom {
  readonly id?: string
  readonly revision?: number
}

/** Parts of an item of the model are being removed. */
interface Removal {
  readonly resource: Resource
  readonly parts: CountedParts
  readonly item: RemovedFrom
  readonly moves: readonly PartMoves[]
  /** The one who asked for it; null if that was forgotten. */
  readonly actor: string | null
}

/** One step of each removal that is under way; returns whether there may be more to do now. */
async function moveAll(moving: Moving, resource: Resource, parts: CountedParts): Promise<boolean> {
  const { shapes, schema } = resource
  let isMore = false
  for (const item of shapes === undefined ? [] : (schema[shapes.part] as readonly RemovedFrom[])) {
    const moves = parts.moves(item)
    if (moves.length === 0 || moving.closing.aborted) continue
    const actor = await begunBy(moving.store, resource, parts, item)
    const removal = { resource, parts, item, moves, actor }
    const done = await movedSome(moving, removal)
    if (done === 'none there') await finish(moving.store, removal)
    else if (done === 'moved') isMore = true
  }
  return isMore
}

/** Moves the first things of the first part that has any. */
async function movedSome(
  { store, reached }: Moving,
  { resource: { schema }, parts, item, moves, actor }: Removal,
): Promise<'moved' | 'done by another' | 'none there'> {
  const { on, within, part } = parts.placesOf(item)
  const resource: Resource = resourceNamed(schema, on)
  const fields = [...Object.keys(within), part]
  const lane = resource.lanes?.find((each) => fields.every((field) => each.within.includes(field)))
  for (const move of moves) {
    for (const search of searchesFor(resource, lane, move)) {
      const place = `${item.id} ${item.revision} ${search.text} ${JSON.stringify(move.from)}`
      const from = reached.get(place)
      const { items, last } = await itemsOf(store, collectionOf(resource), { ...search, after: from })
      if (items.length === 0) {
        if (from === undefined) continue
        // Begins again at the start, for those that somebody was changing.
        reached.delete(place)
        return 'moved'
      }
      if (lane === undefined && last !== undefined) reached.set(place, last)
      const intents = items.map((found) => moveOf(on, found, move, actor))
      const { outcomes } = await store.perform({ intents, atomic: false, dryRun: false, linked: false })
      return outcomes.some(({ kind }) => kind === 'applied') ? 'moved' : 'done by another'
    }
  }
  return 'none there'
}

/** A thing that has other values by now is not moved. */
function moveOf(on: string, found: FoundItem, { from, change }: PartMoves, actor: string | null): Intent {
  const fields = Object.keys(from)
  const values = fields.map((field) => memberIn(found, field) as Json)
  const seen = Object.fromEntries(fields.map((field, at) => [field, JSON.stringify(values[at])]))
  return intentTo(on, found.id, change(values), actor, { seen })
}

interface PartSearch {
  readonly text: string
  /** The values of fields besides those in the text. */
  readonly where?: { readonly [field: string]: string }
  /** A field that only the service sorts by: that of an index. */
  readonly by?: string | undefined
  readonly after?: readonly Value[] | undefined
}

/** With an index: a search for each of the values that its lane begins with; and the same for deleted things. */
function searchesFor(resource: Resource, lane: Lane | undefined, { from }: PartMoves): readonly PartSearch[] {
  const others = (lane?.within ?? []).filter((field) => !Object.hasOwn(from, field))
  const all = others.reduce(
    (texts, field) => texts.flatMap((text) => choicesOf(resource, field).map((value) => `${text}&${field}=${value}`)),
    [`fields=id,${Object.keys(from).join(',')}&pageSize=${TOGETHER}`],
  )
  const texts = resource.keepsDeleted ? [...all, ...all.map((text) => `${text}&deleted=true`)] : all
  return texts.map((text) => ({ text, where: from, by: lane?.by }))
}

const choicesOf = ({ kinds }: Resource, field: string): readonly string[] =>
  (kinds[field]?.schema.enum as readonly string[] | undefined) ?? []

interface FoundItem {
  readonly [member: string]: unknown
  readonly id: string
}

async function itemsOf(store: Store, collection: Collection, { text, where = {}, by, after }: PartSearch) {
  const parsed = parseQuery(collection, text)
  if (!('query' in parsed)) throw new Error(`a query cannot be read: ${text}`)
  const terms = Object.entries(where).map(
    ([field, value]): Term => ({ field: fieldOf(collection, field), operator: 'eq', values: [value] }),
  )
  const sort =
    by === undefined ? undefined : withKey(collection, [{ field: fieldOf(collection, by), descending: true }])
  const { page: _first, ...asked } = parsed.query
  const query: Query = {
    ...(after === undefined ? parsed.query : { ...asked, after }),
    filter: [...terms, ...parsed.query.filter],
    ...(sort && { sort }),
  }
  const { items, last } = await store.as(SERVICE).page(collection, [], query)
  return { items: items.map((json) => JSON.parse(json) as FoundItem), last }
}

/** Everything has moved. If the thing was changed meanwhile, or a thing came in, the next look decides. */
async function finish(store: Store, { resource, parts, item, actor }: Removal): Promise<void> {
  const { revision = 0 } = item
  const guard = { required: false, revisions: [revision] }
  const intent = intentTo(resource.name, item.id, parts.afterwards(item), actor, { guard })
  await store.perform({ intents: [intent], atomic: false, dryRun: false, linked: false })
}

function intentTo(
  resource: string,
  target: unknown,
  change: AskedOperation | AskedAttributes,
  actor: string | null,
  more: Partial<Intent>,
): Intent {
  return {
    ...{ resource, target, change, actor },
    ...{ pointers: { target: '', action: '', params: '' }, faults: [], guard: { required: false } },
    ...{ unconditional: true, form: 'service', dryRun: false },
    ...more,
  }
}

/** As its history tells. */
async function begunBy(store: Store, { name, schema }: Resource, parts: CountedParts, { id }: RemovedFrom) {
  const { events } = collectionsOf(schema)
  const { items } = await itemsOf(store, events, { text: `${name}=${id}&sort=-sequence&pageSize=50` })
  const told = items.map(({ data }) => data as { readonly actor: string | null; readonly params: object })
  const begun = told.find(({ params }) => parts.begunBy.some((field) => Object.hasOwn(params, field)))
  return begun?.actor ?? null
}
