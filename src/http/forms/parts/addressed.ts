import type { Operation } from '../../../model/schema.ts'
import { isOwn } from '../../../values/json/own.ts'
import { isObject } from '../../../values/members.ts'
import type { Call } from '../../contract/endpoint.ts'
import type { FormRoute } from '../../contract/form.ts'
import type { Write } from '../../contract/write.ts'
import { rawParams } from './parameters.ts'

/** Reads a request whose address names the thing and the operation, and whose body is the parameters. */
export function addressed(call: Call, { operation }: FormRoute): Write {
  if (operation === undefined) throw new Error('the route names no operation')
  return {
    resource: operation.on.name,
    target: targetIn(call),
    change: changeIn(call, operation),
  }
}

/** A form that shows added fields sends them all: only those that differ are set. */
function changeIn(call: Call, operation: Operation): Write['change'] {
  if (call.fields === undefined) return { action: operation.name, params: withParameters(call, operation) }
  const params = rawParams(call, operation)
  if (operation.to === 'nothing' || !Object.keys(operation.sets ?? {}).some(isOwn))
    return { action: operation.name, params }
  return { attributes: params, whole: false }
}

/** The parameters in the body, or, if the method usually has none, in the query. */
function withParameters({ body = {}, parameters }: Call, { params }: Operation): unknown {
  const named = [...parameters].filter(([name]) => Object.hasOwn(params, name))
  return named.length === 0 || !isObject(body) ? body : { ...Object.fromEntries(named), ...body }
}

/** The id in an address, or the unique value. */
export const targetIn = ({ params: { id = '', field, value = '' } }: Pick<Call, 'params'>): unknown =>
  field === undefined ? targetOf(id) : { [field]: value }

/** An id that came as a text: a number if it is written as one that a double holds. */
export function targetOf(id: string): unknown {
  return /^[1-9]\d{0,15}$/.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : id
}
