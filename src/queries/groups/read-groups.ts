import { fault, type Read } from '../../values/kinds/kind.ts'
import { integer } from '../../values/kinds/number.ts'
import { didYouMean } from '../../values/nearest.ts'
import { type Collection, defineCollection } from '../collection.ts'
import { type Filter, isTerm } from '../query.ts'
import type { Parameter, ParameterFault } from '../query-string.ts'
import { settingNamed, spellingsOf } from '../settings.ts'
import { COUNT, type GroupKey, type Groups, isAdded, keysOf, type Measure, measuresOf } from './groups.ts'

const MOST_NAMES = 20

/** Settings of a list of items that a list of groups does not have. */
const notForGroups = spellingsOf('fields', 'expand', 'after', 'before')

/** The groups that parameters ask for; undefined if they ask for items. */
export function readGroups(
  collection: Collection,
  parameters: readonly Parameter[],
): Groups | { readonly faults: readonly ParameterFault[] } | undefined {
  const sent = (name: string) => parameters.find((parameter) => parameter.name === name)
  const group = sent('group')
  const measure = sent('measure')
  if (group === undefined && measure === undefined) return undefined
  const keys = keysOf(collection)
  const by = readNames(group, (name) => keys.get(name), notAKey, keys.keys(), [])
  const known = measuresOf(collection)
  const measures = readNames(measure, (name) => known.get(name), notAMeasure, known.keys(), [COUNT])
  const misplaced = parameters.filter(({ name }) => notForGroups.has(name))
  const faults = [
    ...('fault' in by ? [{ parameter: 'group', detail: by.fault }] : []),
    ...('fault' in measures ? [{ parameter: 'measure', detail: measures.fault }] : []),
    ...misplaced.map(({ name }) => ({ parameter: name, detail: whyNot(name) })),
  ]
  if ('fault' in by || 'fault' in measures || faults.length > 0) return { faults }
  return { by: by.value, measures: measures.value, list: listOf(collection, by.value, measures.value) }
}

const notAKey = (name: string): string => `cannot group by ${name || 'nothing'}`
const notAMeasure = (name: string): string => (name === '' ? 'has an empty name' : `knows no ${name}`)

const whyNot = (name: string): string =>
  settingNamed(name) === 'after' || settingNamed(name) === 'before'
    ? 'does not go with group and measure: groups are paged by page'
    : 'does not go with group and measure, which say what is shown'

/** Why an amount cannot be added up under this filter: the amounts of one group must have one currency. */
export function currencyFaults({ by, measures }: Groups, filter: Filter): readonly ParameterFault[] {
  return measures.flatMap((measure) => {
    const currency = 'field' in measure && isAdded(measure.does) ? measure.field.currencyIn : undefined
    if (currency === undefined || by.some(({ name }) => name === currency)) return []
    const isOne = filter.some(
      (each) => isTerm(each) && each.field.name === currency && each.operator === 'eq' && each.values.length === 1,
    )
    if (isOne) return []
    const detail = `cannot have ${measure.name} across currencies: add ${currency} to group, or filter by one ${currency}`
    return [{ parameter: 'measure', detail }]
  })
}

function readNames<T>(
  parameter: Parameter | undefined,
  find: (name: string) => T | undefined,
  unknown: (name: string) => string,
  known: Iterable<string>,
  otherwise: readonly T[],
): Read<readonly T[]> {
  if (parameter === undefined) return { value: otherwise }
  const names = (parameter.value ?? '').split(',').map((name) => name.trim())
  if (names.length > MOST_NAMES) return fault(`names more than ${MOST_NAMES}`)
  const found: T[] = []
  for (const name of names) {
    const one = find(name)
    if (one === undefined) return fault(unknown(name) + didYouMean(name, known))
    if (found.includes(one)) return fault(`names ${name} twice`)
    found.push(one)
  }
  return { value: found }
}

function listOf({ name }: Collection, by: readonly GroupKey[], measures: readonly Measure[]): Collection {
  const keys = by.map((key) => key.name)
  return {
    ...defineCollection({
      name,
      item: 'group',
      key: keys[0] ?? COUNT.name,
      fields: Object.fromEntries([
        ...by.map((key) => [key.name, key.field.kind] as const),
        ...measures.map((each) => [each.name, 'field' in each ? each.field.kind : integer()] as const),
      ]),
      indexed: [],
    }),
    keys,
  }
}
