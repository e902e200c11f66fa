/** More members than any object has that is asked for. */
export const MOST_MEMBERS = 1000

/** The name of the member that stands for so many others. Sent by a client it is unknown like any other. */
export const nameForLost = (count: number): string => `\u0000${count} more`

/** How many members an object lost when its text was bounded; its names say so. */
export function lostIn(names: readonly string[]): number {
  const [, count = 0] = (names.length > MOST_MEMBERS && /^\0(\d{1,9}) more$/.exec(names.at(-1) ?? '')) || []
  return Number(count)
}
