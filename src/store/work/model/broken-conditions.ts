import { buildSchema, sourceOf } from '../../../model/build/build-schema.ts'
import { settledSource, sourceAfter } from '../../../model/build/stored-model.ts'
import type { UsedBy } from '../../../model/refusal.ts'
import type { Thing } from '../../../model/resource.ts'
import type { Resource, Schema } from '../../../model/schema.ts'

/** A condition that is stored for others than its owner alone, and whether a schema understands it. */
export interface SharedCondition extends UsedBy {
  isSound(schema: Schema): boolean
}

/** The most uses that a refusal names. */
const MOST_USES = 50

/** The conditions that a change of the model would break, the first ones. */
export const brokenBy =
  (resource: Resource, conditions: readonly SharedCondition[]) =>
  (thing: Thing, removed: boolean): readonly UsedBy[] => {
    if (conditions.length === 0) return []
    const { schema } = resource
    const next = buildSchema(settledSource(sourceAfter(sourceOf(schema), resource, thing, removed, thing.updatedAt)))
    return conditions
      .filter(({ isSound }) => isSound(schema) && !isSound(next))
      .slice(0, MOST_USES)
      .map(({ on, id, name }) => ({ on, id, name }))
  }
