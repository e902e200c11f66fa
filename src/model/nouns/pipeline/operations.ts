import type { Fault } from '../../../values/faults/fault.ts'
import { pointerTo } from '../../../values/json/pointer.ts'
import { positionBehind } from '../../../values/kinds/number.ts'
import { titleFaults, trimmed } from '../../../values/kinds/titles.ts'
import { optional } from '../../../values/members.ts'
import { defineOperation, type Occupied, type PartCounts } from '../../declaration/operation.ts'
import type { InUse } from '../../declaration/refusal.ts'
import { defineChange, defineCreation } from '../../declaration/usual-operations.ts'
import type { StageSource } from '../../source/pipeline-source.ts'
import type { SchemaSource } from '../../source/schema-source.ts'
import { MOST_STAGES, moveToKind, type StageMoves } from './kinds.ts'
import { type Pipeline, pipeline, slug } from './pipeline.ts'
import { reasonFaults, stageFaults, tooManyStages, wholeStage } from './pipeline-faults.ts'

const create = {
  ...defineCreation(pipeline, {
    said: { title: 'Add a pipeline', done: 'added the pipeline' },
    examples: [
      {
        name: 'renewals',
        title: 'Renewals',
        titles: { de: 'Verlängerungen' },
        position: 7,
        stages: [
          { name: 'due', title: 'Due', titles: { de: 'Fällig' }, likelihood: 60, staleAfter: 30 },
          { name: 'offered', title: 'Offered', likelihood: 80, requires: ['owner'] },
        ],
        lostReasons: ['Too expensive'],
      },
    ],
    check: ({ titles = {}, stages, lostReasons = [] }, _now, { on: { schema } }) => [
      ...titleFaults(titles, '/titles'),
      ...(stages === undefined ? [] : stageFaults(stages, schema)),
      ...reasonFaults(lostReasons),
    ],
    apply(_blank, fields, _now, { on: { schema } }) {
      const { name } = fields
      if (schema.pipelines.some((each) => each.name === name))
        return { refused: { code: 'name-taken', resource: 'pipeline', name } }
      return { ...fields, titles: trimmed(fields.titles), stages: fields.stages.map(wholeStage) }
    },
  }),
  /** Behind the last. */
  usual: ({ position }: { readonly [param: string]: unknown }, { pipelines }: SchemaSource) =>
    position === undefined ? { position: positionBehind(pipelines.map((each) => each.position)) } : {},
}

const change = defineChange(pipeline, {
  noun: 'changes',
  fixed: ['name'],
  further: { moveTo: optional(moveToKind) },
  // A removal continues, and only another pipeline takes the default.
  final: ['closing', 'default', 'moveTo'],
  examples: [{ title: 'Contract renewals', titles: { de: 'Vertragsverlängerungen' } }, { position: 2 }],
  check: ({ titles = {}, stages, lostReasons = [], default: isDefault }, _now, { on: { schema }, thing }) => [
    ...titleFaults(titles, '/titles'),
    ...(stages === undefined ? [] : stageFaults(stages, schema, thing.stages)),
    ...reasonFaults(lostReasons),
    ...(isDefault === false && isOnlyDefault(thing, schema) ? [notDefault] : []),
    ...(isDefault === true && thing.closing ? [closingDefault] : []),
  ],
  apply(thing, fields, _now, { counts }) {
    const { moveTo = null, ...sent } = fields as Partial<Pipeline>
    const rest = { ...sent, ...(sent.titles && { titles: trimmed(sent.titles) }) }
    const { stages } = rest
    if (moveTo !== null && stages === undefined) return { faults: [withoutStages] }
    if (stages === undefined) return rest
    return arranged(thing, rest, stages.map(wholeStage), moveTo ?? {}, counts)
  },
})

const notDefault: Fault = { code: 'not-one-of', with: { values: ['true'], only: 'true' }, at: { pointer: '/default' } }
const closingDefault: Fault = { code: 'not-one-of', with: { values: ['false'] }, at: { pointer: '/default' } }
const withoutStages: Fault = { code: 'goes-with', with: { other: 'stages' }, at: { pointer: '/moveTo' } }

/** There is always a default: another one takes it. */
const isOnlyDefault = (thing: Pipeline, { pipelines }: SchemaSource): boolean =>
  thing.default && !pipelines.some((each) => each.default && each.name !== thing.name)

/** The stages in their new order. One that deals are in stays until they have left it. */
function arranged(
  thing: Pipeline,
  fields: Partial<Pipeline>,
  sent: readonly StageSource[],
  moves: StageMoves,
  counts: PartCounts,
): (Partial<Pipeline> & Occupied) | { readonly faults: readonly Fault[] } {
  const isEmpty = (name: string): boolean => (counts.get(name) ?? 0) === 0
  // One that is empty by now goes, also if the list was read before.
  const gone = thing.stages.filter(({ name, closing }) => closing && isEmpty(name)).map(({ name }) => name)
  const listed = sent.filter(({ name }) => !gone.includes(name))
  const names = new Set(listed.map(({ name }) => name))
  const leaving = thing.stages.filter(({ name, closing }) => !isEmpty(name) && (closing || !names.has(name)))
  const isLeaving = (name: string): boolean => leaving.some((each) => each.name === name)
  const staying = [...names].filter((name) => !isLeaving(name))
  const moveTo = new Map(Object.entries({ ...thing.moveTo, ...moves }))
  // Also where nothing is to move: what is wrong does not depend on today's deals.
  const asked = new Set([...leaving.map(({ name }) => name), ...Object.keys(moves)])
  const misled = [...asked].filter((name) => moveTo.has(name) && !staying.includes(moveTo.get(name) ?? ''))
  const unknown = Object.keys(moves).filter((name) => !thing.stages.some((each) => each.name === name))
  const kept = Object.keys(moves).filter((name) => staying.includes(name) && !unknown.includes(name))
  const faults: readonly Fault[] = [
    ...unknown.map((name): Fault => ({ code: 'unknown', at: { pointer: `/moveTo${pointerTo(name)}` } })),
    ...kept.map(
      (name): Fault => ({
        code: 'contradicts',
        with: { other: 'stages' },
        at: { pointer: `/moveTo${pointerTo(name)}` },
      }),
    ),
    ...misled.map(
      (name): Fault => ({
        ...{ code: 'not-one-of', with: { values: staying } },
        at: { pointer: `/moveTo${pointerTo(name)}` },
      }),
    ),
    ...(staying.length === 0 ? [{ code: 'blank', at: { pointer: '/stages' } } as const] : []),
  ]
  if (faults.length > 0) return { faults }
  const left = leaving.find(({ name }) => !moveTo.has(name))?.name
  const closing = new Map(leaving.map((stage) => [stage.name, { ...stage, closing: true }]))
  const stages = listed.map((stage) => closing.get(stage.name) ?? stage)
  // In its former place, as far as that still exists.
  for (const [at, { name }] of thing.stages.entries()) {
    const stage = closing.get(name)
    if (stage !== undefined && !names.has(name)) stages.splice(Math.min(at, stages.length), 0, stage)
  }
  // A closing stage is shown until it is gone.
  if (left === undefined && stages.length > MOST_STAGES) return { faults: [tooManyStages] }
  const leading = Object.fromEntries(leaving.map(({ name }) => [name, moveTo.get(name) ?? '']))
  const occupied = left === undefined ? undefined : { part: left, count: counts.get(left) ?? 0 }
  return { ...fields, stages, moveTo: leaving.length === 0 ? null : leading, ...(occupied && { occupied }) }
}

const inUse = ({ id }: Pipeline, count: number, needed = false): InUse => ({
  ...{ code: 'in-use', resource: pipeline.name, id, count, ...(needed && { needed }) },
})

const remove = defineOperation({
  on: pipeline,
  name: 'delete',
  title: 'Delete',
  words: { participles: ['deleted'], noun: 'deletions', action: 'DeletePipeline', event: 'pipeline.deleted' },
  group: 'Pipelines',
  danger: true,
  sentence: () => ({ done: 'deleted the pipeline' }),
  params: () => ({ moveTo: optional(slug) }),
  examples: [{}],
  allowed: [],
  changes: ['closing', 'successor'],
  removes: true,
  apply(thing, { moveTo }, _now, { on: { schema }, counts }) {
    const count = [...counts.values()].reduce((all, each) => all + each, 0)
    const others = schema.pipelines.filter(({ name, closing }) => name !== thing.name && !closing)
    if (moveTo !== undefined && !others.some(({ name }) => name === moveTo)) {
      const values = others.map(({ name }) => name)
      return { faults: [{ code: 'not-one-of', with: { values }, at: { pointer: '/moveTo' } }] }
    }
    // Deals of another one may still be on their way to it.
    const isAwaited = schema.pipelines.some((each) => each.closing && each.successor === thing.name)
    if (thing.default || isAwaited) return { refused: inUse(thing, count, true) }
    if (count === 0) return { closing: false }
    const successor = moveTo ?? thing.successor
    if (successor === null) return { refused: inUse(thing, count) }
    return { instead: 'change', change: { closing: true, successor } }
  },
})

/** Everything that can be done with a pipeline. */
export const pipelineOperations = [create, change, remove] as const
