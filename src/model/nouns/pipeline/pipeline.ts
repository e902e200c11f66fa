import { reason } from '../../../values/faults/fault.ts'
import { nullable } from '../../../values/kinds/kind.ts'
import { boolean, ordinal, position } from '../../../values/kinds/number.ts'
import { text } from '../../../values/kinds/text.ts'
import { instant } from '../../../values/kinds/time.ts'
import { title, titlesKind } from '../../../values/kinds/titles.ts'
import { isUuid, uuid } from '../../../values/kinds/uuid.ts'
import { assigned, given, kept, type ThingOf, unique } from '../../declaration/field.ts'
import { defineResource } from '../../declaration/resource.ts'
import { afterMoves, movesOut, type PipelineSource, settled } from '../../source/pipeline-source.ts'
import { lostReasonsKind, moveToKind, stagesKind } from './kinds.ts'

const notSlug = reason('malformed', { wants: 'slug' })

const word = text({ min: 1, max: 40, pattern: { regex: /^[a-z0-9]+(?:-[a-z0-9]+)*$/, fault: notSlug } })
/** The name of a pipeline or a stage: part of addresses and filters, and never changed. */
export const slug: typeof word = {
  ...word,
  // In an address, the form of a UUID is an id.
  read: (raw) => (isUuid(raw) ? { fault: notSlug } : word.read(raw)),
  readText: (text) => (isUuid(text) ? { fault: notSlug } : word.readText(text)),
}

/** The stages of deals, in their order. The schema is made of them. decisions/0061 */
export const pipeline = defineResource({
  name: 'pipeline',
  plural: 'pipelines',
  path: '/pipelines',
  fields: {
    id: assigned(uuid),
    name: unique(given(slug)),
    title: given(title),
    titles: given(titlesKind, {}),
    position: given(position, 0),
    default: given(boolean, false),
    stages: given(stagesKind),
    lostReasons: given(lostReasonsKind, []),
    /** Whether it is being removed: it goes when its deals have moved. */
    closing: kept(boolean, false),
    /** The stages to which deals move that leave others, by the names of these; null if none leave. */
    moveTo: kept(moveToKind, null),
    /** The pipeline to which its deals move while it is closing. */
    successor: kept(nullable(text({ min: 1, max: 40 })), null),
    createdAt: assigned(instant),
    updatedAt: assigned(instant),
    revision: assigned(ordinal),
  },
  indexed: ['id'],
  searched: ['name', 'title'],
  markings: ['name', 'closing'],
  addressedBy: 'name',
  parts: {
    listed: 'stages',
    placesOf: (item) => ({ on: 'deal', within: { pipeline: (item as PipelineSource).name }, part: 'stage' }),
    mayLeave: () => true,
    moves: (item) => movesOut(item as PipelineSource),
    afterwards: (item) => afterMoves(item as PipelineSource),
    begunBy: ['moveTo', 'successor'],
  },
  forms: ['resource', 'custom-method', 'attribute-update', 'command', 'command-endpoint'],
  put: 'stays',
  roles: { reads: 'reader', writes: 'admin' },
  shapes: {
    part: 'pipelines',
    made: (document) => document as unknown as PipelineSource,
    settled: (item) => settled(item as PipelineSource),
  },
  entails: (before, { id, default: isDefault }, { pipelines }) =>
    isDefault && before?.default !== true
      ? pipelines
          .filter((each) => each.default && each.id !== undefined && each.id !== id)
          .map((each) => ({ id: each.id ?? '', operation: 'change', params: { default: false } }))
      : [],
  example: {
    id: '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a16',
    name: 'renewals',
    title: 'Renewals',
    titles: { de: 'Verlängerungen' },
    position: 1,
    stages: [{ name: 'due', title: 'Due', titles: {}, likelihood: 60, requires: [], staleAfter: 30, closing: false }],
  },
})

export type Pipeline = ThingOf<typeof pipeline.fields>
