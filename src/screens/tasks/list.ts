import { dayIn, numberText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { Task } from '../../model/nouns/task/task.ts'
import { ME } from '../../model/nouns/user/user.ts'
import { resourceNamed } from '../../model/schema/resources.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { creationForm } from '../forms/operation-form.ts'
import { listScreen } from '../list/list-screen.ts'
import { byDue, periodOf, periods, periodTitles } from '../task-panel/due.ts'
import { quickAdd } from '../task-panel/panel.ts'
import { type TaskRows, taskRows, tickMarkup } from '../task-panel/rows.ts'
import { tickForm } from '../task-panel/tick.ts'

/** Tasks under the time when they are due, with a line to add one. */
export const taskList = listScreen<Task>({
  filters: ['assignee', 'dueOn.lte'],
  filterTexts: { assignee: say('Who'), 'dueOn.lte': say('Due until') },
  tabs: (isUser) => [
    ...(isUser ? [{ name: say('Mine|tasks'), query: `assignee=${ME}&status=open&sort=dueOn` }] : []),
    { name: say('To do'), query: 'status=open&sort=dueOn' },
    { name: say('Done|tasks'), query: 'status=done&sort=-updatedAt' },
    { name: say('All|tasks'), query: 'sort=dueOn' },
  ],
  nothing: say('Nothing here: everything is done.'),
  above: async ({ call, back }) => {
    const task = resourceNamed(call.desk.schema, 'task')
    const form = creationForm(task, call, { assignee: call.caller?.user ?? null })
    const adding = form && quickAdd({ ...form, hidden: { ...form.hidden, _return: back } })
    return adding && (() => html`<section class="panel" aria-label="${say('Add a task')}">${adding}</section>\n`)
  },
  rows: (tasks, names, { call, now, back }) => {
    const { timeZone } = call.reader
    const rows: TaskRows = {
      ...{ tasks, names, timeZone },
      today: dayIn(now, timeZone),
      ticks: tickForm(call, back),
      addresses: call.service.addresses,
    }
    return (selected) =>
      html`${tickMarkup(rows)}${selected ? selected(inPeriods({ ...rows, isSelectable: true })) : inPeriods(rows)}`
  },
})

function inPeriods(rows: TaskRows): Markup {
  const groups = Map.groupBy(rows.tasks, (each) => periodOf(each, rows))
  return html`${periods.map((period) => {
    const tasks = groups.get(period)
    if (tasks === undefined) return undefined
    const title = html`${periodTitles[period]} <span class="quiet">${numberText(tasks.length)}</span>`
    return html`<section class="panel ${period}" aria-labelledby="${period}"><h2 id="${period}">${title}</h2>
${taskRows({ ...rows, tasks: period === 'done' ? tasks : byDue(tasks, rows) })}</section>
`
  })}`
}
