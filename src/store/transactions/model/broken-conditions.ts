import type { UsedBy } from '../../../model/declaration/refusal.ts'
import type { Thing } from '../../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import { buildSchema, sourceOf } from '../../../model/schema/build-schema.ts'
import { settledSource, sourceAfter } from '../../../model/schema/stored-model.ts'
import type { NamedChoices } from '../../../queries/named-choices.ts'
import type { Filter } from '../../../queries/query.ts'
import { MOST_NAMED } from '../../rows/holders.ts'

/** A stored condition, with its filter in a schema; undefined if the schema does not understand it. */
export interface StoredFilter extends UsedBy {
  filter(schema: Schema): Filter | undefined
}

/** A condition that is stored for others than its owner alone. */
export interface SharedCondition extends UsedBy {
  /** The choices that it names in a schema; undefined if the schema does not understand it. */
  named(schema: Schema): NamedChoices | undefined
}

/**
 * The conditions that a change of the model would break, the first ones: they were understood and are no longer, or
 * name a choice of a list that has it no longer, such as a stage of a pipeline.
 */
export const brokenBy =
  (resource: Resource, conditions: readonly SharedCondition[]) =>
  (thing: Thing, removed: boolean): readonly UsedBy[] => {
    if (conditions.length === 0) return []
    const source = sourceOf(resource.schema)
    const later = sourceAfter(source, resource, thing, removed, thing.updatedAt)
    // A stage or choice that is being removed was in no condition when its removal began.
    const [now, next] = [buildSchema(settledSource(source)), buildSchema(settledSource(later))]
    return conditions
      .filter(({ named }) => isBroken(named(now), named(next)))
      .slice(0, MOST_NAMED)
      .map(({ on, id, name }) => ({ on, id, name }))
  }

function isBroken(before: NamedChoices | undefined, after: NamedChoices | undefined): boolean {
  if (before === undefined || after === undefined) return before !== undefined
  return [...before].some(([list, choices]) => !choices.isSubsetOf(after.get(list) ?? choices))
}
