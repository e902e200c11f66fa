import { OWN } from '../../values/json/own.ts'

/** Ends each part of a state. JSON has no control characters. */
const BEHIND = '\x1e'

/**
 * A document: the store may return it in parts, a whole thing first, then the members that changed since. Texts are
 * copied unchanged: the result is the same to the byte. decisions/0052
 */
export const wholeState = (told: string): string =>
  told.includes(BEHIND) ? joined(told.split(BEHIND).slice(0, -1)) : told

function joined(parts: readonly string[]): string {
  const whole = parts.findLastIndex((part) => part.startsWith('{'))
  if (whole === -1) throw new Error('changes are kept without the thing that was changed')
  const changes = new Map<string, string>()
  for (const part of parts.slice(whole + 1)) {
    for (const [member, name = ''] of part.matchAll(MEMBER)) changes.set(name, member)
  }
  const state = (parts[whole] ?? '').replace(MEMBER, (member, name: string) => {
    const changed = changes.get(name) ?? member
    changes.delete(name)
    return changed
  })
  // A document has the values of added fields as its last member, and no such member while none of them is set.
  const added = [...changes.values()].map((member) => `,${member}`).join('')
  const document = `${state.slice(0, -1)}${added}}`
  return document.endsWith(UNSET) ? `${document.slice(0, -UNSET.length)}}` : document
}

const UNSET = `,"${OWN}":{}}`

/**
 * A member of an object whose members are flat, except that the values of added fields are an object of such. One after
 * the other they are all of a part, so that nothing is looked for within a member.
 */
const MEMBER = /"(\w+)":(?:"[^"\\]*(?:\\.[^"\\]*)*"|[\w.+-]+|\{(?:[^"{}]|"[^"\\]*(?:\\.[^"\\]*)*")*\})/g

/** Precedes the thing in the text of an event, whose data ends with it, and which ends with its data. */
export const BEFORE_THING = '\x1f'
const EVENT_END = '}}'

/** The text of an event with its thing changed; of any other text nothing. */
export function changedThing(event: string, change: (thing: string, before: string) => string): string {
  const at = event.indexOf(BEFORE_THING)
  if (at === -1) return event
  const before = event.slice(0, at)
  return `${before}${change(event.slice(at + 1, -EVENT_END.length), before)}${EVENT_END}`
}

/** The text of an event with its whole thing, before which the mark stays. */
export const wholeEvent = (told: string): string => changedThing(told, (thing) => `${BEFORE_THING}${wholeState(thing)}`)
