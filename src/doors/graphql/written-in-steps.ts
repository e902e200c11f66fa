import { isExactNumber } from '../../representations/read-document.ts'
import { inTurns } from '../../store/port/take-turns.ts'
import type { DoorAnswer } from '../door.ts'

/** Characters of a text that is sent as a whole. */
const WHOLE = 2 ** 16

/** A value as JSON: a short text at once, a long one as it is written, so that other requests have their turn. */
export function writtenInSteps(value: object): Pick<DoorAnswer, 'content' | 'parts'> {
  const pieces = jsonPieces(value, DEPTH)
  let content = ''
  // Leaving a `for … of` would end the pieces.
  for (let next = pieces.next(); !next.done; next = pieces.next()) {
    content += next.value
    if (content.length > WHOLE) return { parts: inTurns(startingWith(content, pieces)) }
  }
  return { content }
}

function* startingWith(first: string, rest: Iterable<string>): Generator<string> {
  yield first
  yield* rest
}

/** Lists stand so deep in an answer: those within their items are written with them. */
const DEPTH = 5

function* jsonPieces(value: unknown, depth: number): Generator<string, void> {
  if (depth === 0 || typeof value !== 'object' || value === null || isExactNumber(value)) yield JSON.stringify(value)
  else if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) yield (at === 0 ? '[' : ',') + JSON.stringify(item)
    yield value.length === 0 ? '[]' : ']'
  } else {
    let before = '{'
    for (const [name, member] of Object.entries(value)) {
      yield `${before}${JSON.stringify(name)}:`
      yield* jsonPieces(member, depth - 1)
      before = ','
    }
    yield before === '{' ? '{}' : '}'
  }
}
