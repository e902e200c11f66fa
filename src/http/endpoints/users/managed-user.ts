import type { Call } from '../../contract/endpoint.ts'
import { group, ownName } from './addressed-user.ts'

/** Shared by operations of people on themselves, and of admins on all. */
export const theirs = {
  role: 'reader',
  group,
  target: (call: Call) => {
    const named = ownName(call)
    return 'problem' in named ? named : { ...call.params, ...named }
  },
  afterwards: ({ service }: Call) => service.access.refresh(),
  refused: { screen: 'user form' },
} as const
