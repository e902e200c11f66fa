import { currency } from '../../../values/kinds/codes.ts'
import { rate as decimal } from '../../../values/kinds/money.ts'
import { ordinal } from '../../../values/kinds/number.ts'
import { date, instant } from '../../../values/kinds/time.ts'
import { uuid } from '../../../values/kinds/uuid.ts'
import { assigned, given, type ThingOf } from '../../declaration/field.ts'
import { defineResource } from '../../declaration/resource.ts'

export const rate = defineResource({
  name: 'rate',
  plural: 'rates',
  path: '/rates',
  fields: {
    id: assigned(uuid),
    currency: given(currency),
    /** The amount of the currency for one unit of the reporting currency. */
    perUnit: given(decimal()),
    since: given(date),
    createdAt: assigned(instant),
    updatedAt: assigned(instant),
    revision: assigned(ordinal),
  },
  indexed: ['id', 'since'],
  scopes: ['currency'],
  markings: [],
  forms: ['resource', 'custom-method', 'attribute-update', 'command', 'command-endpoint'],
  put: 'anew',
  roles: { reads: 'reader', writes: 'admin' },
  example: { id: '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a13', currency: 'USD', perUnit: 108_370_000, since: '2026-11-01' },
})

export type Rate = ThingOf<typeof rate.fields>
