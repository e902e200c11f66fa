import type { Call } from '../../contract/endpoint.ts'
import type { RefusedCall } from '../../contract/problems/problem.ts'
import type { Addressed } from '../audited/audited-writes.ts'
import { group, ownName } from './addressed-user.ts'

/** Shared by operations of people on themselves, and of admins on all. */
export const theirs = {
  group,
  addressed: (call: Call) => named(call, (target) => ({ target })),
  afterwards: ({ service }: Call) => service.access.refresh(),
  refused: { screen: 'user form' },
} as const

/** The same for what belongs to a user; `part` is the parameter of the address that names it. */
export const belonging = (part: string) => ({
  ...theirs,
  addressed: (call: Call) =>
    named(call, (user) => ({
      within: { user },
      ...(call.params[part] !== undefined && { target: call.params[part] }),
    })),
})

function named(call: Call, addressed: (name: string) => Addressed): Addressed | RefusedCall {
  const user = ownName(call)
  return 'problem' in user ? user : addressed(user.name)
}
