import { script, styleSheet } from './assets.ts'
import { boardEndpoint } from './board-endpoint.ts'
import { collectionEndpoints } from './collection-endpoints.ts'
import { customerEndpoints } from './customer-endpoints.ts'
import { dealReads } from './deal-reads.ts'
import { dealWrites } from './deal-writes.ts'
import { described } from './describe-home.ts'
import { documentEndpoints } from './document-endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import { eventEndpoints } from './event-endpoints.ts'
import { filterEndpoint } from './filter-endpoint.ts'
import { homeEndpoints } from './home-endpoints.ts'
import { metricsEndpoint } from './metrics-endpoint.ts'
import { webhookEndpoints } from './webhook-endpoints.ts'

/** Everything that answers. */
export const endpoints: readonly Endpoint[] = [
  ...[...homeEndpoints, metricsEndpoint, styleSheet.endpoint, script.endpoint, boardEndpoint, filterEndpoint].map(
    described,
  ),
  ...collectionEndpoints,
  ...customerEndpoints,
  ...dealReads,
  ...dealWrites,
  ...documentEndpoints(() => endpoints),
  ...eventEndpoints,
  ...webhookEndpoints,
]
