import type { Refusal } from '../../../model/refusal.ts'
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
  /** The things that only a dry run makes, with what names them in the batch. */
  const drafts = new Map<string, string>()
  const draftNamed = (resource: string, id: unknown): string | undefined => drafts.get(`${resource} ${id}`)
  const isMadeHere = (resource: string, id: unknown): boolean => draftNamed(resource, id) !== undefined

  return (index, settled) => {
    if ('problem' in settled) return rejected(index, settled.problem)
    if ('notTried' in settled) return { index, status: 'not-tried', dependsOn: settled.notTried }
    const { intent, outcome } = settled
    if (outcome.kind === 'refused') {
      return rejected(index, refusalProblem(dryRun ? withoutDrafts(outcome.refusal) : outcome.refusal))
    }
    const resource = resourceNamed(intent.resource)
    const { thing, command, removed } = outcome
    if (isDraft({ target: intent.target, dryRun }, outcome)) drafts.set(`${resource.name} ${thing.id}`, `$${index}`)
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

  /** Names what does not exist as the batch does. decisions/0009 */
  function withoutDrafts(refusal: Refusal): Refusal {
    switch (refusal.code) {
      case 'not-found':
      case 'deleted':
      case 'not-owner':
      case 'in-use': {
        const id = draftNamed(refusal.resource, refusal.id)
        return id === undefined ? refusal : { ...refusal, id }
      }
      case 'invalid':
        return { ...refusal, faults: refusal.faults.map((fault) => ({ ...fault, detail: retold(fault.detail) })) }
      case 'wrong-state': {
        const { id, ...thing } = refusal.thing
        return isMadeHere(refusal.resource, id) ? { ...refusal, thing } : refusal
      }
      case 'revision-required':
      case 'stale-revision':
      case 'precondition-failed':
      case 'unknown-action':
      case 'command-id-reused':
      case 'idempotency-key-reused':
        return refusal
    }
  }

  function retold(detail: string): string {
    const [, before = '', resource = '', id = '', behind = ''] = namesThing.exec(detail) ?? []
    const name = draftNamed(resource, id)
    return name === undefined ? detail : before + name + behind
  }
}

/** The details of faults that name a thing by its id. */
const namesThing = /^((?:names|is not the addressed) (\w+),? )([\w-]+)(.*)$/

export const isApplied = ({ status }: CommandResult): boolean => status === 'applied'

/** What was not tried depends on another, which then is a repeat itself. */
export const isReplay = (settled: SettledWrite): boolean =>
  'outcome' in settled ? settled.outcome.replayed : 'notTried' in settled
