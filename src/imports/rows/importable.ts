import type { Resource, Schema } from '../../model/declaration/schema.ts'
import { referencedFirst } from '../../model/schema/resources.ts'

/** The resources that files can be imported into, in an order in which references exist. */
export const importable = (schema: Schema): readonly Resource[] =>
  referencedFirst(schema).filter(({ imports }) => imports !== undefined)
