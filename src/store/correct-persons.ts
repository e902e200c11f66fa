import { type CorrectedFields, type Correction, correctedFields } from '../model/intent/correction.ts'
import type { Intent } from '../model/intent/intent.ts'
import type { Collection } from '../queries/collection.ts'
import { collectionOf } from '../queries/collections.ts'
import type { Filter, Query, Value } from '../queries/query.ts'
import { defaultSort } from '../queries/sort.ts'
import { equals } from '../queries/term.ts'
import { memberIn, nested } from '../values/members.ts'
import { follow, type Loop } from '../work/follow.ts'
import { SERVICE } from './port/desk.ts'
import type { BatchOutcome, Store } from './port/store.ts'

// A correction changes one text in all fields for persons, in small commits. There is no lease: a thing that has another
// text by now is not changed, so several instances may work at once. decisions/0067

/** Things that are changed in one commit. */
const TOGETHER = 50
/** Milliseconds between two looks. */
const LOOK = 1000

type Corrected = Pick<Store, 'as' | 'perform' | 'schemas' | 'accounts'>

export function correctPersons(store: Store, onFault: (cause: unknown) => void): Loop {
  const passes: Passes = new Map()
  return follow({
    async step(closing) {
      let isMore = false
      for (const correction of await store.accounts.corrections()) {
        if (closing.aborted) return false
        if (await correctSome(store, correction, passes)) isMore = true
      }
      return isMore
    },
    pace: { look: LOOK },
    onFault,
  })
}

/** How far each correction has come, by its id; only in memory. */
type Passes = Map<string, Pass>

/** One way through all things, and whether it has changed any: then there is another, for what came in meanwhile. */
interface Pass {
  readonly at: number
  readonly after?: readonly Value[] | undefined
  readonly hasChanged: boolean
}

const FIRST: Pass = { at: 0, hasChanged: false }

/** The steps of a correction that are done before it is answered. */
const AT_ONCE = 16

/** Begins a correction; one of few things is done when this resolves. */
export async function beginCorrection(store: Corrected, correction: Correction): Promise<void> {
  await store.accounts.beginCorrection(correction)
  const passes: Passes = new Map()
  for (let step = 0; step < AT_ONCE; step++) if (!(await correctSome(store, correction, passes))) return
}

/** Changes the next things of a correction, and ends it if none are left; returns whether there may be more. */
export async function correctSome(store: Corrected, correction: Correction, passes: Passes): Promise<boolean> {
  const { changed } = correctedFields(store.schemas.current, correction)
  const pass = passes.get(correction.id) ?? FIRST
  const among = changed[pass.at]
  if (among === undefined) {
    passes.delete(correction.id)
    if (!pass.hasChanged) await store.accounts.endCorrection(correction.id)
    return pass.hasChanged
  }
  const { items, last } = await holding(store, among, correction.from, { size: TOGETHER, after: pass.after })
  if (items.length === 0) {
    passes.set(correction.id, { at: pass.at + 1, hasChanged: pass.hasChanged })
    return true
  }
  const intents = items.map((json) => changeOf(JSON.parse(json), among, correction))
  const { outcomes } = await store.perform({ intents, atomic: false, dryRun: false, linked: false })
  passes.set(correction.id, { ...pass, after: last, hasChanged: pass.hasChanged || outcomes.some(mayRecur) })
  return true
}

/** Whether it was changed, or somebody else has changed it meanwhile: it may still have the text in another field. */
const mayRecur = (outcome: BatchOutcome['outcomes'][number]): boolean =>
  outcome.kind === 'applied'
    ? outcome.event !== undefined
    : outcome.kind === 'refused' && outcome.refusal.code === 'not-found'

/** How many things have the text now, and in how many of them a field keeps it, because it may not be empty. */
export async function countCorrected(
  store: Corrected,
  correction: Pick<Correction, 'from' | 'to'>,
): Promise<{ readonly things: number; readonly kept: number }> {
  const { changed, kept } = correctedFields(store.schemas.current, correction)
  const counted = async (among: readonly CorrectedFields[]): Promise<number> => {
    let sum = 0
    for (const each of among) sum += (await holding(store, each, correction.from, { size: 1, count: true })).total ?? 0
    return sum
  }
  return { things: await counted(allOf([...changed, ...kept])), kept: await counted(kept) }
}

/** Each resource once: a thing counts once, however many of its fields have the text. */
const allOf = (all: readonly CorrectedFields[]): readonly CorrectedFields[] =>
  [...Map.groupBy(all, ({ resource }) => resource)].map(([resource, each]) => ({
    resource,
    fields: each.flatMap(({ fields }) => fields),
  }))

/** The things that have a text in one of these fields, deleted and archived ones too. */
function holding(
  store: Corrected,
  { resource, fields }: CorrectedFields,
  text: string,
  {
    count = false,
    after,
    ...page
  }: Pick<Query, 'size'> & { readonly count?: boolean; readonly after?: Query['after'] | undefined },
) {
  const collection: Collection = collectionOf(resource)
  const [first = [], ...others] = fields.map((field): Filter => [equals(collection, field, text)])
  const query: Query = {
    ...page,
    filter: others.length === 0 ? first : [{ any: [first, ...others], negated: false }],
    sort: defaultSort(collection),
    count,
    refuseEmpty: false,
    ...(after && { after }),
  }
  return store.as(SERVICE).page(collection, [], query)
}

/** As an admin would update the attributes, whatever the state of the thing. */
function changeOf(
  thing: { readonly id: unknown },
  { resource, fields }: CorrectedFields,
  correction: Correction,
): Intent {
  const { from, to, actor, key } = correction
  const held = fields.filter((field) => memberIn(thing, field) === from)
  return {
    ...{ resource: resource.name, target: thing.id, actor, ...(key !== null && { key }) },
    seen: Object.fromEntries(held.map((field) => [field, JSON.stringify(from)])),
    change: { attributes: nested(held.map((field) => [field, to])) },
    ...{ pointers: { target: '', action: '', params: '' }, faults: [], guard: { required: false } },
    ...(to !== null && { persons: { unchecked: [to] } }),
    ...{ unconditional: true, form: 'attribute-update', dryRun: false },
  }
}
