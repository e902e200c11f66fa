import { fileBounds } from '../../../values/bounds.ts'
import type { JsonSchema } from '../../../values/kinds/kind.ts'

const list = (properties: JsonSchema, optional: JsonSchema = {}): JsonSchema => ({
  type: 'array',
  maxItems: fileBounds.found,
  items: { type: 'object', required: Object.keys(properties), properties: { ...properties, ...optional } },
})

/** A heading has any character of its file. */
const heading: JsonSchema = { type: 'string', maxLength: fileBounds.found, pattern: '^[\\s\\S]*$' }
const word: JsonSchema = { type: 'string', maxLength: 64, pattern: '^\\S+$' }
const orNull = (schema: JsonSchema): JsonSchema => ({ ...schema, type: ['string', 'null'] })
const number: JsonSchema = { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
const reading: JsonSchema = {
  type: ['object', 'null'],
  properties: {
    decimal: { enum: [',', '.'] },
    dates: { enum: ['dmy', 'mdy'] },
    currency: word,
    bare: orNull(word),
    unit: { type: 'number' },
  },
}

/** The members of an import that tell what is in its file, with their schemas. */
export const foundMembers = {
  create: { enum: ['missing', null], description: 'Missing customers.' },
  badCells: { enum: ['empty', null], description: 'Unreadable cells.' },
  columns: { ...list({ heading, field: orNull(word), reading }), description: 'Columns, their fields and readings.' },
  defaults: { type: 'object', additionalProperties: true, description: 'By field, for what the file lacks.' },
  sheet: { ...orNull(heading), description: 'The sheet of a workbook.' },
  headings: { ...number, type: ['integer', 'null'], description: 'The row of the headings.' },
  asked: {
    ...list({
      column: orNull(heading),
      about: { enum: ['decimal', 'dates', 'currency', 'unit', 'sheet'] },
      choices: { type: 'array', maxItems: 1000, items: { ...heading, type: ['string', 'number'] } },
    }),
    description: 'Open questions; one about a sheet has no column, and those about a unit have factors as choices.',
  },
  values: {
    ...list({
      column: heading,
      value: heading,
      count: number,
      as: { type: ['object', 'null'], additionalProperties: true },
    }),
    description: 'Values of columns that nobody knows, and what they mean: as answered, or as other programs use them.',
  },
  looksKnown: {
    ...number,
    description: 'Rows that look like things that are there, where no column says which they are.',
  },
  creates: { ...number, description: 'Things that rows name and that are made.' },
  faults: {
    ...list(
      {
        column: orNull(heading),
        code: word,
        count: number,
        rows: { type: 'array', maxItems: fileBounds.found, items: number },
      },
      { example: { type: 'object', additionalProperties: true }, emptied: { type: 'boolean' } },
    ),
    description:
      'Faults by column, each with the first of them as `example`; `emptied` ones left a cell empty, the others refused their rows.',
  },
} as const satisfies { readonly [member: string]: JsonSchema }
