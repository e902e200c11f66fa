import type { Refusal } from '../../../model/refusal.ts'
import { resourceNamed } from '../../../model/resources.ts'
import type { Fault } from '../../../values/faults/fault.ts'
import type { Json } from '../../../values/kinds/kind.ts'
import type { SettledWrite } from '../../ask/ask-together.ts'
import type { ResultStatus } from '../../contract/batch-shape.ts'
import type { Call } from '../../contract/endpoint.ts'
import { type Problem, thingProblem } from '../../contract/problems/problem.ts'
import { problemMembers } from '../../contract/problems/told-problem.ts'
import { commandMembers } from '../../respond/documents.ts'
import { isDraft, withoutTried } from '../../respond/drafts.ts'

/** What became of one command, as its answer shows it. */
export type CommandResult = { readonly index: number; readonly status: ResultStatus } & {
  readonly [name: string]: Json
}

/** A result, and why it is none. */
export interface WrittenResult {
  readonly result: CommandResult
  readonly problem?: Problem
}

/** Writes results. `minimal` leaves the things out. */
export function resultWriter(
  { schema, service: { addresses } }: Call,
  { dryRun, minimal = false }: { readonly dryRun: boolean; readonly minimal?: boolean },
): (index: number, settled: SettledWrite) => WrittenResult {
  /** The things that only a dry run makes, with what names them in the batch. */
  const drafts = new Map<string, string>()
  const draftNamed = (resource: string, id: unknown): string | undefined => drafts.get(`${resource} ${id}`)
  const isMadeHere = (resource: string, id: unknown): boolean => draftNamed(resource, id) !== undefined

  return (index, settled) => {
    if ('problem' in settled) return rejected(index, settled.problem)
    if ('notTried' in settled) return { result: { index, status: 'not-tried', dependsOn: settled.notTried } }
    const { intent, outcome } = settled
    if (outcome.kind === 'refused') {
      return rejected(index, thingProblem(dryRun ? withoutDrafts(outcome.refusal) : outcome.refusal, schema))
    }
    const resource = resourceNamed(schema, intent.resource)
    const { thing, command, removed } = outcome
    if (isDraft({ target: intent.target, dryRun }, outcome)) drafts.set(`${resource.name} ${thing.id}`, `$${index}`)
    if (minimal) return { result: { index, status: 'applied' } }
    const shown = removed ? { id: thing.id } : (JSON.parse(thing.json) as { readonly [name: string]: Json })
    const result: CommandResult = {
      index,
      status: 'applied',
      [resource.name]: dryRun ? withoutTried(resource, shown, isMadeHere) : shown,
      ...(command && !dryRun && { command: commandMembers(command, addresses, schema, false) as Json }),
    }
    return { result }
  }

  function rejected(index: number, problem: Problem): WrittenResult {
    return { result: { index, status: 'rejected', problem: problemMembers(problem, addresses) }, problem }
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
        return { ...refusal, faults: refusal.faults.map(renamed) }
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

  /** A fault that names a thing has it `on` a resource, with its `id`. */
  function renamed(fault: Fault): Fault {
    const { on, id } = fault.with ?? {}
    const draft = draftNamed(String(on), id)
    return draft === undefined ? fault : { ...fault, with: { ...fault.with, id: draft } }
  }
}

export const isApplied = ({ status }: CommandResult): boolean => status === 'applied'

/** What was not tried depends on another, which then is a repeat itself. */
export const isReplay = (settled: SettledWrite): boolean =>
  'outcome' in settled ? settled.outcome.replayed : 'notTried' in settled
