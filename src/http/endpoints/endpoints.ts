import type { Schema } from '../../model/declaration/schema.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { declaredEndpoints } from './audited/audited-endpoints.ts'
import { batchEndpoint } from './batches/batch-endpoint.ts'
import { commandStream } from './batches/command-stream.ts'
import { collectionEndpoints } from './collections/collection-endpoints.ts'
import { eventsEndpoint } from './collections/event-endpoints.ts'
import { descriptionEndpoints } from './description-endpoints.ts'
import { importEndpoints } from './imports/import-endpoints.ts'
import { metricsEndpoint } from './metrics-endpoint.ts'
import { roleEndpoints } from './rights/role-endpoints.ts'
import { searchEndpoint } from './search-endpoint.ts'
import { serviceEndpoints } from './service-endpoints.ts'
import { withNames } from './things/addressed-by.ts'
import { byValue } from './things/by-value.ts'
import { thingReads } from './things/thing-reads.ts'
import { writes } from './things/writes.ts'
import { calendarEndpoints } from './users/calendar-endpoints.ts'
import { credentialEndpoints } from './users/credential-endpoints.ts'
import { keyEndpoints } from './users/key-endpoints.ts'
import { personEndpoints } from './users/person-endpoints.ts'
import { sessionEndpoints } from './users/session-endpoints.ts'
import { userEndpoints } from './users/user-endpoints.ts'
import { webhookEndpoints } from './webhooks/webhook-endpoints.ts'

/** The addresses for programs and people alike. */
export const httpEndpoints = (schema: Schema, all: () => readonly Endpoint[]): readonly Endpoint[] => [
  ...serviceEndpoints(schema),
  metricsEndpoint,
  searchEndpoint,
  ...[...collectionEndpoints(schema), ...thingReads(schema)].map(withNames(schema)),
  ...writes(schema),
  ...byValue(schema),
  batchEndpoint,
  commandStream,
  ...descriptionEndpoints(schema, all),
  eventsEndpoint(schema),
  ...webhookEndpoints(schema),
  ...importEndpoints(schema),
  ...declaredEndpoints(schema),
  ...roleEndpoints(schema),
  ...userEndpoints(schema),
  ...personEndpoints(schema),
  ...credentialEndpoints(schema),
  ...keyEndpoints(schema),
  ...calendarEndpoints(schema),
  ...sessionEndpoints(schema),
]
