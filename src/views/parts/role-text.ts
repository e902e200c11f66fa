import { say } from '../../languages/say.ts'
import type { Role } from '../../values/role.ts'

export const roleText = (role: Role): string => texts[role]()

const texts: Readonly<Record<Role, () => string>> = {
  reader: () => say('Reader'),
  editor: () => say('Editor'),
  admin: () => say('Admin'),
}
