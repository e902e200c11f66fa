import { MOST_MEMBERS, nameForLost } from './lost-members.ts'
import { endOfText } from './parse-json.ts'

/** A shorter text has fewer members. */
const SHORT = 4 * MOST_MEMBERS

/**
 * A JSON text in which one member replaces all those beyond the limit of an object. They are refused anyway, but
 * parsing ninety thousand names takes as long as parsing thirty bodies with the same few names.
 */
export function boundMembers(text: string): string {
  if (text.length < SHORT) return text
  let bounded = ''
  let from = 0
  for (const { start, end, members } of cutsIn(text)) {
    // It lies inside a cut that was already made.
    if (start < from) continue
    bounded += `${text.slice(from, start)},${JSON.stringify(nameForLost(members))}:0`
    from = end
  }
  return from === 0 ? text : bounded + text.slice(from)
}

interface Cut {
  readonly start: number
  readonly end: number
  readonly members: number
}

interface OpenObject {
  members: number
  /** The position of the first member beyond the limit. */
  start: number
}

/** In order of position. A text that is not JSON may have any. */
function cutsIn(text: string): readonly Cut[] {
  const cuts: Cut[] = []
  const open: (OpenObject | undefined)[] = []
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfText(text, at)
      if (at === -1) break
    } else if (code === BRACE) open.push({ members: 0, start: -1 })
    else if (code === BRACKET) open.push(undefined)
    else if (code === END_OF_BRACKET) open.pop()
    else if (code === COLON) {
      const object = open.at(-1)
      if (object !== undefined) object.members++
    } else if (code === COMMA) {
      const object = open.at(-1)
      if (object !== undefined && object.start === -1 && object.members > MOST_MEMBERS) object.start = at
    } else if (code === END_OF_BRACE) {
      const object = open.pop()
      if (object === undefined || object.start === -1) continue
      cuts.push({ start: object.start, end: at, members: object.members - MOST_MEMBERS - 1 })
    }
  }
  return cuts.toSorted((one, other) => one.start - other.start)
}

const QUOTE = 34
const COMMA = 44
const COLON = 58
const BRACKET = 91
const END_OF_BRACKET = 93
const BRACE = 123
const END_OF_BRACE = 125
