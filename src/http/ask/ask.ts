import type { Intent } from '../../model/perform/intent.ts'
import { operationNamed, resourceNamed } from '../../model/resources.ts'
import type { Operation } from '../../model/schema.ts'
import { type Outcome, performAlone } from '../../store/port/store.ts'
import type { Guard } from '../../values/guard.ts'
import { mayDo, type Role } from '../../values/role.ts'
import type { Call } from '../contract/endpoint.ts'
import type { FormIntent } from '../contract/form.ts'
import { forbidden, type Problem } from '../contract/problems/problem.ts'
import { newIdProblem } from '../request/command-id.ts'
import { doneBy } from './done-by.ts'

/** A change as a form or a door reads it from a request. */
export interface AskedWrite extends FormIntent {
  readonly guard: Guard
  readonly dryRun: boolean
  /** The name of the form or the door. */
  readonly form: string
}

/** Who asks, and of which service. */
export type Asker = Pick<Call, 'actor' | 'role' | 'caller' | 'desk' | 'schema' | 'service'>

/** Asks for a change, in whichever form: the role, the command id, then the decision. */
export async function ask(
  asked: AskedWrite,
  asker: Asker,
): Promise<{ readonly intent: Intent; readonly outcome: Outcome } | { readonly problem: Problem }> {
  const denied = forbids(asked, asker)
  if (denied !== undefined) return { problem: denied }
  const { store } = asker.service
  const badId = asked.command && (await newIdProblem(asked.command, store))
  if (badId !== undefined) return { problem: badId }
  const intent: Intent = { ...asked, ...doneBy(asker) }
  return { intent, outcome: await performAlone(store, intent) }
}

export const roleFor = ({ role, on }: Operation): Role => role ?? on.roles.writes

/** The operation may need a higher role than the address at which it is asked for. */
export function forbids(
  { resource: name, change }: Pick<Intent, 'resource' | 'change'>,
  asker: Pick<Asker, 'actor' | 'role' | 'schema'>,
): Problem | undefined {
  const resource = resourceNamed(asker.schema, name)
  const operation = 'action' in change ? operationNamed(change.action, resource) : undefined
  const needed = operation === undefined ? resource.roles.writes : roleFor(operation)
  return mayDo(asker, needed) ? undefined : forbidden(needed, asker)
}
