import type { ApiKey } from '../../model/user/key.ts'
import type { UserSession } from '../../model/user/session.ts'
import { type User, userPatch } from '../../model/user/user.ts'
import { fieldOf } from '../../queries/collection.ts'
import { collections } from '../../queries/collections.ts'
import type { Filter } from '../../queries/query.ts'
import type { DocumentForm, FormField } from '../../representations/document.ts'
import { includesRole, mayDo, roles } from '../../values/role.ts'
import { ask } from '../parts/ask.ts'
import type { View, Visit } from '../parts/visit.ts'
import { userPage } from './view.ts'

/** What a page about a user shows besides the user. */
export interface AboutUser {
  /** The sessions that run. */
  readonly sessions: Filter
  /** A link by which the user sets a password, shown this once. */
  readonly invitation?: string
  /** The address of the user's calendar, shown this once. */
  readonly calendar?: string
  /** A key that was just made, shown this once. */
  readonly secret?: string
  /** A form that was refused. */
  readonly refused?: { readonly title: string; readonly detail: string }
}

const SHOWN = 100

/** A user, their sessions and keys: what they may change themselves, and what admins may. */
export async function showUser(user: User, { sessions: running, ...shown }: AboutUser, visit: Visit): Promise<View> {
  const { store, addresses } = visit.service
  const { keys, sessions } = collections
  const ofUser: Filter = [{ field: fieldOf(keys, 'user'), operator: 'eq', values: [user.name] }]
  const [found, theirs, account, identities] = await Promise.all([
    ask(store, sessions, `sort=-seenAt&maxpagesize=${SHOWN}`, running),
    ask(store, keys, `maxpagesize=${SHOWN}`, ofUser),
    store.accounts.find(user.name),
    store.accounts.identitiesOf(user.name),
  ])
  const isSelf = visit.caller?.user === user.name
  const isAdmin = mayDo(visit, 'admin')
  const hasPassword = account !== undefined && account.hash !== null
  const forms = userForms(user, visit)
  const page = {
    user,
    isSelf,
    ...shown,
    sessions: found.items.map((json) => JSON.parse(json) as UserSession),
    currentSession: visit.caller?.session ?? null,
    keys: theirs.items.map((json) => JSON.parse(json) as ApiKey),
    identities,
    edit: forms.edit(isAdmin),
    newKey: forms.newKey(),
    calendarForms: forms.calendar(isSelf),
    password: forms.password(isSelf && hasPassword),
    ...(isAdmin && { admin: { invite: forms.invite(), link: forms.link(), remove: forms.remove() } }),
    now: new Date().toISOString(),
    addresses,
  }
  return () => userPage(page)
}

function userForms(user: User, visit: Visit) {
  const { addresses } = visit.service
  const form = (part: string, title: string, submit: string, fields: readonly FormField[] = []): DocumentForm => ({
    title,
    action: addresses.ofUser(user.name, part),
    method: 'post',
    submit,
    fields,
    hidden: {},
  })
  const field = (name: keyof typeof userPatch & keyof User, label: string): FormField => ({
    name,
    label,
    schema: userPatch[name].kind.schema,
    required: false,
    ...(user[name] !== null && { value: String(user[name]) }),
  })
  const secret = (name: string, label: string, autocomplete: string): FormField => ({
    name,
    label,
    schema: { type: 'string', format: 'password', maxLength: 200 },
    required: true,
    autocomplete,
  })
  const choice = roles.filter((role) => includesRole(user.role, role))
  return {
    edit: (isAdmin: boolean): DocumentForm => ({
      ...form('edits', 'Profile', 'Save', [
        field('fullName', 'Full name'),
        { ...field('email', 'Email'), schema: { type: 'string', format: 'email' } },
        { ...field('locale', 'Language and region'), placeholder: 'de-CH' },
        { ...field('timeZone', 'Time zone'), placeholder: 'Europe/Zurich' },
        ...(isAdmin ? [{ ...field('role', 'Role'), required: true }, field('disabled', 'Disabled')] : []),
      ]),
      hidden: { _revision: String(user.revision) },
    }),
    password: (asksOld: boolean): DocumentForm =>
      form('passwords', 'Password', 'Set the password', [
        ...(asksOld ? [secret('old', 'Old password', 'current-password')] : []),
        {
          ...secret('password', 'New password', 'new-password'),
          note: 'At least 12 characters. Four words are better than one with digits.',
        },
      ]),
    newKey: (): DocumentForm =>
      form('keys', 'New key', 'Make a key', [
        { name: 'name', label: 'Name', schema: { type: 'string', maxLength: 64 }, required: true },
        { name: 'role', label: 'Role', schema: { type: 'string', enum: choice }, required: true },
        {
          name: 'endsAt',
          label: 'Ends',
          schema: { type: 'string', maxLength: 40 },
          required: false,
          placeholder: 'never, or 2027-01-01T00:00:00Z',
        },
      ]),
    calendar: (isSelf: boolean) => [
      ...(isSelf ? [form('calendar', 'Calendar', 'Make an address')] : []),
      form('calendar-revocations', 'Revoke', 'Revoke the address'),
    ],
    invite: () => form('invitations', 'Invitation', 'Make a link'),
    link: () =>
      form('identities', 'Provider', 'Link', [
        {
          name: 'subject',
          label: 'Subject at the provider',
          schema: { type: 'string', maxLength: 255 },
          required: true,
        },
      ]),
    remove: () => form('removals', 'Remove', 'Remove the user'),
  }
}
