import type { Endpoint } from './endpoint.ts'
import { assetEndpoints } from './resources/assets.ts'
import { batchEndpoint } from './resources/batches/batch-endpoint.ts'
import { commandStream } from './resources/batches/command-stream.ts'
import { boardEndpoint } from './resources/collections/board-endpoint.ts'
import { changesEndpoint } from './resources/collections/changes-endpoint.ts'
import { collectionEndpoints, savedItemsEndpoints } from './resources/collections/collection-endpoints.ts'
import { filterEndpoint } from './resources/collections/filter-endpoint.ts'
import { withQueryMethod } from './resources/collections/query-endpoint.ts'
import { eventEndpoints } from './resources/event-endpoints.ts'
import { homeEndpoints } from './resources/home-endpoints.ts'
import { importEndpoints } from './resources/imports/import-endpoints.ts'
import { metricsEndpoint } from './resources/metrics-endpoint.ts'
import { preferenceEndpoints } from './resources/preference-endpoints.ts'
import { documentEndpoints } from './resources/reference-endpoints.ts'
import { reportEndpoints } from './resources/report-endpoints.ts'
import { searchEndpoint } from './resources/search-endpoint.ts'
import { invitationEndpoints } from './resources/sign-in/invitation-endpoints.ts'
import { providerEndpoints } from './resources/sign-in/provider-endpoints.ts'
import { setUpEndpoints } from './resources/sign-in/set-up-endpoints.ts'
import { signInEndpoints } from './resources/sign-in/sign-in-endpoints.ts'
import { confirmationEndpoint } from './resources/things/confirmation-endpoint.ts'
import { newThings } from './resources/things/new-things.ts'
import { thingReads } from './resources/things/thing-reads.ts'
import { undoEndpoint } from './resources/things/undo-endpoint.ts'
import { writes } from './resources/things/writes.ts'
import { calendarEndpoints } from './resources/users/calendar-endpoints.ts'
import { credentialEndpoints } from './resources/users/credential-endpoints.ts'
import { identityEndpoints } from './resources/users/identity-endpoints.ts'
import { keyEndpoints } from './resources/users/key-endpoints.ts'
import { personEndpoints } from './resources/users/person-endpoints.ts'
import { sessionEndpoints } from './resources/users/session-endpoints.ts'
import { userEndpoints } from './resources/users/user-endpoints.ts'
import { webhookEndpoints } from './resources/webhooks/webhook-endpoints.ts'

/** Every endpoint. */
export const endpoints: readonly Endpoint[] = [
  ...homeEndpoints,
  metricsEndpoint,
  ...assetEndpoints,
  boardEndpoint,
  filterEndpoint,
  ...preferenceEndpoints,
  changesEndpoint,
  searchEndpoint,
  ...reportEndpoints,
  ...collectionEndpoints,
  ...savedItemsEndpoints,
  ...newThings,
  ...thingReads,
  ...writes,
  undoEndpoint,
  confirmationEndpoint,
  batchEndpoint,
  commandStream,
  ...documentEndpoints(() => endpoints),
  ...eventEndpoints,
  ...webhookEndpoints,
  ...importEndpoints,
  ...signInEndpoints,
  ...providerEndpoints,
  ...invitationEndpoints,
  ...setUpEndpoints,
  ...userEndpoints,
  ...personEndpoints,
  ...identityEndpoints,
  ...credentialEndpoints,
  ...keyEndpoints,
  ...calendarEndpoints,
  ...sessionEndpoints,
].flatMap(withQueryMethod)
