import { type Problem, type RefusedCall, wrongParameter } from '../../http/contract/problems/problem.ts'
import { readJson } from '../../http/request/body.ts'
import { readKnownParameters } from '../../http/request/known-parameters.ts'
import { type Reason, reason } from '../../values/faults/fault.ts'
import { isObject } from '../../values/json/is-object.ts'
import { parseJson } from '../../values/json/parse-json.ts'
import { pointerTo } from '../../values/json/pointer.ts'
import { NO_OBJECT, unknownMembers } from '../../values/members.ts'
import type { DoorCall } from '../door.ts'
import { misplacedWord, superfluousParameter } from '../kit/around.ts'

/** A request, from an address or from JSON. */
export interface GraphqlRequest {
  readonly query: string
  readonly operationName?: string
  readonly variables?: { readonly [name: string]: unknown }
}

type ReadRequest = { readonly request: GraphqlRequest } | RefusedCall

/** Reads the parameters of a GET or the JSON of a POST. `extensions` is ignored, except for our own words. */
export const readRequest = (call: DoorCall): ReadRequest =>
  call.method === 'POST' ? readPosted(call) : readAddress(call)

function readPosted(call: DoorCall): ReadRequest {
  const around = superfluousParameter(call)
  if (around !== undefined) return { problem: around }
  const read = readJson(call.bytes)
  if ('problem' in read) return read
  return isObject(read.body) ? checked(read.body, malformed) : { problem: malformed('', NO_OBJECT) }
}

/** Anything else is 400, as GraphQL over HTTP says. */
const malformed = (name: string, why: Reason): Problem => ({
  code: 'malformed-body',
  errors: [{ ...why, at: { pointer: name && pointerTo(name) } }],
})

function readAddress({ query }: DoorCall): ReadRequest {
  const read = readKnownParameters(query, ['query', 'variables', 'operationName', 'extensions'])
  if ('problem' in read) return read
  const { format: _, ...sent } = Object.fromEntries(read.parameters)
  return checked({ ...sent, ...('variables' in sent && { variables: jsonIn(sent.variables) }) }, wrongParameter)
}

/** The value of a JSON text; an invalid text is not an object either. */
function jsonIn(text: string | undefined): unknown {
  try {
    return text === undefined || text === '' ? null : parseJson(text)
  } catch {
    return text
  }
}

const MEMBERS = ['query', 'variables', 'operationName', 'extensions']

function checked(
  sent: { readonly [name: string]: unknown },
  problem: (name: string, why: Reason) => Problem,
): ReadRequest {
  const { query, operationName, variables, extensions } = sent
  const [unknown] = unknownMembers(sent, MEMBERS)
  if (unknown !== undefined)
    return { problem: problem(unknown.at.pointer?.slice(1) ?? '', reason(unknown.code, unknown.with)) }
  const word = misplacedWord(extensions)
  if (word !== undefined)
    return { problem: problem('extensions', reason('misplaced', { wants: 'arguments', name: word })) }
  if (query === undefined) return { problem: problem('query', reason('required')) }
  if (typeof query !== 'string') return { problem: problem('query', reason('type', { wants: 'string' })) }
  if (!isNothing(operationName) && typeof operationName !== 'string') {
    return { problem: problem('operationName', reason('type', { wants: 'string' })) }
  }
  if (!isNothing(variables) && !isObject(variables)) return { problem: problem('variables', NO_OBJECT) }
  return {
    request: {
      query,
      ...(typeof operationName === 'string' && operationName !== '' && { operationName }),
      ...(isObject(variables) && { variables }),
    },
  }
}

const isNothing = (value: unknown): boolean => value === undefined || value === null
