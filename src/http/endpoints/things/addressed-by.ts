import type { Schema } from '../../../model/declaration/schema.ts'
import { keyNamed } from '../../ask/find.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'

/**
 * The address of a read may name the thing by a field: `/pipelines/renewals` is that of the pipeline's id, too. A write
 * keeps the name, for its command: a repeat may name a thing that is gone.
 */
export const withNames =
  ({ resources }: Schema) =>
  (endpoint: Endpoint): Endpoint => {
    const resource = resources.find(
      ({ addressedBy, path }) => addressedBy !== undefined && endpoint.path.startsWith(`${path}/:id`),
    )
    if (resource === undefined) return endpoint
    const resolves = async (call: Call): Promise<Call> => {
      const { id: named = '' } = call.params
      const isId = 'value' in (resource.kinds.id?.readText(named) ?? {})
      const id = isId ? undefined : await keyNamed(resource, named, call.desk)
      return id === undefined ? call : { ...call, params: { ...call.params, id: String(id) } }
    }
    return { ...endpoint, resolves }
  }
