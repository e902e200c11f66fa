import { say } from '../../languages/say.ts'
import type { DocumentForm, FormField } from '../../representations/document.ts'
import { contentMarkup } from '../../representations/html/form.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { onceFor } from '../../values/memoize.ts'
import { byDue } from './due.ts'
import { type TaskRows, taskRows, tickMarkup } from './rows.ts'

export interface TaskPanel extends TaskRows {
  readonly hasMore: boolean
  /** The address of all tasks, including done ones. */
  readonly all: string
  /** The address of the user's own; absent if nobody is signed in or all are their own. */
  readonly mine?: string
  /** Whether it shows due tasks, not those of a thing. */
  readonly isToday?: boolean
  /** Whether it is a part of the stream of its thing. */
  readonly isInStream?: boolean
  /** Whose tasks come first. */
  readonly user?: string | null
  readonly creation: DocumentForm | undefined
}

/** The open tasks of a page: finished in place, with a line to add one. */
export function taskPanel(panel: TaskPanel): Markup {
  const { hasMore, all, mine, isToday = false, isInStream = false, user, creation } = panel
  const tasks = [true, false].flatMap((isOwn) =>
    byDue(
      panel.tasks.filter(({ assignee }) => (assignee !== null && assignee === user) === isOwn),
      panel,
    ),
  )
  const none = html`<p class="empty">${isToday ? say('Nothing due today.') : say('No open tasks.')}</p>`
  const rows = tasks.length === 0 ? none : [tickMarkup(panel), taskRows({ ...panel, tasks })]
  const list = html`<div id="task-list" data-live tabindex="-1">${rows}</div>\n`
  const add = creation && quickAdd(creation, isInStream)
  const own = mine !== undefined && html`<a href="${mine}">${say('My tasks')}</a><span aria-hidden="true"> · </span>`
  const others = html`<p class="quiet">${own}<a href="${all}">${hasMore ? say('More tasks') : say('All tasks')}</a></p>`
  if (isInStream)
    return html`<section id="tasks" aria-labelledby="tasks-title"><h3 class="unseen" id="tasks-title">${say('Tasks')}</h3>
${list}${add}${others}</section>
`
  const title = isToday ? say('Tasks for today') : say('Tasks')
  return html`<section class="panel" id="tasks" aria-labelledby="tasks-title"><h2 id="tasks-title">${title}</h2>
${list}${add}${others}</section>
`
}

/** One line for the next task; `isShort` if only its title is seen until it has one. */
export function quickAdd(form: DocumentForm, isShort = false): Markup {
  const shown = isShort ? shortField : quickField
  const fields = quickNames.flatMap((name) => form.fields.filter((field) => field.name === name).map(shown))
  const sent = html`data-here method="post" action="${form.action}"`
  return html`<div id="task-new" data-live="when-sent">
<form class="quick" id="task-form" ${sent} aria-label="${say('Add a task')}">
${contentMarkup({ ...form, fields }, 'task-form')}<p class="send"><button type="submit">${say('Add')}</button></p>
</form></div>
`
}

const quickNames = ['title', 'dueOn', 'assignee']

/** A field with the texts of the line. */
const quickField = onceFor((field: FormField): FormField => ({ ...field, ...quickWords(field.name) }))

const shortField = onceFor((field: FormField): FormField => {
  const { name, label } = quickField(field)
  return { ...quickField(field), ...(name === 'title' && { placeholder: label }) }
})

function quickWords(name: string): Partial<FormField> {
  if (name === 'title') return { label: say('New task'), placeholder: say('Call Ana') }
  return name === 'dueOn' ? { label: say('Due') } : { label: say('Who'), placeholder: say('nobody') }
}
