import { bySchema } from '../../model/by-schema.ts'
import type { Schema } from '../../model/schema.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { batchEndpoint } from '../endpoints/batches/batch-endpoint.ts'
import { commandStream } from '../endpoints/batches/command-stream.ts'
import { boardEndpoint } from '../endpoints/collections/board-endpoint.ts'
import { changesEndpoint } from '../endpoints/collections/changes-endpoint.ts'
import { collectionEndpoints } from '../endpoints/collections/collection-endpoints.ts'
import { filterEndpoint } from '../endpoints/collections/filter-endpoint.ts'
import { withQueryMethod } from '../endpoints/collections/query-endpoint.ts'
import { eventsEndpoint } from '../endpoints/event-endpoints.ts'
import { homeEndpoints } from '../endpoints/home-endpoints.ts'
import { importEndpoints } from '../endpoints/imports/import-endpoints.ts'
import { metricsEndpoint } from '../endpoints/metrics-endpoint.ts'
import { preferenceEndpoints } from '../endpoints/preference-endpoints.ts'
import { documentEndpoints } from '../endpoints/reference-endpoints.ts'
import { reportEndpoints } from '../endpoints/report-endpoints.ts'
import { searchEndpoint } from '../endpoints/search-endpoint.ts'
import { invitationEndpoints } from '../endpoints/sign-in/invitation-endpoints.ts'
import { providerEndpoints } from '../endpoints/sign-in/provider-endpoints.ts'
import { setUpEndpoints } from '../endpoints/sign-in/set-up-endpoints.ts'
import { signInEndpoints } from '../endpoints/sign-in/sign-in-endpoints.ts'
import { confirmationEndpoint } from '../endpoints/things/confirmation-endpoint.ts'
import { newThings } from '../endpoints/things/new-things.ts'
import { thingReads } from '../endpoints/things/thing-reads.ts'
import { undoEndpoint } from '../endpoints/things/undo-endpoint.ts'
import { writes } from '../endpoints/things/writes.ts'
import { calendarEndpoints } from '../endpoints/users/calendar-endpoints.ts'
import { credentialEndpoints } from '../endpoints/users/credential-endpoints.ts'
import { keyEndpoints } from '../endpoints/users/key-endpoints.ts'
import { personEndpoints } from '../endpoints/users/person-endpoints.ts'
import { sessionEndpoints } from '../endpoints/users/session-endpoints.ts'
import { userEndpoints } from '../endpoints/users/user-endpoints.ts'
import { webhookEndpoints } from '../endpoints/webhooks/webhook-endpoints.ts'
import { assetEndpoints } from '../respond/assets.ts'

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
    ...documentEndpoints(schema, () => endpointsOf(schema)),
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
