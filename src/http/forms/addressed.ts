import type { Call } from '../endpoint.ts'
import { type Asked, bare, type FormRoute } from './form.ts'
import { rawParams } from './parameters.ts'

/** Where the address names both the deal and the operation, and the body is its parameters. */
export function addressed(call: Call, { operation }: FormRoute): Asked {
  if (operation === undefined) throw new Error('the route names no operation')
  return {
    deal: call.params.id,
    change: { action: operation.name, params: rawParams(call, operation) },
    pointers: bare,
    faults: [],
  }
}
