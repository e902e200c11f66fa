import { required } from '../../../../values/members.ts'
import { defineOperation } from '../../../declaration/operation.ts'
import { deal } from '../deal.ts'
import { ATTRIBUTE_UPDATE, reason, UNDO } from '../params.ts'
import { notHeld, open } from '../rules.ts'

export const changePrice = defineOperation({
  on: deal,
  name: 'change-price',
  title: 'Change the price',
  words: {
    participles: ['price-changed'],
    noun: 'price-changes',
    action: 'ChangeDealPrice',
    event: 'deal.price-changed',
  },
  group: 'Terms',
  sentence: ({ newPrice, reason }, say) => ({
    done: 'changed the price to {price}',
    with: { price: say.amount(newPrice) },
    said: String(reason),
  }),
  params: ({ kinds }) => ({ newPrice: required(kinds.price), reason: required(reason) }),
  examples: [{ newPrice: 49999.95, reason: 'volume discount' }],
  allowed: [open, notHeld],
  changes: ['price'],
  fromAttributes: (before, { price = before.price }) =>
    price === before.price
      ? undefined
      : { params: { newPrice: deal.kinds.price.write(price), reason: ATTRIBUTE_UPDATE } },
  sets: { newPrice: 'price' },
  undo: ({ price }) => [{ operation: 'change-price', params: { newPrice: price, reason: UNDO } }],
  apply: (_deal, { newPrice }) => ({ price: newPrice }),
})
