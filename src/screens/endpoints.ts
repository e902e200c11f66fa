import type { Endpoint } from '../http/contract/endpoint.ts'
import type { Schema } from '../model/declaration/schema.ts'
import { boardEndpoint } from './board/endpoint.ts'
import { changesEndpoint } from './changes/endpoint.ts'
import { confirmationEndpoint } from './confirmation/endpoint.ts'
import { newThings } from './creation/endpoints.ts'
import { filterEndpoint } from './filters/endpoint.ts'
import { homeEndpoint } from './home/endpoint.ts'
import { rejectedEndpoint } from './import/endpoint.ts'
import { undoEndpoint } from './notices/undo-endpoint.ts'
import { orderEndpoint } from './order/endpoint.ts'
import { referenceEndpoints } from './reference/endpoints.ts'
import { reportEndpoints } from './reports/endpoints.ts'
import { assetEndpoints } from './shell/assets.ts'
import { preferenceEndpoints } from './shell/preference-endpoints.ts'
import { invitationEndpoints } from './sign-in/endpoints/invitations.ts'
import { providerEndpoints } from './sign-in/endpoints/provider.ts'
import { setUpEndpoints } from './sign-in/endpoints/set-up.ts'
import { signInEndpoints } from './sign-in/endpoints/sign-in.ts'

/** The addresses for people; programs may use some of them too. */
export const screenEndpoints = (
  schema: Schema,
  all: () => readonly Endpoint[],
  doors: readonly string[],
): readonly Endpoint[] => [
  homeEndpoint,
  ...assetEndpoints(schema),
  boardEndpoint(schema),
  filterEndpoint,
  ...preferenceEndpoints,
  changesEndpoint,
  orderEndpoint,
  ...reportEndpoints,
  ...newThings(schema),
  undoEndpoint,
  confirmationEndpoint,
  ...referenceEndpoints(schema, all, doors),
  rejectedEndpoint,
  ...signInEndpoints,
  ...providerEndpoints,
  ...invitationEndpoints,
  ...setUpEndpoints,
]
