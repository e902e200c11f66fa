import { isRole } from '../../values/role.ts'
import type { SchemaSource } from './schema-source.ts'

/** Whether there is a role that admins made: before that, rights follow from the three roles alone. */
export const hasOwnRoles = ({ roles }: Pick<SchemaSource, 'roles'>): boolean => roles.some(({ name }) => !isRole(name))
