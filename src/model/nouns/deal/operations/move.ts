import { optional } from '../../../../values/members.ts'
import { defineOperation } from '../../../declaration/operation.ts'
import { deal } from '../deal.ts'
import { placeAfter, placeFaults } from '../place.ts'
import { notHeld, open } from '../rules.ts'

export const move = defineOperation({
  on: deal,
  name: 'move',
  title: 'Move to a stage',
  words: { participles: ['moved'], noun: 'moves', action: 'MoveDeal', event: 'deal.moved' },
  group: 'Progress',
  rank: 1,
  sentence: ({ stage, pipeline }, say) => ({
    done: sentences[stage === undefined ? 'pipeline' : pipeline === undefined ? 'stage' : 'both'],
    with: { stage: say.choice(stage), pipeline: say.choice(pipeline) },
  }),
  params: ({ kinds }) => ({ stage: optional(kinds.stage), pipeline: optional(kinds.pipeline) }),
  examples: [{ stage: 'proposal' }],
  allowed: [open, notHeld],
  changes: ['stage', 'pipeline'],
  needsOne: true,
  fromAttributes: (deal, { stage, pipeline = deal.pipeline }) => {
    const isElsewhere = pipeline !== deal.pipeline
    if (!isElsewhere && (stage ?? deal.stage) === deal.stage) return undefined
    return { params: { ...(stage !== undefined && { stage }), ...(isElsewhere && { pipeline }) } }
  },
  sets: { stage: 'stage', pipeline: 'pipeline' },
  undo: ({ stage, pipeline }, params) => [
    { operation: 'move', params: params.pipeline === undefined ? { stage } : { stage, pipeline } },
  ],
  // A pipeline with a stage of another is wrong for every deal, whatever its state.
  check: ({ stage, pipeline }, _now, { on: { schema } }) =>
    stage === undefined || pipeline === undefined ? [] : placeFaults({ pipeline, stage }, schema),
  apply: (deal, params, _now, { on: { schema } }) => {
    const place = placeAfter(deal, params, schema)
    const faults = placeFaults(place, schema)
    return faults.length > 0 ? { faults } : place
  },
})

const sentences = {
  stage: 'moved it to {stage}',
  pipeline: 'moved it to {pipeline}',
  both: 'moved it to {pipeline}, {stage}',
} as const
