import { say } from '../../languages/say.ts'
import { bySchema } from '../../model/by-schema.ts'
import { resourceNamed } from '../../model/resources.ts'
import type { Schema } from '../../model/schema.ts'
import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/html/markup.ts'

/** The stages of the pipeline, in their order, as deals declare them. */
export const stagesOf = bySchema(
  (schema: Schema): readonly string[] => resourceNamed(schema, 'deal').kinds.stage.schema.enum as readonly string[],
)

/** A stage, with a bar for the progress. */
export const stageMark = (stage: string, schema: Schema): Markup => marksOf(schema).get(stage) ?? html`${stage}`

const marksOf = bySchema((schema: Schema): ReadonlyMap<string, Markup> => {
  const stages = stagesOf(schema)
  return new Map(stages.map((stage, at) => [stage, stageBar(stage, at + 1, stages.length).oncePerLanguage()]))
})

const stageBar = (stage: string, far: number, all: number): Markup => {
  const bar = html`<svg viewBox="0 0 ${all} 1" preserveAspectRatio="none" aria-hidden="true">`
  return html`<span class="stage">${bar}<path d="M0 .5h${all}"/><path d="M0 .5h${far}"/></svg>${say(label(stage))}</span>`
}
