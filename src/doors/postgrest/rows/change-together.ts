import { type Problem, placedAnew, type RefusedCall } from '../../../http/contract/problems/problem.ts'
import { detailOf } from '../../../http/contract/problems/told-problem.ts'
import type { Applied, Write } from '../../../http/contract/write.ts'
import { appliedOf, apply, writeTogether } from '../../../http/write/write.ts'
import type { DoorCall } from '../../door.ts'

/**
 * Performs writes of which all take effect or none. Of several refusals the first is reported, with its position in the
 * body if that is a list.
 */
export async function changeTogether(
  writes: readonly Write[],
  call: DoorCall,
  isList = false,
): Promise<readonly Applied[] | RefusedCall> {
  const pointerTo = (index: number): string => (isList ? `/${index}` : '')
  const [only, ...others] = writes
  if (only === undefined) return []
  if (others.length === 0) {
    const applied = await apply(isList ? { ...only, around: { ...call.around, among: 0 } } : only, call)
    return 'problem' in applied ? placed(applied.problem, pointerTo(0)) : [applied]
  }
  const done = await writeTogether(writes, { atomic: true }, call)
  if ('problem' in done) return done
  const applied: Applied[] = []
  const refusals: { readonly index: number; readonly problem: Problem }[] = []
  for (const [index, each] of done.written.entries()) {
    if ('problem' in each) return placed(each.problem, pointerTo(index))
    const told = 'notTried' in each ? undefined : appliedOf(each, call)
    if (told !== undefined && 'problem' in told) refusals.push({ index, ...told })
    else if (told !== undefined) applied.push(told)
  }
  const [first] = refusals
  if (first === undefined) return applied
  const { index, problem } = first
  const count = `${refusals.length} of ${writes.length} rows ${refusals.length === 1 ? 'is' : 'are'} refused`
  const detail = `${detailOf(problem).replace(/\.$/, '')}. Nothing was done: ${count}.`
  return placed({ ...problem, detail }, pointerTo(index))
}

const placed = (problem: Problem, pointer: string): RefusedCall => ({
  problem: placedAnew(problem, (at) => (at.pointer === undefined ? at : { ...at, pointer: pointer + at.pointer })),
})
