import { randomBytes, randomUUID } from 'node:crypto'

/**
 * An id for a form's command, so that sending it twice does it once. It is the last 19 digits of a UUID: a page may
 * hold fifty of them, and 74 random bits do not repeat either.
 */
export function newCommandId(): string {
  const uuid = randomUUID()
  return uuid.slice(15, 18) + uuid.slice(19, 23) + uuid.slice(24)
}

/**
 * For a form whose answer shows a secret: sent twice, it derives the same secret from this. It has the time at which
 * the form was shown, and 256 random bits.
 */
export const newFormSeed = (): string =>
  Date.now().toString(16).padStart(12, '0') + randomBytes(32).toString('base64url')
