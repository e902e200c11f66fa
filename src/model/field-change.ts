import type { Kind } from '../values/kinds/kind.ts'
import { capitalized } from '../values/kinds/text.ts'
import type { Fields, PatchMembers } from './field.ts'
import { type Apply, defineOperation, type Params, valueIn } from './operation.ts'
import type { Resource } from './resource.ts'

interface FieldChange<F extends Fields> {
  readonly noun: string
  readonly examples: readonly [Params, ...Params[]]
  /** Checks what the fields are together; without it, each may have any of its values. */
  readonly apply?: Apply<F, PatchMembers<F>>
}

/** The operation that changes any of the fields that clients give: what an attribute update asks for. */
export function defineChange<const N extends string, const F extends Fields>(
  on: Resource<N, F>,
  { noun, examples, apply = (_thing, fields) => fields as object }: FieldChange<F>,
) {
  const kindOf: { readonly [name: string]: Kind<unknown> } = on.kinds
  const names = Object.keys(on.patch) as (keyof F & string)[]
  return defineOperation({
    on,
    name: 'change',
    title: 'Change',
    words: { participles: ['changed'], noun, action: `Change${capitalized(on.name)}`, event: `${on.name}.changed` },
    group: capitalized(on.plural),
    sentence: (params, say) => ({ done: 'changed: {fields}', with: { fields: say.fields(Object.keys(params)) } }),
    params: on.patch,
    examples,
    allowed: [],
    changes: names,
    fromAttributes(thing, wanted) {
      const differing = Object.entries(wanted).filter(
        ([name, value]) => Object.hasOwn(on.patch, name) && value !== valueIn(thing, name),
      )
      if (differing.length === 0) return undefined
      return { params: Object.fromEntries(differing.map(([name, value]) => [name, kindOf[name]?.write(value)])) }
    },
    differences: true,
    undo: (before) => [
      { operation: 'change', params: Object.fromEntries(names.map((name) => [name, before[name] ?? null])) },
    ],
    apply,
  })
}
