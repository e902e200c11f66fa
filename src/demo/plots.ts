import { lostReasons } from './model.ts'
import { type Stage, type StoryStep, story } from './story.ts'

/** The course of a deal. Written by hand, so that every status, stage, flag and operation occurs. */
export interface Plot {
  /** The number of sample deals that take this course. */
  readonly times: number
  /** The steps after those that lead to its stage. */
  readonly steps: readonly StoryStep[]
  /** The stages that such deals reach, in turn. */
  readonly stages: readonly Stage[]
}

const all: readonly Stage[] = ['lead', 'qualified', 'proposal', 'negotiation', 'contract']
const late: readonly Stage[] = ['proposal', 'negotiation', 'contract']

export const plots: readonly Plot[] = [
  { times: 8, stages: all, steps: [] },
  { times: 6, stages: all, steps: [story.note, story.discount] },
  { times: 5, stages: late, steps: [story.postpone(0), story.pay(20), story.note] },
  { times: 2, stages: late, steps: [story.hold, story.unhold, story.rename] },
  { times: 4, stages: all, steps: [story.hold] },
  { times: 1, stages: ['negotiation'], steps: [story.hold, story.holdAgain] },
  { times: 3, stages: late, steps: [story.postpone(2), story.changeCustomer] },
  { times: 1, stages: ['qualified'], steps: [story.unassign, story.describe] },
  { times: 9, stages: ['contract'], steps: [story.pay(30), story.complete, story.pay(70)] },
  {
    times: 6,
    stages: ['contract', 'negotiation'],
    steps: [story.postpone(3), story.complete, story.pay(100), story.archive],
  },
  { times: 1, stages: ['contract'], steps: [story.complete, story.archive, story.unarchive] },
  { times: 4, stages: all, steps: [story.cancel(0)] },
  { times: 2, stages: late, steps: [story.hold, story.cancel(5)] },
  { times: 2, stages: late, steps: [story.cancel(8), story.waive, story.archive] },
  { times: 2, stages: ['proposal', 'contract'], steps: [story.cancel(0), story.reopen, story.note] },
  { times: 1, stages: ['contract'], steps: [story.complete, story.reopen, story.discount] },
  { times: 2, stages: ['lead', 'proposal'], steps: [story.delete] },
  { times: 1, stages: ['qualified'], steps: [story.delete, story.restore, story.note] },
]

/** The courses of renewals. */
export const renewalPlots: readonly Plot[] = [
  { times: 7, stages: ['due', 'terms', 'ready', 'due', 'terms'], steps: [] },
  { times: 3, stages: ['terms', 'due', 'ready'], steps: [story.note, story.discount] },
  { times: 1, stages: ['terms'], steps: [story.hold] },
  { times: 4, stages: ['ready', 'ready', 'terms'], steps: [story.complete] },
  { times: 3, stages: ['terms', 'due'], steps: [story.cancel(0, lostReasons)] },
]
