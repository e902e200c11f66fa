import { collectionBounds } from './collection-bounds.ts'
import type { Dialect } from './dialect.ts'
import { dotSuffixes } from './dot-suffixes.ts'
import { equality } from './equality.ts'
import { fieldBounds } from './field-bounds.ts'
import { jsonFilter } from './json-filter.ts'
import { operatorNames } from './operator-names.ts'
import { search } from './search.ts'

/** The dialects, in the order in which they are tried. */
export const dialects: readonly Dialect[] = [
  jsonFilter,
  operatorNames,
  dotSuffixes,
  collectionBounds,
  fieldBounds,
  search,
  equality,
]
