import { readdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { type DatabaseFiles, databaseFiles } from '../../monitoring/database-files.ts'
import type { Durations } from '../../monitoring/durations.ts'
import { EXPOSITION_TYPE, exposition, type Metric, samplesOf } from '../../monitoring/exposition.ts'
import { droppedLines } from '../../monitoring/log-lines.ts'
import type { PoolUse, Store } from '../../store/port/store.ts'
import type { Backlog } from '../../store/port/webhook-store.ts'
import type { Answer } from '../contract/answer.ts'
import type { Call, Endpoint, Service } from '../contract/endpoint.ts'
import { overview } from '../contract/success.ts'

/** For Prometheus, with the credentials of a reader. */
export const metricsEndpoint: Endpoint = {
  method: 'GET',
  path: '/metrics',
  role: 'reader',
  summary: 'Measurements for Prometheus',
  offers: 'content',
  types: ['text/plain'],
  always: true,
  describes: { group: 'Service', answers: [overview({ content: 'text/plain' }, 'Measurements, for Prometheus.')] },
  handle: readMetrics,
}

async function readMetrics({ service }: Call): Promise<Answer> {
  const { feed, monitor, settings, store } = service
  const [storeUp, backlog, beginning, lag, files, descriptors] = await Promise.all([
    store.check().then(
      () => 1,
      () => 0,
    ),
    store.webhooks.backlog().catch(() => undefined),
    feed.beginning().catch(() => undefined),
    feedLag(store),
    databaseFiles(settings.databaseUrl),
    openDescriptors(),
  ])
  const metrics = [
    ...metricsOf(service, storeUp),
    ...(backlog === undefined ? [] : backlogMetrics(backlog)),
    ...feedMetrics(service, beginning, lag),
    ...(store.pool === undefined ? [] : poolMetrics(store.pool)),
    ...(files === undefined ? [] : fileMetrics(files)),
    ...(descriptors === undefined ? [] : [gauge('process_open_fds', 'Open file descriptors.', descriptors)]),
  ]
  return { content: exposition(metrics, monitor.latencies), contentType: EXPOSITION_TYPE }
}

function metricsOf({ version, store, access, monitor, state }: Service, storeUp: number): readonly Metric[] {
  const { load, refused } = monitor
  const signIns = access.counts
  const memory = process.memoryUsage()
  const cpu = process.cpuUsage()
  return [
    gauge('dealdesk_build_info', 'The release that runs.', 1, { version }),
    gauge('dealdesk_ready', 'Whether new requests are welcome.', Number(storeUp === 1 && !state.stopping)),
    gauge('dealdesk_store_up', 'Whether the store can be used.', storeUp),
    gauge('dealdesk_requests_in_flight', 'Requests that are worked on.', load.inFlight),
    byLabel('dealdesk_requests_refused_total', 'Requests that were turned away, by why.', 'reason', refused),
    {
      name: 'dealdesk_operations_total',
      help: 'Changes that took effect, by resource and operation.',
      type: 'counter',
      samples: monitor.operations.samples,
    },
    {
      name: 'dealdesk_refusals_total',
      help: 'Changes that were refused, by code.',
      type: 'counter',
      samples: monitor.refusals.samples,
    },
    gauge('dealdesk_connections', 'Connections that are open.', monitor.connections),
    byLabel(
      'dealdesk_webhook_attempts_total',
      'Attempts to deliver a webhook, by outcome.',
      'outcome',
      monitor.attempts,
    ),
    counter(
      'dealdesk_log_lines_dropped_total',
      'Log lines that were lost because their reader was too slow.',
      droppedLines(),
    ),
    gauge('dealdesk_writes_waiting', 'Changes that wait for their commit.', store.counts.waiting),
    gauge('dealdesk_searches_waiting', 'Searches that wait for a reader.', store.searches.waiting),
    {
      name: 'dealdesk_commit_batch_size',
      help: 'Changes per commit.',
      type: 'summary',
      samples: [
        { suffix: '_sum', value: store.counts.changes },
        { suffix: '_count', value: store.counts.commits },
      ],
    },
    histogram('dealdesk_commit_duration_seconds', 'Time of a commit, with its decisions.', store.durations.commits),
    histogram(
      'dealdesk_statement_duration_seconds',
      'Time of a statement outside searches.',
      store.durations.statements,
    ),
    gauge('dealdesk_sign_ins_waiting', 'Passwords that wait to be hashed.', signIns.waiting),
    {
      name: 'dealdesk_sign_ins_total',
      help: 'Verified and refused credentials; a remembered one is not counted again.',
      type: 'counter',
      samples: (['verified', 'failed', 'throttled'] as const).map((outcome) => ({
        labels: { outcome },
        value: signIns[outcome],
      })),
    },
    counter('dealdesk_passwords_hashed_total', 'Passwords hashed for comparison.', signIns.hashed),
    gauge('dealdesk_event_loop_delay_seconds', 'Mean delay of the event loop.', load.loopDelay.mean / 1000),
    gauge('dealdesk_event_loop_delay_max_seconds', 'Maximum delay of the event loop.', load.loopDelay.most / 1000),
    gauge('process_resident_memory_bytes', 'Memory of the process.', memory.rss),
    gauge('nodejs_heap_used_bytes', 'Memory of the JavaScript heap.', memory.heapUsed),
    gauge('nodejs_heap_limit_bytes', 'The most that the heap may have.', getHeapStatistics().heap_size_limit),
    counter('process_cpu_seconds_total', 'Processor time used.', (cpu.user + cpu.system) / 1e6),
    gauge('process_start_time_seconds', 'Start time of the process.', startedAt),
  ]
}

/** The same from every instance, because deliveries are shared. Left out while the store is down. */
const backlogMetrics = ({ pending, failing, oldest }: Backlog): readonly Metric[] => [
  gauge('dealdesk_webhook_deliveries_pending', 'Deliveries that are not finished.', pending),
  gauge('dealdesk_webhook_deliveries_failing', 'Pending deliveries whose last attempt failed.', failing),
  gauge(
    'dealdesk_webhook_oldest_pending_seconds',
    'Age of the oldest pending delivery.',
    oldest === null ? 0 : Math.max(0, (Date.now() - Date.parse(oldest)) / 1000),
  ),
]

const poolMetrics = ({ used, idle, down, waiting }: PoolUse): readonly Metric[] => [
  {
    name: 'dealdesk_database_connections',
    help: 'Connections to the database, by state.',
    type: 'gauge',
    samples: Object.entries({ used, idle, down }).map(([state, value]) => ({ labels: { state }, value })),
  },
  gauge(
    'dealdesk_database_connections_waiting',
    'Transactions, scans and searches that wait for a connection.',
    waiting,
  ),
]

const fileMetrics = ({ database, log, free }: DatabaseFiles): readonly Metric[] => [
  gauge('dealdesk_database_bytes', 'Size of the database file.', database),
  gauge('dealdesk_database_log_bytes', 'Size of the write-ahead log.', log),
  gauge('dealdesk_disk_free_bytes', 'Free space on the disk of the database.', free),
]

/** Unknown values are left out: the beginning of an empty feed, and the limit of one that is kept forever. */
const feedMetrics = (
  { feed, settings }: Service,
  beginning: Date | undefined,
  lag: number | undefined,
): readonly Metric[] => [
  ...(lag === undefined ? [] : [gauge('dealdesk_feed_lag_seconds', 'Until the feed has all that is written.', lag)]),
  gauge('dealdesk_feed_followers', 'Open live streams of events.', feed.following),
  ...(beginning === undefined
    ? []
    : [gauge('dealdesk_feed_beginning_seconds', 'When the oldest readable event was written.', +beginning / 1000)]),
  ...(settings.keep.events === undefined
    ? []
    : [gauge('dealdesk_feed_kept_seconds', 'How long events are kept.', settings.keep.events / 1000)]),
]

/** The seconds until the feed shows what was written before now, at most one; undefined while the store is down. */
async function feedLag(store: Store): Promise<number | undefined> {
  const began = performance.now()
  const late = pause(MOST_LAG, undefined, { ref: false })
  return Promise.race([store.settled(), late]).then(
    () => (performance.now() - began) / 1000,
    () => undefined,
  )
}

const MOST_LAG = 1000

/** Undefined where the system does not tell. */
const openDescriptors = (): Promise<number | undefined> =>
  readdir('/proc/self/fd').then(
    ({ length }) => length,
    () => undefined,
  )

const startedAt = Math.round(performance.timeOrigin / 1000)

const gauge = (name: string, help: string, value: number, labels = {}): Metric => ({
  name,
  help,
  type: 'gauge',
  samples: [{ labels, value }],
})

const counter = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'counter',
  samples: [{ value }],
})

const histogram = (name: string, help: string, durations: Durations): Metric => ({
  name,
  help,
  type: 'histogram',
  samples: samplesOf(durations),
})

const byLabel = (name: string, help: string, label: string, counts: { readonly [of: string]: number }): Metric => ({
  name,
  help,
  type: 'counter',
  samples: Object.entries(counts).map(([of, value]) => ({ labels: { [label]: of }, value })),
})
