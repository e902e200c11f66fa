import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** The id of a request in answers, problems and logs: the one in its headers, or a short one, unique over restarts. */
export function requestIds(): (request: { readonly headers: IncomingHttpHeaders }) => string {
  const start = randomBytes(5).toString('hex')
  let count = 0
  return ({ headers }) => {
    const given = headers['request-id'] ?? headers['x-request-id']
    return typeof given === 'string' && sane.test(given) ? given : `${start}-${(++count).toString(36)}`
  }
}

/** Safe in a header, a URN and a log, and not too long. */
const sane = /^[\w.~-]{1,128}$/
