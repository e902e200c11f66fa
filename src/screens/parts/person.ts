import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { User } from '../../model/user/user.ts'
import { escapeHtml, type Markup } from '../../representations/html/markup.ts'
import type { Role } from '../../values/role.ts'
import { mark } from './marks.ts'

/** The full name of a user; a name that no user has, or has no full name for, stays. */
export const personName =
  (name: string): Text =>
  (reader) =>
    reader.fullName?.(name) ?? name

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
  return `<span class="who" title="${text}"><span aria-hidden="true">${escapeHtml(initialsOf(name))}</span><span class="unseen">${text}</span></span>`
}

export const roleTexts: Readonly<Record<Role, Text>> = {
  reader: say('Reader'),
  editor: say('Editor'),
  admin: say('Admin'),
}

/** Whether the user may sign in, and ever did. */
export function userMark({ disabled, invited }: Pick<User, 'disabled' | 'invited'>): Markup {
  if (disabled) return mark('off', say('Disabled'))
  return invited ? mark('soon', say('Invited')) : mark('done', say('Active'))
}
