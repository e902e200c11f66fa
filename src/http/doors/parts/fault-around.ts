import { header } from '../../endpoint.ts'
import { readKnownParameters } from '../../request/known-parameters.ts'
import { statedPrecondition } from '../../request/preconditions.ts'
import { headerProblem, type Problem } from '../../respond/problems/problem.ts'
import type { DoorCall } from '../door.ts'

/** Where the content says it instead; a key is read unless there is a word for it. */
interface SaidInContent {
  readonly revision: string
  readonly key?: string
}

/**
 * The fault in what stands around a content that says everything: a parameter or a header that speaks of one write. If
 * it were passed over, a write would be done that was meant as a dry run, done twice, or done on another state.
 */
export function faultAround(call: DoorCall, instead: SaidInContent): Problem | undefined {
  const read = readKnownParameters(call.query, [])
  if ('problem' in read) return read.problem
  const stated = statedPrecondition(call)
  if (stated !== undefined) return headerProblem(stated, `is for one thing; here ${instead.revision}`)
  if (instead.key === undefined || header(call, 'idempotency-key') === undefined) return undefined
  return headerProblem('Idempotency-Key', `is for one write; here ${instead.key}`)
}
