import type { FastifyInstance } from 'fastify'
import type { Span, Traces } from '../../monitoring/traces.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of the request; null if nothing is traced. */
    span: Span | null
  }
}

/** A span for each request, within the trace of whoever sent it. Its name is that of the route, never the address. */
export function traceRequests(app: FastifyInstance, traces: Traces): void {
  app.decorateRequest('span', null)
  app.addHook('onRoute', (route) => {
    const { handler } = route
    route.handler = function traced(request, reply) {
      const handle = () => handler.call(this, request, reply)
      return request.span === null ? handle() : traces.within(request.span, handle)
    }
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers
    request.span = traces.begin('server', typeof traceparent === 'string' ? traceparent : undefined)
    done()
  })
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const { method, id, span } = request
    const route = request.routeOptions.url
    const attributes = {
      'http.request.method': method,
      ...(route !== undefined && { 'http.route': route }),
      'http.response.status_code': statusCode,
      'dealdesk.request_id': id,
    }
    span?.end(route === undefined ? method : `${method} ${route}`, attributes, statusCode >= 500)
    done()
  })
}
