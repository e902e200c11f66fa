import type { Operation } from '../../model/operation.ts'
import { operationsOn } from '../../model/resources.ts'
import { JSON_OR_FORM } from '../contract/endpoint.ts'
import { bare, type Form, type FormRoute, resourcesIn } from '../contract/form.ts'
import { addressed } from './parts/addressed.ts'
import { rawParams } from './parts/parameters.ts'

const all = resourcesIn('resource').flatMap(operationsOn)
const creations = all.filter(({ to }) => to === 'nothing')
const deletions = all.filter(({ name }) => name === 'delete')

/** POST …/deals/ */
export const creation: Form<'resource'> = {
  name: 'resource',
  title: 'The collection',
  idea: 'What HTTP has a method for.',
  routes: creations.map((operation) => ({
    method: 'POST',
    path: operation.on.path,
    documentedPath: documentedPath(operation),
    summary: operation.title,
    reads: JSON_OR_FORM,
    operation,
    resource: operation.on,
  })),
  read: (call, { operation }) => {
    if (operation === undefined) throw new Error('the route names no operation')
    return {
      resource: operation.on.name,
      change: { action: operation.name, params: rawParams(call, operation) },
      pointers: bare,
      faults: [],
    }
  },
  body: ({ operation, params }) => (creations.includes(operation) ? params : undefined),
  reply: 'created',
}

/** DELETE …/deals/{id} */
export const deletion: Form<'resource'> = {
  name: 'resource',
  title: 'The thing itself',
  idea: 'What HTTP has a method for.',
  routes: deletions.flatMap((operation) => [
    {
      method: 'DELETE',
      path: `${operation.on.path}/:id`,
      summary: title(operation),
      reads: ['application/json'],
      operation,
    },
    ...removalRoutes(operation),
  ]),
  read: addressed,
  body: ({ operation, params }) => (deletions.includes(operation) ? params : undefined),
  reply: 'thing',
}

/** The address for a page's form, if the resource has no noun form. */
function removalRoutes(operation: Operation): readonly FormRoute[] {
  if (resourcesIn('noun').includes(operation.on)) return []
  return [
    {
      method: 'POST',
      path: `${operation.on.path}/:id/${operation.words.noun}`,
      summary: `${title(operation)}, from a page`,
      reads: JSON_OR_FORM,
      operation,
    },
  ]
}

function title({ on }: Operation): string {
  return `Delete a ${on.name}`
}

/** With a slash at the end, for resources under a version. */
function documentedPath({ on }: Operation): string {
  return on.path.startsWith('/rest/') ? `${on.path}/` : on.path
}
