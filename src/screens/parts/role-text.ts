import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { Role } from '../../values/role.ts'

export const roleTexts: Readonly<Record<Role, Text>> = {
  reader: say('Reader'),
  editor: say('Editor'),
  admin: say('Admin'),
}
