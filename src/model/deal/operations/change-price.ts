import { required } from '../../../values/members.ts'
import { defineOperation } from '../../operation.ts'
import { notHeld, open } from '../conditions.ts'
import { dealFields } from '../deal.ts'
import { ATTRIBUTE_UPDATE, reason } from '../params.ts'

export const changePrice = defineOperation({
  name: 'change-price',
  title: 'Change the price',
  words: {
    participles: ['price-changed'],
    noun: 'price-changes',
    action: 'ChangeDealPrice',
    event: 'deal.price-changed',
  },
  params: { newPrice: required(dealFields.price), reason: required(reason) },
  examples: [{ newPrice: 49999.95, reason: 'volume discount' }],
  allowed: [open, notHeld],
  changes: ['price'],
  fromAttributes: (deal, { price = deal.price }) =>
    price === deal.price
      ? undefined
      : { params: { newPrice: dealFields.price.write(price), reason: ATTRIBUTE_UPDATE } },
  sets: { newPrice: 'price' },
  apply: (_deal, { newPrice }) => ({ price: newPrice }),
})
