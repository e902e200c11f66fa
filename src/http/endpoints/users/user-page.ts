import { IDLE_SESSION } from '../../../model/user/session.ts'
import type { StoredUser } from '../../../model/user/user.ts'
import { type Collection, fieldOf } from '../../../queries/collection.ts'
import { collectionsOf } from '../../../queries/collections.ts'
import type { Filter } from '../../../queries/query.ts'
import type { Document } from '../../../representations/document.ts'
import type { AboutUser } from '../../../screens/user/read.ts'
import { lazily } from '../../../values/lazily.ts'
import type { Call } from '../../contract/endpoint.ts'
import { originOf } from '../../respond/origin.ts'

const userViews = lazily(() => import('../../../screens/user/read.ts'))

/** A document about a user, with the page that people see of it. */
export async function withUserPage(
  document: Document,
  user: StoredUser,
  call: Call,
  shown: Omit<AboutUser, 'sessions' | 'hasProvider'> = {},
): Promise<Document> {
  if (call.representation !== 'html') return document
  const { showUser } = await userViews()
  const { invitation, calendar } = shown
  const about = {
    ...shown,
    ...(invitation !== undefined && { invitation: whole(invitation, call) }),
    ...(calendar !== undefined && { calendar: whole(calendar, call) }),
    ...besides(user, call),
  }
  return { ...document, page: await showUser(user, about, call) }
}

export const besides = (
  { name }: StoredUser,
  { service, schema }: Call,
): Pick<AboutUser, 'sessions' | 'hasProvider'> => ({
  sessions: running(collectionsOf(schema).sessions, name, Date.now()),
  hasProvider: service.provider !== undefined,
})

/** The sessions that have not ended; others are cleared away later. */
export function running(sessions: Collection, user: string, now: number): Filter {
  const term = (field: string, operator: 'eq' | 'gt' | 'gte', value: string) =>
    ({ field: fieldOf(sessions, field), operator, values: [value] }) as const
  return [
    term('user', 'eq', user),
    term('endsAt', 'gt', new Date(now).toISOString()),
    term('seenAt', 'gte', new Date(now - IDLE_SESSION).toISOString()),
  ]
}

/** An address that works wherever it is copied to. */
const whole = (address: string, call: Call): string => new URL(address, originOf(call)).href
