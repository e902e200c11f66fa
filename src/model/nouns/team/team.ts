import { fault } from '../../../values/faults/fault.ts'
import { type Kind, nullable, type Read, userName } from '../../../values/kinds/kind.ts'
import { ordinal } from '../../../values/kinds/number.ts'
import { structure } from '../../../values/kinds/structure.ts'
import { nameText } from '../../../values/kinds/text.ts'
import { instant } from '../../../values/kinds/time.ts'
import { title } from '../../../values/kinds/titles.ts'
import { uuid } from '../../../values/kinds/uuid.ts'
import { assigned, given, type ThingOf, unique } from '../../declaration/field.ts'
import { defineResource } from '../../declaration/resource.ts'
import type { TeamSource } from '../../source/rights-source.ts'
import { slug } from '../pipeline/pipeline.ts'

/** As the owner of deals is written. */
const person = nameText({ min: 1, max: 200 })

const MOST_MEMBERS = 1000

/** Each is named once. */
const membersKind: Kind<readonly string[]> = structure(
  {
    type: 'array',
    maxItems: MOST_MEMBERS,
    items: { type: 'string', minLength: 1, maxLength: 200 },
  },
  (raw): Read<string[]> => {
    if (!Array.isArray(raw)) return fault('type', { wants: 'list' })
    if (raw.length > MOST_MEMBERS) return fault('too-many-values', { wants: 'list', max: MOST_MEMBERS })
    const names: string[] = []
    for (const each of raw) {
      const read = person.read(each)
      if ('fault' in read) return read
      names.push(read.value)
    }
    return { value: [...new Set(names)] }
  },
) as unknown as Kind<readonly string[]>

/** People who work together, of whom rights speak: those in it, and its lead. decisions/0075 */
export const team = defineResource({
  feed: 'audit',
  name: 'team',
  plural: 'teams',
  path: '/teams',
  key: 'name',
  fields: {
    id: assigned(uuid),
    name: unique(given(slug)),
    title: given(title),
    /** The name of the team that it is part of. */
    parent: given(nullable(slug), null),
    lead: given(nullable(userName(person)), null),
    members: given(membersKind, []),
    createdAt: assigned(instant),
    updatedAt: assigned(instant),
    revision: assigned(ordinal),
  },
  roles: { reads: 'reader', writes: 'admin' },
  shapes: { part: 'teams', made: (document) => document as unknown as TeamSource },
  title: ({ title }) => ({ text: '{title}', with: { title } }),
})

export type Team = ThingOf<typeof team.fields>
