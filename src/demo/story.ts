import type { Params } from '../model/declaration/operation.ts'
import type { Deal } from '../model/nouns/deal/deal.ts'
import type { OperationName } from '../model/nouns/deal/operations.ts'
import { EARLY_CUSTOMERS } from './customers/customers.ts'
import { owners } from './goods.ts'
import { pick, type Random } from './random.ts'
import { DAY, dateAt } from './time.ts'

export type Stage = Deal['stage']

/** The next steps of a deal, given its state and the day. */
export interface StoryStep {
  readonly operation: OperationName
  readonly params: (deal: Deal, at: number, random: Random) => Params
}

const step = (operation: OperationName, params: StoryStep['params'] = () => ({})): StoryStep => ({ operation, params })

/** A share of the price, rounded to two decimals. */
const share = (deal: Deal, percent: number): number => Math.round((deal.price * percent) / 1000) / 100

const holdReasons = [
  'credit check',
  'waiting for the building permit',
  'budget is decided in December',
  'contact is on leave',
]
const delays = [
  'parts arrive late',
  'the customer asked for a later date',
  'the crane is booked until then',
  'strike at the port',
]
const withdrawals = ['customer withdrew', 'chose another supplier', 'project was stopped', 'no answer for six weeks']
const discounts = ['volume discount', 'framework agreement', 'second offer', 'without delivery']
const notes = [
  'Called, will call back on Monday.',
  'Site visit went well; they want two variants.',
  'Sent the drawings again, the first mail did not arrive.',
  'Met at the fair. Decision is made by the board on the 20th.',
  'Legal asks for a longer warranty: five years instead of three.',
  'Référence reçue de Lyon, très positive.',
  'Kunde bittet um Ratenzahlung.',
]
const acceptances = ['Jonas Weber', 'Καίτη Αλεξίου', 'Sigríður Jónsson', 'H. Böhm', '田中 誠']

/** The steps of which plots consist. */
export const story = {
  /** Moves a deal to the stage, one stage at a time. */
  reach: (stage: Stage, stages: readonly string[]): readonly StoryStep[] => [
    step('assign', (_deal, _at, random) => ({ owner: pick(owners, random) })),
    ...stages.slice(1, stages.indexOf(stage) + 1).map((each) => step('move', () => ({ stage: each }))),
  ],
  note: step('add-note', (_deal, _at, random) => ({ text: pick(notes, random) })),
  discount: step('change-price', (deal, _at, random) => ({
    newPrice: share(deal, 88 + random(10)),
    reason: pick(discounts, random),
  })),
  postpone: (percent: number) =>
    step('change-completion-date', (deal, at, random) => ({
      newDate: dateAt(at + (14 + random(60)) * DAY),
      amercement: share(deal, percent),
      whyChanged: pick(delays, random),
    })),
  pay: (percent: number) =>
    step('record-payment', (deal, at, random) => ({
      amount: share(deal, percent),
      reference: `INV-${dateAt(at).slice(0, 4)}-${String(100 + random(900))}`,
    })),
  hold: step('hold', (_deal, _at, random) => ({ reason: pick(holdReasons, random) })),
  holdAgain: step('hold', () => ({ reason: 'waiting for the second signature' })),
  unhold: step('unhold'),
  rename: step('rename', (deal) => ({ newName: `${deal.name}, second lot` })),
  describe: step('describe', (deal) => ({ description: `${deal.description} Offer valid for 60 days.` })),
  unassign: step('assign', () => ({ owner: null })),
  changeCustomer: step('change-customer', (_deal, _at, random) => ({ customerId: 1 + random(EARLY_CUSTOMERS) })),
  complete: step('complete', (_deal, at, random) => ({
    completedOn: dateAt(at),
    acceptedBy: pick(acceptances, random),
    ...(random(2) === 0 && { note: 'signed on site' }),
  })),
  cancel: (percent: number, reasons = withdrawals) =>
    step('cancel', (deal, _at, random) => ({ amercement: share(deal, percent), reason: pick(reasons, random) })),
  waive: step('waive-amercement', () => ({ reason: 'long-standing customer' })),
  reopen: step('reopen', () => ({ reason: 'customer came back' })),
  archive: step('archive'),
  unarchive: step('unarchive'),
  delete: step('delete'),
  restore: step('restore'),
}
