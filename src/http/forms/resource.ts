import type { Operation, Schema } from '../../model/declaration/schema.ts'
import { JSON_OR_FORM } from '../contract/endpoint.ts'
import { type Form, type FormRoute, hasForm, resourcesIn } from '../contract/form.ts'
import { addressed } from './parts/addressed.ts'
import { rawParams } from './parts/parameters.ts'

const among = (schema: Schema, is: (operation: Operation) => boolean): readonly Operation[] =>
  resourcesIn(schema, 'resource').flatMap(({ operations }) => operations.filter(is))
const isCreation = ({ to }: Operation): boolean => to === 'nothing'
const isDeletion = ({ name }: Operation): boolean => name === 'delete'

/** POST …/deals/ */
export const creation: Form<'resource'> = {
  name: 'resource',
  title: 'The collection',
  idea: 'What HTTP has a method for.',
  routes: (schema) =>
    among(schema, isCreation).map((operation) => ({
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
    }
  },
  body: ({ operation, params }) => (isCreation(operation) ? params : undefined),
  reply: 'created',
}

/** DELETE …/deals/{id} */
export const deletion: Form<'resource'> = {
  name: 'resource',
  title: 'The thing itself',
  idea: 'What HTTP has a method for.',
  routes: (schema) =>
    among(schema, isDeletion).flatMap((operation) => [
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
  body: ({ operation, params }) => (isDeletion(operation) ? params : undefined),
  reply: 'thing',
}

/** The address for a page's form, if the resource has no noun form. */
function removalRoutes(operation: Operation): readonly FormRoute[] {
  if (hasForm(operation.on, 'noun')) return []
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
