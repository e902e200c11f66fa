import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { Markup } from '../../representations/html/markup.ts'
import type { Role } from '../../values/role.ts'
import { mark } from './marks.ts'

export const roleTexts: Readonly<Record<Role, Text>> = {
  reader: say('Reader'),
  editor: say('Editor'),
  admin: say('Admin'),
}

export const userMark = (disabled: boolean): Markup =>
  disabled ? mark('off', say('Disabled')) : mark('done', say('Active'))
