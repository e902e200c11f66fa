import { isExactNumber } from '../values/json/exact-numbers.ts'
import { readNumbersRaw } from '../values/json/read-numbers-raw.ts'

/**
 * Reduces an item to some of its members, in their order; numbers keep their text. `customer.name` keeps the member
 * `customer` with only that member.
 */
export const project = (json: string, fields: readonly string[]): string =>
  JSON.stringify(some(readNumbersRaw(json) as DataMembers, fields))

type DataMembers = { readonly [name: string]: unknown }

function some(item: DataMembers, fields: readonly string[]): DataMembers {
  const inside = Map.groupBy(fields, (field) => field.split('.', 1)[0] ?? field)
  const kept = [...inside].filter(([name]) => Object.hasOwn(item, name))
  return Object.fromEntries(kept.map(([name, of]) => [name, part(item[name], namesIn(name, of))]))
}

/** The members of a member that are asked for; none if all are. */
const namesIn = (name: string, fields: readonly string[]): readonly string[] =>
  fields.includes(name) ? [] : fields.map((field) => field.slice(name.length + 1))

/** Things of a relation are reduced already. */
function part(value: unknown, names: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || isExactNumber(value) || names.length === 0) return value
  const isNamed = names.every((name) => Object.hasOwn(value, name.split('.', 1)[0] ?? name))
  return isNamed ? some(value as DataMembers, names) : value
}
