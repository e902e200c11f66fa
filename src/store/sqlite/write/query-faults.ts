import { createRequire } from 'node:module'
import type { QueryFaults } from '../../../model/operation.ts'
import type { Schema } from '../../../model/schema.ts'

type SavedQuery = typeof import('../../../queries/parse/saved-query.ts')

const require = createRequire(import.meta.url)

/** Loaded by the first query that is saved: the dialects and RE2 are a third of the writer's modules. */
export const queryFaults =
  (schema: Schema): QueryFaults =>
  (name, query) => {
    const loaded = require('../../../queries/parse/saved-query.ts') as SavedQuery
    return loaded.queryFaults(schema)(name, query)
  }
