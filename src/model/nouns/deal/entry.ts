import type { Entered } from '../../declaration/resource.ts'
import type { SchemaSource } from '../../source/schema-source.ts'
import { type DealPlace, pipelineNamed, stageNamed } from './place.ts'

/** How a deal enters a stage: by its creation, or from another place. */
export const dealEntry = {
  by: ['pipeline', 'stage'],
  requires: ({ pipelines }: SchemaSource) => pipelines.flatMap(({ stages }) => stages.flatMap((each) => each.requires)),
  entered(before: DealPlace | undefined, after: DealPlace, { pipelines }: SchemaSource): Entered | undefined {
    const { pipeline, stage } = after
    if (before?.pipeline === pipeline && before.stage === stage) return undefined
    const into = pipelineNamed(pipelines, pipeline)
    const found = stageNamed(into, stage)
    const isClosing =
      found === undefined || found.closing === true || (into?.closing === true && before?.pipeline !== pipeline)
    return { place: { pipeline, stage }, isClosing, requires: found?.requires ?? [] }
  },
} as const
