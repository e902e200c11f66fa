import { assigned, given, kept } from '../../src/model/declaration/field.ts'
import { defineOperation } from '../../src/model/declaration/operation.ts'
import { defineResource } from '../../src/model/declaration/resource.ts'
import { defineChange, defineCreation, defineRemoval } from '../../src/model/declaration/usual-operations.ts'
import type { FaultCode } from '../../src/values/faults/fault-codes.ts'
import { nullable, referenceTo } from '../../src/values/kinds/kind.ts'
import { boolean, integer, ordinal } from '../../src/values/kinds/number.ts'
import { nameText } from '../../src/values/kinds/text.ts'
import { date, instant } from '../../src/values/kinds/time.ts'
import { uuid } from '../../src/values/kinds/uuid.ts'

// A resource, whole: what it is and what can be done with it.

const errand = defineResource({
  name: 'errand',
  plural: 'errands',
  path: '/errands',
  fields: {
    id: assigned(uuid),
    name: given(nameText({ min: 1, max: 200 })),
    dueOn: given(nullable(date), null),
    urgency: given(integer({ min: 1, max: 5 }), 3),
    dealId: given(nullable(referenceTo('deal', uuid)), null),
    finished: kept(boolean, false),
    createdAt: assigned(instant),
    updatedAt: assigned(instant),
    revision: assigned(ordinal),
  },
  indexed: ['id'],
  projections: [
    {
      ...{ name: 'urgencies', item: 'urgencyPeriod', title: 'How long errands were urgent' },
      ...{ of: ['urgency', 'finished'], since: { finishedAt: { finished: [true] } } },
    },
  ],
  searched: ['name', 'deal.name'],
  markings: ['finished', 'dealId'],
  forms: 'every',
  put: 'anew',
  roles: { reads: 'reader', writes: 'editor' },
  example: { id: '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a11', name: 'Call Ana Ruiz', dueOn: '2027-03-31' },
})

const create = defineCreation(errand, { examples: [{ name: 'Call Ana Ruiz', dueOn: '2027-03-31' }] })
const change = defineChange(errand, { noun: 'edits', examples: [{ urgency: 5 }] })

/** A line of the grown copy's table. */
const finished = 'errand-finished' as FaultCode

const finish = defineOperation({
  on: errand,
  name: 'finish',
  title: 'Finish',
  words: { participles: ['finished'], noun: 'finishings', action: 'FinishErrand', event: 'errand.finished' },
  group: 'Errands',
  sentence: () => ({ done: 'finished the errand' }),
  params: () => ({}),
  examples: [{}],
  allowed: [{ meets: ({ finished }) => !finished, reason: () => ({ code: finished }) }],
  changes: ['finished'],
  apply: () => ({ finished: true }),
})

export const errands = { resource: errand, operations: [create, change, finish, defineRemoval(errand)] }
