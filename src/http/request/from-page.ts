import type { Call } from '../endpoint.ts'

/** Whether a page's form sent the request: the answer is then a redirect to a page with the result. */
export const isFromPage = (call: Call): boolean => call.fields !== undefined && call.representation === 'html'
