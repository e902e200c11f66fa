import { buildSchema } from '../../src/model/schema/build-schema.ts'
import { resourceNamed } from '../../src/model/schema/resources.ts'
import { collectionsOf } from '../../src/queries/collections.ts'

/** The schema of the source, for tests that need no store. */
export const schema = buildSchema()
export const { resources, operations } = schema

export const collections = collectionsOf(schema)

/** Those whose examples can be made any number of times: a name of the model is never used again. */
export const repeatable = resources.filter(({ shapes }) => shapes === undefined)

export const deal = resourceNamed(schema, 'deal')
export const customer = resourceNamed(schema, 'customer')
export const task = resourceNamed(schema, 'task')
export const rate = resourceNamed(schema, 'rate')
export const target = resourceNamed(schema, 'target')
export const view = resourceNamed(schema, 'view')
