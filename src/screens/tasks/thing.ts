import { say } from '../../languages/say.ts'
import type { Task } from '../../model/nouns/task/task.ts'
import type { FormField } from '../../representations/document.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { mark } from '../parts/marks.ts'
import { panel, quiet } from '../parts/panel.ts'
import { taskDue } from '../task-panel/due.ts'
import { valueMarkup } from '../thing/facts.ts'
import { thingScreen } from '../thing/thing-screen.ts'

export const taskScreen = thingScreen<Task>({
  listQuery: '?status=open&sort=dueOn',
  marks: (task, about) => html`${statusMark(task)} ${taskDue(task, about)}`,
  turns: ['finish', 'reopen'],
  fields: ['dealId', 'assignee', 'dueOn'],
  elsewhere: ['title', 'customerId', 'dueAt', 'note'],
  texts: { dealId: say('About'), assignee: say('Who'), dueOn: say('Due') },
  facts: {
    dealId: (task, about) => {
      if (task.dealId === null && task.customerId === null) return quiet(say('nothing in particular'))
      return valueMarkup(task.dealId === null ? 'customerId' : 'dealId', task, about)
    },
    dueOn: (task, about) => taskDue(task, about) ?? quiet(say('No date')),
  },
  editing: inOrder,
  panels: async ({ note }) => {
    const shown = note !== '' && panel('note-text', say('Note'), html`<p class="prose">${note}</p>`)
    return () => html`<div id="note" data-live>${shown}</div>`
  },
})

const statusMark = ({ status }: Task): Markup =>
  status === 'done' ? mark('done', say('Done|task')) : mark('open', say('To do'))

/** The most frequently changed fields come first, then the others. */
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
