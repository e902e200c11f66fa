import { fileBounds } from '../../values/bounds.ts'
import type { JsonSchema } from '../../values/kinds/kind.ts'

const list = (properties: JsonSchema, description: string): JsonSchema => ({
  type: 'array',
  maxItems: fileBounds.found,
  items: { type: 'object', required: Object.keys(properties), properties },
  description,
})

/** A heading has any character of its file. */
const heading: JsonSchema = { type: 'string', maxLength: fileBounds.found, pattern: '^[\\s\\S]*$' }
const word: JsonSchema = { type: 'string', maxLength: 64, pattern: '^\\S+$' }
const orNull = (schema: JsonSchema): JsonSchema => ({ ...schema, type: ['string', 'null'] })
const number: JsonSchema = { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
const reading: JsonSchema = {
  type: ['object', 'null'],
  properties: { decimal: { enum: [',', '.'] }, dates: { enum: ['dmy', 'mdy'] }, currency: word },
}

/** The members of an import that tell what is in its file, with their schemas. */
export const foundMembers = {
  create: { enum: ['missing', null], description: 'Missing customers.' },
  badCells: { enum: ['empty', null], description: 'Unreadable cells.' },
  columns: list({ heading, field: orNull(word), reading }, 'Columns, their fields and readings.'),
  asked: list(
    {
      column: heading,
      about: { enum: ['decimal', 'dates', 'currency'] },
      choices: { type: 'array', maxItems: 1000, items: word },
    },
    'Open questions.',
  ),
  faults: list(
    {
      column: orNull(heading),
      code: word,
      count: number,
      rows: { type: 'array', maxItems: fileBounds.found, items: number },
    },
    'Faults by column.',
  ),
} as const satisfies { readonly [member: string]: JsonSchema }
