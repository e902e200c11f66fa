import { type Fault, type Reason, reason } from '../../../values/faults/fault.ts'
import { isObject } from '../../../values/json/is-object.ts'
import type { Kind } from '../../../values/kinds/kind.ts'
import { boolean, integer } from '../../../values/kinds/number.ts'
import { choice, nameText } from '../../../values/kinds/text.ts'
import { title, titleFaults } from '../../../values/kinds/titles.ts'
import { type Members, memberAt, optional, readMembers, required } from '../../../values/members.ts'
import { type AddedKind, addedKind } from '../../source/added-kinds.ts'
import { extensible, type OwnField } from './field.ts'
import { LONGEST_VALUE, MOST_CHOICES } from './kinds.ts'

type CheckedField = Pick<OwnField, 'on' | 'kind' | 'titles' | 'options' | 'unique' | 'indexed' | 'searched'>

type CheckedOptions = Pick<CheckedField, 'kind' | 'options' | 'unique' | 'indexed'>

const LONGEST_INDEXED = 500
const LONGEST_TEXT = 10_000

/** The resources whose things have a currency. */
const withMoney: readonly string[] = ['deal']

/** The faults of a field as a whole, each at its part among those that were sent; what has a fault of its own is absent. */
export function fieldFaults(field: Partial<CheckedField>, sent: Partial<CheckedField> = field): readonly Fault[] {
  const { kind, on, titles = {}, options, unique = false, indexed = false, searched = false } = field
  if (kind === undefined) return titleFaults(titles, '/titles')
  const can = addedKind(kind)
  const notForKind = (name: string): Fault => ({ code: 'not-for-kind', with: { kind }, at: { pointer: `/${name}` } })
  return [
    ...(can.isMoney && on !== undefined && !withMoney.includes(on) ? [notForKind('on')] : []),
    ...titleFaults(titles, '/titles'),
    ...(options === undefined ? [] : optionFaults({ kind, options, unique, indexed }, sent)),
    ...(unique && !can.unique ? [notForKind('unique')] : []),
    ...(indexed && !can.indexed ? [notForKind('indexed')] : []),
    ...(searched && !can.searched ? [notForKind('searched')] : []),
  ]
}

function optionFaults(field: CheckedOptions, sent: Partial<CheckedField>): readonly Fault[] {
  if (sent.options === undefined) return indexFaults(field, sent)
  const read = readMembers(optionsOf(field), field.options)
  const shallow = ('faults' in read ? read.faults : []).map((fault) => otherKinds(fault, field.kind))
  const { values } = field.options
  const deep = hasChoices(field.kind) && Array.isArray(values) ? choiceFaults(values) : []
  return [...shallow.map((fault) => ({ ...fault, at: { pointer: `/options${fault.at.pointer}` } })), ...deep]
}

/** An option of another kind is known, but not for this one. */
const otherKinds = (fault: Fault, kind: AddedKind): Fault =>
  fault.code === 'unknown' && optionNames.includes(memberAt(fault.at.pointer ?? ''))
    ? { code: 'not-for-kind', with: { kind }, at: fault.at }
    : fault

const optionNames: readonly string[] = ['max', 'to', 'values']

/** A text may be too long for an index that is asked for later. */
function indexFaults(field: CheckedOptions, sent: Partial<CheckedField>): readonly Fault[] {
  if (!('faults' in readMembers(optionsOf(field), field.options))) return []
  const why: Reason = { code: 'not-for-kind', with: { kind: field.kind, max: LONGEST_INDEXED } }
  const asked = (['unique', 'indexed'] as const).filter((name) => sent[name])
  return asked.map((name) => ({ ...why, at: { pointer: `/${name}` } }))
}

export const hasChoices = (kind: AddedKind): boolean => addedKind(kind).option === 'values'

function optionsOf({ kind, unique, indexed }: Omit<CheckedOptions, 'options'>): Members {
  const { option } = addedKind(kind)
  if (option === 'max')
    return { max: optional(integer({ min: 1, max: unique || indexed ? LONGEST_INDEXED : LONGEST_TEXT })) }
  if (option === 'to') return { to: required(choice(extensible)) }
  return option === 'values' ? { values: required(list) } : {}
}

/** Of one to as many as there may be; the items are checked separately. */
const list: Kind<unknown> = {
  name: 'json',
  schema: { type: 'array' },
  nullable: false,
  read(raw) {
    if (!Array.isArray(raw)) return { fault: reason('type', { wants: 'list' }) }
    if (raw.length === 0) return { fault: reason('blank') }
    return raw.length > MOST_CHOICES
      ? { fault: reason('too-many-values', { wants: 'list', max: MOST_CHOICES }) }
      : { value: raw }
  },
  readText: () => ({ fault: reason('type', { wants: 'list' }) }),
  write: () => null,
}

/** In cells, choices are joined by `; `, and in filters by commas. */
const choiceText = nameText({
  min: 1,
  max: LONGEST_VALUE,
  pattern: { regex: /^[^;,]*$/, fault: { code: 'malformed', with: { wants: 'choice-value' } } },
})

function choiceFaults(values: readonly unknown[]): readonly Fault[] {
  const seen = new Set<unknown>()
  return values.flatMap((each, at): readonly Fault[] => {
    const pointer = `/options/values/${at}`
    const read = readMembers({ value: required(choiceText), title: required(title), ...further }, each)
    const faults = 'faults' in read ? read.faults : []
    const inside = faults.map((fault) => ({ ...fault, at: { pointer: pointer + (fault.at.pointer ?? '') } }))
    if (!isObject(each)) return inside
    const titles = Object.hasOwn(each, 'titles') ? titleFaults(each.titles, `${pointer}/titles`) : []
    const value = typeof each.value === 'string' ? each.value.trim() : each.value
    const isRepeated = seen.has(value)
    seen.add(value)
    const repeated: Fault = { ...repeatedValue, at: { pointer: `${pointer}/value` } }
    return [...inside, ...titles, ...(isRepeated ? [repeated] : [])]
  })
}

const repeatedValue: Reason = { code: 'repeated' }

const anything: Kind<unknown> = { ...list, read: (raw) => ({ value: raw }) }

/** The further members of a choice. */
const further = { titles: optional(anything), closing: optional(boolean) }
