import type { Fault } from '../../../values/faults/fault.ts'
import { defaultOf, type PipelineSource, type StageSource } from '../../source/pipeline-source.ts'
import type { SchemaSource } from '../../source/schema-source.ts'

/** A deal's place: a stage of a pipeline. */
export interface DealPlace {
  readonly pipeline: string
  readonly stage: string
}

interface AskedPlace {
  readonly pipeline?: string | undefined
  readonly stage?: string | undefined
}

/** The parts of the place that a creation did not send; none if the sent ones are faulty. */
export function usualPlace(
  { pipeline, stage }: { readonly [param: string]: unknown },
  source: Pick<SchemaSource, 'pipelines'>,
): { readonly [part: string]: string } {
  const isKnown = pipeline === undefined || source.pipelines.some(({ name }) => name === pipeline)
  if (!isKnown) return {}
  const place = firstPlace({ pipeline: pipeline as string | undefined }, source)
  return stage === undefined ? { ...place } : { pipeline: place.pipeline }
}

/** The place that a creation asks for: by default the first stage of the default pipeline. */
export function firstPlace({ pipeline, stage }: AskedPlace, { pipelines }: Pick<SchemaSource, 'pipelines'>): DealPlace {
  const name = pipeline ?? defaultOf(pipelines).name
  return { pipeline: name, stage: stage ?? firstStage(pipelineNamed(pipelines, name)) }
}

/** The place that a move leads to. A pipeline alone keeps the stage if it has one of that name. */
export function placeAfter(
  before: DealPlace,
  { pipeline, stage }: AskedPlace,
  { pipelines }: Pick<SchemaSource, 'pipelines'>,
): DealPlace {
  if (pipeline === undefined) return { pipeline: before.pipeline, stage: stage ?? before.stage }
  if (stage !== undefined) return { pipeline, stage }
  const found = pipelineNamed(pipelines, pipeline)
  return { pipeline, stage: stageNamed(found, before.stage) ? before.stage : firstStage(found) }
}

/** The fault of a stage that its pipeline does not have. */
export function placeFaults(
  { pipeline, stage }: DealPlace,
  { pipelines }: Pick<SchemaSource, 'pipelines'>,
): readonly Fault[] {
  const found = pipelineNamed(pipelines, pipeline)
  if (found === undefined || stageNamed(found, stage) !== undefined) return []
  return [{ code: 'not-one-of', with: { values: found.stages.map(({ name }) => name) }, at: { pointer: '/stage' } }]
}

export const pipelineNamed = (pipelines: readonly PipelineSource[], name: string): PipelineSource | undefined =>
  pipelines.find((each) => each.name === name)

export const stageNamed = (pipeline: PipelineSource | undefined, name: string): StageSource | undefined =>
  pipeline?.stages.find((each) => each.name === name)

/** One that is being removed is the first only if there is no other. */
function firstStage(pipeline: PipelineSource | undefined): string {
  const { stages = [] } = pipeline ?? {}
  return (stages.find(({ closing }) => !closing) ?? stages[0])?.name ?? ''
}
