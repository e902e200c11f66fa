import { capitalized } from '../values/kinds/text.ts'
import type { Role } from '../values/role.ts'
import { defineOperation } from './operation.ts'
import type { DeclaredResource } from './resource.ts'

/** The operation that removes a thing permanently. It needs the resource's own role unless another is given. */
export function defineRemoval<R extends DeclaredResource>(on: R, role: Role = on.roles.writes) {
  return defineOperation({
    on,
    name: 'delete',
    title: 'Delete',
    words: {
      participles: ['deleted'],
      noun: 'deletions',
      action: `Delete${capitalized(on.name as R['name'])}`,
      event: `${on.name as R['name']}.deleted`,
    },
    group: capitalized(on.plural),
    danger: true,
    sentence: () => ({ done: `deleted the ${on.name}` }),
    role,
    params: () => ({}),
    examples: [{}],
    allowed: [],
    changes: [],
    removes: true,
    apply: () => ({}),
  })
}
