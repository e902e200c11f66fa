import { SEARCH } from '../../../../queries/dialects/search.ts'
import { settingNames } from '../../../../queries/settings.ts'
import type { JsonSchema } from '../../../../values/kinds/kind.ts'
import { ownText, reference } from './schema.ts'

const words: JsonSchema = { type: 'array', maxItems: 1000, items: { ...ownText(8000), type: ['string', 'number'] } }
const setting: JsonSchema = { anyOf: [{ ...ownText(8000), type: ['string', 'number', 'boolean', 'null'] }, words] }

/** The content of a QUERY. */
export const querySchemas: { readonly [name: string]: JsonSchema } = {
  QueryContent: {
    type: 'object',
    description: 'A query as JSON: the filter, and the settings of an address by their names.',
    properties: {
      filter: { $ref: '#/components/schemas/JsonFilter' },
      ...Object.fromEntries([SEARCH, ...settingNames].map((name) => [name, reference('QuerySetting')])),
    },
    additionalProperties: false,
    examples: [{ filter: { or: [{ age: { gte: 65 } }, { country: ['DE', 'FR'] }] }, sort: ['-age'], limit: 50 }],
  },
  QuerySetting: setting,
  JsonFilter: {
    type: ['object', 'null'],
    description:
      'All members hold. A field stands for its value, one of several, null, or comparisons (`{"age": {"gte": 18, "lt": 65}}`); `and` and `or` have lists of filters, `not` has one.',
    maxProperties: 1000,
  },
  QueryForm: {
    type: 'object',
    description: 'What would stand behind the `?` of an address.',
    maxProperties: 1000,
    additionalProperties: {},
  },
}
