import { IDLE_SESSION } from '../../../model/nouns/user/session.ts'
import { type Collection, fieldOf } from '../../../queries/collection.ts'
import type { Filter } from '../../../queries/query.ts'

/** The sessions that have not ended; others are removed later. */
export function running(sessions: Collection, user: string, now: number): Filter {
  const term = (field: string, operator: 'eq' | 'gt' | 'gte', value: string) =>
    ({ field: fieldOf(sessions, field), operator, values: [value] }) as const
  return [
    term('user', 'eq', user),
    term('endsAt', 'gt', new Date(now).toISOString()),
    term('seenAt', 'gte', new Date(now - IDLE_SESSION).toISOString()),
  ]
}
