import { doors } from '../doors/doors.ts'
import type { Endpoint } from '../http/contract/endpoint.ts'
import { withQueryMethod } from '../http/endpoints/collections/query-endpoint.ts'
import { httpEndpoints } from '../http/endpoints/endpoints.ts'
import { bySchema } from '../model/declaration/by-schema.ts'
import type { Schema } from '../model/declaration/schema.ts'
import { screenEndpoints } from '../screens/endpoints.ts'

/** Every endpoint. Their addresses are the same in every schema of a service. */
export const endpointsOf = bySchema((schema: Schema): readonly Endpoint[] => {
  const all = (): readonly Endpoint[] => endpointsOf(schema)
  const doorNames = doors.map(({ name }) => name)
  return [...screenEndpoints(schema, all, doorNames), ...httpEndpoints(schema, all)].flatMap(withQueryMethod)
})
