import { referencedFirst } from '../../model/resources.ts'
import type { Resource, Schema } from '../../model/schema.ts'

/** The resources that files can be imported into, in an order in which references exist. */
export const importable = (schema: Schema): readonly Resource[] =>
  referencedFirst(schema).filter(({ imports }) => imports !== undefined)
