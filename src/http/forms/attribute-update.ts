import { membersToCreate } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { attributesFor } from '../../model/intent/attributes.ts'
import type { Members } from '../../values/members.ts'
import { type Call, HAL, JSON_OR_FORM } from '../contract/endpoint.ts'
import { bodyName, type Form, type FormRoute, hasForm, mayNameAction, resourcesIn } from '../contract/form.ts'
import { targetIn } from './parts/addressed.ts'
import { ambiguity } from './parts/envelope.ts'
import { changedIn } from './parts/parameters.ts'

/** PUT or PATCH …/deals/{id} with the attributes as they should be */
export const attributeUpdate: Form<'attribute-update'> = {
  name: 'attribute-update',
  title: 'Attribute update',
  idea: 'The attributes as they should be; the service finds the operation.',
  routes: (schema) =>
    resourcesIn(schema, 'attribute-update').flatMap((resource) => [
      {
        method: 'PUT',
        path: `${resource.path}/:id`,
        summary: resource.put === 'anew' ? `Replace a ${resource.name}` : 'Do an operation, or update the attributes',
        reads: ['application/json', HAL],
        resource,
      },
      {
        method: 'PATCH',
        path: `${resource.path}/:id`,
        summary: `Change some fields of a ${resource.name}`,
        reads: ['application/merge-patch+json', 'application/json', HAL],
        resource,
      },
      ...editRoutes(resource),
    ]),
  read: (call, route) => {
    const { resource } = route
    if (resource === undefined) throw new Error('the route names no resource')
    const problem = mayNameAction(resource) ? ambiguity(resource, call.body) : undefined
    if (problem !== undefined) return { problem }
    return {
      resource: resource.name,
      target: targetIn(call),
      change: {
        attributes: attributesIn(call, resource),
        whole: isWhole(route, resource),
        merges: route.method === 'PATCH',
        ...(route.named && route.method === 'PUT' && { makes: true }),
      },
    }
  },
  body: ({ operation, params }) => attributesFor(operation, params),
  takes: (resource, route) => bodyName(resource, isWhole(route, resource) ? 'Replacement' : 'Attributes'),
  reply: 'thing',
}

/** The address for a page's form, if the resource has no noun form. */
function editRoutes(resource: Resource): readonly FormRoute[] {
  const change = resource.operations.find(({ differences }) => differences)
  if (change === undefined || hasForm(resource, 'noun')) return []
  return [
    {
      method: 'POST',
      path: `${resource.path}/:id/${change.words.noun}`,
      summary: `Change a ${resource.name}, from a page`,
      reads: JSON_OR_FORM,
      resource,
    },
  ]
}

/** The sent attributes: an empty field of an HTML form was emptied, and a missing one stays. */
const attributesIn = ({ body, fields, emptied, reader }: Call, resource: Resource): unknown =>
  fields === undefined ? (body ?? {}) : changedIn(fields, emptied, membersOf(resource), reader)

/** Those of a new thing, and what a change takes beyond them. */
const membersOf = (resource: Resource): Members => ({
  ...resource.operations.find(({ differences }) => differences)?.params,
  ...membersToCreate(resource),
})

const isWhole = ({ method, named }: FormRoute, { put }: Resource): boolean =>
  method === 'PUT' && put === 'anew' && !named
