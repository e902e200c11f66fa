import type { Operation } from '../../../model/declaration/schema.ts'
import { type Fault, reason } from '../../../values/faults/fault.ts'
import { isObject } from '../../../values/json/is-object.ts'
import { groupsOf, memberPointer } from '../../../values/members.ts'
import type { Call } from '../../contract/endpoint.ts'
import type { FormRoute } from '../../contract/form.ts'
import { type Problem, type RefusedCall, wrongParameter } from '../../contract/problems/problem.ts'
import type { Write } from '../../contract/write.ts'
import { rawParams } from './parameters.ts'

/** Reads a request whose address names the thing and the operation, and whose body is the parameters. */
export function addressed(call: Call, { operation }: FormRoute): Write | RefusedCall {
  if (operation === undefined) throw new Error('the route names no operation')
  const problem = contradiction(call, operation)
  if (problem !== undefined) return { problem }
  return {
    resource: operation.on.name,
    target: targetIn(call),
    change: changeIn(call, operation),
  }
}

/** A form that shows the fields of a group sends them all: only those that differ are set. */
function changeIn(call: Call, operation: Operation): Write['change'] {
  if (call.fields === undefined) return { action: operation.name, params: withParameters(call, operation) }
  const params = rawParams(call, operation)
  if (operation.to === 'nothing' || groupsOf(Object.keys(operation.sets ?? {})).size === 0)
    return { action: operation.name, params }
  return { attributes: params, whole: false }
}

/** The parameters in the body and, if the method usually has none, in the query. */
function withParameters(call: Call, operation: Operation): unknown {
  const { body = {}, parameters } = call
  if (!isObject(body)) return body
  return { ...body, ...Object.fromEntries(inQuery(call, operation).map((name) => [name, parameters.get(name)])) }
}

/** The parameters that are in the query and not in the body. */
function inQuery({ body, parameters }: Call, { params }: Operation): readonly string[] {
  return [...parameters.keys()].filter((name) => Object.hasOwn(params, name) && !isIn(body, name))
}

const isIn = (body: unknown, name: string): body is Readonly<Record<string, unknown>> =>
  isObject(body) && Object.hasOwn(body, name)

/** A parameter that the body has with another value. */
function contradiction({ body, parameters }: Call, { params }: Operation): Problem | undefined {
  for (const [name, value] of parameters)
    if (Object.hasOwn(params, name) && isIn(body, name) && body[name] !== value)
      return wrongParameter(name, reason('differs', { wants: 'body', other: name }))
  return undefined
}

/** Faults of parameters, in the query where they were sent there. */
export function whereSent(faults: readonly Fault[], call: Call, operation: Operation): readonly Fault[] {
  const names = inQuery(call, operation)
  return faults.map((fault) => {
    const name = names.find((each) => fault.at.pointer === memberPointer(each))
    return name === undefined ? fault : { ...fault, at: { parameter: name } }
  })
}

/** The id in an address, or the unique value. */
export const targetIn = ({ params: { id = '', field, value = '' } }: Pick<Call, 'params'>): unknown =>
  field === undefined ? targetOf(id) : { [field]: value }

/** An id that came as a text: a number if it is written as one that a double holds. */
export function targetOf(id: string): unknown {
  return /^[1-9]\d{0,15}$/.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : id
}
