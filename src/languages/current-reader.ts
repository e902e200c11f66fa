import { anybody, type Reader } from './reader.ts'

// A page is written in one go, without awaiting anything, so whoever it is for can be known to all that writes it.

let reader: Reader = anybody

/** Writes for a reader: texts, numbers and dates are theirs. */
export function speakingTo<T>(other: Reader, write: () => T): T {
  const before = reader
  reader = other
  try {
    return write()
  } finally {
    reader = before
  }
}

/** Who is spoken to; anybody while nothing is written. */
export const currentReader = (): Reader => reader
