import { doors } from '../doors/doors.ts'
import type { Endpoint } from '../http/contract/endpoint.ts'
import { batchEndpoint } from '../http/endpoints/batches/batch-endpoint.ts'
import { commandStream } from '../http/endpoints/batches/command-stream.ts'
import { boardEndpoint } from '../http/endpoints/collections/board-endpoint.ts'
import { changesEndpoint } from '../http/endpoints/collections/changes-endpoint.ts'
import { collectionEndpoints } from '../http/endpoints/collections/collection-endpoints.ts'
import { filterEndpoint } from '../http/endpoints/collections/filter-endpoint.ts'
import { withQueryMethod } from '../http/endpoints/collections/query-endpoint.ts'
import { eventsEndpoint } from '../http/endpoints/event-endpoints.ts'
import { homeEndpoints } from '../http/endpoints/home-endpoints.ts'
import { importEndpoints } from '../http/endpoints/imports/import-endpoints.ts'
import { metricsEndpoint } from '../http/endpoints/metrics-endpoint.ts'
import { preferenceEndpoints } from '../http/endpoints/preference-endpoints.ts'
import { documentEndpoints } from '../http/endpoints/reference-endpoints.ts'
import { reportEndpoints } from '../http/endpoints/report-endpoints.ts'
import { searchEndpoint } from '../http/endpoints/search-endpoint.ts'
import { invitationEndpoints } from '../http/endpoints/sign-in/invitation-endpoints.ts'
import { providerEndpoints } from '../http/endpoints/sign-in/provider-endpoints.ts'
import { setUpEndpoints } from '../http/endpoints/sign-in/set-up-endpoints.ts'
import { signInEndpoints } from '../http/endpoints/sign-in/sign-in-endpoints.ts'
import { confirmationEndpoint } from '../http/endpoints/things/confirmation-endpoint.ts'
import { newThings } from '../http/endpoints/things/new-things.ts'
import { thingReads } from '../http/endpoints/things/thing-reads.ts'
import { undoEndpoint } from '../http/endpoints/things/undo-endpoint.ts'
import { writes } from '../http/endpoints/things/writes.ts'
import { calendarEndpoints } from '../http/endpoints/users/calendar-endpoints.ts'
import { credentialEndpoints } from '../http/endpoints/users/credential-endpoints.ts'
import { keyEndpoints } from '../http/endpoints/users/key-endpoints.ts'
import { personEndpoints } from '../http/endpoints/users/person-endpoints.ts'
import { sessionEndpoints } from '../http/endpoints/users/session-endpoints.ts'
import { userEndpoints } from '../http/endpoints/users/user-endpoints.ts'
import { webhookEndpoints } from '../http/endpoints/webhooks/webhook-endpoints.ts'
import { assetEndpoints } from '../http/respond/assets.ts'
import { bySchema } from '../model/by-schema.ts'
import type { Schema } from '../model/schema.ts'

/** Every endpoint. Their addresses are the same in every schema of a service. */
export const endpointsOf = bySchema((schema: Schema): readonly Endpoint[] =>
  [
    ...homeEndpoints(schema),
    metricsEndpoint,
    ...assetEndpoints(schema),
    boardEndpoint(schema),
    filterEndpoint,
    ...preferenceEndpoints,
    changesEndpoint,
    searchEndpoint,
    ...reportEndpoints,
    ...collectionEndpoints(schema),
    ...newThings(schema),
    ...thingReads(schema),
    ...writes(schema),
    undoEndpoint,
    confirmationEndpoint,
    batchEndpoint,
    commandStream,
    ...documentEndpoints(
      schema,
      () => endpointsOf(schema),
      doors.map(({ name }) => name),
    ),
    eventsEndpoint(schema),
    ...webhookEndpoints(schema),
    ...importEndpoints,
    ...signInEndpoints,
    ...providerEndpoints,
    ...invitationEndpoints,
    ...setUpEndpoints,
    ...userEndpoints(schema),
    ...personEndpoints(schema),
    ...credentialEndpoints,
    ...keyEndpoints(schema),
    ...calendarEndpoints,
    ...sessionEndpoints(schema),
  ].flatMap(withQueryMethod),
)
