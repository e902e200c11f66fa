import { isExactNumber } from './exact-numbers.ts'
import type { Json } from './json.ts'

/** Whether two values are the same: those with parts are compared by content. */
export const isSameValue = (a: unknown, b: unknown): boolean =>
  a === b || (hasParts(a) && hasParts(b) && canonicalJson(a as Json) === canonicalJson(b as Json))

const hasParts = (value: unknown): boolean => typeof value === 'object' && value !== null

/** JSON text with sorted members, so that equal content is equal text. A number that is none is like no other value. */
export function canonicalJson(value: Json): string {
  if (typeof value === 'number') return String(value)
  if (value === null || typeof value !== 'object' || isExactNumber(value)) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.entries(value as { readonly [name: string]: Json })
  members.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}
