import { percentText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import { joined } from '../../languages/text.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import { pipelineNamed } from '../../model/nouns/deal/place.ts'
import type { Pipeline } from '../../model/nouns/pipeline/pipeline.ts'
import { titleWords } from '../../representations/html/field-title.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { mark } from '../parts/marks.ts'
import { titleOf } from '../stages/stages.ts'
import { thingScreen } from '../thing/thing-screen.ts'
import { pipelineChange, pipelineCreation, requiredText } from './forms.ts'

export const pipelineScreen = thingScreen<Pipeline>({
  marks: (pipeline) => [
    pipeline.default && mark('open', say('Default')),
    pipeline.closing && mark('held', say('Closing')),
  ],
  notices: (pipeline, { resource, addresses }) => closingNotice(pipeline, resource.schema.pipelines, addresses.deals),
  elsewhere: ['name', 'position', 'default', 'closing', 'successor', 'moveTo'],
  facts: {
    title: titleOf,
    titles: ({ titles }) => titleWords(titles),
    stages: ({ stages }, { resource }) =>
      html`<ol class="plain-list">${stages.map((stage) => stageFact(stage, resource.schema))}</ol>`,
    lostReasons: ({ lostReasons }) => (lostReasons.length === 0 ? undefined : html`${joined(lostReasons, ', ')}`),
  },
  creating: pipelineCreation,
  editing: (fields, { resource, thing }) => pipelineChange(fields, thing, resource.schema),
  asked: ({ name, on }, { name: own }) => {
    if (name !== 'delete') return {}
    const others = on.schema.pipelines.filter((each) => each.name !== own && !each.closing)
    return {
      moveTo: {
        label: say('Its deals move to'),
        choices: others.map((each) => ({ value: each.name, text: titleOf(each) })),
        nothing: say('nowhere: it has none'),
      },
    }
  },
  stays: (pipeline) =>
    pipeline.default
      ? say('This is the default pipeline: to delete it, first make another one the default.')
      : undefined,
  removal: say('It goes when its deals have moved.'),
})

function stageFact(stage: Pipeline['stages'][number], schema: Schema): Markup {
  const { likelihood, staleAfter, requires, closing } = stage
  const fields = joined(
    requires.map((field) => requiredText(schema, field)),
    ', ',
  )
  const chance = percentText(likelihood)
  const stale = staleAfter !== null && html`, ${say('stale after {count} days', { count: staleAfter })}`
  return html`<li>${titleOf(stage)} <span class="quiet">${chance}${stale}${requires.length > 0 && html`, ${say('requires {fields}', { fields })}`}</span>${closing && html` ${mark('held', say('Closing'))}`}</li>`
}

/** It, or some of its stages, takes no deals any more. */
function closingNotice(
  { name, closing, successor, stages }: Pipeline,
  pipelines: Parameters<typeof pipelineNamed>[0],
  deals: string,
): Markup | undefined {
  const leaving = stages.filter((stage) => stage.closing)
  if (!closing && leaving.length === 0) return undefined
  const to = successor === null ? undefined : pipelineNamed(pipelines, successor)
  const what = closing
    ? phrase('This pipeline is closing: its deals move to {pipeline}.', { pipeline: to ? titleOf(to) : '–' })
    : phrase('Deals are leaving: {stages}.', { stages: joined(leaving.map(titleOf), ', ') })
  const left = html`<a href="${deals}?pipeline=${name}">${say('Deals that are still in it')}</a>`
  return html`<p class="notice held">${what} ${left}</p>\n`
}
