import type { Call } from '../endpoint.ts'

/** Sent by a form of a page: whoever did it is then led to a page that shows what came of it. */
export const isFromPage = (call: Call): boolean => call.fields !== undefined && call.representation === 'html'
