import { createRequire } from 'node:module'
import type { DatabaseSync } from 'node:sqlite'
import type { QueryFaults } from '../../../model/declaration/operation.ts'
import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import type { DecisionFacts } from '../../../model/intent/intent.ts'
import { brokenBy } from '../../work/model/broken-conditions.ts'
import { workRunner } from '../connect/statements.ts'

type SavedQuery = typeof import('../../../queries/parse/saved-query.ts')

type SharedConditions = typeof import('../../work/model/conditions-in-use.ts')

const require = createRequire(import.meta.url)

/** Loaded by the first query that is saved: the dialects and RE2 are a third of the writer's modules. */
export const queryFaults =
  (schema: Schema): QueryFaults =>
  (name, query) => {
    const loaded = require('../../../queries/parse/saved-query.ts') as SavedQuery
    return loaded.queryFaults(schema)(name, query)
  }

/** The same for the stored conditions that a change of the model would break. */
export const brokenConditions =
  (db: DatabaseSync) =>
  (resource: Resource): NonNullable<DecisionFacts['breaks']> =>
  (thing, removed) => {
    const { sharedConditions } = require('../../work/model/conditions-in-use.ts') as SharedConditions
    return brokenBy(resource, workRunner(db)(sharedConditions(resource.schema)))(thing, removed)
  }
