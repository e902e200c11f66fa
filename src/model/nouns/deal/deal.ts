import { currency } from '../../../values/kinds/codes.ts'
import { nullable, referenceTo, type Titled, userName } from '../../../values/kinds/kind.ts'
import { amount, type Thousandths, total } from '../../../values/kinds/money.ts'
import { boolean, ordinal } from '../../../values/kinds/number.ts'
import { arranged, choice, choiceWithin, nameText, reference, text } from '../../../values/kinds/text.ts'
import { date, instant } from '../../../values/kinds/time.ts'
import { uuid } from '../../../values/kinds/uuid.ts'
import { assigned, given, kept, type ThingOf, unique } from '../../declaration/field.ts'
import { defineResource } from '../../declaration/resource.ts'
import { inOrder, SALES } from '../../source/pipeline-source.ts'
import type { SchemaSource } from '../../source/schema-source.ts'
import { dealEntry } from './entry.ts'
import { dealFileWords } from './file-words.ts'
import { person, reason } from './params.ts'
import { firstPlace } from './place.ts'

export const statuses = ['open', 'completed', 'cancelled'] as const

/** The largest total, so that a sum of thousandths stays an exact integer. */
export const LARGEST_TOTAL: Thousandths = 9e15

/** The pipelines and their stages, in their order. */
const placesIn = ({ pipelines }: Pick<SchemaSource, 'pipelines'>) => {
  const all = inOrder(pipelines)
  const initial = firstPlace({}, { pipelines: all })
  const stages = new Map(
    all.map(({ name, title, titles, stages }) => [name, { title, titles, words: titlesOf(stages) }]),
  )
  return {
    pipeline: given({ ...arranged(all.map(({ name }) => name)), words: titlesOf(all) }, initial.pipeline),
    stage: given(choiceWithin('pipeline', stages), initial.stage),
  }
}

const titlesOf = (all: readonly (Titled & { readonly name: string })[]): ReadonlyMap<string, Titled> =>
  new Map(all.map(({ name, title, titles }) => [name, { title, titles }]))

export const deal = defineResource({
  name: 'deal',
  plural: 'deals',
  path: '/rest/v1/deals',
  fields: {
    id: assigned(uuid),
    name: given(nameText({ min: 1, max: 200 })),
    price: given(amount()),
    currency: given(currency, 'EUR'),
    customerId: given(nullable(referenceTo('customer', ordinal)), null),
    owner: given(nullable(userName(person)), null),
    description: given(text({ min: 0, max: 10_000 }), ''),
    ...placesIn({ pipelines: [SALES] }),
    completionDate: given(nullable(date), null),
    reference: unique(given(nullable(reference), null)),
    status: kept(choice(statuses), 'open'),
    held: kept(boolean, false),
    holdReason: kept(nullable(reason), null),
    archived: kept(boolean, false),
    amercement: kept(total(LARGEST_TOTAL), 0),
    paid: kept(total(LARGEST_TOTAL), 0),
    completedOn: kept(nullable(date), null),
    acceptedBy: kept(nullable(person), null),
    closingReason: kept(nullable(reason), null),
    deletedAt: kept(nullable(instant), null),
    createdAt: assigned(instant),
    updatedAt: assigned(instant),
    revision: assigned(ordinal),
  },
  fieldsIn: placesIn,
  entry: dealEntry,
  extensible: true,
  indexed: ['id', 'completionDate', 'createdAt', 'updatedAt'],
  scopes: ['customerId', 'owner', 'held'],
  lanes: [
    { within: ['status', 'pipeline', 'stage'], by: 'stageSince' },
    { within: ['status'], by: 'completionDate' },
  ],
  totals: [
    { by: ['status', 'pipeline', 'stage', 'currency', 'held'], sum: 'price' },
    // Days before the other fields: a range of them is one of the table.
    { by: ['status', 'completionDate', 'pipeline'] },
    { by: ['status', 'completedOn', 'pipeline', 'currency'], sum: 'price' },
    { by: ['status', 'closedAt', 'pipeline', 'currency'], sum: 'price' },
  ],
  projections: [
    {
      ...{ name: 'periods', item: 'period', title: 'Periods in a stage', of: ['pipeline', 'stage', 'status'] },
      since: { stageSince: { status: ['open'] }, closedAt: { status: ['completed', 'cancelled'] } },
    },
  ],
  searched: ['name', 'description', 'owner', 'reference', 'customer.name'],
  markings: ['deletedAt', 'customerId', 'status', 'held', 'archived', 'amercement'],
  situation: ({ status, held, archived, amercement }) =>
    statuses.indexOf(status) + 3 * Number(held) + 6 * Number(archived) + 12 * Number(amercement > 0),
  forms: 'every',
  put: 'stays',
  groups: ['Progress', 'Terms', 'Notes and people', 'Money', 'Archive and delete'],
  roles: { reads: 'reader', writes: 'editor' },
  imports: 'row by row',
  inFiles: dealFileWords,
  moneyIn: 'currency',
  calendar: {
    ...{ day: 'completionDate', title: 'name', text: 'description' },
    ...{ person: 'owner', open: ['status', 'open'], cancelled: ['status', 'cancelled'] },
  },
  example: { id: '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10', name: 'Forty espresso machines', price: 51_800_000 },
})

/** A deal in the model: amounts are whole thousandths. */
export type Deal = ThingOf<typeof deal.fields>

/** The fields that the rules read; a deal parsed from its document has them too. */
export type Markings = Pick<Deal, 'status' | 'held' | 'archived' | 'amercement' | 'deletedAt'>
