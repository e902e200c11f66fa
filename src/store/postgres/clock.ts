// Leases and waits go by the database's clock, which all instances share. Stable within a statement, so that an index
// can be asked with it.

const written = (instant: string): string => `to_char((${instant}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Now, as instants are kept. */
export const NOW = written('statement_timestamp()')

/** In so many milliseconds, an expression of type bigint. */
export const inMilliseconds = (milliseconds: string): string =>
  written(`statement_timestamp() + ${milliseconds} * interval '1 millisecond'`)

/** An interval from now. */
export const after = (interval: string): string => written(`statement_timestamp() + (${interval})`)
