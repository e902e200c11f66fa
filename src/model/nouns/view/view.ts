import { nullable, queryOf, userName } from '../../../values/kinds/kind.ts'
import { boolean, ordinal } from '../../../values/kinds/number.ts'
import { nameText, text } from '../../../values/kinds/text.ts'
import { instant } from '../../../values/kinds/time.ts'
import { uuid } from '../../../values/kinds/uuid.ts'
import { assigned, given, type ThingOf } from '../../declaration/field.ts'
import { defineResource } from '../../declaration/resource.ts'

const name = nameText({ min: 1, max: 200 })

/** A saved query of a collection. decisions/0039 */
export const view = defineResource({
  name: 'view',
  plural: 'views',
  path: '/views',
  fields: {
    id: assigned(uuid),
    name: given(name),
    collection: given(nameText({ min: 1, max: 40 })),
    /** As in an address, after the `?`. */
    query: given(queryOf('collection', text({ min: 0, max: 4000 })), ''),
    shared: given(boolean, false),
    owner: assigned(nullable(userName(name))),
    createdAt: assigned(instant),
    updatedAt: assigned(instant),
    revision: assigned(ordinal),
  },
  indexed: ['id', 'name'],
  scopes: ['owner'],
  searched: ['name'],
  markings: ['owner', 'shared'],
  privacy: { owner: 'owner', shared: 'shared' },
  forms: ['resource', 'custom-method', 'attribute-update', 'command', 'command-endpoint'],
  put: 'anew',
  roles: { reads: 'reader', writes: 'editor' },
  example: {
    id: '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a14',
    name: 'Large open deals',
    collection: 'deals',
    query: 'status=open&price.gte=10000&sort=-price',
    owner: 'mila',
  },
})

export type SavedView = ThingOf<typeof view.fields>
