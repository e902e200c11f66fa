import { parseExact } from '../../../values/json/exact-numbers.ts'
import type { Json } from '../../../values/json/json.ts'
import type { ResultStatus } from '../../contract/batch-shape.ts'
import type { Call } from '../../contract/endpoint.ts'
import type { Problem } from '../../contract/problems/problem.ts'
import { problemMembers } from '../../contract/problems/told-problem.ts'
import type { WriteOutcome } from '../../contract/write.ts'
import { commandMembers } from '../../respond/documents.ts'
import { appliedOf } from '../../write/write.ts'

/** The result of one command, as in its answer. */
export type CommandResult = { readonly index: number; readonly status: ResultStatus } & {
  readonly [name: string]: Json
}

/** A result, and why it was refused. */
export interface WrittenResult {
  readonly result: CommandResult
  readonly problem?: Problem
}

/** The result of a write. `minimal` leaves the thing out. */
export function resultOf(
  written: WriteOutcome,
  index: number,
  { schema, service: { addresses } }: Pick<Call, 'schema' | 'service'>,
  minimal = false,
): WrittenResult {
  if ('notTried' in written) return { result: { index, status: 'not-tried', dependsOn: written.notTried } }
  const applied = 'problem' in written ? written : appliedOf(written, { schema })
  if ('problem' in applied) {
    const { problem } = applied
    return { result: { index, status: 'rejected', problem: problemMembers(problem, addresses) }, problem }
  }
  if (minimal || applied.isOutOfSight) return { result: { index, status: 'applied' } }
  const { intent, outcome } = applied
  const { thing, command, removed } = outcome
  const { id, ...others } = parseExact(thing.json) as { readonly [name: string]: Json }
  const shown = { ...(id !== undefined && { id }), ...(!removed && others) }
  const result: CommandResult = {
    index,
    status: 'applied',
    [intent.resource]: shown,
    ...(command && !intent.dryRun && { command: commandMembers(command, addresses, schema, false) as Json }),
  }
  return { result }
}

export const isApplied = ({ status }: CommandResult): boolean => status === 'applied'

/** A write that was not tried depends on another, which is then itself a repeat. */
export const isReplay = (written: WriteOutcome): boolean =>
  'outcome' in written ? written.outcome.replayed : 'notTried' in written
