import type { Addresses } from '../../http/contract/addresses.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import { plainMembers, type User } from '../../model/nouns/user/user.ts'
import type { DocumentForm, FormField } from '../../representations/document.ts'
import { includesRole, isRole, roles } from '../../values/role.ts'
import { roleTexts } from '../parts/person.ts'
import { localeChoices } from './locale-choices.ts'

/** The user of the page, and its viewer. */
export interface FormsOf {
  readonly user: User
  readonly isSelf: boolean
  readonly isAdmin: boolean
  readonly hasPassword: boolean
  readonly addresses: Addresses
  readonly roles: Schema['roles']
}

export interface UserForms {
  readonly edit: DocumentForm
  readonly password: DocumentForm
  readonly newKey: DocumentForm
  readonly openCalendar: DocumentForm
  readonly revokeCalendar: DocumentForm
  readonly invite: DocumentForm
  readonly link: DocumentForm
  readonly remove: DocumentForm
}

/** The forms for a user, in the reader's language. */
export function userForms(of: FormsOf): UserForms {
  const { user, addresses } = of
  const form = (part: string, title: Text, submit: Text, fields: readonly FormField[] = []): DocumentForm => ({
    title,
    action: addresses.ofUser(user.name, part),
    method: 'post',
    submit,
    fields,
    hidden: {},
  })
  return {
    edit: {
      ...form('edits', say('Profile'), say('Save'), profileFields(of)),
      hidden: { _revision: String(user.revision) },
    },
    password: form('passwords', say('Password'), say('Set the password'), passwordFields(of)),
    newKey: form('keys', say('New key'), say('Create a key'), keyFields(of)),
    openCalendar: form('calendar', say('Calendar'), say('Create an address')),
    revokeCalendar: form('calendar-revocations', say('Revoke'), say('Revoke the address')),
    invite: form('invitations', say('Invitation'), say('Create a link')),
    link: form('identities', say('Provider'), say('Link'), [
      {
        name: 'subject',
        label: say('Subject at the provider'),
        schema: { type: 'string', maxLength: 255 },
        required: true,
      },
    ]),
    remove: form('removals', say('Remove'), say('Remove the user')),
  }
}

function profileFields({ user, isAdmin, roles: made }: FormsOf): readonly FormField[] {
  const field = (name: keyof typeof plainMembers.toChange & keyof User, label: Text): FormField => ({
    name,
    label,
    schema: plainMembers.toChange[name].kind.schema,
    required: false,
    ...(user[name] !== null && { value: String(user[name]) }),
  })
  return [
    field('fullName', say('Full name')),
    { ...field('email', say('Email')), schema: { type: 'string', format: 'email' } },
    {
      ...field('locale', say('Language and region')),
      choices: localeChoices(user.locale),
      nothing: say('Browser default'),
    },
    {
      ...field('timeZone', say('Time zone')),
      placeholder: ({ timeZone }) => timeZone ?? 'Europe/Zurich',
      list: 'zones',
      note: say('Pages show days and times in this time zone. If it is empty, they use the browser’s.'),
    },
    { ...field('developer', say('Links for developers')), choices: developerChoices(), required: true },
    ...(isAdmin
      ? [
          { ...field('role', say('Role')), choices: roleChoices(made), required: true },
          { ...field('disabled', say('Status')), choices: statusChoices(), required: true },
        ]
      : []),
  ]
}

/** A role that admins made takes away from the user's, whatever it grants. */
const roleChoices = (made: FormsOf['roles'], most = 'admin') => [
  ...roles
    .filter((role) => !isRole(most) || includesRole(most, role))
    .map((role) => ({ value: role, text: roleTexts[role] })),
  ...made.filter(({ name }) => !isRole(name)).map(({ name, title }) => ({ value: name, text: title })),
]

const developerChoices = () => [
  { value: 'false', text: say('Hide') },
  { value: 'true', text: say('Show') },
]

const statusChoices = () => [
  { value: 'false', text: say('Active') },
  { value: 'true', text: say('Disabled') },
]

function passwordFields({ isSelf, hasPassword }: FormsOf): readonly FormField[] {
  const secret = (name: string, label: Text, autocomplete: string): FormField => ({
    name,
    label,
    schema: { type: 'string', format: 'password', maxLength: 200 },
    required: true,
    autocomplete,
  })
  return [
    ...(isSelf && hasPassword ? [secret('old', say('Old password'), 'current-password')] : []),
    {
      ...secret('password', say('New password'), 'new-password'),
      note: say('At least 12 characters. Four words are better than one with digits.'),
    },
  ]
}

const keyFields = ({ user, roles: made }: FormsOf): readonly FormField[] => [
  { name: 'name', label: say('Name'), schema: { type: 'string', maxLength: 64 }, required: true },
  {
    name: 'role',
    label: say('Role'),
    schema: { type: 'string' },
    choices: roleChoices(made, user.role),
    required: true,
  },
  {
    name: 'endsAt',
    label: say('Ends'),
    schema: { type: 'string', format: 'date-time' },
    required: false,
    note: say('If empty, it never ends.'),
  },
]
