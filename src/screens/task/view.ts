import { say } from '../../languages/say.ts'
import type { Operation, Resource } from '../../model/schema.ts'
import type { Task } from '../../model/task/task.ts'
import type { DocumentForm, FormField } from '../../representations/document.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { framedForm } from '../page-forms/framed-form.ts'
import { refusedNotice } from '../page-forms/refused-notice.ts'
import { details, quiet } from '../parts/details.ts'
import { instantMarkup } from '../parts/moment.ts'
import type { ShownEntry } from '../parts/shown.ts'
import { timeline } from '../parts/timeline.ts'
import type { Addresses } from '../parts/visit.ts'
import type { ExplainedRefusal } from '../problem/why.ts'
import { type ReadersDay, taskDue } from '../task-panel/due.ts'
import { subjectLink, type TaskSubjects } from '../task-panel/rows.ts'

export interface TaskPage extends ReadersDay {
  readonly resource: Resource
  readonly task: Task
  readonly subjects: TaskSubjects
  /** What the caller may do with it now. */
  readonly forms: readonly { readonly operation: Operation; readonly form: DocumentForm }[]
  /** Latest first. */
  readonly history: readonly ShownEntry[]
  /** A form that was sent and refused. */
  readonly refused?: ExplainedRefusal
  readonly addresses: Addresses
}

export function taskPage(page: TaskPage): Markup {
  const { resource, task, subjects, forms, history, refused, addresses } = page
  const formOf = (isIt: (operation: Operation) => boolean | undefined): DocumentForm | undefined =>
    forms.find(({ operation }) => isIt(operation))?.form
  const edit = formOf(({ differences }) => differences)
  const remove = formOf(({ removes }) => removes)
  const turn = formOf(({ differences, removes }) => !differences && !removes)
  return html`<header class="head" data-watch="all"><div id="title" data-live><p class="crumbs"><a href="${addresses.base}${resource.path}?status=open&amp;sort=dueOn">${say('Tasks')}</a></p>
<h1>${task.title}</h1>
<p class="marks">${statusMark(task)} ${taskDue(task, page)}</p></div>
<div id="turn" data-live>${turn && framedForm(turn, 'turn-form')}</div></header>
${refused && refusedNotice(refused)}<div class="columns">
<div><div id="note" data-live>${task.note !== '' && html`<section class="panel" aria-labelledby="note-title"><h2 id="note-title">${say('Note')}</h2><p class="prose">${task.note}</p></section>\n`}</div><section class="panel" id="facts" data-live aria-labelledby="facts-title"><h2 id="facts-title">${say('Details')}</h2>${details(
    [
      [say('About'), subjectLink(task, subjects, addresses) ?? quiet(say('nothing in particular'))],
      [
        say('Who'),
        task.assignee === null
          ? quiet(say('nobody'))
          : html`<a href="${addresses.person(task.assignee)}">${task.assignee}</a>`,
      ],
      [say('Due'), taskDue(task, page) ?? quiet(say('No date'))],
      [say('Created'), instantMarkup(task.createdAt)],
      [say('Changed'), instantMarkup(task.updatedAt)],
    ],
  )}</section>
<section class="panel" id="history" data-live aria-labelledby="history-title"><h2 id="history-title">${say('History')}</h2>
${timeline(history, { resource, id: task.id, currency: '' }, addresses)}</section>
</div>
<div>${
    edit &&
    html`<section class="task-edit panel" aria-labelledby="edit"><h2 id="edit">${say('Edit')}</h2>${framedForm({ ...edit, fields: inOrder(edit.fields), submit: say('Save') }, 'edit-form')}</section>
`
  }${
    remove &&
    html`<details class="panel"><summary>${say('Delete the task')}</summary><p>${say('This is final: a deleted task cannot be restored.')}</p>${framedForm(
      { ...remove, submit: say('Delete for good') },
      'remove-form',
      {
        confirm: addresses.confirmation(resource, task.id, 'delete'),
      },
    )}</details>
`
  }</div>
</div>
`
}

/** What people change most comes first; whatever else there is follows. */
function inOrder(fields: readonly FormField[]): readonly FormField[] {
  const order = ['title', 'dueOn', 'dueAt', 'assignee', 'dealId', 'customerId']
  const place = ({ name }: FormField): number => (order.includes(name) ? order.indexOf(name) : order.length)
  return fields.toSorted((a, b) => place(a) - place(b)).map((field) => ({ ...field, ...inWords(field) }))
}

function inWords({ name, note }: FormField): Pick<FormField, 'label' | 'note'> | undefined {
  switch (name) {
    case 'dueOn':
      return { label: say('Due on') }
    case 'dueAt':
      return { label: say('Or at a time'), note: note ?? (({ timeZone }) => timeZone ?? 'UTC') }
    case 'assignee':
      return { label: say('Who') }
    default:
      return undefined
  }
}

const statusMark = ({ status }: Task): Markup =>
  status === 'done'
    ? html`<span class="mark done">${say('Done|task')}</span>`
    : html`<span class="mark open">${say('To do')}</span>`
