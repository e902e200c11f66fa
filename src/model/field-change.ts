import { capitalized } from '../values/kinds/text.ts'
import type { Fields, PatchMembers } from './field.ts'
import { type Apply, defineOperation, type Params, valueIn } from './operation.ts'
import type { DeclaredResource } from './resource.ts'

interface FieldChange<F extends Fields> {
  readonly noun: string
  readonly examples: readonly [Params, ...Params[]]
  /** Checks the fields together; without it, each may have any of its values. */
  readonly apply?: Apply<F, PatchMembers<F>>
}

/** The operation that changes any of the fields that clients give: the target of an attribute update. */
export function defineChange<const N extends string, const F extends Fields>(
  on: DeclaredResource<N, F>,
  { noun, examples, apply = (_thing, fields) => fields as object }: FieldChange<F>,
) {
  return defineOperation({
    on,
    name: 'change',
    title: 'Change',
    words: { participles: ['changed'], noun, action: `Change${capitalized(on.name)}`, event: `${on.name}.changed` },
    group: capitalized(on.plural),
    sentence: (params, say) => ({ done: 'changed: {fields}', with: { fields: say.fields(Object.keys(params)) } }),
    params: ({ patch }) => patch,
    examples,
    allowed: [],
    fromAttributes(thing, wanted, { kinds, patch }) {
      const differing = Object.entries(wanted).filter(
        ([name, value]) => Object.hasOwn(patch, name) && value !== valueIn(thing, name),
      )
      if (differing.length === 0) return undefined
      return { params: Object.fromEntries(differing.map(([name, value]) => [name, kinds[name]?.write(value)])) }
    },
    differences: true,
    undo(before, _params, { patch }) {
      const former = Object.keys(patch).map((name) => [name, before[name] ?? null])
      return [{ operation: 'change', params: Object.fromEntries(former) }]
    },
    apply,
  })
}
