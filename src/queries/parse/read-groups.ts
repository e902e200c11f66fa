import { queryBounds } from '../../values/bounds.ts'
import { type Fault, fault, near, type Reason, reason } from '../../values/faults/fault.ts'
import type { FaultCode } from '../../values/faults/fault-codes.ts'
import { nearest } from '../../values/faults/nearest.ts'
import type { Kind, Read } from '../../values/kinds/kind.ts'
import { integer } from '../../values/kinds/number.ts'
import { type Collection, defineCollection } from '../collection.ts'
import { COUNT, type GroupKey, type Groups, isAdded, keysOf, type Measure, measuresOf } from '../members/groups.ts'
import { type Filter, isTerm } from '../query.ts'
import type { Parameter } from '../query-string.ts'
import { settingNamed, spellingsOf } from '../settings.ts'

/** Settings of a list of items that a list of groups does not have. */
const notForGroups = spellingsOf('fields', 'expand', 'after', 'before')

/** The groups that parameters ask for; undefined if they ask for items. */
export function readGroups(
  collection: Collection,
  parameters: readonly Parameter[],
): Groups | { readonly faults: readonly Fault[] } | undefined {
  const sent = (name: string) => parameters.find((parameter) => parameter.name === name)
  const group = sent('group')
  const measure = sent('measure')
  if (group === undefined && measure === undefined) return undefined
  const keys = keysOf(collection)
  const by = readNames(group, (name) => keys.get(name), 'not-groupable', keys.keys(), [])
  const known = measuresOf(collection)
  const measures = readNames(measure, (name) => known.get(name), 'unknown-measure', known.keys(), [COUNT])
  const misplaced = parameters.filter(({ name }) => notForGroups.has(name))
  const faults: readonly Fault[] = [
    ...('fault' in by ? [{ ...by.fault, at: { parameter: 'group' } }] : []),
    ...('fault' in measures ? [{ ...measures.fault, at: { parameter: 'measure' } }] : []),
    ...misplaced.map(({ name }) => ({ ...whyNot(name), at: { parameter: name } })),
  ]
  if ('fault' in by || 'fault' in measures || faults.length > 0) return { faults }
  return { by: by.value, measures: measures.value, list: listOf(collection, by.value, measures.value) }
}

const whyNot = (name: string): Reason => {
  const isPlace = settingNamed(name) === 'after' || settingNamed(name) === 'before'
  return reason('not-together', { other: ['group', 'measure'], wants: isPlace ? 'page-of-groups' : 'groups' })
}

/** Why an amount cannot be added up under this filter: the amounts of one group must have one currency. */
export function currencyFaults({ by, measures }: Groups, filter: Filter): readonly Fault[] {
  return measures.flatMap((measure) => {
    const currency = 'field' in measure && isAdded(measure.does) ? measure.field.currencyIn : undefined
    if (currency === undefined || by.some(({ name }) => name === currency)) return []
    const isOne = filter.some(
      (each) => isTerm(each) && each.field.name === currency && each.operator === 'eq' && each.values.length === 1,
    )
    if (isOne) return []
    const facts = { measure: measure.name, currency }
    return [{ code: 'several-currencies', with: facts, at: { parameter: 'measure' } }]
  })
}

function readNames<T>(
  parameter: Parameter | undefined,
  find: (name: string) => T | undefined,
  unknown: FaultCode,
  known: Iterable<string>,
  otherwise: readonly T[],
): Read<readonly T[]> {
  if (parameter === undefined) return { value: otherwise }
  const names = (parameter.value ?? '').split(',').map((name) => name.trim())
  if (names.length > queryBounds.groups) return fault('too-many-names', { max: queryBounds.groups })
  const found: T[] = []
  for (const name of names) {
    const one = find(name)
    if (one === undefined && name === '') return fault('blank', { wants: 'name' })
    if (one === undefined) return fault(unknown, { name, ...near(nearest(name, known)) })
    if (found.includes(one)) return fault('repeated', { name })
    found.push(one)
  }
  return { value: found }
}

/** Groups by such a choice are groups by its value alone. */
const alone = ({ within: _within, ...kind }: Kind<unknown>): Kind<unknown> => kind

function listOf({ schema, name }: Collection, by: readonly GroupKey[], measures: readonly Measure[]): Collection {
  const keys = by.map((key) => key.name)
  return {
    ...defineCollection(schema, {
      name,
      item: 'group',
      key: keys[0] ?? COUNT.name,
      fields: Object.fromEntries([
        ...by.map((key) => [key.name, alone(key.field.kind)] as const),

        ...measures.map((each) => [each.name, 'field' in each ? each.field.kind : integer()] as const),
      ]),
      indexed: [],
    }),
    keys,
  }
}
