import { newUserMembers, type User } from '../../model/user/user.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { mayDo, roles } from '../../values/role.ts'
import { type FormRefusal, refusedCreation } from '../page-forms/refused-form.ts'
import type { ShownList, View, Visit } from '../parts/visit.ts'
import { usersPage } from './view.ts'

/** The list of users; whoever is no admin sees themselves. */
export async function showUsers(list: ShownList, visit: Visit): Promise<View> {
  const users = list.items.map((json) => JSON.parse(json) as User)
  const { addresses } = visit.service
  const invite = mayDo(visit, 'admin') ? invitationForm(visit) : undefined
  const now = new Date().toISOString()
  return () => usersPage({ ...list, users, now, addresses, ...(invite && { invite }) })
}

export function showRefusedInvitation(refusal: FormRefusal, visit: Visit): View | undefined {
  const { fields } = visit
  if (fields === undefined || visit.representation !== 'html') return undefined
  const above = { href: visit.service.addresses.users, text: 'Users' }
  return refusedCreation(refusal, invitationForm(visit), fields, above)
}

/** Without a password: the answer has a link by which they set one. */
const invitationForm = ({ service }: Visit): DocumentForm => ({
  title: 'Invite somebody',
  action: service.addresses.users,
  method: 'post',
  submit: 'Invite',
  fields: [
    { name: 'name', label: 'Name, to sign in with', schema: newUserMembers.name.kind.schema, required: true },
    { name: 'fullName', label: 'Full name', schema: newUserMembers.fullName.kind.schema, required: false },
    { name: 'email', label: 'Email', schema: { type: 'string', format: 'email' }, required: false },
    { name: 'role', label: 'Role', schema: { type: 'string', enum: roles }, required: true },
  ],
  hidden: {},
})
