import type { Endpoint } from './endpoint.ts'
import { script, styleSheet } from './resources/assets.ts'
import { boardEndpoint } from './resources/board-endpoint.ts'
import { collectionEndpoints } from './resources/collection-endpoints.ts'
import { customerEndpoints } from './resources/customer-endpoints.ts'
import { dealReads } from './resources/deal-reads.ts'
import { dealWrites } from './resources/deal-writes.ts'
import { eventEndpoints } from './resources/event-endpoints.ts'
import { filterEndpoint } from './resources/filter-endpoint.ts'
import { homeEndpoints } from './resources/home-endpoints.ts'
import { metricsEndpoint } from './resources/metrics-endpoint.ts'
import { documentEndpoints } from './resources/reference-endpoints.ts'
import { webhookEndpoints } from './resources/webhook-endpoints.ts'

/** Every endpoint. */
export const endpoints: readonly Endpoint[] = [
  ...homeEndpoints,
  metricsEndpoint,
  styleSheet.endpoint,
  script.endpoint,
  boardEndpoint,
  filterEndpoint,
  ...collectionEndpoints,
  ...customerEndpoints,
  ...dealReads,
  ...dealWrites,
  ...documentEndpoints(() => endpoints),
  ...eventEndpoints,
  ...webhookEndpoints,
]
