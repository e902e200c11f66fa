import type { Call } from '../../http/contract/endpoint.ts'
import type { ShownList } from '../../http/contract/shown.ts'
import type { User } from '../../model/user/user.ts'
import { mayDo } from '../../values/role.ts'
import { refusedCreation } from '../creation/view.ts'
import type { FormRefusal } from '../forms/refused-form.ts'
import type { Screen } from '../parts/screen.ts'
import { invitationForm } from './invitation-form.ts'
import { usersPage } from './view.ts'

/** The list of users; users who are not admins see themselves. */
export async function showUsers(list: ShownList, call: Call): Promise<Screen> {
  const users = Array.from(list.items, (json) => JSON.parse(json) as User)
  const { addresses } = call.service
  const now = new Date().toISOString()
  return () => usersPage({ ...list, users, now, addresses, invite: mayDo(call, 'admin') })
}

export function showRefusedInvitation(
  refusal: FormRefusal,
  fields: ReadonlyMap<string, string>,
  { service: { addresses } }: Call,
): Screen {
  const above = { href: addresses.users, text: 'Users' }
  return () => refusedCreation(refusal, invitationForm(addresses), fields, above)()
}
