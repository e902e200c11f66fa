import type { Operation } from '../../model/schema.ts'
import { near, type Reason, reason } from '../../values/faults/fault.ts'
import { nearest } from '../../values/faults/nearest.ts'

/** Named like its action: `holdDeal`. */
export const mutationName = ({ words: { action } }: Pick<Operation, 'words'>): string =>
  action.charAt(0).toLowerCase() + action.slice(1)

/** An operation's name where names have underscores: `change_deal_price` for `ChangeDealPrice`. */
export const functionName = ({ words }: Pick<Operation, 'words'>): string =>
  words.action.replaceAll(/(?<=.)(?=[A-Z])/g, '_').toLowerCase()

/** A value that names something which there is not. */
export const unknownName = (what: string, name: string, known: Iterable<string>): Reason =>
  name === '' ? reason('blank') : reason('unknown-name', { what, name, ...near(nearest(name, known)) })
