import { doors } from '../doors/doors.ts'
import type { Endpoint } from '../http/contract/endpoint.ts'
import { batchEndpoint } from '../http/endpoints/batches/batch-endpoint.ts'
import { commandStream } from '../http/endpoints/batches/command-stream.ts'
import { collectionEndpoints } from '../http/endpoints/collections/collection-endpoints.ts'
import { withQueryMethod } from '../http/endpoints/collections/query-endpoint.ts'
import { eventsEndpoint } from '../http/endpoints/event-endpoints.ts'
import { homeEndpoints } from '../http/endpoints/home-endpoints.ts'
import { managedEndpoints } from '../http/endpoints/managed-endpoints.ts'
import { metricsEndpoint } from '../http/endpoints/metrics-endpoint.ts'
import { searchEndpoint } from '../http/endpoints/search-endpoint.ts'
import { thingReads } from '../http/endpoints/things/thing-reads.ts'
import { writes } from '../http/endpoints/things/writes.ts'
import { calendarEndpoints } from '../http/endpoints/users/calendar-endpoints.ts'
import { credentialEndpoints } from '../http/endpoints/users/credential-endpoints.ts'
import { keyEndpoints } from '../http/endpoints/users/key-endpoints.ts'
import { personEndpoints } from '../http/endpoints/users/person-endpoints.ts'
import { sessionEndpoints } from '../http/endpoints/users/session-endpoints.ts'
import { userEndpoints } from '../http/endpoints/users/user-endpoints.ts'
import { webhookEndpoints } from '../http/endpoints/webhooks/webhook-endpoints.ts'
import { bySchema } from '../model/by-schema.ts'
import type { Schema } from '../model/schema.ts'
import { boardEndpoint } from '../screens/board/endpoint.ts'
import { changesEndpoint } from '../screens/changes/endpoint.ts'
import { confirmationEndpoint } from '../screens/confirmation/endpoint.ts'
import { newThings } from '../screens/creation/endpoints.ts'
import { filterEndpoint } from '../screens/filters/endpoint.ts'
import { importEndpoints } from '../screens/import/endpoints/endpoints.ts'
import { undoEndpoint } from '../screens/notices/undo-endpoint.ts'
import { documentEndpoints } from '../screens/reference/endpoints.ts'
import { reportEndpoints } from '../screens/reports/endpoints.ts'
import { assetEndpoints } from '../screens/shell/assets.ts'
import { preferenceEndpoints } from '../screens/shell/preference-endpoints.ts'
import { invitationEndpoints } from '../screens/sign-in/endpoints/invitations.ts'
import { providerEndpoints } from '../screens/sign-in/endpoints/provider.ts'
import { setUpEndpoints } from '../screens/sign-in/endpoints/set-up.ts'
import { signInEndpoints } from '../screens/sign-in/endpoints/sign-in.ts'

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
    ...managedEndpoints(schema),
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
