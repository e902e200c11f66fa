import { referencedFirst } from '../../model/resources.ts'
import type { Resource, Schema } from '../../model/schema.ts'

/** What files can be imported into; each behind those that it refers to, as an operator imports them. */
export const importable = (schema: Schema): readonly Resource[] =>
  referencedFirst(schema).filter(({ imports }) => imports !== undefined)
