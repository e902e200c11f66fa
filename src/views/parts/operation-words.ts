import { happenings } from '../../model/event-types.ts'
import type { Params, Sentence } from '../../model/operation.ts'
import { label } from '../../representations/html/label.ts'
import { dateText } from './moment.ts'
import { decimal } from './money.ts'
import type { Amount, ShownEntry } from './shown.ts'

/** What was done, in the words of the operation; one that is known no more is told by its name. */
export function sentenceOf(
  { operation, params }: Pick<ShownEntry, 'operation' | 'params'>,
  currency: string,
  resource = 'deal',
): Sentence {
  const known = happenings.find(({ name, on }) => name === operation && on.name === resource)
  if (known === undefined) return { done: `did “${label(operation)}”` }
  return known.sentence(params as Params, {
    amount: (value) => `${decimal((value ?? 0) as unknown as Amount, currency)} ${currency}`,
    date: (value) => dateText(String(value)),
  })
}
