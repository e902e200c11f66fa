export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The day at whose beginning the sample data ends, for tests; a service fills its data up to its own day. */
export const SOME_DAY = Date.UTC(2026, 10, 13)

export const instantAt = (time: number): string => new Date(time).toISOString()
export const dateAt = (time: number): string => instantAt(time).slice(0, 10)

/** A time within office hours on that day or, for a weekend, on the Friday before. */
export function workingTime(time: number, minute: number): number {
  const midnight = time - (time % DAY)
  // 1 January 1970 was a Thursday.
  const weekday = (midnight / DAY + 4) % 7
  const moved = weekday === 6 ? -1 : weekday === 0 ? -2 : 0
  return midnight + moved * DAY + 7 * HOUR + (minute % 600) * MINUTE
}
