import { stages } from '../../model/deal/deal.ts'
import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { dateMarkup, daysBetween, plural } from './moment.ts'
import type { ShownDeal } from './shown.ts'

// How pages mark the state of a deal: a word, with a colour and a shape.

type DealMarks = Pick<ShownDeal, 'status' | 'held' | 'archived' | 'deletedAt'>

export function statusMarks({ status, held, archived, deletedAt }: DealMarks): Markup {
  if (deletedAt !== null) return deletedMark
  return held ? heldMark : archived ? html`${marks[status]} ${archivedMark}` : marks[status]
}

const mark = (kind: string, text: string): Markup => html`<span class="mark ${kind}">${text}</span>`
const marks = { open: mark('open', 'Open'), completed: mark('done', 'Completed'), cancelled: mark('off', 'Cancelled') }
const heldMark = mark('held', 'On hold')
const archivedMark = mark('away', 'Archived')
const deletedMark = mark('away', 'Deleted')

/** The stage, with a bar for the progress. */
export const stageMark = (stage: ShownDeal['stage']): Markup => stageMarks[stage]

const stageMarks = Object.fromEntries(
  stages.map((stage, at) => [stage, html`<span class="stage s${at + 1}">${label(stage)}</span>`]),
) as Readonly<Record<ShownDeal['stage'], Markup>>

/** The completion date; for an open deal also whether it is near or past. */
export function dueMark(
  { completionDate, status }: Pick<ShownDeal, 'completionDate' | 'status'>,
  today: string,
): Markup | undefined {
  if (completionDate === null) return undefined
  if (status !== 'open') return dateMarkup(completionDate)
  const days = daysBetween(today, completionDate)
  if (days > 6) return dateMarkup(completionDate)
  if (days < 0) return html`${dateMarkup(completionDate)} <span class="mark late">${plural(-days, 'day')} late</span>`
  const when = days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`
  return html`${dateMarkup(completionDate)} <span class="mark soon">${when}</span>`
}
