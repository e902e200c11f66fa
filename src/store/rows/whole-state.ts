import { ownPlace } from './shown-document.ts'

/** Separates the parts of a state. JSON has no control characters. */
const BEHIND = '\x1e'

/** The beginning of a whole thing. In a JSON string quotes are escaped, so this cannot be part of one. */
const WHOLE = '{"id":'

/**
 * A document, or an event that contains one: the store may return it in parts, a whole thing first, then the members
 * that changed since. Texts are copied unchanged: the result is the same to the byte. decisions/0052
 */
export function wholeState(told: string): string {
  const first = told.indexOf(BEHIND)
  if (first === -1) return told
  const start = told.lastIndexOf(WHOLE, first)
  if (start === -1) throw new Error('changes are kept without the thing that was changed')
  const end = told.lastIndexOf(BEHIND)
  const whole = Math.max(start, told.lastIndexOf(`${BEHIND}${WHOLE}`) + 1)
  const behind = told.indexOf(BEHIND, whole)
  const changes = new Map<string, string>()
  for (const [member, name = ''] of told.slice(behind, end).matchAll(MEMBER)) changes.set(name, member)
  const state = told.slice(whole, behind).replace(MEMBER, (member, name: string) => {
    const changed = changes.get(name) ?? member
    changes.delete(name)
    return changed
  })
  // Members that the whole thing does not have: their fields were added later. The values of added fields stay last.
  const added = [...changes.values()].map((member) => `,${member}`).join('')
  const own = added.startsWith(OWN_MEMBER) ? -1 : ownPlace(state)
  const place = own === -1 ? state.length - 1 : own
  return `${told.slice(0, start)}${state.slice(0, place)}${added}${state.slice(place)}${told.slice(end + 1)}`
}

const OWN_MEMBER = ',"own":'

/** A member of an object whose members are flat, except that the values of added fields are an object of such. */
const MEMBER = /"(\w+)":(?:"[^"\\]*(?:\\.[^"\\]*)*"|[\w.+-]+|\{(?:[^"{}]|"[^"\\]*(?:\\.[^"\\]*)*")*\})/g
