import type { SentOf } from '../../../values/members.ts'
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
import { setFields } from './operations/set-fields.ts'
import { unarchive } from './operations/unarchive.ts'
import { unhold } from './operations/unhold.ts'
import { waiveAmercement } from './operations/waive-amercement.ts'

/** Everything that can be done with a deal. Routes, links, views, documents and tests are derived from this list. */
export const dealOperations = [
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
  setFields,
] as const

type Listed = (typeof dealOperations)[number]
export type OperationName = Listed['name']
/** The parameters as a client sends them. */
export type SentParamsOf<N extends OperationName> = SentOf<ReturnType<Extract<Listed, { name: N }>['params']>>
