import type { Kind } from '../values/kinds/kind.ts'
import type { Fields, ThingOf } from './field.ts'
import { type Params, type Say, type Sentence, type UndoStep, valueIn } from './operation.ts'
import type { Resource } from './resource.ts'

/** Reads an attribute update as one operation whose parameters are the fields that change. */
export function fieldsThatDiffer<F extends Fields>({ kinds, patch }: Pick<Resource<string, F>, 'kinds' | 'patch'>) {
  const kindOf: { readonly [name: string]: Kind<unknown> } = kinds
  return (thing: ThingOf<F>, wanted: Partial<ThingOf<F>>) => {
    const differing = Object.entries(wanted).filter(
      ([name, value]) => Object.hasOwn(patch, name) && value !== valueIn(thing, name),
    )
    if (differing.length === 0) return undefined
    return { params: Object.fromEntries(differing.map(([name, value]) => [name, kindOf[name]?.write(value)])) }
  }
}

/** Undoes such an operation: every field that it may change gets its former value. */
export const formerFields =
  ({ patch }: Pick<Resource, 'patch'>) =>
  (before: Params): readonly UndoStep[] => [
    {
      operation: 'change',
      params: Object.fromEntries(Object.keys(patch).map((name) => [name, before[name] ?? null])),
    },
  ]

/** Tells of such an operation. */
export const changedFields = (params: Params, say: Say): Sentence => ({
  done: 'changed: {fields}',
  with: { fields: say.fields(Object.keys(params)) },
})
