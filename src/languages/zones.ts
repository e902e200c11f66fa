import { memoize } from '../values/memoize.ts'

// Clocks of a time zone; UTC if the reader's zone is unknown.

/** The clock time at an instant: `2027-03-31T09:30:00`. */
export const clockText = (instant: string, timeZone: string | undefined): string =>
  timeZone === undefined ? instant.slice(0, 19) : clockIn(timeZone).format(Date.parse(instant)).replace(' ', 'T')

/** Swedish writes dates and times as ISO 8601 does. */
const clockIn = memoize(
  (timeZone: string) => new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone }),
)

/**
 * The instant at which clocks show a time: the first one when clocks are set back. A time that is skipped when clocks
 * are set forward is read with the offset before. Undefined if it is not a time.
 */
export function instantAt(clock: string, timeZone: string | undefined): string | undefined {
  const shown = aTime.test(clock) ? Date.parse(`${clock}Z`) : Number.NaN
  // `Date` takes the 31st of February for a day of March.
  if (Number.isNaN(shown) || !new Date(shown).toISOString().startsWith(clock.slice(0, 10))) return undefined
  const offsets = [shown - DAY, shown + DAY].map((time) => offsetAt(time, timeZone))
  const times = offsets.map((offset) => shown - offset)
  const [before = shown] = times
  const at = times.find((time) => time + offsetAt(time, timeZone) === shown) ?? before
  return new Date(at).toISOString()
}

const DAY = 86_400_000
const aTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?$/

/** Milliseconds by which clocks are ahead of UTC; unknown at either end of the calendar. */
function offsetAt(time: number, timeZone: string | undefined): number {
  if (timeZone === undefined) return 0
  const seconds = Math.floor(time / 1000) * 1000
  const offset = Date.parse(`${clockText(new Date(seconds).toISOString(), timeZone)}Z`) - seconds
  return Number.isNaN(offset) ? 0 : offset
}

/** The instant at which a date begins. */
export const beginningOf = (date: string, timeZone: string | undefined): string =>
  instantAt(`${date}T00:00:00`, timeZone) ?? `${date}T00:00:00.000Z`
