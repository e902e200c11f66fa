/** Events that are looked at in one step, and steps for one webhook at a time. */
export const LOOKED_AT = 100
export const MOST_LOOKS = 20

/**
 * A receiver that is far behind waits in the feed, not in rows of its own: at most so many of its deals have something
 * pending, and at most so many deliveries are. Far more than one deal has: a deal with many holds back no other.
 */
export const MOST_DEALS = 10_000
export const MOST_PENDING = 100_000

/** Rows that are removed at once. */
export const TRIMMED = 1000
