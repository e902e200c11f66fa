import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'

/** The kinds of activity that people look for, by the types of events. */
export const activityKinds: readonly { readonly title: Text; readonly types: readonly string[] }[] = [
  { title: say('Deals created'), types: ['deal.created'] },
  { title: say('Moved'), types: ['deal.moved'] },
  { title: say('Won'), types: ['deal.completed'] },
  { title: say('Lost'), types: ['deal.cancelled'] },
  { title: say('Notes'), types: ['deal.note-added', 'customer.note-added'] },
  { title: say('Payments'), types: ['deal.payment-recorded'] },
  { title: say('Tasks done'), types: ['task.finished'] },
]

/** The filter for these types of events. */
export const typeFilter = (types: readonly string[]): string =>
  types.length === 1 ? `type=${types.join()}` : `type.in=${types.join()}`
