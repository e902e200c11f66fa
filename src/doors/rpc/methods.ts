import { orNearest } from '../../http/contract/problems/told-problem.ts'
import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import { isObject } from '../../values/json/is-object.ts'
import { camelCase } from '../../values/letter-case.ts'
import { NO_OBJECT, unknownMembers } from '../../values/members.ts'
import type { DoorCall } from '../door.ts'
import {
  callGet,
  callList,
  callOperation,
  callSearch,
  invalidParams,
  type NamedParams,
  type NamedResult,
} from '../kit/call-by-name.ts'
import { METHOD_NOT_FOUND, type RpcError } from '../kit/json-rpc.ts'
import { DISCOVER, discoveredIn } from './discover.ts'

interface RpcMethod {
  readonly reads: boolean
  readonly call: (params: NamedParams, call: DoorCall) => Promise<NamedResult>
}

/** Every method by its name: those of a resource, each operation also in camel case and by its action, and the search. */
const methodsOf = bySchema(
  ({ resources }: Schema): ReadonlyMap<string, RpcMethod> =>
    new Map([
      ...resources.flatMap((resource): [string, RpcMethod][] => [
        [`${resource.plural}.get`, { reads: true, call: (params, call) => callGet(resource, params, call) }],
        [`${resource.plural}.list`, { reads: true, call: (params, call) => callList(resource, params, call) }],
        ...resource.operations.flatMap((operation) =>
          [operation.name, camelCase(operation.name), operation.words.action].map((word): [string, RpcMethod] => [
            `${resource.plural}.${word}`,
            { reads: false, call: (params, call) => callOperation(operation, params, call) },
          ]),
        ),
      ]),
      ['search', { reads: true, call: callSearch }],
      [DISCOVER, { reads: true, call: discover }],
    ]),
)

async function discover(params: NamedParams, { schema, service }: DoorCall): Promise<NamedResult> {
  const unknown = unknownMembers(params, [])
  return unknown.length > 0 ? invalidParams(unknown) : { json: discoveredIn(schema)(service.version) }
}

/** Whether a method changes nothing. */
export const isReading = (name: string, { schema }: DoorCall): boolean => methodsOf(schema).get(name)?.reads ?? false

export type MethodResult = NamedResult | { readonly unknown: RpcError }

/** Calls a method; its parameters are given by name. */
export async function callMethod(name: string, params: unknown, call: DoorCall): Promise<MethodResult> {
  const methods = methodsOf(call.schema)
  const method = methods.get(name)
  if (method === undefined) {
    const detail = `There is no method ${JSON.stringify(name)}${orNearest(name, methods.keys())}`
    return { unknown: { code: METHOD_NOT_FOUND, message: 'Method not found', data: { detail } } }
  }
  const named = params ?? {}
  return isObject(named) ? method.call(named, call) : invalidParams([{ ...NO_OBJECT, at: { pointer: '' } }])
}
