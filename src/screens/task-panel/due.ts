import { dateText, dayIn, instantText } from '../../languages/formats.ts'
import type { Reader } from '../../languages/reader.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { Task } from '../../model/nouns/task/task.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { addDays } from '../../values/kinds/time.ts'
import { nearMark } from '../parts/marks.ts'
import { dateMarkup, instantMarkup } from '../parts/moment.ts'

/** When a task is due. */
export type Due = Pick<Task, 'dueOn' | 'dueAt'>

/** The day in the reader's zone. */
export interface ReadersDay extends Pick<Reader, 'timeZone'> {
  readonly today: string
}

/** The day on which it is due in the reader's zone: that of its time of day, if it has one, as in calendars. */
const dueDay = ({ dueOn, dueAt }: Due, { timeZone }: Pick<ReadersDay, 'timeZone'>): string | null =>
  dueAt === null ? dueOn : dayIn(dueAt, timeZone)

/** When it is due, and for an open task whether that is near or past. */
export function taskDue(task: Due & Pick<Task, 'status'>, now: ReadersDay): Markup | undefined {
  const day = dueDay(task, now)
  if (day === null) return undefined
  const when = task.dueAt === null ? dateMarkup(day) : instantMarkup(task.dueAt)
  const near = task.status === 'open' ? nearMark(day, now.today) : undefined
  return near === undefined ? when : html`${when} ${near}`
}

/** The same in a row, which has room for one of them. */
export function taskDueCell(task: Due & Pick<Task, 'status'>, now: ReadersDay): Markup | undefined {
  const day = dueDay(task, now)
  const near = day === null || task.status !== 'open' ? undefined : nearMark(day, now.today)
  if (day === null || near === undefined) return taskDue(task, now)
  return html`<span title="${task.dueAt === null ? dateText(day) : instantText(task.dueAt)}">${near}</span>`
}

export const periods = ['overdue', 'today', 'week', 'later', 'undated', 'done'] as const
export type Period = (typeof periods)[number]

export function periodOf(task: Due & Pick<Task, 'status'>, now: ReadersDay): Period {
  if (task.status === 'done') return 'done'
  const { today } = now
  const day = dueDay(task, now)
  if (day === null) return 'undated'
  if (day < today) return 'overdue'
  if (day === today) return 'today'
  return day <= addDays(today, 6) ? 'week' : 'later'
}

export const periodTitles: Readonly<Record<Period, Text>> = {
  overdue: say('Overdue|tasks'),
  today: say('Today'),
  week: say('This week'),
  later: say('Later'),
  undated: say('No date'),
  done: say('Done|tasks'),
}

/** Soonest first, and tasks without a date last. */
export function byDue(tasks: readonly Task[], now: ReadersDay): readonly Task[] {
  const key = (task: Task): string => `${dueDay(task, now) ?? '~'} ${task.dueAt ?? ''}`
  return tasks.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}
