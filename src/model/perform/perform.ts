import type { Resource } from '../declaration/schema.ts'
import { callerNow } from '../intent/grants.ts'
import type { DecisionFacts, Intent, Verdict } from '../intent/intent.ts'
import { withNamedValue } from '../intent/unique-values.ts'
import { change } from './change.ts'
import { inUse, unique } from './consequences.ts'
import { contentOf } from './content.ts'
import { events } from './events.ts'
import { gate } from './gate.ts'
import { guard } from './guard.ts'
import { known } from './known.ts'
import { persons } from './persons.ts'
import { owners, rights } from './rights.ts'
import { Stages } from './step.ts'
import { deleted, inSight } from './target.ts'
import { named } from './upsert.ts'

/** Decides an intent. Pure: the current thing and the known command are arguments. */
export function decideIntent(asked: Intent, given: DecisionFacts): Verdict {
  const { thing, resource, now } = given
  // The clock may have been set back.
  const facts = thing !== undefined && thing.updatedAt > now ? { ...given, now: thing.updatedAt } : given
  return stages.decide({ content: contentOf(withNamedValue(byRightsNow(asked, resource), resource), facts), facts })
}

/** The caller was admitted a while ago. */
const byRightsNow = (intent: Intent, { schema }: Resource): Intent => {
  const { caller } = intent
  const now = caller && callerNow(schema, caller)
  return now === undefined || now === caller ? intent : { ...intent, caller: now }
}

const stages = new Stages(known)
  .next(named)
  .next(inSight)
  .next(deleted)
  .next(rights)
  .next(guard)
  .next(owners)
  .next(persons)
  .next(change)
  .next(gate)
  .next(unique)
  .next(inUse)
  .next(events)

/** Only what the audit tells of is prepared outside its transaction: others follow events, which repeat. */
export const unprepared = ({ resource, change }: Intent): Error =>
  new Error(`${'action' in change ? change.action : 'an update'} of a ${resource} cannot be prepared`)
