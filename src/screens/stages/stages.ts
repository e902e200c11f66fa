import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import type { DealPlace } from '../../model/nouns/deal/place.ts'
import type { PipelineSource, StageSource } from '../../model/source/pipeline-source.ts'
import { wordText } from '../../representations/html/field-title.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'

/** A stage of a pipeline as people see it. */
export interface ShownStage extends DealPlace, Pick<StageSource, 'likelihood' | 'staleAfter'> {
  /** Alone. */
  readonly name: Text
  /** With its pipeline, if there are several. */
  readonly title: Text
  /** Its place among those of its pipeline, from 1, and their number. */
  readonly far: number
  readonly all: number
  /** The filter that leaves its deals. */
  readonly query: string
}

/** The stages of every pipeline, in their order. */
export const stagesOf = bySchema(({ pipelines }: Schema): readonly ShownStage[] =>
  pipelines.flatMap((pipeline) =>
    pipeline.stages.map((stage, at) => {
      const name = titleOf(stage)
      const isOne = pipelines.length === 1
      return {
        ...{ pipeline: pipeline.name, stage: stage.name, name },
        title: isOne ? name : say('{about}: {what}', { about: titleOf(pipeline), what: name }),
        ...{ likelihood: stage.likelihood, staleAfter: stage.staleAfter },
        ...{ far: at + 1, all: pipeline.stages.length },
        query: isOne ? `stage=${stage.name}` : `pipeline=${pipeline.name}&stage=${stage.name}`,
      }
    }),
  ),
)

/** Those of one pipeline, without its name, or of all. */
export const stagesIn = (schema: Schema, pipeline: string | undefined): readonly ShownStage[] =>
  pipeline === undefined
    ? stagesOf(schema)
    : stagesOf(schema).flatMap((each) => (each.pipeline === pipeline ? { ...each, title: each.name } : []))

/** The stage of a deal, or of a group of deals; undefined if there is none any more. */
export const stageAt = (schema: Schema, { pipeline, stage }: PlaceLike): ShownStage | undefined =>
  stagesOf(schema).find((each) => each.pipeline === pipeline && each.stage === stage)

interface PlaceLike {
  readonly pipeline?: unknown
  readonly stage?: unknown
}

export const isAt =
  ({ pipeline, stage }: DealPlace) =>
  (group: PlaceLike): boolean =>
    group.pipeline === pipeline && group.stage === stage

/** The pipelines to choose from; none if there is only one. */
export const pipelineChoices = ({ pipelines }: Schema): readonly { readonly value: string; readonly text: Text }[] =>
  pipelines.length === 1 ? [] : pipelines.map((pipeline) => ({ value: pipeline.name, text: titleOf(pipeline) }))

export const titleOf = (part: Pick<PipelineSource, 'name' | 'title' | 'titles'>): Text => wordText(part.name, part)

/** A stage, with a bar for the progress; without its pipeline where only one is shown. */
export const stageMark = (place: PlaceLike, schema: Schema, pipeline?: string): Markup => {
  const found = stageAt(schema, place)
  if (found === undefined) return html`${String(place.stage)}`
  return (pipeline === undefined ? marksOf(schema) : marksAlone(schema)).get(found) ?? html``
}

type StageMarks = ReadonlyMap<ShownStage, Markup>

const marksOf = bySchema((schema: Schema): StageMarks => marksBy(schema, 'title'))
const marksAlone = bySchema((schema: Schema): StageMarks => marksBy(schema, 'name'))

const marksBy = (schema: Schema, words: 'title' | 'name'): StageMarks =>
  new Map(stagesOf(schema).map((stage) => [stage, stageBar(stage, stage[words]).oncePerLanguage()]))

function stageBar({ far, all }: ShownStage, title: Text): Markup {
  const bar = html`<path d="M0 .5h${all}"/><path d="M0 .5h${far}"/>`
  const shape = html`<svg viewBox="0 0 ${all} 1" preserveAspectRatio="none" aria-hidden="true">${bar}</svg>`
  return html`<span class="stage">${shape}${title}</span>`
}
