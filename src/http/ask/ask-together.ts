import type { Intent } from '../../model/perform/intent.ts'
import type { Outcome } from '../../store/port/store.ts'
import type { Problem } from '../contract/problems/problem.ts'
import { newIdProblem } from '../request/command-id.ts'
import { type AskedWrite, type Asker, forbids } from './ask.ts'
import { doneBy } from './done-by.ts'

/** A change among many, and what became of it; its problem if it did not come to the store. */
export type SettledWrite =
  | { readonly problem: Problem }
  | { readonly intent: Intent; readonly outcome: Outcome }
  /** It names the thing of a refused one, whose index this is. */
  | { readonly notTried: number }

/**
 * Asks for many changes in one commit, in whichever form. One with a problem keeps its place: it is a refusal, and what
 * names its thing is not tried. The answers are in the order of the changes.
 */
export async function askTogether(
  asked: readonly (AskedWrite | { readonly problem: Problem })[],
  { atomic, dryRun }: { readonly atomic: boolean; readonly dryRun: boolean },
  asker: Asker,
): Promise<{ readonly isKept: boolean; readonly settled: readonly SettledWrite[] }> {
  const { store } = asker.service
  const checked = await Promise.all(
    asked.map(async (each) => {
      if ('problem' in each) return each
      const problem = forbids(each, asker) ?? (each.command && (await newIdProblem(each.command, store)))
      return problem === undefined ? { intent: { ...each, ...doneBy(asker) } } : { problem }
    }),
  )
  const intents = checked.map((each) => ('problem' in each ? 'refused' : each.intent))
  const { isKept, outcomes } = await store.perform({ intents, atomic, dryRun, linked: true })
  const settled = checked.map((each, index): SettledWrite => {
    const outcome = outcomes[index]
    if (outcome === undefined) throw new Error('a change among many was not answered')
    if ('problem' in each) return each
    return outcome.kind === 'not-tried' ? { notTried: outcome.because } : { intent: each.intent, outcome }
  })
  return { isKept, settled }
}
