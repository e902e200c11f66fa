import type { AskedOperation } from './asked.ts'
import type { PartMoves } from './counted-parts.ts'

/** A pipeline as a schema is built from it: plain data, because every thread and instance builds its own schema. */
export interface PipelineSource {
  /** The id of the thing that it is made of. */
  readonly id?: string
  readonly revision?: number
  readonly name: string
  readonly title: string
  /** Its title in other languages. */
  readonly titles: Readonly<Record<string, string>>
  readonly position: number
  /** Whether new deals begin in it unless they name another; exactly one has it. */
  readonly default: boolean
  /** In their order; at least one. */
  readonly stages: readonly StageSource[]
  /** Offered when a deal is cancelled. */
  readonly lostReasons: readonly string[]
  /** Whether it is being removed: its deals move elsewhere, and none enters it. */
  readonly closing: boolean
  /** The stages to which deals move that leave others, by the names of these. */
  readonly moveTo?: Readonly<Record<string, string>> | null
  /** The pipeline to which its deals move while it is closing. */
  readonly successor?: string | null
}

export interface StageSource {
  readonly name: string
  readonly title: string
  readonly titles: Readonly<Record<string, string>>
  /** The likelihood of winning a deal from here, in percent. */
  readonly likelihood: number
  /** The fields that a deal needs to enter it, named as in filters. */
  readonly requires: readonly string[]
  /** The days after which a deal has been here for too long; null if none are too long. */
  readonly staleAfter: number | null
  /** Whether it is being removed. */
  readonly closing: boolean
}

const stage = (name: string, title: string, likelihood: number): StageSource => ({
  ...{ name, title, titles: {}, likelihood },
  ...{ requires: [], staleAfter: null, closing: false },
})

/** The pipeline that every database begins with. */
export const SALES = {
  id: '00000000-0000-7000-8000-000000000001',
  name: 'sales',
  title: 'Sales',
  titles: {},
  position: 0,
  default: true,
  stages: [
    stage('lead', 'Lead', 10),
    stage('qualified', 'Qualified', 25),
    stage('proposal', 'Proposal', 50),
    stage('negotiation', 'Negotiation', 75),
    stage('contract', 'Contract', 90),
  ],
  lostReasons: [],
  closing: false,
} as const satisfies PipelineSource

/** Its stages, by name. */
export const salesStages: readonly string[] = SALES.stages.map(({ name }) => name)

/** By position; equal ones by name. */
export const inOrder = (pipelines: readonly PipelineSource[]): readonly PipelineSource[] =>
  pipelines.toSorted((a, b) => a.position - b.position || (a.name < b.name ? -1 : 1))

/** The pipeline of new deals. */
export function defaultOf(pipelines: readonly PipelineSource[]): PipelineSource {
  const found = pipelines.find((each) => each.default)
  if (found === undefined) throw new Error('no pipeline is the default')
  return found
}

/** A pipeline when what is closing has gone; undefined if that is all of it. */
export const settled = (pipeline: PipelineSource): PipelineSource | undefined =>
  pipeline.closing ? undefined : { ...pipeline, stages: pipeline.stages.filter(({ closing }) => !closing) }

/** The moves of deals out of the closing stages of a pipeline. */
export function movesOut({ name, stages, closing, moveTo, successor }: PipelineSource): readonly PartMoves[] {
  return stages.flatMap((stage): PartMoves[] => {
    const from = { pipeline: name, stage: stage.name }
    const moveBy = (params: object): PartMoves => ({ from, change: () => ({ action: 'move', params }) })
    if (closing) return [moveBy({ pipeline: successor ?? '' })]
    const to = stage.closing ? moveTo?.[stage.name] : undefined
    return to === undefined ? [] : [moveBy({ stage: to })]
  })
}

/** The change of a pipeline whose deals have moved. */
export const afterMoves = (pipeline: PipelineSource): AskedOperation =>
  pipeline.closing
    ? { action: 'delete', params: {} }
    : { action: 'change', params: { stages: pipeline.stages.filter(({ closing }) => !closing).map(sent) } }

const sent = (stage: StageSource) => ({ ...stage, titles: { ...stage.titles }, requires: [...stage.requires] })
