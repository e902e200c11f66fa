import { createHash, randomBytes } from 'node:crypto'
import { orderedIds } from '../../store/port/ordered-ids.ts'
import { uuidV7 } from '../../values/kinds/uuid.ts'

/** As a page writes it: when the form was shown, in milliseconds, and 256 random bits. */
const WRITTEN = /^([0-9a-f]{12})[\w-]{43}$/

/** The id and the secrets of a new thing. */
export interface Drawn {
  readonly id: (purpose: string) => string
  /** 256 bits for a purpose. */
  readonly bytes: (purpose: string) => Buffer
}

const newId = orderedIds()

/**
 * A form with the same seed and content derives the same ids and secrets, so that sending it twice, as by a double
 * click, creates one thing, and the second answer can show it. Without a seed they are new each time.
 */
export function drawFrom(seed: string | undefined, content: readonly string[], now: number): Drawn {
  const shownAt = seed === undefined ? undefined : WRITTEN.exec(seed)?.[1]
  if (shownAt === undefined) return { id: () => newId(now), bytes: () => randomBytes(32) }
  const bytes = (purpose: string): Buffer =>
    createHash('sha256')
      .update(JSON.stringify([purpose, seed, ...content]))
      .digest()
  const time = Math.min(Number.parseInt(shownAt, 16), now)
  return { id: (purpose) => uuidV7(time, bytes(purpose)), bytes }
}
