import { type OperationName, operationNamed } from '../../model/deal/operations.ts'
import { label } from '../../representations/html/label.ts'
import { dateText } from './moment.ts'
import { decimal } from './money.ts'
import type { Amount, ShownEntry } from './shown.ts'

/** What was done, as a sentence goes on after the name of whoever did it; the reason or text given stands apart. */
interface EntryText {
  readonly done: string
  readonly said?: string
}

export function sentenceOf(
  { operation, params }: Pick<ShownEntry, 'operation' | 'params'>,
  currency: string,
): EntryText {
  const known = texts[operation as OperationName]
  if (known !== undefined) return known(params, (value) => `${decimal((value ?? 0) as Amount, currency)} ${currency}`)
  const title = operationNamed(operation)?.title ?? label(operation)
  const said = Object.entries(params).map(([name, value]) => `${label(name)}: ${value}`)
  return { done: `did “${title}”`, ...(said.length > 0 && { said: said.join(', ') }) }
}

/** Asked once more before it is done. */
export const isDangerous = (operation: string): boolean => operation === 'cancel' || operation === 'delete'

type Given = ShownEntry['params']
type AmountText = (value: unknown) => string

const word = (value: unknown): string => (typeof value === 'string' ? value : '')
const penalty = (value: unknown, amount: AmountText): string =>
  value === 0 || value === undefined ? '' : `, amercement ${amount(value)}`
const because = (value: unknown): Pick<EntryText, 'said'> => (word(value) === '' ? {} : { said: word(value) })

/** An operation without a sentence of its own is told by its title and parameters. */
const texts: { readonly [N in OperationName]?: (given: Given, amount: AmountText) => EntryText } = {
  create: ({ price }, amount) => ({ done: `created the deal for ${amount(price)}` }),
  delete: () => ({ done: 'deleted the deal' }),
  restore: () => ({ done: 'restored the deal' }),
  hold: ({ reason }) => ({ done: 'put it on hold', ...because(reason) }),
  unhold: () => ({ done: 'took it off hold' }),
  complete: ({ completedOn, acceptedBy, note }) => ({
    done: `completed it${completedOn === undefined ? '' : ` on ${dateText(word(completedOn))}`}${
      acceptedBy === undefined ? '' : `, accepted by ${word(acceptedBy)}`
    }`,
    ...because(note),
  }),
  cancel: ({ amercement, reason }, amount) => ({
    done: `cancelled it${penalty(amercement, amount)}`,
    ...because(reason),
  }),
  reopen: ({ reason }) => ({ done: 'reopened it', ...because(reason) }),
  archive: () => ({ done: 'archived it' }),
  unarchive: () => ({ done: 'took it out of the archive' }),
  'change-price': ({ newPrice, reason }, amount) => ({
    done: `changed the price to ${amount(newPrice)}`,
    ...because(reason),
  }),
  'change-completion-date': ({ newDate, amercement, whyChanged }, amount) => ({
    done: `${newDate === null ? 'took the completion date off' : `moved the completion date to ${dateText(word(newDate))}`}${penalty(amercement, amount)}`,
    ...because(whyChanged),
  }),
  rename: ({ newName }) => ({ done: `renamed it to “${word(newName)}”` }),
  describe: () => ({ done: 'changed the description' }),
  assign: ({ owner }) => ({ done: owner === null ? 'left it to nobody' : `assigned it to ${word(owner)}` }),
  'change-customer': ({ customerId }) => ({
    done: customerId === null ? 'took its customer off' : `gave it to customer ${customerId}`,
  }),
  move: ({ stage }) => ({ done: `moved it to ${word(stage)}` }),
  'add-note': ({ text }) => ({ done: 'noted', ...because(text) }),
  'record-payment': ({ amount: paid, reference }, amount) => ({
    done: `recorded a payment of ${amount(paid)}${reference === undefined ? '' : `, ${word(reference)}`}`,
  }),
  'waive-amercement': ({ amount: waived, reason }, amount) => ({
    done: waived === undefined ? 'waived the amercement' : `waived ${amount(waived)} of the amercement`,
    ...because(reason),
  }),
}
