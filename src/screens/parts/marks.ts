import { dateText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { dateMarkup, daysBetween } from './moment.ts'
import type { ShownDeal } from './shown.ts'

// Marks for the state of a deal: a word, with a colour and a shape.

type DealMarks = Pick<ShownDeal, 'status' | 'held' | 'archived' | 'deletedAt'>

export function statusMarks({ status, held, archived, deletedAt }: DealMarks): Markup {
  if (deletedAt !== null) return marks.deleted
  return held ? marks.held : archived ? html`${marks[status]} ${marks.archived}` : marks[status]
}

type MarkKind = 'open' | 'done' | 'off' | 'held' | 'away' | 'late' | 'soon'

export const mark = (kind: MarkKind, text: Text): Markup => html`<span class="mark ${kind}">${text}</span>`

const marks = {
  open: mark('open', say('Open')).oncePerLanguage(),
  completed: mark('done', say('Completed')).oncePerLanguage(),
  cancelled: mark('off', say('Cancelled')).oncePerLanguage(),
  held: mark('held', say('On hold')).oncePerLanguage(),
  archived: mark('away', say('Archived')).oncePerLanguage(),
  deleted: mark('away', say('Deleted')).oncePerLanguage(),
}

/** How near or past the completion date of an open deal is, or else the date: a cell has room for one of them. */
export function dueCell(
  { completionDate, status }: Pick<ShownDeal, 'completionDate' | 'status'>,
  today: string,
): Markup | undefined {
  if (completionDate === null) return undefined
  const near = status === 'open' ? nearMark(completionDate, today) : undefined
  return near === undefined
    ? dateMarkup(completionDate)
    : html`<span title="${dateText(completionDate)}">${near}</span>`
}

/** The completion date; for an open deal also whether it is near or past. */
export function dueMark(
  { completionDate, status }: Pick<ShownDeal, 'completionDate' | 'status'>,
  today: string,
): Markup | undefined {
  if (completionDate === null) return undefined
  const near = status === 'open' ? nearMark(completionDate, today) : undefined
  return near === undefined ? dateMarkup(completionDate) : html`${dateMarkup(completionDate)} ${near}`
}

/** Whether a day is near or past; undefined if it is more than a week away. */
export function nearMark(day: string, today: string): Markup | undefined {
  const days = daysBetween(today, day)
  if (days > 6) return undefined
  if (days < 0) return mark('late', say('{count} days late', { count: -days }))
  const when = days === 0 ? say('today') : days === 1 ? say('tomorrow') : say('in {count} days', { count: days })
  return mark('soon', when)
}
