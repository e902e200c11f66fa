import type { OccupiedPart, Params } from '../declaration/operation.ts'
import type { Refusal } from '../declaration/refusal.ts'
import type { Thing } from '../declaration/resource.ts'
import type { Operation } from '../declaration/schema.ts'
import type { DecisionFacts, Verdict } from '../intent/intent.ts'
import type { CommandContent } from './content.ts'

/** One question of a decision: the step for the next stage, or the verdict that ends the decision. */
export type Stage<From, To = From> = (step: From) => To | Verdict

/** The intent as a command has it, and the store's facts. */
export interface Question {
  readonly content: CommandContent
  readonly facts: DecisionFacts
}

/** The thing that it is about: a blank one if it makes one. */
export interface Aim extends Question {
  readonly before: Thing
  /** The creation that an upsert becomes if nothing has its value. */
  readonly creation?: CommandContent
}

/** The thing after the change, and the operations that lead there. */
export interface Change extends Aim {
  readonly after: Thing
  readonly steps: readonly DecidedStep[]
}

/** One operation and the thing after it. */
export interface DecidedStep {
  readonly operation: Operation
  readonly params: Params
  readonly thing: Thing
  readonly occupied?: OccupiedPart | undefined
}

/** Stages in their order. The first verdict ends the decision. */
export class Stages<From, To> {
  readonly decide: Stage<From, To>
  constructor(decide: Stage<From, To>) {
    this.decide = decide
  }
  next<Further>(stage: Stage<To, Further>): Stages<From, Further> {
    return new Stages((first) => {
      const step = this.decide(first)
      return isVerdict(step) ? step : stage(step)
    })
  }
}

const isVerdict = (step: unknown): step is Verdict => typeof step === 'object' && step !== null && 'kind' in step

export const refuse = (refusal: Refusal): Verdict => ({ kind: 'refuse', refusal })

/** The thing as it was; undefined if it was not there. */
export const formerly = ({ before }: Aim): Thing | undefined => (before.revision === 0 ? undefined : before)
