import assert from 'node:assert/strict'
import { seedOf } from '../inputs/draw.ts'

/** `npm run test:long -- faults` runs each scenario at its full size, the suite a short form of it. */
const isFull = process.env.FAULT_KIT === 'full'

export const sized = <T>(short: T, full: T): T => (isFull ? full : short)

/**
 * One of several that prove the same: the setting of this name takes another by its
 * number, and `all` takes each.
 */
export function oneOf<T>(setting: string, all: readonly T[]): readonly T[] {
  const asked = process.env[setting] ?? sized(String(seedOf(setting, all.length)), 'all')
  if (process.env[setting] === undefined && asked !== 'all') console.log(`${setting}=${asked}`)
  if (asked === 'all') return all
  const one = all[Number(asked)]
  assert.ok(one !== undefined, `${setting}=${asked} is neither all nor a number below ${all.length}`)
  return [one]
}
