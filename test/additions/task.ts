import { assigned, given, kept } from '../../src/model/field.ts'
import { fieldsThatDiffer } from '../../src/model/fields-that-differ.ts'
import { defineOperation } from '../../src/model/operation.ts'
import { defineResource } from '../../src/model/resource.ts'
import { nullable, referenceTo } from '../../src/values/kinds/kind.ts'
import { boolean, integer } from '../../src/values/kinds/number.ts'
import { nameText } from '../../src/values/kinds/text.ts'
import { date, instant } from '../../src/values/kinds/time.ts'
import { uuid } from '../../src/values/kinds/uuid.ts'

// A resource, whole: what it is and what can be done with it.

const task = defineResource({
  name: 'task',
  plural: 'tasks',
  path: '/tasks',
  fields: {
    id: assigned(uuid),
    name: given(nameText({ min: 1, max: 200 })),
    dueOn: given(nullable(date), null),
    urgency: given(integer({ min: 1, max: 5 }), 3),
    dealId: given(nullable(referenceTo('deal', uuid)), null),
    finished: kept(boolean, false),
    createdAt: assigned(instant),
    updatedAt: assigned(instant),
    revision: assigned(integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
  },
  indexed: ['id'],
  markings: ['finished', 'dealId'],
  forms: 'every',
  put: 'anew',
  roles: { reads: 'reader', writes: 'editor' },
  example: { id: '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a11', name: 'Call Ana Ruiz', dueOn: '2027-03-31' },
})

const create = defineOperation({
  on: task,
  name: 'create',
  title: 'Create a task',
  words: { participles: [], noun: '', action: 'CreateTask', event: 'task.created' },
  group: 'Tasks',
  sentence: () => ({ done: 'created the task' }),
  to: 'nothing',
  params: task.create,
  examples: [{ name: 'Call Ana Ruiz', dueOn: '2027-03-31' }],
  allowed: [],
  changes: [],
  apply: (_blank, fields) => fields,
})

const change = defineOperation({
  on: task,
  name: 'change',
  title: 'Change',
  words: { participles: ['changed'], noun: 'edits', action: 'ChangeTask', event: 'task.changed' },
  group: 'Tasks',
  sentence: (params) => ({ done: `changed ${Object.keys(params).join(', ')}` }),
  params: task.patch,
  examples: [{ urgency: 5 }],
  allowed: [],
  changes: Object.keys(task.patch) as (keyof typeof task.patch)[],
  fromAttributes: fieldsThatDiffer(task),
  differences: true,
  apply: (_task, fields) => fields,
})

const finish = defineOperation({
  on: task,
  name: 'finish',
  title: 'Finish',
  words: { participles: ['finished'], noun: 'finishings', action: 'FinishTask', event: 'task.finished' },
  group: 'Tasks',
  sentence: () => ({ done: 'finished the task' }),
  params: {},
  examples: [{}],
  allowed: [{ meets: ({ finished }) => !finished, reason: () => 'the task is finished' }],
  changes: ['finished'],
  apply: () => ({ finished: true }),
})

const deleteTask = defineOperation({
  on: task,
  name: 'delete',
  title: 'Delete',
  words: { participles: ['deleted'], noun: 'deletions', action: 'DeleteTask', event: 'task.deleted' },
  group: 'Tasks',
  sentence: () => ({ done: 'deleted the task' }),
  params: {},
  examples: [{}],
  allowed: [],
  changes: [],
  removes: true,
  apply: () => ({}),
})

export const tasks = { resource: task, operations: [create, change, finish, deleteTask] }
