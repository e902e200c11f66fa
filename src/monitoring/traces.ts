import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { TraceSettings } from '../config.ts'
import { type SpanAttribute, textAttribute, traceExporter } from './trace-exporter.ts'

/** OpenTelemetry's kinds of spans. */
const spanKinds = { internal: 1, server: 2, client: 3 } as const
type SpanKind = keyof typeof spanKinds

export interface Span {
  /** W3C Trace Context: how another service continues the trace. */
  readonly traceparent: string
  end(name: string, attributes: SpanAttributes, isError: boolean): void
}

export type SpanAttributes = { readonly [name: string]: string | number }

export interface Traces {
  /** Begins a span: within the trace that the header names, within the current span, or in a new trace. */
  begin(kind: SpanKind, traceparent?: string, tracestate?: string): Span
  /** Runs a function within a span; spans that it begins are part of it. */
  within<T>(span: Span, run: () => T): T
  /** Measures a part of the current span; without one it is not measured. `of` tells more of the result. */
  part<T>(
    name: string,
    run: () => Promise<T>,
    attributes?: SpanAttributes,
    of?: (result: T) => SpanAttributes,
  ): Promise<T>
  close(): Promise<void>
}

interface SpanPlace {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
  /** The additions of other tracing systems, unchanged. */
  readonly state?: string | undefined
}

// https://www.w3.org/TR/trace-context/#traceparent-header
const traceparentText = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/

function readTraceparent(text: string | undefined): SpanPlace | undefined {
  const [, traceId, spanId, flags] = traceparentText.exec(text ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, isSampled: Number.parseInt(flags, 16) % 2 === 1 }
}

export function openTraces(settings: TraceSettings, version: string, onFault: (message: string) => void): Traces {
  const exporter = traceExporter(settings, version, onFault)
  const current = new AsyncLocalStorage<SpanPlace>()
  const places = new WeakMap<Span, SpanPlace>()

  const begin: Traces['begin'] = (kind, traceparent, tracestate) => {
    const sent = readTraceparent(traceparent)
    const parent: SpanPlace | undefined = sent === undefined ? current.getStore() : { ...sent, state: tracestate }
    const place: SpanPlace = {
      traceId: parent?.traceId ?? hex(16),
      spanId: hex(8),
      isSampled: parent?.isSampled ?? Math.random() < settings.share,
      state: parent?.state,
    }
    const began = now()
    const span: Span = {
      traceparent: `00-${place.traceId}-${place.spanId}-${place.isSampled ? '01' : '00'}`,
      end(name, attributes, isError) {
        if (!place.isSampled) return
        exporter.add({
          traceId: place.traceId,
          spanId: place.spanId,
          ...(parent && { parentSpanId: parent.spanId }),
          ...(place.state !== undefined && { traceState: place.state }),
          name,
          kind: spanKinds[kind],
          startTimeUnixNano: began,
          endTimeUnixNano: now(),
          attributes: Object.entries(attributes).map(attributeOf),
          ...(isError && { status: { code: 2 } }),
        })
      },
    }
    places.set(span, place)
    return span
  }
  const within: Traces['within'] = (span, run) => {
    const place = places.get(span)
    return place === undefined ? run() : current.run(place, run)
  }

  return {
    begin,
    within,
    async part(name, run, attributes = {}, of = () => ({})) {
      if (current.getStore()?.isSampled !== true) return run()
      const span = begin('internal')
      try {
        const result = await within(span, run)
        span.end(name, { ...attributes, ...of(result) }, false)
        return result
      } catch (cause) {
        span.end(name, { ...attributes, 'error.type': (cause as Error).name }, true)
        throw cause
      }
    },
    close: exporter.close,
  }
}

const hex = (bytes: number): string => randomBytes(bytes).toString('hex')

/** Nanoseconds since 1970, by a clock that does not jump. */
const now = (): string => `${Math.round((performance.timeOrigin + performance.now()) * 1000)}000`

const attributeOf = ([key, value]: [string, string | number]): SpanAttribute =>
  typeof value === 'string' ? textAttribute(key, value) : { key, value: { intValue: String(value) } }
