import { parseExact } from '../../../values/json/exact-numbers.ts'
import { isObject } from '../../../values/json/is-object.ts'
import { isOwn, OWN, ownMembers, ownName, ownText } from '../../../values/json/own.ts'

// The texts that the store keeps, without the values of fields that are purged.

export type GoneNames = ReadonlySet<string>

/** The text of a thing's values without some. */
export const withoutNames = (own: string, names: GoneNames): string | null =>
  ownText(Object.fromEntries(Object.entries(ownMembers(own)).filter(([field]) => !names.has(ownName(field)))))

/** A whole document, or the members that changed: one without values has no such member, the other an empty one. */
export function withoutOwn(doc: string, names: GoneNames): string {
  return doc.replace(OWN_MEMBER, (member: string, comma: string, own: string) => {
    const rest = withoutNames(own, names)
    if (rest === own) return member
    return rest === null && doc.startsWith('{') ? '' : `${comma}"${OWN}":${rest ?? '{}'}`
  })
}

/** In a text, a quote is escaped, so that no text contains it. */
const OWN_MEMBER = new RegExp(`(,?)"${OWN}":(\\{(?:[^"{}]|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*")*\\})`)

export function withoutOwnParams(params: string, names: GoneNames): string {
  if (!params.startsWith('{') || !params.includes(`"${OWN}":{`)) return params
  const { [OWN]: own, ...others } = parseExact(params) as { readonly [param: string]: unknown }
  if (!isObject(own)) return params
  const rest = Object.entries(own).filter(([name]) => !names.has(name))
  if (rest.length === Object.keys(own).length) return params
  return JSON.stringify(rest.length === 0 ? others : { ...others, [OWN]: Object.fromEntries(rest) })
}

/** Whether a value of one of them named the thing. */
export function isNamedBy(named: unknown, names: GoneNames): boolean {
  if (typeof named !== 'string') return false
  const { by } = JSON.parse(named) as { readonly by: object }
  return Object.keys(by).some((field) => isOwn(field) && names.has(ownName(field)))
}
