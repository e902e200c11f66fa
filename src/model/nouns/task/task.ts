import type { Fault } from '../../../values/faults/fault.ts'
import { nullable, referenceTo, userName } from '../../../values/kinds/kind.ts'
import { ordinal } from '../../../values/kinds/number.ts'
import { choice, nameText, reference, text } from '../../../values/kinds/text.ts'
import { date, instant } from '../../../values/kinds/time.ts'
import { uuid } from '../../../values/kinds/uuid.ts'
import { assigned, given, kept, type ThingOf, unique } from '../../declaration/field.ts'
import { defineResource } from '../../declaration/resource.ts'
import { taskFileWords } from './file-words.ts'

const taskStatuses = ['open', 'done'] as const

const name = nameText({ min: 1, max: 200 })

export const task = defineResource({
  name: 'task',
  plural: 'tasks',
  path: '/rest/v1/tasks',
  fields: {
    id: assigned(uuid),
    title: given(name),
    dealId: given(nullable(referenceTo('deal', uuid, 'goes')), null),
    customerId: given(nullable(referenceTo('customer', ordinal, 'stays')), null),
    assignee: given(nullable(userName(name)), null),
    dueOn: given(nullable(date), null),
    dueAt: given(nullable(instant), null),
    note: given(text({ min: 0, max: 10_000 }), ''),
    reference: unique(given(nullable(reference), null)),
    status: kept(choice(taskStatuses), 'open'),
    createdAt: assigned(instant),
    updatedAt: assigned(instant),
    revision: assigned(ordinal),
  },
  extensible: true,
  indexed: ['id', 'dueOn', 'createdAt'],
  scopes: ['dealId', 'customerId', 'assignee'],
  searched: ['title', 'note', 'reference'],
  markings: ['status', 'dealId', 'customerId'],
  situation: ({ status }) => taskStatuses.indexOf(status),
  forms: 'every',
  put: 'stays',
  roles: { reads: 'reader', writes: 'editor' },
  calendar: {
    ...{ day: 'dueOn', instant: 'dueAt', title: 'title', text: 'note' },
    ...{ person: 'assignee', open: ['status', 'open'] },
  },
  imports: 'row by row',
  inFiles: taskFileWords,
  example: { id: '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a12', title: 'Call Ana Ruiz', dueOn: '2027-03-31' },
})

export type Task = ThingOf<typeof task.fields>

/** A task is about a deal or a customer, not both. */
export function withOneSubject<C extends Partial<Task>>(
  before: Task,
  change: C,
): C | { readonly faults: readonly Fault[] } {
  const { dealId, customerId } = { ...before, ...change }
  if (dealId === null || customerId === null) return change
  const [pointer, other] = (change.dealId ?? null) === null ? ['/customerId', 'dealId'] : ['/dealId', 'customerId']
  return { faults: [{ code: 'not-together', with: { other, wants: 'one-subject' }, at: { pointer } }] }
}
