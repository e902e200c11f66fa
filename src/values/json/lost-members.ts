import { bodyBounds } from '../bounds.ts'

/**
 * The name of the member that replaces this many others. If a client sends it, it is an unknown member like any other.
 */
export const nameForLost = (count: number): string => `\u0000${count} more`

/** The number of members that an object lost when its text was bounded, which its names contain. */
export function lostIn(names: readonly string[]): number {
  const [, count = 0] = (names.length > bodyBounds.members && /^\0(\d{1,9}) more$/.exec(names.at(-1) ?? '')) || []
  return Number(count)
}
