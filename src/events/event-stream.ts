/** HTML Living Standard §9.2: the format of an event stream. */
export const EVENT_STREAM = 'text/event-stream'

/** How long a client waits before it comes back, in milliseconds. */
const RETRY = 2000

/**
 * Sent first. The id without data is no event: a client that is cut off before its first one still knows
 * behind which event to go on.
 */
export const opening = (place: string): string => `retry: ${RETRY}\nid: ${place}\n\n`

/** An event's text has no line breaks: JSON escapes them. It is named by its type, which has none either. */
export const message = (place: string, type: string, json: string): string =>
  `id: ${place}\nevent: ${type}\ndata: ${json}\n\n`

/** Keeps the connection open, and moves the place along where the filter lets nothing through. */
export const heartbeat = (place: string): string => `: still here\nid: ${place}\n\n`
