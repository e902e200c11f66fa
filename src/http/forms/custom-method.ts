import type { Operation, Resource } from '../../model/declaration/schema.ts'
import { operationNamed, operationsOnExisting } from '../../model/schema/resources.ts'
import { bodyName, type Form, resourcesIn } from '../contract/form.ts'
import { orNearest } from '../contract/problems/told-problem.ts'
import { targetIn } from './parts/addressed.ts'
import { rawParams } from './parts/parameters.ts'

/** POST …/deals/{id}:hold */
export const customMethod: Form<'custom-method'> = {
  name: 'custom-method',
  title: 'Custom method',
  idea: 'The operation follows the id behind a colon, as Google’s interfaces have it (AIP-136).',
  routes: (schema) =>
    resourcesIn(schema, 'custom-method').map((resource) => ({
      method: 'POST',
      // The router cannot distinguish two parameters of a segment.
      path: `${resource.path}/:target`,
      documentedPath: `${resource.path}/:id::verb`,
      where: (path) => hasVerb.test(path),
      operationAt: (path) => methodNamed(path.replace(/\/$/, '').split(/:|%3a/i).at(-1), resource),
      summary: `Do an operation on a ${resource.name}`,
      reads: ['application/json'],
      resource,
    })),
  read(call, { resource }) {
    if (resource === undefined) throw new Error('the route names no resource')
    const { target = '' } = call.params
    const colon = target.lastIndexOf(':')
    const verb = target.slice(colon + 1)
    const operation = methodNamed(verb, resource)
    if (operation === undefined) {
      const known = operationsOnExisting(resource).map(({ name }) => name)
      const detail = `A ${resource.name} has no method ${JSON.stringify(verb)}${orNearest(verb, known)}`
      return { problem: { code: 'not-found', detail } }
    }
    return {
      resource: resource.name,
      target: targetIn({ params: { id: target.slice(0, colon) } }),
      change: { action: operation.name, params: rawParams(call, operation) },
    }
  },
  body: ({ operation, params }) => (operation.to === 'nothing' ? undefined : params),
  takes: (resource) => bodyName(resource, 'Parameters'),
  parameter: (resource) => ({
    description: 'The operation.',
    schema: {
      type: 'string',
      enum: operationsOnExisting(resource).flatMap(({ name, words }) => [name, words.action]),
    },
    example: operationsOnExisting(resource)[0]?.name ?? '',
  }),
  beside: 'custom method',
  reply: 'thing',
}

/** A colon in the last segment, escaped or not. */
const hasVerb = /(?::|%3a)[^/]*\/?$/i

function methodNamed(verb: string | undefined, resource: Resource): Operation | undefined {
  const operation = operationNamed(verb, resource)
  return operation?.on.name === resource.name && operation.to !== 'nothing' ? operation : undefined
}
