import type { Problem, RefusedCall } from '../../http/contract/problems/problem.ts'
import { type Around, writeWords } from '../../http/contract/write.ts'
import { readKnownParameters } from '../../http/request/known-parameters.ts'
import { readAround } from '../../http/write/intent.ts'
import type { QueryString } from '../../queries/query-string.ts'
import { isObject } from '../../values/json/is-object.ts'
import type { DoorCall, Knocking } from '../door.ts'

const DRY_RUN = 'dry-run'

/** One of our options in a place whose members are ignored: a write must not proceed without it. */
export const misplacedWord = (place: unknown): string | undefined =>
  isObject(place) ? writeWords.find((word) => Object.hasOwn(place, word)) : undefined

/**
 * Reads the options of a write outside its content, and leaves the parameters of the protocol. Reads interpret them
 * differently.
 */
export function readAroundContent(
  call: Pick<Knocking, 'method' | 'headers' | 'service' | 'schema'>,
  query: QueryString,
): { readonly around: Around; readonly query: QueryString } | RefusedCall {
  if (call.method === 'GET' || call.method === 'HEAD') return { around: { guard: { required: false } }, query }
  const own = query.parameters.filter(({ name }) => name === DRY_RUN)
  const known = readKnownParameters({ ...query, parameters: own }, [DRY_RUN])
  if ('problem' in known) return known
  const read = readAround(call, known.parameters)
  if ('problem' in read || own.length === 0) return { ...read, query }
  return { ...read, query: { ...query, parameters: query.parameters.filter(({ name }) => name !== DRY_RUN) } }
}

/** The fault of a parameter at an address that knows only `dry-run`. */
export function superfluousParameter({ query }: Pick<DoorCall, 'query'>): Problem | undefined {
  const read = readKnownParameters(query, [])
  return 'problem' in read ? read.problem : undefined
}
