import { fault } from '../../../values/faults/fault.ts'
import type { State } from '../../../values/guard.ts'
import { email } from '../../../values/kinds/email.ts'
import { type Kind, nullable, type Read } from '../../../values/kinds/kind.ts'
import { locale, timeZone } from '../../../values/kinds/locale.ts'
import { boolean, ordinal } from '../../../values/kinds/number.ts'
import { choice, nameText, text } from '../../../values/kinds/text.ts'
import { instant } from '../../../values/kinds/time.ts'
import { optional, required, type ValuesOf } from '../../../values/members.ts'
import { roles } from '../../../values/role.ts'
import { assigned, createMembers, given, kindsOf, patchMembers, type ThingOf } from '../../declaration/field.ts'
import { jsonWriter } from '../../declaration/json-writer.ts'
import { defineResource } from '../../declaration/resource.ts'
import type { SchemaSource } from '../../source/schema-source.ts'
import { newPassword } from './password.ts'

/** The name of a user or key. RFC 7617: it cannot hold a colon. */
export const actorName: Kind<string> = nameText({
  min: 1,
  max: 64,
  pattern: { regex: /^[^:]*$/, fault: { code: 'forbidden-characters', with: { wants: 'no-colon' } } },
})

/** Characters that are invisible, or reverse the others: with them one name would look like another. */
export const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/** Means the caller in an address. */
export const ME = 'me'
/** Mean the members of the caller's teams, the latter with those of the teams below, once there are teams. */
export const MY_TEAM = 'my-team'
export const MY_TEAMS = 'my-teams'

/** New names are used in addresses, where an extension would be read as a format. Earlier releases allowed any. */
export const newActorName: Kind<string> = { ...actorName, read: readNew, readText: readNew }

function readNew(raw: unknown): Read<string> {
  const read = actorName.read(raw)
  if ('fault' in read) return read
  const meant = [ME, MY_TEAM, MY_TEAMS].find((name) => name === read.value.toLowerCase())
  if (meant !== undefined) return fault('reserved', { name: meant })
  if (/[\t\n\r\p{Zl}\p{Zp}]/u.test(read.value)) return fault('forbidden-characters', { wants: 'one-line' })
  if (INVISIBLE.test(read.value)) return fault('forbidden-characters', { wants: 'no-invisible' })
  if (read.value.includes('/')) return fault('forbidden-characters', { wants: 'no-slash' })
  if (/^\.+$|\.[a-z]\w*$/i.test(read.value)) return fault('malformed', { wants: 'name-without-extension' })
  return read
}

export const role: Kind<string> = choice(roles)

/** With the roles that admins made. */
export const roleIn = ({ roles: made }: Pick<SchemaSource, 'roles'>): Kind<string> =>
  choice([...new Set([...roles, ...made.map(({ name }) => name)])])

/** The public part of a user; passwords, keys and sessions are stored separately. decisions/0033 */
const fields = {
  name: assigned(actorName),
  fullName: given(nullable(nameText({ min: 1, max: 200 })), null),
  email: given(nullable(email), null),
  role: given(role),
  locale: given(nullable(locale), null),
  timeZone: given(nullable(timeZone), null),
  disabled: given(boolean, false),
  /** Whether pages show what is for developers. */
  developer: given(boolean, false),
  createdAt: assigned(instant),
  updatedAt: assigned(instant),
  revision: assigned(ordinal),
  /** Until they are first seen. */
  invited: assigned(boolean),
  lastSeenAt: assigned(nullable(instant)),
}

const address = { type: 'string', format: 'uri-reference', maxLength: 8192 }

export const user = defineResource({
  feed: 'audit',
  name: 'user',
  plural: 'users',
  path: '/users',
  key: 'name',
  fields,
  fieldsIn: (source) => ({ role: given(roleIn(source)) }),
  beside: ['invited', 'lastSeenAt'],
  roles: { reads: 'reader', writes: 'reader' },
  privacy: { owner: 'name' },
  once: {
    calendar: { ...address, description: 'Shown once: the address of the user’s calendar.' },
    invitation: { ...address, description: 'Shown once: the link by which the user sets a password.' },
  },
  title: ({ name, fullName }) => ({ text: '{name}', with: { name: fullName ?? name } }),
})

export type User = ThingOf<typeof fields>
export type StoredUser = User & Pick<State, 'previousAt'>

/** The fields that everybody may see. */
const person = { name: fields.name, fullName: fields.fullName }
export const personKinds = kindsOf(person)
export const personToJson: (user: Pick<User, 'name' | 'fullName'>) => string = jsonWriter(person)

/** A user's identity at the OpenID provider. OpenID Connect Core 1.0 §2: at most 255 characters. */
export const identityMembers = { subject: required(text({ min: 1, max: 255 })) }

/** The members of a creation. */
export const newUserMembers = (source: Pick<SchemaSource, 'roles'>) => ({
  name: required(newActorName),
  ...createMembers({ ...fields, role: given(roleIn(source)) }),
  password: optional(newPassword),
})

/** The members of a change. */
export const userPatch = (source: Pick<SchemaSource, 'roles'>) =>
  patchMembers({ ...fields, role: given(roleIn(source)) })
export type UserPatch = ValuesOf<ReturnType<typeof userPatch>>

/** With the roles that there are from the beginning. */
export const plainMembers = { toCreate: newUserMembers({ roles: [] }), toChange: userPatch({ roles: [] }) } as const

/** Fields that only admins change, also for themselves. */
export const ADMINS_OWN = ['role', 'disabled'] as const
