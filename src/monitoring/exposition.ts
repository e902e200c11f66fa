import { buckets, type Durations } from './durations.ts'
import type { Latencies } from './latencies.ts'

/** A metric as Prometheus reads it. */
export interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'summary' | 'histogram'
  readonly samples: readonly MetricSample[]
}

export interface MetricSample {
  /** Appended to the name, such as `_sum`. */
  readonly suffix?: string
  readonly labels?: { readonly [name: string]: string }
  readonly value: number
}

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** https://prometheus.io/docs/instrumenting/exposition_formats/ */
export function exposition(metrics: readonly Metric[], latencies: Iterable<Latencies>): string {
  return `${metrics.map(metricText).join('')}${latencyText(latencies)}`
}

function metricText({ name, help, type, samples }: Metric): string {
  const lines = samples.map(({ suffix = '', labels, value }) => line(`${name}${suffix}`, labels ?? {}, value))
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

const LATENCY = 'dealdesk_request_duration_seconds'

function latencyText(all: Iterable<Latencies>): string {
  let text = `# HELP ${LATENCY} Time from a request's head to the end of its answer.\n# TYPE ${LATENCY} histogram\n`
  for (const { method, route, outcomes } of all) {
    for (const [outcome, durations] of outcomes)
      for (const { suffix, labels, value } of samplesOf(durations, { method, route, outcome }))
        text += line(`${LATENCY}${suffix}`, labels, value)
  }
  return text
}

/** The lines of a histogram, whose buckets are cumulative. */
export function samplesOf({ counts, sum, count }: Durations, labels: MetricSample['labels'] = {}) {
  let total = 0
  const cumulative = buckets.map((bound, at) => {
    total += counts[at] ?? 0
    return { suffix: '_bucket', labels: { ...labels, le: String(bound) }, value: total }
  })
  return [
    ...cumulative,
    { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
    { suffix: '_sum', labels, value: sum },
    { suffix: '_count', labels, value: count },
  ]
}

function line(name: string, labels: { readonly [name: string]: string }, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
