import type { Fault } from '../../../values/faults/fault.ts'
import { isObject } from '../../../values/json/is-object.ts'
import { ownField } from '../../../values/json/own.ts'
import { pointerTo } from '../../../values/json/pointer.ts'
import { trimmed } from '../../../values/kinds/titles.ts'
import type { Occupied, PartCounts } from '../../declaration/operation.ts'
import type { AddedField } from '../../source/added-field.ts'
import type { AddedChoice, AddedOptions } from '../../source/added-kinds.ts'
import type { CountedParts, PartMoves } from '../../source/counted-parts.ts'
import { MOST_CHOICES } from './kinds.ts'

// A choice that things have is removed with another one for them. It is closing until all have that: no write sets it,
// but things, filters and documents still have it. decisions/0064

type Replacements = Readonly<Record<string, string>>

/** The members of a field that say which choices it has. */
interface FieldChoices {
  readonly options: AddedOptions
  readonly replaceBy: Replacements | null
}

type ChangedChoices = FieldChoices & Occupied

/** The choices as they were sent; those that things may have are closing. */
export function changedChoices(
  { options: { values: before = [] }, replaceBy: earlier }: FieldChoices,
  given: AddedOptions,
  asked: Replacements,
  counts: PartCounts,
): ChangedChoices | { readonly faults: readonly Fault[] } {
  const { values: sent = [], ...options } = openOptions(given)
  const removed = before.filter(({ value, closing }) => closing || !sent.some((each) => each.value === value))
  const isRemoved = (value: string): boolean => removed.some((each) => each.value === value)
  const staying = sent.filter(({ value }) => !isRemoved(value))
  const replaceBy = new Map([...Object.entries(earlier ?? {}), ...Object.entries(asked)])
  const faults: readonly Fault[] = [
    ...Object.keys(asked).flatMap((value): Fault[] => {
      const at = { pointer: `/replaceBy${pointerTo(value)}` }
      if (!before.some((each) => each.value === value)) return [{ code: 'unknown', at }]
      return isRemoved(value) ? [] : [{ code: 'contradicts', with: { other: 'options' }, at }]
    }),
    ...removed.flatMap(({ value }): Fault[] => {
      const by = replaceBy.get(value)
      if (by === undefined || staying.some((each) => each.value === by)) return []
      const values = staying.map((each) => each.value)
      return [{ code: 'not-one-of', with: { values }, at: { pointer: `/replaceBy${pointerTo(value)}` } }]
    }),
    ...(staying.length === 0 ? [{ code: 'blank', at: { pointer: '/options/values' } } as const] : []),
  ]
  if (faults.length > 0) return { faults }
  const leaving = removed.filter(({ value }) => replaceBy.has(value))
  // A closing choice is shown until it is gone.
  if (staying.length + leaving.length > MOST_CHOICES) return { faults: [tooManyChoices] }
  const left = removed.find(({ value }) => !replaceBy.has(value) && (counts.get(value) ?? 0) > 0)?.value
  return {
    options: { ...options, values: inPlace(before, staying, leaving) },
    replaceBy: leaving.length === 0 ? null : replacing(leaving, replaceBy),
    ...(left !== undefined && { occupied: { part: left, count: counts.get(left) ?? 0 } }),
  }
}

const tooManyChoices: Fault = {
  ...{ code: 'too-many-values', with: { wants: 'list', max: MOST_CHOICES } },
  at: { pointer: '/options/values' },
}

/** Nobody sees a space at the end of a word. Only the service closes a choice. */
const opened = (choices: readonly AddedChoice[]): readonly AddedChoice[] =>
  choices.map(({ closing: _closing, value, title, titles, ...choice }) => ({
    ...{ value: value.trim(), title: title.trim(), ...choice },
    ...(titles && { titles: trimmed(titles) }),
  }))

/** Options as they are kept. */
export const openOptions = (options: AddedOptions): AddedOptions => ({
  ...options,
  ...(options.values && { values: opened(options.values) }),
})

/** With the leaving ones where they were, as far as that still exists. */
function inPlace(
  before: readonly AddedChoice[],
  staying: readonly AddedChoice[],
  leaving: readonly AddedChoice[],
): readonly AddedChoice[] {
  const values = [...staying]
  for (const [at, choice] of before.entries())
    if (leaving.includes(choice)) values.splice(Math.min(at, values.length), 0, { ...choice, closing: true })
  return values
}

const replacing = (leaving: readonly AddedChoice[], by: ReadonlyMap<string, string>): Replacements =>
  Object.fromEntries(leaving.map(({ value }) => [value, by.get(value) ?? '']))

/** A field when the closing choices have gone. */
export const settledField = (field: AddedField): AddedField => ({
  ...field,
  ...(field.options?.values && { options: { ...field.options, values: field.options.values.filter(isStaying) } }),
})

const isStaying = ({ closing }: AddedChoice): boolean => !closing

/** How things have the choices of a field. */
export const choiceParts: CountedParts<'options' | 'replaceBy'> = {
  listed: 'options',
  placesOf: (item) => ({ on: (item as AddedField).on, within: {}, part: ownField((item as AddedField).name) }),
  mayLeave: (item, sent) => mayLeave(item as AddedField, sent),
  moves: (item) => replacements(item as AddedField),
  afterwards: (item) => {
    const { options = {} } = settledField(item as AddedField)
    return { action: 'change', params: {}, assigned: { options: options as never, replaceBy: null } }
  },
  begunBy: ['replaceBy'],
}

/** Counting reads every thing, unless the field is indexed: not if a choice is replaced, or none is left out. */
function mayLeave({ options: { values = [] } = {} }: AddedField, sent: object): boolean {
  const { options, replaceBy } = sent as { readonly [member: string]: unknown }
  if (!isObject(options) || !Array.isArray(options.values)) return false
  const listed = new Set(options.values.map((each) => (isObject(each) ? each.value : undefined)))
  const isReplaced = (value: string): boolean => isObject(replaceBy) && Object.hasOwn(replaceBy, value)
  return values.some(({ value, closing }) => !closing && !listed.has(value) && !isReplaced(value))
}

function replacements({ name, options, replaceBy, retiredAt = null }: AddedField): readonly PartMoves[] {
  if (retiredAt !== null) return []
  const by = new Map<unknown, string>(Object.entries(replaceBy ?? {}))
  const replaced = (value: unknown): unknown => by.get(value) ?? value
  return (options?.values ?? [])
    .filter(({ closing }) => closing)
    .map(({ value }) => ({
      from: { [ownField(name)]: value },
      change: ([found]) => ({
        attributes: { own: { [name]: Array.isArray(found) ? [...new Set(found.map(replaced))] : replaced(found) } },
      }),
    }))
}
