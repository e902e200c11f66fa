import type { SentOf, ValuesOf } from '../../values/members.ts'
import { type Operation, whyNot } from '../operation.ts'
import type { Markings } from './deal.ts'
import { addNote } from './operations/add-note.ts'
import { archive } from './operations/archive.ts'
import { assign } from './operations/assign.ts'
import { cancel } from './operations/cancel.ts'
import { changeCompletionDate } from './operations/change-completion-date.ts'
import { changeCustomer } from './operations/change-customer.ts'
import { changePrice } from './operations/change-price.ts'
import { complete } from './operations/complete.ts'
import { create } from './operations/create.ts'
import { deleteDeal } from './operations/delete.ts'
import { describe } from './operations/describe.ts'
import { hold } from './operations/hold.ts'
import { move } from './operations/move.ts'
import { recordPayment } from './operations/record-payment.ts'
import { rename } from './operations/rename.ts'
import { reopen } from './operations/reopen.ts'
import { restore } from './operations/restore.ts'
import { unarchive } from './operations/unarchive.ts'
import { unhold } from './operations/unhold.ts'
import { waiveAmercement } from './operations/waive-amercement.ts'

/** Everything that can be done with a deal. Routes, links, pages, documents and tests are derived from this list. */
const list = [
  create,
  deleteDeal,
  restore,
  hold,
  unhold,
  complete,
  cancel,
  reopen,
  archive,
  unarchive,
  changePrice,
  changeCompletionDate,
  rename,
  describe,
  assign,
  changeCustomer,
  move,
  addNote,
  recordPayment,
  waiveAmercement,
] as const

type Listed = (typeof list)[number]
export type OperationName = Listed['name']
/** The parameters as a client sends them. */
export type SentParamsOf<N extends OperationName> = SentOf<Extract<Listed, { name: N }>['params']>
export type ParamsOf<N extends OperationName> = ValuesOf<Extract<Listed, { name: N }>['params']>

export const operations: readonly Operation<OperationName>[] = list as unknown as readonly Operation<OperationName>[]

const byWord = new Map<string, Operation<OperationName>>(
  operations.flatMap((operation) => [
    [operation.name, operation],
    [operation.words.action, operation],
  ]),
)

/** `hold` or `HoldDeal`, as a name may be sent. */
export const operationNamed = (word: unknown): Operation<OperationName> | undefined =>
  typeof word === 'string' ? byWord.get(word) : undefined

export const operationWords: readonly string[] = [...byWord.keys()]

/** The operations on an existing deal. */
export const dealOperations = operations.filter((operation) => operation.on !== 'nothing')

/** The operations whose rules the deal meets now. */
export function allowedOperations(deal: Markings, now: string): readonly Operation<OperationName>[] {
  if (deal.deletedAt !== null) return filterAllowed(deal, now)
  // A live deal's rules look at its markings alone, and every reader of a deal asks: each combination is decided once.
  const markings = Number(deal.held) + 2 * Number(deal.archived) + 4 * Number(deal.amercement > 0)
  const ofStatus = allowedByMarkings[deal.status]
  ofStatus[markings] ??= filterAllowed(deal, now)
  return ofStatus[markings]
}

const filterAllowed = (deal: Markings, now: string): readonly Operation<OperationName>[] =>
  dealOperations.filter((operation) => whyNotNow(operation, deal, now) === undefined)

type Allowed = (readonly Operation<OperationName>[] | undefined)[]
const allowedByMarkings: Readonly<Record<Markings['status'], Allowed>> = { open: [], completed: [], cancelled: [] }

/** Why an operation is not allowed now, or nothing when it is. */
export function whyNotNow(operation: Operation, deal: Markings, now: string): string | undefined {
  if (operation.on === 'deleted' || deal.deletedAt === null) return whyNot(operation.allowed, deal, now)
  return 'the deal is deleted'
}
