import type { Refusal } from '../../../model/refusal.ts'
import type { Key } from '../../../model/resource.ts'
import { resourceNamed } from '../../../model/resources.ts'
import type { Json } from '../../../values/kinds/kind.ts'
import type { Addresses } from '../../addresses.ts'
import type { SettledWrite } from '../../ask/ask-together.ts'
import { commandMembers } from '../../respond/documents.ts'
import { isDraft, withoutTried } from '../../respond/drafts.ts'
import { type Problem, problemMembers, refusalProblem } from '../../respond/problems/problem.ts'
import type { ResultStatus } from './batch-shape.ts'

/** What became of one command, as its answer shows it. */
export type CommandResult = { readonly index: number; readonly status: ResultStatus } & {
  readonly [name: string]: Json
}

/** Writes results. `minimal` leaves the things out. */
export function resultWriter(
  addresses: Addresses,
  { dryRun, minimal = false }: { readonly dryRun: boolean; readonly minimal?: boolean },
): (index: number, settled: SettledWrite) => CommandResult {
  /** The things that only a dry run makes. */
  const drafts = new Set<string>()
  const isMadeHere = (resource: string, id: unknown): boolean => drafts.has(`${resource} ${id}`)

  return (index, settled) => {
    if ('problem' in settled) return rejected(index, settled.problem)
    if ('notTried' in settled) return { index, status: 'not-tried', dependsOn: settled.notTried }
    const { intent, outcome } = settled
    if (outcome.kind === 'refused') {
      return rejected(index, refusalProblem(dryRun ? withoutDrafts(outcome.refusal) : outcome.refusal))
    }
    const resource = resourceNamed(intent.resource)
    const { thing, command, removed } = outcome
    if (isDraft({ target: intent.target, dryRun }, outcome)) drafts.add(`${resource.name} ${thing.id}`)
    if (minimal) return { index, status: 'applied' }
    const shown = removed ? { id: thing.id } : (JSON.parse(thing.json) as { readonly [name: string]: Json })
    return {
      index,
      status: 'applied',
      [resource.name]: dryRun ? withoutTried(resource, shown, isMadeHere) : shown,
      ...(command && !dryRun && { command: commandMembers(command, addresses, false) as Json }),
    }
  }

  function rejected(index: number, problem: Problem): CommandResult {
    return { index, status: 'rejected', problem: problemMembers(problem, addresses) }
  }

  function withoutDrafts(refusal: Refusal): Refusal {
    if (refusal.code === 'in-use' && isMadeHere(refusal.resource, refusal.id)) return { ...refusal, id: NEW as Key }
    if (refusal.code !== 'wrong-state') return refusal
    const { id, ...thing } = refusal.thing
    return isMadeHere(refusal.resource, id) ? { ...refusal, thing } : refusal
  }
}

const NEW = 'of this batch'

export const isApplied = ({ status }: CommandResult): boolean => status === 'applied'

/** What was not tried depends on another, which then is a repeat itself. */
export const isReplay = (settled: SettledWrite): boolean =>
  'outcome' in settled ? settled.outcome.replayed : 'notTried' in settled
