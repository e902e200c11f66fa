import type { Kind } from '../../../../values/kinds/kind.ts'
import { type Member, type Members, nested, optional } from '../../../../values/members.ts'
import { defineOperation, type Params, paramNames, valueIn } from '../../../declaration/operation.ts'
import type { AddedName } from '../../../declaration/resource.ts'
import { deal } from '../deal.ts'
import { notArchived } from '../rules.ts'

export const setFields = defineOperation({
  on: deal,
  name: 'set-fields',
  title: 'Set fields',
  words: {
    participles: ['fields-set'],
    noun: 'field-settings',
    action: 'SetDealFields',
    event: 'deal.fields-set',
  },
  group: 'Notes and people',
  sentence: ({ reference, ...others }, say) => {
    const fields = [...paramNames(others)]
    if (fields.length > 0 && reference !== undefined) fields.unshift('reference')
    if (fields.length > 0) return { done: 'set: {fields}', with: { fields: say.fields(fields) } }
    if (reference === undefined) return { done: 'set no field' }
    if (reference === null) return { done: 'removed the reference' }
    return { done: 'set the reference to “{reference}”', with: { reference: String(reference) } }
  },
  params: ({ kinds, added, patch }) => ({ reference: optional(kinds.reference), ...addedMembers(added, patch) }),
  // No text, because an example may be done with any number of deals.
  examples: [{ reference: null }],
  allowed: [notArchived],
  fromAttributes: (deal, wanted, { kinds, added }) => {
    const names = ['reference', ...added.map(({ name }) => name)]
    const differing = Object.entries(wanted).filter(
      ([name, value]) => names.includes(name) && value !== valueIn(deal, name),
    )
    if (differing.length === 0) return undefined
    return { params: nested(differing.map(([name, value]) => [name, kindOf(kinds, name).write(value)])) }
  },
  sets: { reference: 'reference' },
  undo: (before, params) => {
    const former = paramNames(params).map((name) => [name, valueIn(before, name) ?? null] as const)
    return [{ operation: 'set-fields', params: nested(former) as Params }]
  },
  apply: (_deal, fields) => fields,
})

/** The members that set added fields. */
const addedMembers = (added: readonly AddedName[], patch: object): Members =>
  Object.fromEntries(added.map(({ name }) => [name, valueIn(patch, name) as Member<unknown>]))

const kindOf = (kinds: object, name: string): Kind<unknown> =>
  (kinds as Readonly<Record<string, Kind<unknown>>>)[name] as Kind<unknown>
