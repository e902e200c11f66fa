import type { Addresses } from '../../http/contract/addresses.ts'
import { say } from '../../languages/say.ts'
import { task as declared, type Task } from '../../model/nouns/task/task.ts'
import { hiddenFields } from '../../representations/html/form.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import type { Names } from '../parts/names.ts'
import { personLink } from '../parts/person.ts'
import { type ReadersDay, taskDueCell } from './due.ts'
import type { TickForm } from './tick.ts'

export interface TaskRows extends ReadersDay {
  readonly tasks: readonly Task[]
  /** The names of their subjects; absent if the page shows the subject. */
  readonly names?: Names
  /** The person of the page, which is not repeated. */
  readonly person?: string
  /** Undefined for callers who may only read. */
  readonly ticks: TickForm | undefined
  /** Whether rows can be selected; the surrounding form is that of the selection. */
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
  const { names, person, ticks, isSelectable, addresses } = rows
  const isDone = task.status === 'done'
  const facts = [
    names && subjectLink(task, names, addresses),
    task.assignee !== null && task.assignee !== person && personLink(task.assignee, addresses),
  ].filter((fact) => fact !== undefined && fact !== false)
  const box = isSelectable && html`<input type="checkbox" name="${task.id}" aria-label="${task.title}">`
  const below =
    facts.length > 0 && html`<p class="quiet">${facts.map((fact, at) => html`${at > 0 && ' · '}${fact}`)}</p>`
  return html`<li${isDone && html` class="done"`}>${box}${ticks && tick(task, ticks)}
<div><a href="${addresses.thing(declared, task.id)}">${task.title}</a>${below}</div>
<p class="due">${taskDueCell(task, rows)}</p></li>
`
}

function tick(task: Task, ticks: TickForm): Markup {
  const text =
    task.status === 'done'
      ? say('Reopen “{title}”', { title: task.title })
      : say('Finish “{title}”', { title: task.title })
  const sent = html`form="${TICKS}" formaction="${ticks.action(task)}" name="_command" value="${ticks.commandId()}"`
  return html`<button class="tick" ${sent} type="submit" aria-label="${text}"></button>`
}

/** The deal or customer that a task is about. */
export function subjectLink(
  { dealId, customerId }: Pick<Task, 'dealId' | 'customerId'>,
  names: Names,
  addresses: Addresses,
): Markup | undefined {
  if (dealId !== null)
    return html`<a href="${addresses.deal(dealId)}">${names.get('deal')?.get(dealId) ?? say('A deleted deal')}</a>`
  if (customerId === null) return undefined
  const name = names.get('customer')?.get(customerId) ?? say('Customer {number}', { number: String(customerId) })
  return html`<a href="${addresses.customer(customerId)}">${name}</a>`
}
