import type { JsonSchema } from './kind.ts'

/** Longer lists of values, such as countries, are texts. */
const MOST_VALUES = 20

/** The TypeScript type of the values that a schema describes. */
export function typeText({ type, anyOf, enum: values, items }: JsonSchema): string {
  if (Array.isArray(anyOf)) return anyOf.map(typeText).join(' | ')
  if (Array.isArray(values) && values.length <= MOST_VALUES)
    return values.map((value) => JSON.stringify(value)).join(' | ')
  if (type === 'array') return `readonly (${typeText(items as JsonSchema)})[]`
  return type === 'integer' ? 'number' : String(type ?? 'unknown')
}
