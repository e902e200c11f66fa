/**
 * Reduces an item to some of its members, in their order; numbers keep their text. `customer.name` stands for the member
 * `customer`, which shows no more than was asked for.
 */
export function project(json: string, fields: readonly string[]): string {
  const item = JSON.parse(json, keepNumbers) as { readonly [name: string]: unknown }
  const members = new Set(fields.map((field) => field.split('.', 1)[0] ?? field))
  return `{${[...members]
    .filter((name) => Object.hasOwn(item, name))
    .map((name) => `${JSON.stringify(name)}:${JSON.stringify(item[name])}`)
    .join()}}`
}

// A double cannot hold every amount exactly; its text can.
const keepNumbers = (_name: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined ? JSON.rawJSON(context.source) : value
