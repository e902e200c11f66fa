import { numberText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import { hiddenFields } from '../../representations/html/form.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import type { ShownDeal, ShownEntry } from '../parts/shown.ts'
import { type ShownStage, stagesOf } from '../stages/stages.ts'
import type { AskedWay } from '../thing/thing-screen.ts'

/** The stages of a deal in a row: those behind it with their days, and a button for each that it can move to. */
export function stageRow(deal: ShownDeal, { resource, formOf, history, hasMoreHistory, now }: AskedWay): Markup {
  const { schema } = resource
  const stages = stagesOf(schema).filter(({ pipeline }) => pipeline === deal.pipeline)
  const days = daysInStages(deal, history, hasMoreHistory ? undefined : beginningIn(schema), now)
  const form = deal.status === 'open' ? formOf('move') : undefined
  const here = stages.findIndex(({ stage }) => stage === deal.stage)
  const steps = stages.map((each, at) => {
    const count = days.get(placeOf(each))
    const spent =
      count !== undefined && count > 0 && html` <small>${say('{count} d', { count: numberText(count) })}</small>`
    const isHere = at === here
    const kind = at < here && html` class="been"`
    const step =
      form === undefined || isHere
        ? html`<span class="step">${each.name}${spent}</span>`
        : html`<button type="submit" class="step" name="stage" value="${each.stage}">${each.name}${spent}</button>`
    return html`<li${kind}${isHere && html` aria-current="step"`}>${step}</li>\n`
  })
  const list = html`<ol class="stages">\n${steps}</ol>\n`
  if (form === undefined) return list
  return html`<form method="post" action="${form.action}" data-here aria-label="${say('Stages')}">${hiddenFields(form.hidden)}
${list}</form>
`
}

type Place = Pick<ShownStage, 'pipeline' | 'stage'>

const placeOf = ({ pipeline, stage }: Place): string => `${pipeline} ${stage}`

/** Where a deal begins if its creation does not say. */
function beginningIn({ pipelines }: Schema): (params: ShownEntry['params']) => Place | undefined {
  return ({ pipeline, stage }) => {
    const found = pipelines.find(({ name, default: isDefault }) =>
      pipeline === undefined ? isDefault : name === pipeline,
    )
    const first = stage ?? found?.stages[0]?.name
    return found && first !== undefined ? { pipeline: found.name, stage: String(first) } : undefined
  }
}

/**
 * The whole days in each place of a deal, as its entries tell, the latest of which comes first. Without `begins` there
 * are older ones.
 */
export function daysInStages(
  { status, pipeline, stage }: Pick<ShownDeal, 'status' | 'pipeline' | 'stage'>,
  entries: readonly Pick<ShownEntry, 'operation' | 'params' | 'at'>[],
  begins: ((params: ShownEntry['params']) => Place | undefined) | undefined,
  now: string,
): ReadonlyMap<string, number> {
  const spent = new Map<string, number>()
  let place: Place | undefined
  let left: Place | undefined
  let since = ''
  const leave = (at: string): void => {
    if (place === undefined) return
    spent.set(placeOf(place), (spent.get(placeOf(place)) ?? 0) + Date.parse(at) - Date.parse(since))
  }
  for (const { operation, params, at } of entries.toReversed()) {
    const next = placeAfter(operation, params, place, left, begins)
    if (next === place) continue
    leave(at)
    if (next === undefined) left = place
    place = next
    since = at
  }
  if (status === 'open' && place?.pipeline === pipeline && place.stage === stage) leave(now)
  return new Map([...spent].map(([each, milliseconds]) => [each, Math.floor(milliseconds / DAY)]))
}

const DAY = 86_400_000

/** A closed deal is in no stage; a reopened one is where it was. */
function placeAfter(
  operation: string,
  params: ShownEntry['params'],
  place: Place | undefined,
  left: Place | undefined,
  begins: ((params: ShownEntry['params']) => Place | undefined) | undefined,
): Place | undefined {
  if (operation === 'create') return begins?.(params)
  if (operation === 'complete' || operation === 'cancel') return undefined
  if (operation === 'reopen') return left
  if (operation !== 'move') return place
  const pipeline = params.pipeline ?? place?.pipeline
  const stage = params.stage ?? place?.stage
  return pipeline === undefined || stage === undefined
    ? undefined
    : { pipeline: String(pipeline), stage: String(stage) }
}
