export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The instant at which the sample data ends, a Friday evening. Fixed, so that every run gives the same data. */
export const TODAY = Date.UTC(2026, 10, 13, 18)

export const instantAt = (time: number): string => new Date(time).toISOString()
export const dateAt = (time: number): string => instantAt(time).slice(0, 10)

/** A time within office hours on that day or, for a weekend, on the following Monday. */
export function workingTime(time: number, minute: number): number {
  const midnight = time - (time % DAY)
  // 1 January 1970 was a Thursday.
  const weekday = (midnight / DAY + 4) % 7
  const moved = weekday === 6 ? 2 : weekday === 0 ? 1 : 0
  return midnight + moved * DAY + 7 * HOUR + (minute % 600) * MINUTE
}
