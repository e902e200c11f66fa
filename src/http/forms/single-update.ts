import { isObject } from '../../values/json/is-object.ts'
import { HAL } from '../contract/endpoint.ts'
import { bodyName, type Form, resourcesIn } from '../contract/form.ts'
import { targetIn } from './parts/addressed.ts'
import { ambiguity, readEnvelope } from './parts/envelope.ts'

/** PUT …/deals/{id} with action and params */
export const singleUpdate: Form<'single-update'> = {
  name: 'single-update',
  title: 'Single update',
  idea: 'One address for everything; the body names the action.',
  routes: (schema) =>
    resourcesIn(schema, 'single-update').map((resource) => ({
      method: 'PUT',
      path: `${resource.path}/:id`,
      summary: 'Do an operation, or update the attributes',
      reads: ['application/json', HAL],
      resource,
    })),
  recognizes: (body) => isObject(body) && Object.hasOwn(body, 'action'),
  read(call, { resource }) {
    if (resource === undefined) throw new Error('the route names no resource')
    const problem = ambiguity(resource, call.body)
    if (problem !== undefined) return { problem }
    const target = targetIn(call)
    return { ...readEnvelope(resource, call.body, { id: { [resource.name]: target } }), target }
  },
  body: ({ operation, params }) =>
    operation.to === 'nothing' ? undefined : { action: operation.words.action, params },
  takes: (resource) => bodyName(resource, 'Change'),
  reply: 'thing',
}
