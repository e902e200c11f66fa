import { ordinal } from '../../../values/kinds/number.ts'
import { instant } from '../../../values/kinds/time.ts'
import { title } from '../../../values/kinds/titles.ts'
import { uuid } from '../../../values/kinds/uuid.ts'
import { assigned, given, type ThingOf, unique } from '../../declaration/field.ts'
import { defineResource } from '../../declaration/resource.ts'
import type { RoleSource } from '../../source/rights-source.ts'
import { slug } from '../pipeline/pipeline.ts'
import { grantsKind } from './grants.ts'

/** A role says what those who have it may see and do. The first three are there from the beginning and stay. decisions/0075 */
export const role = defineResource({
  feed: 'audit',
  name: 'role',
  plural: 'roles',
  path: '/roles',
  key: 'name',
  fields: {
    id: assigned(uuid),
    name: unique(given(slug)),
    title: given(title),
    grants: given(grantsKind, []),
    createdAt: assigned(instant),
    updatedAt: assigned(instant),
    revision: assigned(ordinal),
  },
  roles: { reads: 'reader', writes: 'admin' },
  shapes: { part: 'roles', made: (document) => document as unknown as RoleSource },
  title: ({ title }) => ({ text: '{title}', with: { title } }),
})

export type OwnRole = ThingOf<typeof role.fields>
