import type { Fault } from '../../../values/faults/fault.ts'
import { nullable } from '../../../values/kinds/kind.ts'
import { positionBehind } from '../../../values/kinds/number.ts'
import { trimmed } from '../../../values/kinds/titles.ts'
import { optional } from '../../../values/members.ts'
import { type DecidingResource, defineOperation, type Rule } from '../../declaration/operation.ts'
import type { Refusal } from '../../declaration/refusal.ts'
import { defineChange, defineCreation } from '../../declaration/usual-operations.ts'
import type { AddedField } from '../../source/added-field.ts'
import type { SchemaSource } from '../../source/schema-source.ts'
import { changedChoices, openOptions } from './choices.ts'
import { field, MOST_FIELDS, type OwnField } from './field.ts'
import { fieldFaults, hasChoices } from './field-faults.ts'
import { replacementsKind } from './kinds.ts'
import { isReserved } from './reserved-names.ts'

type FieldRule = Rule<Pick<OwnField, 'retiredAt' | 'state'>>

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
  meets: ({ retiredAt, state }, now) =>
    retiredAt !== null && state !== 'purged' && Date.parse(now) <= Date.parse(retiredAt) + DAYS_TO_RESTORE * 86_400_000,
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

const creation = defineCreation(field, {
  said: { title: 'Add a field', done: 'added the field' },
  examples: [
    { on: 'deal', name: 'renewalDate', title: 'Renewal', kind: 'date', indexed: true, position: 7, group: 'Contract' },
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
  check: (fields) => [
    ...(fields.name !== undefined && isReserved(fields.name)
      ? [{ code: 'reserved', with: { name: fields.name, wants: 'word' }, at: { pointer: '/name' } } as const]
      : []),
    ...fieldFaults(fields),
  ],
  apply(_blank, fields, _now, { on: resource }) {
    const name = fields.name.toLowerCase()
    const other = fieldsOn(resource, fields.on).find((each) => each.name.toLowerCase() === name)
    if (other !== undefined) return { refused: { code: 'name-taken', resource: 'field', name: other.name } }
    const refused = tooMany(resource, fields.on)
    if (refused !== undefined) return { refused }
    return { ...fields, titles: trimmed(fields.titles), options: openOptions(fields.options) }
  },
})

const create = {
  ...creation,
  /** Behind the last of its resource. */
  usual: ({ on, position }: { readonly [param: string]: unknown }, { fields }: SchemaSource) =>
    position === undefined
      ? { position: positionBehind(fields.flatMap((each) => (each.on === on ? (each.position ?? 0) : []))) }
      : {},
}

/** Whether the values of things must be read before it has what it promises. */
const isBuilt = ({ indexed, unique }: Pick<OwnField, 'indexed' | 'unique'>): boolean => indexed || unique

/**
 * A later index is filled while the service runs: until then the field works without. A failure stays until somebody
 * asks for the index again, or no more.
 */
function stateAfter(before: OwnField, fields: Partial<OwnField>): Pick<OwnField, 'state' | 'repeats'> {
  const { indexed = before.indexed, unique = before.unique } = fields
  const isAsked = Object.hasOwn(fields, 'indexed') || Object.hasOwn(fields, 'unique')
  if (before.state === 'failed' && !isAsked) return { state: before.state, repeats: before.repeats }
  if (!isBuilt({ indexed, unique })) return { state: 'ready', repeats: null }
  const isNew = (indexed && !before.indexed) || (unique && !before.unique)
  return { state: isNew || before.state === 'failed' ? 'building' : before.state, repeats: null }
}

const change = {
  ...defineChange(field, {
    noun: 'changes',
    fixed: ['on', 'name', 'kind'],
    further: { replaceBy: optional(nullable(replacementsKind)) },
    // Things keep the choices that they were given.
    final: ['replaceBy'],
    examples: [
      { title: 'Renewed on', titles: { de: 'Verlängert am' } },
      { indexed: true },
      { position: 2, group: 'Contract' },
    ],
    check: (fields: Partial<OwnField>, _now, { thing }) => [
      ...fieldFaults({ ...thing, ...fields }, fields),
      ...otherTarget(thing, fields),
      ...replacementFaults(thing, fields),
    ],
    apply: (thing, { replaceBy = null, ...sent }: Partial<OwnField>, _now, { counts }) => {
      const fields = { ...sent, ...(sent.titles && { titles: trimmed(sent.titles) }) }
      const { options } = fields
      if (options === undefined || !hasChoices(thing.kind)) return { ...fields, ...stateAfter(thing, fields) }
      const choices = changedChoices(thing, options, replaceBy ?? {}, counts)
      return 'faults' in choices ? choices : { ...fields, ...choices, ...stateAfter(thing, fields) }
    },
  }),
  allowed: [inUse],
}

/** The ids that things have are of what the field always led to. */
const otherTarget = ({ options: { to } }: OwnField, { options = {} }: Partial<OwnField>): readonly Fault[] =>
  to === undefined || options.to === undefined || options.to === to
    ? []
    : [{ code: 'set-at-creation', with: { on: field.name }, at: { pointer: '/options/to' } }]

/** The faults of replacements without choices that are removed. */
function replacementFaults({ kind }: OwnField, { options, replaceBy = null }: Partial<OwnField>): readonly Fault[] {
  if (replaceBy === null) return []
  const at = { pointer: '/replaceBy' }
  if (!hasChoices(kind)) return [{ code: 'not-for-kind', with: { kind }, at }]
  return options === undefined ? [{ code: 'goes-with', with: { other: 'options' }, at }] : []
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
  apply(retired, _params, _now, { on: resource }) {
    const refused = tooMany(resource, retired.on)
    // Its index was not kept up meanwhile.
    const state = isBuilt(retired) ? ('building' as const) : retired.state
    return refused === undefined ? { retiredAt: null, state } : { refused }
  },
})

/** Everything that can be done with a field. It is never deleted: its name is never used again. */
export const fieldOperations = [create, change, retire, restore] as const
