import type { Addresses } from '../../http/contract/addresses.ts'
import type { Reader } from '../../languages/reader.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { User } from '../../model/nouns/user/user.ts'
import { isDeleted } from '../../model/schema/resources.ts'
import { escapeHtml, Markup } from '../../representations/markup/markup.ts'
import { isRole, type Role } from '../../values/role.ts'
import { mark } from './marks.ts'

/** The full name of a user; a name that no user has, or has no full name for, stays. */
export const personName =
  (name: string): Text =>
  (reader) =>
    reader.fullName?.(name) ?? name

/** The name of a person; it leads to their page if there is one: of a user, and of the owner of a deal. */
export const personLink = (name: string, addresses: Addresses, ownsDeal = false): Markup =>
  Markup.written((reader) => personCell(name, { addresses, reader }, ownsDeal))

export function personCell(
  name: string,
  { addresses, reader }: { readonly addresses: Addresses; readonly reader: Reader },
  ownsDeal = false,
): string {
  const text = escapeHtml(personName(name)(reader))
  if (!ownsDeal && reader.isUser?.(name) !== true) return text
  return `<a href="${escapeHtml(addresses.person(name))}">${text}</a>`
}

/** Whether the field of a thing names the owner of a deal. */
export const isDealOwner = ({ name }: Resource, field: string, thing: object): boolean =>
  name === 'deal' && field === 'owner' && !isDeleted(thing)

/** `BÖ` for `Bert Öztürk`: of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/).filter((word) => word !== '')
  const [first = '', last = ''] = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return `${initial(first)}${initial(last)}`
}

const initial = (word: string): string => [...word][0]?.toLocaleUpperCase() ?? ''

/** Their initials, where there is little room; the name is for screen readers and the pointer. */
export function initialsMarkup(name: string): string {
  const text = escapeHtml(name)
  return `<span class="who" data-hue="${hueOf(name)}" title="${text}"><span aria-hidden="true">${escapeHtml(initialsOf(name))}</span><span class="unseen">${text}</span></span>`
}

/** The same before the name itself, which screen readers read. */
export const avatarMarkup = (name: string): Markup =>
  Markup.written(
    (reader) =>
      `<span class="who" data-hue="${hueOf(name)}" aria-hidden="true">${escapeHtml(initialsOf(personName(name)(reader)))}</span> `,
  )

/** One of eight colours, the same wherever a person is shown. */
function hueOf(name: string): number {
  let sum = 0
  for (let at = 0; at < name.length; at++) sum = (sum * 31 + name.charCodeAt(at)) % 65_521
  return (sum % 8) + 1
}

export const roleTexts: Readonly<Record<Role, Text>> = {
  reader: say('Reader'),
  editor: say('Editor'),
  admin: say('Admin'),
}

/** A role that admins made is called by its name. */
export const roleText = (role: string): Text => (isRole(role) ? roleTexts[role] : () => role)

/** Whether the user may sign in, and ever did. */
export function userMark({ disabled, invited }: Pick<User, 'disabled' | 'invited'>): Markup {
  if (disabled) return mark('off', say('Disabled'))
  return invited ? mark('soon', say('Invited')) : mark('done', say('Active'))
}
