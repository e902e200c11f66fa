import { randomBytes, timingSafeEqual } from 'node:crypto'

const HOUR = 3_600_000
const MOST_TRIES = 5
const CODE_BYTES = 10

/** The one-time code by which the first admin is made. It is good for an hour and five tries. */
export interface SetUp {
  readonly code: string
  /** Whether it can still be used. */
  readonly isOpen: () => boolean
  /** Whether the code is right; each answer is a try. */
  readonly isRight: (code: string) => boolean
}

export function openSetUp(now: () => number = () => performance.now()): SetUp {
  const code = randomBytes(CODE_BYTES).toString('hex')
  const until = now() + HOUR
  let tries = 0
  const isOpen = (): boolean => tries < MOST_TRIES && now() < until
  return {
    code,
    isOpen,
    isRight(given) {
      if (!isOpen()) return false
      tries++
      const [own, other] = [Buffer.from(code), Buffer.from(given.trim().toLowerCase())]
      return own.length === other.length && timingSafeEqual(own, other)
    },
  }
}
