import { randomBytes } from 'node:crypto'
import { createServer } from '../connection/node-http.ts'
import { unavailable } from '../contract/problems/problem.ts'
import { problemType } from '../contract/problems/problem-types.ts'
import { detailOf } from '../contract/problems/told-problem.ts'

/** Answers while the database is migrated, before there is a store: the process is alive, and not ready. */
export interface MigrationServer {
  /** Sets the current step, which answers contain. */
  step(text: string): void
  close(): Promise<void>
}

export function answerWhileMigrating(
  { host, port }: { readonly host: string; readonly port: number },
  onFault: (cause: Error) => void,
): MigrationServer {
  let now = ''
  const server = createServer((request, response) => {
    const isAlive = /^\/health\/live(\?|$)/.test(request.url ?? '') && /^(GET|HEAD)$/.test(request.method ?? '')
    const problem = unavailable('store', `migrating the database: ${now}`, RETRY_AFTER)
    const { code, extra, headers } = problem
    const { status, title } = problemType(code)
    const id = randomBytes(5).toString('hex')
    const instance = `urn:dealdesk:request:${id}`
    const body = isAlive
      ? '{"status":"ok"}'
      : JSON.stringify({
          type: `/problems/${code}`,
          title,
          status,
          detail: detailOf(problem),
          code,
          ...extra,
          instance,
        })
    response.writeHead(isAlive ? 200 : status, {
      ...(isAlive
        ? { 'content-type': 'application/json' }
        : { ...headers, 'content-type': 'application/problem+json' }),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'request-id': id,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  })
  // The start itself reports whether the address can be used.
  server.on('error', onFault)
  server.listen({ host, port })
  return {
    step(text) {
      now = text
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const RETRY_AFTER = 5
