import type { DecisionFacts } from '../../../model/intent/intent.ts'
import { brokenBy } from '../model/broken-conditions.ts'
import { sharedConditions } from '../model/conditions-in-use.ts'
import { defineFact } from './fact.ts'

/** The stored conditions that a change of the model would break. */
export const breaks = defineFact({
  name: 'breaks',
  wanted: ({ resource }) => (resource.shapes === undefined ? [] : [resource.schema]),
  *read(_by, [schema]) {
    const conditions = schema === undefined ? [] : yield* sharedConditions(schema)
    return () => conditions
  },
  tell: (ask, { resource }): DecisionFacts['breaks'] =>
    resource.shapes && ((thing, removed) => brokenBy(resource, ask(resource.schema))(thing, removed)),
})
