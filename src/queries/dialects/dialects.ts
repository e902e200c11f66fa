import { brackets } from './brackets.ts'
import { collectionBounds } from './collection-bounds.ts'
import type { Dialect } from './dialect.ts'
import { dotSuffixes } from './dot-suffixes.ts'
import { equality } from './equality.ts'
import { fieldBounds } from './field-bounds.ts'
import { jsonFilter } from './json-filter.ts'
import { logicParameters } from './logic-parameters.ts'
import { odataFilter } from './odata-filter.ts'
import { operatorNames } from './operator-names.ts'
import { search } from './search.ts'

/** The dialects, in the order in which they are tried. */
export const dialects: readonly Dialect[] = [
  jsonFilter,
  logicParameters,
  odataFilter,
  operatorNames,
  brackets,
  dotSuffixes,
  collectionBounds,
  fieldBounds,
  search,
  equality,
]
