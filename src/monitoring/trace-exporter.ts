import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { TraceSettings } from '../config.ts'

/** A span in OTLP's JSON. */
export interface SpanRecord {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  /** W3C Trace Context's tracestate. */
  readonly traceState?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly SpanAttribute[]
  readonly status?: { readonly code: number }
}

export interface SpanAttribute {
  readonly key: string
  readonly value: { readonly stringValue: string } | { readonly intValue: string }
}

const PAUSE = 2000
const MOST_SENT = 512
/** Beyond this, spans are dropped: a collector that is down costs no memory. */
const MOST_WAITING = 4096
const TIMEOUT = 10_000
const LONGEST_CLOSE = 1000
const LEAST_BETWEEN_FAULTS = 60_000

/** Sends spans by OTLP over HTTP, in JSON, a batch every two seconds. */
export function traceExporter(
  { endpoint, headers, serviceName }: TraceSettings,
  version: string,
  onFault: (message: string) => void,
) {
  let waiting: SpanRecord[] = []
  let dropped = 0
  let lastFault = Number.NEGATIVE_INFINITY
  let sending: Promise<void> | undefined

  const resource = {
    attributes: [
      textAttribute('service.name', serviceName),
      textAttribute('service.version', version),
      textAttribute('service.instance.id', randomUUID()),
    ],
  }
  const scope = { name: 'dealdesk', version }

  const tell = (reason: string): void => {
    if (performance.now() - lastFault < LEAST_BETWEEN_FAULTS) return
    lastFault = performance.now()
    onFault(`traces cannot be sent to ${endpoint}: ${reason}${dropped > 0 ? `; ${dropped} spans were dropped` : ''}`)
  }

  const send = async (): Promise<void> => {
    const spans = waiting.splice(0, MOST_SENT)
    if (spans.length === 0) return
    try {
      const reply = await fetch(endpoint, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] }),
        signal: AbortSignal.timeout(TIMEOUT),
      })
      await reply.body?.cancel()
      if (reply.ok) return
      if (repeatable.has(reply.status)) waiting = [...spans, ...waiting].slice(0, MOST_WAITING)
      tell(`it answers ${reply.status}`)
    } catch (cause) {
      waiting = [...spans, ...waiting].slice(0, MOST_WAITING)
      tell(String((cause as Error).cause ?? cause))
    }
  }
  const flush = (): void => {
    sending ??= send().finally(() => {
      sending = undefined
    })
  }
  const timer = setInterval(flush, PAUSE)
  timer.unref()

  return {
    add(span: SpanRecord): void {
      if (waiting.length >= MOST_WAITING) dropped++
      else waiting.push(span)
      if (waiting.length === MOST_SENT) flush()
    },
    /** Sends the remaining spans if the collector is quick enough: it must not delay the stop of the service. */
    async close(): Promise<void> {
      clearInterval(timer)
      const sent = Promise.resolve(sending).then(send)
      await Promise.race([sent, wait(LONGEST_CLOSE, undefined, { ref: false })])
    },
  }
}

// https://opentelemetry.io/docs/specs/otlp/#otlphttp-response
const repeatable: ReadonlySet<number> = new Set([429, 502, 503, 504])

export const textAttribute = (key: string, value: string): SpanAttribute => ({ key, value: { stringValue: value } })
