import type { Endpoint } from './endpoint.ts'
import { script, styleSheet } from './resources/assets.ts'
import { boardEndpoint } from './resources/board-endpoint.ts'
import { collectionEndpoints } from './resources/collection-endpoints.ts'
import { eventEndpoints } from './resources/event-endpoints.ts'
import { filterEndpoint } from './resources/filter-endpoint.ts'
import { homeEndpoints } from './resources/home-endpoints.ts'
import { metricsEndpoint } from './resources/metrics-endpoint.ts'
import { documentEndpoints } from './resources/reference-endpoints.ts'
import { thingReads } from './resources/thing-reads.ts'
import { webhookEndpoints } from './resources/webhook-endpoints.ts'
import { writes } from './resources/writes.ts'

/** Every endpoint. */
export const endpoints: readonly Endpoint[] = [
  ...homeEndpoints,
  metricsEndpoint,
  styleSheet.endpoint,
  script.endpoint,
  boardEndpoint,
  filterEndpoint,
  ...collectionEndpoints,
  ...thingReads,
  ...writes,
  ...documentEndpoints(() => endpoints),
  ...eventEndpoints,
  ...webhookEndpoints,
]
