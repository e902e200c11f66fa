import { pointerTo } from '../../../../values/json/pointer.ts'
import { text } from '../../../../values/kinds/text.ts'
import { addDays, date } from '../../../../values/kinds/time.ts'
import { optional } from '../../../../values/members.ts'
import { defineOperation } from '../../../declaration/operation.ts'
import { deal } from '../deal.ts'
import { person, UNDO } from '../params.ts'
import { notHeld, open } from '../rules.ts'

export const complete = defineOperation({
  on: deal,
  name: 'complete',
  title: 'Complete',
  words: { participles: ['completed'], noun: 'completions', action: 'CompleteDeal', event: 'deal.completed' },
  group: 'Progress',
  rank: 2,
  sentence: ({ completedOn, acceptedBy, note }, say) => ({
    done:
      acceptedBy === undefined
        ? completedOn === undefined
          ? 'completed it'
          : 'completed it on {date}'
        : completedOn === undefined
          ? 'completed it, accepted by {person}'
          : 'completed it on {date}, accepted by {person}',
    with: {
      ...(completedOn !== undefined && { date: say.date(completedOn) }),
      ...(acceptedBy !== undefined && { person: String(acceptedBy) }),
    },
    ...(note !== undefined && { said: String(note) }),
  }),
  params: () => ({
    completedOn: optional(date),
    acceptedBy: optional(person),
    note: optional(text({ min: 1, max: 5000 })),
  }),
  examples: [
    { completedOn: '2026-10-30', acceptedBy: 'Jonas Weber', note: 'signed on site' },
    { acceptedBy: 'Jonas Weber' },
    {},
  ],
  allowed: [open, notHeld],
  changes: ['status', 'completedOn', 'acceptedBy'],
  fromRow: (deal, { status = deal.status, completedOn, acceptedBy }) =>
    status === 'completed' && deal.status !== status ? { params: given({ completedOn, acceptedBy }) } : undefined,
  turn: 'last',
  check: ({ completedOn }, now) =>
    completedOn === undefined || completedOn <= dayAfter(now)
      ? []
      : [
          {
            code: 'too-late',
            with: { max: dayAfter(now), wants: 'tomorrow' },
            at: { pointer: pointerTo('completedOn') },
          },
        ],
  undo: () => [{ operation: 'reopen', params: { reason: UNDO } }],
  apply: (_deal, { completedOn, acceptedBy }, now) => ({
    status: 'completed' as const,
    completedOn: completedOn ?? now.slice(0, 10),
    acceptedBy: acceptedBy ?? null,
  }),
})

const given = (params: object) => Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined))

/** Tomorrow in UTC: in some time zones that day has begun. */
const dayAfter = (now: string): string => addDays(now.slice(0, 10), 1)
