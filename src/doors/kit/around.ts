import { header } from '../../http/contract/endpoint.ts'
import { headerProblem, type Problem } from '../../http/contract/problems/problem.ts'
import { readIdempotencyKey } from '../../http/request/command-id.ts'
import { readKnownParameters, readSwitch } from '../../http/request/known-parameters.ts'
import { readGuard, statedPrecondition } from '../../http/request/preconditions.ts'
import type { QueryString } from '../../queries/query-string.ts'
import { reason } from '../../values/faults/fault.ts'
import { isObject } from '../../values/members.ts'
import type { Around, DoorCall, Knocking } from '../door.ts'

const DRY_RUN = 'dry-run'

/** The words of the content. */
export const words = ['commandId', 'expectedRevision', 'dryRun'] as const

/** One of them in a place whose members are passed over: a write must not go on without it. */
export const misplacedWord = (place: unknown): string | undefined =>
  isObject(place) ? words.find((word) => Object.hasOwn(place, word)) : undefined

/** Reads what stands around a write, and leaves the parameters of the protocol. A read has its own meaning for them. */
export function readAround(
  call: Pick<Knocking, 'method' | 'headers' | 'service' | 'schema'>,
  query: QueryString,
): { readonly around: Around; readonly query: QueryString } | { readonly problem: Problem } {
  const { tags, settings } = call.service
  if (call.method === 'GET' || call.method === 'HEAD') return { around: { guard: { required: false } }, query }
  const guarded = readGuard(call, tags(call.schema), settings.requireIfMatch)
  if ('problem' in guarded) return guarded
  const sent = header(call, 'idempotency-key')
  const key = sent === undefined ? undefined : readIdempotencyKey(sent)
  if (key !== undefined && 'problem' in key) return key
  const own = query.parameters.filter(({ name }) => name === DRY_RUN)
  const around = { ...guarded, ...(key && { key: key.command }) }
  if (own.length === 0) return { around, query }
  const read = readKnownParameters({ ...query, parameters: own }, [DRY_RUN])
  if ('problem' in read) return read
  const dryRun = readSwitch(read.parameters, DRY_RUN)
  if ('problem' in dryRun) return dryRun
  const rest = query.parameters.filter(({ name }) => name !== DRY_RUN)
  return { around: { ...around, dryRun: dryRun.on }, query: { ...query, parameters: rest } }
}

/** The fault of a parameter at an address that knows none besides `dry-run`. */
export function superfluousParameter({ query }: Pick<DoorCall, 'query'>): Problem | undefined {
  const read = readKnownParameters(query, [])
  return 'problem' in read ? read.problem : undefined
}

/** The fault of a precondition around several writes, or none: it would speak of one thing. */
export function guardsMany(call: Pick<DoorCall, 'headers'>, wants: string): Problem | undefined {
  const stated = statedPrecondition(call)
  return stated === undefined ? undefined : headerProblem(stated, reason('for-one-thing', { wants }))
}
