import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import { isBuilding } from '../../../model/intent/unique-values.ts'
import { operationsOnExisting } from '../../../model/schema/resources.ts'
import { collectionOf } from '../../../queries/collections.ts'
import { SERVICE } from '../../../store/port/desk.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { bodyName, type FormRoute } from '../../contract/form.ts'
import type { Problem } from '../../contract/problems/problem.ts'
import { refusalProblem } from '../../contract/problems/refusals.ts'
import { orNearest } from '../../contract/problems/told-problem.ts'
import { BY_VALUE } from '../../contract/route.ts'
import { chosenMembers, thing, withPast } from '../../contract/success.ts'
import { forms } from '../../forms/forms.ts'
import { deskFor } from '../../gate/gate.ts'
import { successesOf } from '../../respond/replies.ts'
import { readAround } from '../../write/intent.ts'
import { missingThing, titleOf } from './find-thing.ts'
import { pastNames } from './past-reads.ts'
import { memberNamesOf } from './thing-members.ts'
import { readThing } from './thing-reads.ts'
import { answer, neededRole, refusals, type Shared, writeAt } from './writes.ts'

/** Things under their unique values: …/deals/by/reference/A-0004, and the operations below that. decisions/0058 */
export const byValue = (schema: Schema): readonly Endpoint[] =>
  schema.resources
    .filter(({ uniques }) => uniques.length > 0)
    .flatMap((resource) => [readOf(resource), ...writesOf(resource)])
    .map(({ describes, ...endpoint }) => ({
      ...endpoint,
      ...(describes && { describes: { ...describes, refuses: [...(describes.refuses ?? []), 'building'] } }),
      handle: ifUnique(endpoint, schema),
    }))

const baseOf = ({ path }: Resource): string => path + BY_VALUE

function ifUnique({ method, path, handle }: Endpoint, { resources, version }: Schema): Endpoint['handle'] {
  const resource = resources.find((each) => path.startsWith(baseOf(each)))
  const mayMake = method === 'PUT' && resource !== undefined && path === baseOf(resource)
  return async (call) => {
    const { field = '' } = call.params
    if (resource === undefined) return handle(call)
    const isNamed = resource.uniques.includes(field)
    if (isNamed && !isBuilding(resource, field)) {
      const problem = mayMake ? unreadable(call, resource) : undefined
      return problem === undefined ? handle(call) : { problem }
    }
    // The field may be shown as ready already: what is stored counts, not what this instance knows yet.
    const { schemas } = call.service.store
    await schemas.catchUp()
    const { current: schema } = schemas
    const later =
      schema.version > version && byValue(schema).find((each) => each.method === method && each.path === path)
    if (later) return later.handle({ ...call, schema, desk: deskFor(call, call.service) })
    if (method !== 'GET' && (await isKnown(call))) return handle(call)
    if (isNamed)
      return { problem: refusalProblem({ code: 'building', resource: resource.name, field }, resource.schema) }
    const detail = `${JSON.stringify(field)} names no ${resource.name}${orNearest(field, resource.uniques)}`
    return { problem: { code: 'not-found', detail } }
  }
}

/** Whether its command is: that knows the thing, whatever its field has become. */
async function isKnown(call: Call): Promise<boolean> {
  const read = readAround(call, call.parameters)
  const id = call.params.command ?? ('around' in read ? read.around.key : undefined)
  return id !== undefined && (await call.service.store.as(SERVICE).command(id)) !== undefined
}

/** Nothing can be made under a value that the field cannot have; a thing with it is only not found. */
function unreadable({ params: { field = '', value = '' } }: Call, { kinds }: Resource): Problem | undefined {
  const read = kinds[field]?.readText(value)
  if (read === undefined || 'value' in read) return undefined
  return { code: 'invalid-body', errors: [{ ...read.fault, at: { parameter: 'value' } }] }
}

function readOf(resource: Resource): Endpoint {
  const { name, plural } = resource
  const collection = collectionOf(resource)
  return {
    method: 'GET',
    role: 'reader',
    offers: 'resource',
    path: baseOf(resource),
    summary: `The ${name} with a unique value`,
    parameters: [...memberNamesOf(collection), ...pastNames],
    describes: {
      group: titleOf(resource),
      asks: collection,
      answers: [withPast(thing(plural, name)), chosenMembers(plural)],
      refuses: [...missingThing(resource), 'revision-not-found', 'events-trimmed'],
    },
    async handle(call) {
      const { field = '', value = '' } = call.params
      const read = resource.kinds[field]?.readText(value)
      const id = read && 'value' in read ? await call.desk.idBy(resource, field, read.value) : undefined
      if (id !== undefined) return readThing(resource, { ...call, params: { id: String(id) } })
      return { problem: refusalProblem({ code: 'not-found', resource: name, id: value, by: field }, resource.schema) }
    },
  }
}

/** The forms of a thing's address, at the address by a value. A custom method has none: a value may contain a colon. */
function writesOf(resource: Resource): readonly Endpoint[] {
  const named = forms
    .flatMap((form) => form.routes(resource.schema).map((route): Shared => ({ form, route })))
    .filter(({ route }) => (route.resource ?? route.operation?.on) === resource)
    .filter(({ route }) => route.path.startsWith(`${resource.path}/:id`))
    .map(({ form, route }) => ({ form, route: namedRoute(route) }))
  const isBelow = ({ route }: Shared): boolean => wordOf(route) !== ''
  const itself = Map.groupBy(
    named.filter((each) => !isBelow(each)),
    ({ route }) => `${route.method} ${route.path}`,
  )
  const below = Map.groupBy(named.filter(isBelow), ({ route }) => route.method)
  return [
    ...[...itself.values()].map((shared) => writeAt(shared as [Shared, ...Shared[]], resource.schema)),
    ...[...below.values()].map((shared) => belowIt(resource, shared)),
  ]
}

const namedRoute = (route: FormRoute): FormRoute => ({
  ...route,
  named: true,
  path: route.path.replace('/:id', BY_VALUE),
})

/** The word of an operation below the address; empty if the address has none, or something else. */
const wordOf = ({ path }: FormRoute): string => /\/by\/:field\/:value\/([\w-]+)$/.exec(path)?.[1] ?? ''

/** All operations below the address with one method, in whichever of their words. */
function belowIt(resource: Resource, shared: readonly Shared[]): Endpoint {
  const [first] = shared as readonly [Shared]
  const byWord = new Map(shared.map((each) => [wordOf(each.route), each]))
  const routeAt = (path: string): Shared | undefined => byWord.get(path.replace(/\/$/, '').split('/').at(-1) ?? '')
  const { schema, roles, name } = resource
  return {
    method: first.route.method,
    path: `${baseOf(resource)}/:operation`,
    role: roles.writes,
    roleAt: (path) => {
      const found = routeAt(path)
      return found === undefined ? roles.writes : neededRole(found.route, found.route.operation)
    },
    summary: `Do an operation on the ${name} with a unique value`,
    offers: 'resource',
    parameters: ['dry-run'],
    reads: first.route.reads,
    describes: {
      group: titleOf(resource),
      takes: bodyName(resource, 'Parameters'),
      parameter: {
        description: 'The operation, in one of its words.',
        schema: { type: 'string', enum: [...byWord.keys()] },
        example: [...byWord.keys()][0] ?? '',
      },
      answers: successesOf(
        first.form.reply,
        resource,
        operationsOnExisting(resource).find(({ differences }) => differences),
      ),
      refuses: refusals(first.form, { ...first.route, resource }, schema),
    },
    handle: (call: Call): Promise<Answer> | Answer => {
      const { operation = '' } = call.params
      const found = byWord.get(operation)
      if (found !== undefined) return answer(found.form, found.route, call)
      const detail = `A ${name} has no operation ${JSON.stringify(operation)} here${orNearest(operation, [...byWord.keys()])}`
      return { problem: { code: 'not-found', detail } }
    },
  }
}
