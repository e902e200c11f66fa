import { uuidV7 } from '../values/kinds/uuid.ts'

/** A whole number from 0 to the given one, exclusive. */
export type Random = (below: number) => number

/** Mulberry32: the same numbers from the same seed, on every machine. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

export function pick<T>(list: readonly T[], random: Random): T {
  if (list.length === 0) throw new Error('there is nothing to pick from')
  return list[random(list.length)] as T
}

/** The id of a thing that is created at a time. */
export function idAt(time: number, random: Random): string {
  const bytes = Uint8Array.from({ length: 10 }, () => random(256))
  return uuidV7(time, bytes)
}
