import type { Fault } from '../../values/members.ts'
import { readAttributes, stepsFrom } from '../attributes.ts'
import type { Deal } from '../deal/deal.ts'
import type { Circumstances, Operation } from '../operation.ts'
import type { WrongState } from '../refusal.ts'
import { type Decided, type Step, wrongState } from './decided.ts'

/** All or nothing; every step is an operation of its own, with its own event and revision. */
export function decideAttributes(raw: unknown, current: Deal, circumstances: Circumstances): Decided {
  const read = readAttributes(raw, current)
  if ('refused' in read) return read
  const faults = [...read.faults]
  const steps: Step[] = []
  let deal = current
  let refused: WrongState | undefined
  for (const step of stepsFrom(current, read.wanted)) {
    const { operation } = step
    const decision = 'faults' in step ? step : operation.decide(deal, step.params, circumstances)
    if ('faults' in decision) faults.push(...decision.faults.map((fault) => whereWritten(fault, operation)))
    else if ('notAllowed' in decision)
      refused ??= wrongState(operation, decision.notAllowed, current, circumstances.now)
    else {
      deal = decision.deal
      steps.push({ operation, ...decision })
    }
  }
  if (faults.length > 0) return { refused: { code: 'invalid', faults } }
  return refused === undefined ? { deal, steps } : { refused }
}

function whereWritten(fault: Fault, { sets = {} }: Operation): Fault {
  const name = fault.pointer.slice(1)
  return { ...fault, pointer: `/${sets[name] ?? name}` }
}
