import { pointerTo } from '../../../../values/json/pointer.ts'
import { required, withDefault } from '../../../../values/members.ts'
import { defineOperation } from '../../../declaration/operation.ts'
import { deal } from '../deal.ts'
import { ATTRIBUTE_UPDATE, penalty, reason, UNDO, waiving, withPenalty } from '../params.ts'
import { notHeld, open } from '../rules.ts'
import { addTo } from '../total.ts'

export const changeCompletionDate = defineOperation({
  on: deal,
  name: 'change-completion-date',
  title: 'Change the completion date',
  words: {
    participles: ['completion-date-changed'],
    noun: 'completion-date-changes',
    action: 'ChangeDealCompletionDate',
    event: 'deal.completion-date-changed',
  },
  group: 'Terms',
  sentence: ({ newDate, amercement, whyChanged }, say) => {
    const { done, with: penalty } =
      newDate === null
        ? withPenalty(amercement, say, 'removed the completion date', 'removed the completion date, penalty {penalty}')
        : withPenalty(
            amercement,
            say,
            'moved the completion date to {date}',
            'moved the completion date to {date}, penalty {penalty}',
          )
    return {
      done,
      with: { ...penalty, ...(newDate !== null && { date: say.date(newDate) }) },
      said: String(whyChanged),
    }
  },
  params: ({ kinds }) => ({
    newDate: required(kinds.completionDate),
    amercement: withDefault(penalty, 0),
    whyChanged: required(reason),
  }),
  examples: [
    { newDate: '2027-03-31', amercement: 120.5, whyChanged: 'parts arrive late' },
    { newDate: '2027-03-31', whyChanged: 'parts arrive late' },
    { newDate: null, whyChanged: 'the customer decides later' },
  ],
  allowed: [open, notHeld],
  changes: ['completionDate', 'amercement'],
  fromAttributes: (deal, { completionDate = deal.completionDate }) =>
    completionDate === deal.completionDate
      ? undefined
      : { params: { newDate: completionDate, whyChanged: ATTRIBUTE_UPDATE } },
  sets: { newDate: 'completionDate' },
  undo: ({ completionDate }, { amercement }) => [
    { operation: 'change-completion-date', params: { newDate: completionDate, whyChanged: UNDO } },
    ...waiving(amercement),
  ],
  apply: (deal, { newDate, amercement }) =>
    addTo(deal.amercement, amercement, pointerTo('amercement'), (total) => ({
      completionDate: newDate,
      amercement: total,
    })),
})
