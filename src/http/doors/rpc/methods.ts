import type { Operation } from '../../../model/operation.ts'
import type { Resource } from '../../../model/resource.ts'
import { operationsOn, resources } from '../../../model/resources.ts'
import { collectionNamed } from '../../../queries/collections.ts'
import { SEARCH } from '../../../queries/dialects/search.ts'
import { isObject, NO_OBJECT, unknownMembers } from '../../../values/members.ts'
import { didYouMean } from '../../../values/nearest.ts'
import { searchThings } from '../../ask/search-things.ts'
import { readQueryMembers } from '../../request/query-body.ts'
import { type Problem, refusalProblem } from '../../respond/problems/problem.ts'
import type { DoorCall } from '../door.ts'
import { askChange } from '../parts/ask-change.ts'
import { readList } from '../parts/read-list.ts'
import { documentOf, readThing } from '../parts/read-thing.ts'

/** The result of a method as JSON text, or the problem. */
export type MethodResult = { readonly json: string } | { readonly problem: Problem }

type MethodParams = { readonly [name: string]: unknown }
type RpcMethod = (params: MethodParams, call: DoorCall) => Promise<MethodResult>

const camelCase = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/** Every method by its name: those of a resource, each operation also in camel case and by its action, and the search. */
const methods: ReadonlyMap<string, RpcMethod> = new Map([
  ...resources.flatMap((resource): [string, RpcMethod][] => [
    [`${resource.plural}.get`, (params, call) => get(resource, params, call)],
    [`${resource.plural}.list`, (params, call) => list(resource, params, call)],
    ...operationsOn(resource).flatMap((operation) =>
      [operation.name, camelCase(operation.name), operation.words.action].map((word): [string, RpcMethod] => [
        `${resource.plural}.${word}`,
        (params, call) => operate(operation, params, call),
      ]),
    ),
  ]),
  ['search', search],
])

export const methodNames: readonly string[] = [...methods.keys()]

/** Calls a method; its parameters are given by name. */
export async function callMethod(
  name: string,
  params: unknown,
  call: DoorCall,
): Promise<MethodResult | { readonly unknown: string }> {
  const method = methods.get(name)
  if (method === undefined) {
    return { unknown: `There is no method ${JSON.stringify(name)}${didYouMean(name, methodNames) || '.'}` }
  }
  const named = params ?? {}
  return isObject(named) ? method(named, call) : invalid([{ pointer: '', detail: NO_OBJECT }])
}

async function operate(operation: Operation, params: MethodParams, call: DoorCall): Promise<MethodResult> {
  const { on: resource, to, words } = operation
  const { commandId, expectedRevision, dryRun, ...sent } = params
  const { id, ...rest } = sent
  const creates = to === 'nothing'
  const asked = await askChange(
    {
      resource,
      ...(!creates && { target: id }),
      change: { action: words.action, params: creates ? sent : rest },
      pointers: { target: '/id', action: '', params: '' },
      ...{ commandId, expectedRevision, dryRun },
    },
    call,
  )
  if ('problem' in asked) return asked
  const { thing, removed } = asked.applied
  return { json: removed ? 'null' : documentOf(resource, thing, call) }
}

async function get(resource: Resource, { id, ...rest }: MethodParams, call: DoorCall): Promise<MethodResult> {
  const unknown = unknownMembers(rest, ['id', 'fields', 'expand'])
  if (unknown.length > 0) return invalid(unknown)
  const asked = readQueryMembers(rest)
  return 'problem' in asked ? asked : readThing(resource, id, call, asked.query)
}

async function list(resource: Resource, params: MethodParams, call: DoorCall): Promise<MethodResult> {
  const asked = readQueryMembers(params)
  if ('problem' in asked) return asked
  const read = await readList(collectionNamed(resource.plural), asked.query, call)
  if ('problem' in read) return read
  const { page, cursors } = read
  const { hasMore, total } = page
  const rest = JSON.stringify({ hasMore, ...(total !== undefined && { total }), ...cursors })
  return { json: `{"items":[${page.items.join()}],${rest.slice(1)}` }
}

async function search(params: MethodParams, call: DoorCall): Promise<MethodResult> {
  const unknown = unknownMembers(params, [SEARCH])
  if (unknown.length > 0) return invalid(unknown)
  const { [SEARCH]: text } = params
  if (text !== undefined && typeof text !== 'string')
    return invalid([{ pointer: `/${SEARCH}`, detail: 'must be a text' }])
  const searched = await searchThings(text, call)
  return 'problem' in searched ? searched : { json: JSON.stringify({ items: searched.found }) }
}

const invalid = (faults: readonly { readonly pointer: string; readonly detail: string }[]): MethodResult => ({
  problem: refusalProblem({ code: 'invalid', faults }),
})
