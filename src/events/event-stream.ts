/** HTML Living Standard §9.2: the format of an event stream. */
export const EVENT_STREAM = 'text/event-stream'

/** How long a client waits before it reconnects, in milliseconds. */
const RETRY = 2000

/** Sent first, where no position is known yet. */
export const retry = `retry: ${RETRY}\n\n`

/**
 * Sent first. An id without data is not an event, but sets the last event id: a client that is disconnected before its
 * first event still knows where to resume.
 */
export const opening = (place: string): string => `retry: ${RETRY}\nid: ${place}\n\n`

/** One message, named by the event's type. Neither type nor text has line breaks, because JSON escapes them. */
export const message = (place: string, type: string, json: string): string =>
  `id: ${place}\nevent: ${type}\ndata: ${json}\n\n`

/** A message before the position is known: a client that is disconnected begins again. */
export const unplaced = (type: string, json: string): string => `event: ${type}\ndata: ${json}\n\n`

/** A heartbeat. Its id moves the client's position forward even if the filter lets no event through. */
export const heartbeat = (place: string): string => `: still here\nid: ${place}\n\n`
