import { say } from '../../languages/say.ts'
import { task as declared, type Task } from '../../model/task/task.ts'
import { hiddenFields } from '../../representations/html/form.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import type { Addresses } from '../parts/visit.ts'
import { type ReadersDay, taskDue } from './due.ts'
import type { TickForm } from './tick.ts'

/** The names of what tasks are about. */
export interface TaskSubjects {
  readonly deals: ReadonlyMap<string, string>
  readonly customers: ReadonlyMap<number, string>
}

export interface TaskRows extends ReadersDay {
  readonly tasks: readonly Task[]
  /** Absent where all tasks are about what the page shows. */
  readonly subjects?: TaskSubjects
  /** Whose page it is: it need not be said again. */
  readonly person?: string
  /** Nothing for callers who may only read. */
  readonly ticks: TickForm | undefined
  /** Whether rows can be selected; the form around them is that of the selection. */
  readonly isSelectable?: boolean
  readonly addresses: Addresses
}

/** Tasks, each with a button that finishes it or opens it again. */
export const taskRows = (rows: TaskRows): Markup => html`<ul class="tasks">
${rows.tasks.map((task) => row(task, rows))}</ul>
`

/** The form that the buttons of all rows of a page send. */
export const tickMarkup = ({ ticks, addresses }: Pick<TaskRows, 'ticks' | 'addresses'>): Markup | undefined =>
  ticks &&
  html`<form id="${TICKS}" data-here method="post" action="${addresses.tasks}">${hiddenFields(ticks.hidden)}</form>
`

const TICKS = 'ticks'

function row(task: Task, rows: TaskRows): Markup {
  const { subjects, person, ticks, isSelectable, addresses } = rows
  const isDone = task.status === 'done'
  const facts = [
    subjects && subjectLink(task, subjects, addresses),
    task.assignee !== null &&
      task.assignee !== person &&
      html`<a href="${addresses.person(task.assignee)}">${task.assignee}</a>`,
  ].filter((fact) => fact !== undefined && fact !== false)
  return html`<li${isDone && html` class="done"`}>${
    isSelectable && html`<input type="checkbox" name="${task.id}" aria-label="${task.title}">`
  }${ticks && tick(task, ticks)}
<div><a href="${addresses.thing(declared, task.id)}">${task.title}</a>${
    facts.length > 0 && html`<p class="quiet">${facts}</p>`
  }</div>
<p class="due">${taskDue(task, rows)}</p></li>
`
}

function tick(task: Task, ticks: TickForm): Markup {
  const text =
    task.status === 'done'
      ? say('Reopen “{title}”', { title: task.title })
      : say('Finish “{title}”', { title: task.title })
  return html`<button class="tick" form="${TICKS}" formaction="${ticks.action(task)}" name="_command" value="${ticks.commandId()}" type="submit" aria-label="${text}"></button>`
}

/** The deal or customer that a task is about. */
export function subjectLink(
  { dealId, customerId }: Pick<Task, 'dealId' | 'customerId'>,
  { deals, customers }: TaskSubjects,
  addresses: Addresses,
): Markup | undefined {
  if (dealId !== null)
    return html`<a href="${addresses.deal(dealId)}">${deals.get(dealId) ?? say('A deleted deal')}</a>`
  if (customerId === null) return undefined
  return html`<a href="${addresses.customer(customerId)}">${
    customers.get(customerId) ?? say('Customer {number}', { number: String(customerId) })
  }</a>`
}
