import type { Schema } from '../../../../model/declaration/schema.ts'
import { collectionsOf } from '../../../../queries/collections.ts'
import { representations } from '../../../../representations/representations.ts'
import type { JsonSchema } from '../../../../values/kinds/kind.ts'
import { uuid } from '../../../../values/kinds/uuid.ts'
import { objectSchema } from '../../../../values/members.ts'
import { answerSchemas } from './answer-schemas.ts'
import { bodySchemas } from './body-schemas.ts'
import { shareSchemas } from './equal-parts.ts'
import { exampleDocuments } from './examples.ts'
import { filterValues } from './filters.ts'
import { listSchemas, listsOf, properties, thingsOf } from './item-schemas.ts'
import { namedThing, problemSchema, problemsByStatus } from './problem-schema.ts'
import { querySchemas } from './query-schemas.ts'
import { addressText, anyId, count, limited, limitedWhole, namedKinds, ownText } from './schema.ts'

/** The shared schemas, by name; built in steps. */
export function* schemaComponents(schema: Schema): Generator<undefined, { readonly [name: string]: JsonSchema }> {
  const collections = Object.values(collectionsOf(schema))
  const examples = exampleDocuments(schema)
  yield
  const things = Object.fromEntries(collections.flatMap((each) => thingsOf(each, examples)))
  yield
  return yield* shareSchemas({
    ...things,
    ...Object.fromEntries(collections.flatMap(listsOf)),
    ...filterValues(schema),
    ...Object.fromEntries(listSchemas('Group', 'Group')),
    Group: {
      type: 'object',
      description: 'The fields that `group` names, then the measures, under the names that were asked for.',
      maxProperties: 40,
      additionalProperties: { ...ownText(8000), type: ['string', 'number', 'boolean', 'null'] },
      xml: { name: 'group' },
      examples: [{ stage: 'lead', currency: 'EUR', count: 3, 'sum.price': 30.3 }],
    },
    ...bodySchemas(schema),
    AddressedId: { ...ownText(128), description: 'What the address names, where the body repeats it.' },
    Params: {
      type: 'object',
      description: 'The parameters of an operation, as its own schema has them.',
      maxProperties: 30,
      additionalProperties: {},
    },
    ImportCounts: {
      ...objectSchema({ inserted: count, updated: count, unchanged: count }),
      description: 'How many rows of an import made a customer, changed one, or said what was known.',
    },
    UndoneImport: {
      ...objectSchema({ id: limited(uuid.schema), removed: undoneIds, restored: undoneIds }),
      description: 'The things that an undone import had made, and those that it had changed, by resource.',
    },
    PageLinks: {
      ...objectSchema(properties(['self', 'first', 'prev', 'next'], addressText), []),
      description: 'Those that fit into an address; only a QUERY can be too long for one.',
    },
    ...querySchemas,
    Problem: { ...problemSchema(schema), examples: [examples.Problem ?? {}] },
    NamedThing: namedThing,
    ...problemsByStatus(schema),
    ...answerSchemas(schema),
    ...texts,
    ...Object.fromEntries([...namedKinds(schema)].map(([shared, name]) => [name, limitedWhole(shared)])),
  })
}

const undoneIds: JsonSchema = {
  type: 'object',
  maxProperties: 20,
  additionalProperties: { type: 'array', items: anyId, maxItems: 10_000_000 },
}

const texts: { readonly [name: string]: JsonSchema } = {
  ...Object.fromEntries(
    representations.flatMap(({ schema }) => (schema === undefined ? [] : [[schema.name, schema.of]])),
  ),
  Stream: {
    type: 'string',
    description:
      'Server-sent events: `id` is the sequence. Of the feed, `event` is the type and `data` the event; of a list, `event` is `enter`, `change`, `leave`, `ready` or `reset`, and `data` the thing.',
  },
  Text: { type: 'string', description: 'Text of the media type.' },
}
