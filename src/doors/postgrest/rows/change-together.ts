import { forbids } from '../../../http/ask/ask.ts'
import { doneBy } from '../../../http/ask/done-by.ts'
import { type Problem, placedAnew, thingProblem } from '../../../http/contract/problems/problem.ts'
import { detailOf } from '../../../http/contract/problems/told-problem.ts'
import { newIdProblem } from '../../../http/request/command-id.ts'
import type { DoorCall } from '../../door.ts'
import { type Applied, askChange, readAsked, type WantedChange } from '../../kit/ask-change.ts'

export interface AppliedTogether {
  readonly applied: readonly Applied[]
  /** Whether all of them were decided before. */
  readonly replayed: boolean
}

/**
 * Asks for changes of which all take effect or none. Of several refusals the first is told, with its place in the body if
 * that is a list.
 */
export async function changeTogether(
  wanted: readonly WantedChange[],
  dryRun: boolean,
  call: DoorCall,
  isList = false,
): Promise<AppliedTogether | { readonly problem: Problem }> {
  const pointerTo = (index: number): string => (isList ? `/${index}` : '')
  const callFor = (index: number): DoorCall => (isList ? { ...call, around: { ...call.around, among: index } } : call)
  const [only, ...others] = wanted
  if (only === undefined) return { applied: [], replayed: false }
  if (others.length === 0) {
    const asked = await askChange(only, callFor(0))
    if ('problem' in asked) return { problem: placed(asked.problem, pointerTo(0)) }
    return { applied: [asked.applied], replayed: asked.applied.replayed }
  }
  const intents = []
  for (const [index, each] of wanted.entries()) {
    const read = readAsked(each, callFor(index))
    if ('problem' in read) return read
    const { asked } = read
    const problem = forbids(asked, call) ?? (asked.command && (await newIdProblem(asked.command, call.service.store)))
    if (problem !== undefined) return { problem: placed(problem, pointerTo(index)) }
    intents.push({ ...asked, ...doneBy(call) })
  }
  const { outcomes } = await call.service.store.perform({ intents, atomic: true, dryRun, linked: true })
  const applied: Applied[] = []
  const refusals: { readonly index: number; readonly problem: Problem }[] = []
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.kind === 'applied') applied.push(outcome)
    else if (outcome.kind === 'refused') refusals.push({ index, problem: thingProblem(outcome.refusal, call.schema) })
  }
  const [first] = refusals
  if (first === undefined) return { applied, replayed: applied.every(({ replayed }) => replayed) }
  const { index, problem } = first
  const count = `${refusals.length} of ${wanted.length} rows ${refusals.length === 1 ? 'is' : 'are'} refused`
  const detail = `${detailOf(problem).replace(/\.$/, '')}. Nothing was done: ${count}.`
  return { problem: placed({ ...problem, detail }, pointerTo(index)) }
}

const placed = (problem: Problem, pointer: string): Problem =>
  placedAnew(problem, (at) => (at.pointer === undefined ? at : { ...at, pointer: pointer + at.pointer }))
