import type { Document } from '../../../representations/document.ts'
import { inTurns } from '../../ask/take-turns.ts'
import type { Chosen } from '../../negotiate/negotiation.ts'
import type { Outgoing } from './outgoing.ts'
import { inBatches } from './send-lines.ts'
import { LONG_TEXT } from './send-text.ts'
import { Surroundings } from './surroundings.ts'

/** A long page as it is written, in turns with other requests; undefined for anything shorter. */
export function longPage(
  document: Document | undefined,
  chosen: Chosen,
  outgoing: Outgoing,
): AsyncIterable<Uint8Array> | undefined {
  const { representation } = chosen
  if (document?.joined === undefined || representation.parts === undefined || !isLong(document.joined.texts)) {
    return undefined
  }
  return inBatches(inTurns(representation.parts(document, new Surroundings(outgoing, chosen))))
}

function isLong(texts: readonly string[]): boolean {
  let length = 0
  for (const text of texts) length += text.length
  return length >= LONG_TEXT
}
