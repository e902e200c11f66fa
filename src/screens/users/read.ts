import type { Call } from '../../http/contract/endpoint.ts'
import type { ShownList } from '../../http/contract/shown.ts'
import { say } from '../../languages/say.ts'
import type { User } from '../../model/nouns/user/user.ts'
import { html } from '../../representations/markup/markup.ts'
import { mayDo } from '../../values/role.ts'
import { refusedCreation } from '../creation/view.ts'
import type { FormRefusal } from '../forms/refused-form.ts'
import { agoMarkup } from '../parts/moment.ts'
import { crumb } from '../parts/page-head.ts'
import { roleText, userMark } from '../parts/person.ts'
import type { Screen } from '../parts/screen.ts'
import { tableList } from '../table-list/view.ts'
import { invitationForm } from './invitation-form.ts'

/** The list of users; users who are not admins see themselves. */
export function showUsers(list: ShownList, call: Call): Screen {
  const { addresses } = call.service
  const { roles } = call.schema
  const users = Array.from(list.items, (json) => JSON.parse(json) as User)
  const mayInvite = mayDo(call, 'admin')
  const time = Date.now()
  const people = crumb(addresses.people, say('People'))
  const audit = [html`<span aria-hidden="true"> · </span>`, crumb(addresses.audit, say('Audit'))]
  const page = tableList<User>({
    title: say('Users'),
    about: [mayInvite && [say('Who may sign in.'), ' '], people, mayInvite && audit],
    creation: mayInvite ? { form: invitationForm(addresses, roles), text: say('Invite somebody') } : undefined,
    list,
    address: addresses.users,
    caption: say('{count} users shown', { count: users.length }),
    columns: [
      { head: say('Name'), cell: ({ name }) => crumb(addresses.user(name), name) },
      { head: say('Full name'), cell: ({ fullName }) => fullName ?? '' },
      { head: say('Role'), cell: ({ role }) => roleText(role) },
      { head: say('Status'), cell: userMark },
      {
        head: say('Last seen'),
        kind: 'wide',
        cell: ({ lastSeenAt }) => (lastSeenAt === null ? say('never') : agoMarkup(lastSeenAt, time)),
      },
    ],
    rows: users,
    none: say('No users yet. With the first one, everybody has to sign in.'),
  })
  return () => page
}

export function showRefusedInvitation(
  refusal: FormRefusal,
  fields: ReadonlyMap<string, string>,
  { schema: { roles }, service: { addresses } }: Call,
): Screen {
  const above = { href: addresses.users, text: 'Users' }
  return refusedCreation(refusal, invitationForm(addresses, roles), fields, above)
}
