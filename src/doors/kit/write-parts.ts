import type { RefusedCall } from '../../http/contract/problems/problem.ts'
import type { Applied, Write } from '../../http/contract/write.ts'
import { appliedOf, writeTogether } from '../../http/write/write.ts'
import type { DoorCall } from '../door.ts'

/** The outcome of a write that goes together with others; it may be undone, or not tried, because of another one. */
export type PartOutcome = Applied | RefusedCall | { readonly because: number }

/** Performs writes of which all take effect or none: if one is refused, none is applied, unless they are dry runs. */
export async function writeParts(
  writes: readonly (Write | RefusedCall)[],
  call: DoorCall,
): Promise<readonly PartOutcome[] | RefusedCall> {
  const done = await writeTogether(writes, { atomic: true }, call)
  if ('problem' in done) return done
  const outcomes = done.written.map((each): PartOutcome => {
    if ('problem' in each) return each
    return 'notTried' in each ? { because: each.notTried } : appliedOf(each, call)
  })
  const refused = outcomes.findIndex((each) => 'problem' in each)
  if (refused === -1) return outcomes
  return outcomes.map((each) => ('outcome' in each && !each.intent.dryRun ? { because: refused } : each))
}
