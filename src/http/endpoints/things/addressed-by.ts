import type { Schema } from '../../../model/schema.ts'
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
    const field = resource?.addressedBy
    if (resource === undefined || field === undefined) return endpoint
    const resolves = async (call: Call): Promise<Call> => {
      const { id: named = '' } = call.params
      const { id: isId, [field]: isName } = resource.kinds
      const read = isName?.readText(named)
      if (read === undefined || 'fault' in read || 'value' in (isId?.readText(named) ?? {})) return call
      const id = await call.desk.idBy(resource, field, read.value)
      return id === undefined ? call : { ...call, params: { ...call.params, id: String(id) } }
    }
    return { ...endpoint, resolves }
  }
