import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Span, Traces } from '../../monitoring/traces.ts'
import { CLIENT_LEFT, pathOf } from '../gate/request-log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of the request; null if nothing is traced. */
    span: Span | null
  }
}

/** A span for each request, within the trace of its sender. Its name is that of the route, never the address. */
export function traceRequests(app: FastifyInstance, traces: Traces): void {
  app.decorateRequest('span', null)
  app.addHook('onRoute', (route) => {
    const { handler } = route
    route.handler = function traced(request, reply) {
      const handle = () => handler.call(this, request, reply)
      return request.span === null ? handle() : traces.within(request.span, handle)
    }
  })
  app.addHook('onRequest', (request, reply, done) => {
    // Health checks and scrapes come every few seconds and are not interesting.
    if (request.routeOptions.config?.gate?.always) return done()
    const { traceparent, tracestate } = request.headers
    const span = traces.begin('server', oneOf(traceparent), oneOf(tracestate))
    request.span = span
    // Also if the client left, for which no hook is called.
    const { ip } = request
    reply.raw.once('close', () => end(span, request, reply, ip))
    done()
  })
}

function end(span: Span, request: FastifyRequest, reply: FastifyReply, client: string): void {
  const { method, id, protocol } = request
  const route = request.routeOptions.url
  const status = reply.raw.headersSent ? reply.statusCode : CLIENT_LEFT
  const attributes = {
    'http.request.method': method,
    ...(route !== undefined && { 'http.route': route }),
    'http.response.status_code': status,
    'url.scheme': protocol,
    'url.path': pathOf(request, route ?? ''),
    'client.address': client,
    ...(status >= 500 && { 'error.type': String(status) }),
    'dealdesk.request_id': id,
  }
  span.end(route === undefined ? method : `${method} ${route}`, attributes, status >= 500)
}

const oneOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined
