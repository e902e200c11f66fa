import type { MetricSample } from './exposition.ts'

/** Counts by labels. Label values are declared names, never client input, because each one adds a line. */
export interface LabelledCounts {
  add(...values: readonly string[]): void
  readonly samples: readonly MetricSample[]
}

export function countBy(...labels: readonly string[]): LabelledCounts {
  const counts = new Map<string, number>()
  return {
    add(...values) {
      const key = values.join(' ')
      counts.set(key, (counts.get(key) ?? 0) + 1)
    },
    get samples() {
      return [...counts].map(([key, value]) => {
        const values = key.split(' ')
        return { labels: Object.fromEntries(labels.map((label, at) => [label, values[at] ?? ''])), value }
      })
    },
  }
}
