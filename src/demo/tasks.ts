import type { Resource } from '../model/declaration/schema.ts'
import type { Deal } from '../model/nouns/deal/deal.ts'
import type { Task } from '../model/nouns/task/task.ts'
import type { ToldDeal } from './deals.ts'
import { owners } from './goods.ts'
import { perform } from './perform.ts'
import { idAt, type Random } from './random.ts'
import { DAY, dateAt, HOUR } from './time.ts'

interface ToldTask extends Pick<ToldDeal, 'events'> {
  readonly task: Task
}

/** The tasks, with their due day in days from today. */
const todos: readonly (readonly [title: string, due: number | null])[] = [
  ['Send the revised offer', 0],
  ['Call about the delivery date', 0],
  ['Ask for the signed contract', -1],
  ['Prepare the site visit', 0],
  ['Check the credit limit', -3],
  ['Two variants for the board', 1],
  ['Warranty clause with legal', 2],
  ['Book the crane', 4],
  ['Visit after the trade fair', 6],
  ['Thank for the order', null],
  ['Sample to the architect', 9],
  ['Renew the framework agreement', 16],
]

/** Tasks of open deals, most of them for the owner of the deal; the last two are done. */
export function demoTasks(
  resource: Resource,
  deals: readonly Deal[],
  random: Random,
  today: number,
): readonly ToldTask[] {
  const open = deals.filter(({ status, deletedAt, held }) => status === 'open' && deletedAt === null && !held)
  return todos.map(([title, due], index) => {
    const about = open[(index * 5) % open.length]
    const at = today - DAY * (2 + index) + 9 * HOUR
    const id = idAt(at, random)
    const assignee = about?.owner ?? owners[index % owners.length] ?? null
    const asked = { resource, id, actor: assignee, form: 'resource' }
    const made = perform({
      ...asked,
      before: undefined,
      operation: 'create',
      params: {
        ...{ title, assignee, dealId: about?.id ?? null, dueOn: due === null ? null : dateAt(today + due * DAY) },
        own: { hours: index % 4 === 3 ? null : (1 + (index % 6)) / 2 },
      },
      at,
    })
    if (index < todos.length - 2) return { task: made.thing as Task, events: made.events }
    const done = perform({ ...asked, before: made.thing, operation: 'finish', params: {}, at: at + HOUR })
    return { task: done.thing as Task, events: [...made.events, ...done.events] }
  })
}
