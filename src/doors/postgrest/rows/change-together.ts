import { type Problem, placedAnew, type RefusedCall } from '../../../http/contract/problems/problem.ts'
import { detailOf } from '../../../http/contract/problems/told-problem.ts'
import type { Applied, Write } from '../../../http/contract/write.ts'
import { apply } from '../../../http/write/write.ts'
import type { DoorCall } from '../../door.ts'
import { writeParts } from '../../kit/write-parts.ts'

/**
 * Performs writes of which all take effect or none. Of several refusals the first is reported, with its place in the
 * body.
 */
export async function changeTogether(
  writes: readonly Write[],
  call: DoorCall,
  places: readonly string[] = [],
): Promise<readonly Applied[] | RefusedCall> {
  const pointerTo = (index: number): string => places[index] ?? ''
  const [only, ...others] = writes
  if (only === undefined) return []
  if (others.length === 0) {
    const applied = await apply(pointerTo(0) === '' ? only : { ...only, around: { ...call.around, among: 0 } }, call)
    return 'problem' in applied ? placed(applied.problem, pointerTo(0)) : [applied]
  }
  const outcomes = await writeParts(writes, call)
  if ('problem' in outcomes) return outcomes
  const refused = outcomes.flatMap((each, index) => ('problem' in each ? [{ index, problem: each.problem }] : []))
  const [first] = refused
  if (first === undefined) return outcomes.filter((each): each is Applied => 'outcome' in each)
  const { index, problem } = first
  const count = `${refused.length} of ${writes.length} rows ${refused.length === 1 ? 'is' : 'are'} refused`
  const detail = `${detailOf(problem).replace(/\.$/, '')}. Nothing was done: ${count}.`
  return placed({ ...problem, detail }, pointerTo(index))
}

const placed = (problem: Problem, pointer: string): RefusedCall => ({
  problem: placedAnew(problem, (at) => (at.pointer === undefined ? at : { ...at, pointer: pointer + at.pointer })),
})
