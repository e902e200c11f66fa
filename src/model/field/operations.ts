import type { Fault } from '../../values/faults/fault.ts'
import type { AddedField } from '../build/added-field.ts'
import { type DecidingResource, defineOperation, type Rule } from '../operation.ts'
import type { Refusal } from '../refusal.ts'
import { defineChange, defineCreation } from '../usual-operations.ts'
import { field, MOST_FIELDS, type OwnField } from './field.ts'
import { fieldFaults, hasChoices } from './field-faults.ts'
import { isReserved } from './reserved-names.ts'

type FieldRule = Rule<Pick<OwnField, 'retiredAt'>>

const DAYS_TO_RESTORE = 30

const inUse: FieldRule = {
  meets: ({ retiredAt }) => retiredAt === null,
  reason: () => ({ code: 'field-retired' }),
}

const retired: FieldRule = {
  meets: ({ retiredAt }) => retiredAt !== null,
  reason: () => ({ code: 'field-not-retired' }),
}

const recentlyRetired: FieldRule = {
  meets: ({ retiredAt }, now) =>
    retiredAt !== null && Date.parse(now) <= Date.parse(retiredAt) + DAYS_TO_RESTORE * 86_400_000,
  reason: () => ({ code: 'field-retired-long-ago', with: { days: DAYS_TO_RESTORE } }),
}

/** The fields of the model that decides: nothing else changes it before the decision is committed. */
const fieldsOn = ({ schema }: DecidingResource, on: string): readonly AddedField[] =>
  schema.fields.filter((each) => each.on === on)

const isLive = ({ retiredAt = null }: AddedField): boolean => retiredAt === null

/** Why there can be no further field; undefined if there can. */
const tooMany = (resource: DecidingResource, on: string): Refusal | undefined =>
  fieldsOn(resource, on).filter(isLive).length >= MOST_FIELDS
    ? { code: 'too-many-fields', on, most: MOST_FIELDS }
    : undefined

const create = defineCreation(field, {
  said: { title: 'Add a field', done: 'added the field' },
  examples: [
    { on: 'deal', name: 'renewalDate', title: 'Renewal', kind: 'date', indexed: true },
    {
      on: 'customer',
      name: 'branch',
      title: 'Branch',
      titles: { de: 'Branche' },
      kind: 'choice',
      options: {
        values: [
          { value: 'retail', title: 'Retail' },
          { value: 'health', title: 'Health' },
        ],
      },
    },
  ],
  apply(_blank, fields, _now, resource) {
    const reserved: readonly Fault[] = isReserved(fields.name)
      ? [{ code: 'reserved', with: { name: fields.name, wants: 'word' }, at: { pointer: '/name' } }]
      : []
    const faults = [...reserved, ...fieldFaults({ ...fields, replaceBy: null })]
    if (faults.length > 0) return { faults }
    const name = fields.name.toLowerCase()
    const other = fieldsOn(resource, fields.on).find((each) => each.name.toLowerCase() === name)
    if (other !== undefined) return { refused: { code: 'name-taken', resource: 'field', name: other.name } }
    const refused = tooMany(resource, fields.on)
    return refused === undefined ? fields : { refused }
  },
})

/** Whether the values of things must be read before it has what it promises. */
const isBuilt = ({ indexed, unique }: Pick<OwnField, 'indexed' | 'unique'>): boolean => indexed || unique

/**
 * A later index is filled while the service runs: until then the field works without. After a failure the next change
 * tries again.
 */
function stateAfter(before: OwnField, after: OwnField): Pick<OwnField, 'state' | 'repeats'> {
  const isNew = (after.indexed && !before.indexed) || (after.unique && !before.unique)
  const state = isBuilt(after) ? (isNew || before.state === 'failed' ? 'building' : before.state) : 'ready'
  return { state, repeats: null }
}

/** Choices that things may have stay: nothing tells yet that none has them. */
function removesChoices(before: OwnField, after: OwnField): boolean {
  const left = new Set(after.options.values?.map(({ value }) => value))
  return hasChoices(before.kind) && (before.options.values ?? []).some(({ value }) => !left.has(value))
}

const change = {
  ...defineChange(field, {
    noun: 'changes',
    fixed: ['on', 'name', 'kind'],
    examples: [{ title: 'Renewed on', titles: { de: 'Verlängert am' } }, { indexed: true }],
    apply: (thing, fields) => {
      const after = { ...thing, ...fields }
      const faults = fieldFaults(after)
      if (faults.length > 0) return { faults }
      if (removesChoices(thing, after)) {
        return { refused: { code: 'in-use', resource: 'field', id: thing.id, usedBy: [] } }
      }
      return { ...fields, ...stateAfter(thing, after) }
    },
  }),
  allowed: [inUse],
}

const retire = defineOperation({
  on: field,
  name: 'retire',
  title: 'Retire',
  words: { participles: ['retired'], noun: 'retirements', action: 'RetireField', event: 'field.retired' },
  group: 'Fields',
  forms: 'every',
  danger: true,
  sentence: () => ({ done: 'retired the field' }),
  params: () => ({}),
  examples: [{}],
  allowed: [inUse],
  changes: ['retiredAt'],
  undo: () => [{ operation: 'restore', params: {} }],
  apply: (_field, _params, now) => ({ retiredAt: now }),
})

const restore = defineOperation({
  on: field,
  name: 'restore',
  title: 'Restore',
  words: { participles: ['restored'], noun: 'restorations', action: 'RestoreField', event: 'field.restored' },
  group: 'Fields',
  forms: 'every',
  sentence: () => ({ done: 'restored the field' }),
  params: () => ({}),
  examples: [{}],
  allowed: [retired, recentlyRetired],
  changes: ['retiredAt'],
  undo: () => [{ operation: 'retire', params: {} }],
  apply(retired, _params, _now, resource) {
    const refused = tooMany(resource, retired.on)
    // Its index was not kept up meanwhile.
    const state = isBuilt(retired) ? ('building' as const) : retired.state
    return refused === undefined ? { retiredAt: null, state } : { refused }
  },
})

/** Everything that can be done with a field. It is never deleted: its name is never used again. */
export const fieldOperations = [create, change, retire, restore] as const
