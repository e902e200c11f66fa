import { readNumbersRaw } from '../values/json/read-numbers-raw.ts'

/**
 * Reduces an item to some of its members, in their order; numbers keep their text. `customer.name` keeps the member
 * `customer` with only that member.
 */
export function project(json: string, fields: readonly string[]): string {
  const item = readNumbersRaw(json) as { readonly [name: string]: unknown }
  const members = new Set(fields.map((field) => field.split('.', 1)[0] ?? field))
  return `{${[...members]
    .filter((name) => Object.hasOwn(item, name))
    .map((name) => `${JSON.stringify(name)}:${JSON.stringify(item[name])}`)
    .join()}}`
}
