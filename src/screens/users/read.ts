import type { User } from '../../model/user/user.ts'
import { mayDo } from '../../values/role.ts'
import { refusedCreation } from '../creation/view.ts'
import type { FormRefusal } from '../page-forms/refused-form.ts'
import type { ShownList, View, Visit } from '../parts/visit.ts'
import { invitationForm } from './invitation-form.ts'
import { usersPage } from './view.ts'

/** The list of users; users who are not admins see themselves. */
export async function showUsers(list: ShownList, visit: Visit): Promise<View> {
  const users = Array.from(list.items, (json) => JSON.parse(json) as User)
  const { addresses } = visit.service
  const now = new Date().toISOString()
  return () => usersPage({ ...list, users, now, addresses, invite: mayDo(visit, 'admin') })
}

export function showRefusedInvitation(
  refusal: FormRefusal,
  fields: ReadonlyMap<string, string>,
  { service: { addresses } }: Visit,
): View {
  const above = { href: addresses.users, text: 'Users' }
  return () => refusedCreation(refusal, invitationForm(addresses), fields, above)()
}
