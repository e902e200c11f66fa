import { fault, reason } from '../../../values/faults/fault.ts'
import { isObject } from '../../../values/json/is-object.ts'
import type { Json } from '../../../values/json/json.ts'
import type { Kind } from '../../../values/kinds/kind.ts'

/** The answer about a column: its field, and how its cells are read. */
export interface ColumnAnswer {
  /** Null if the column is ignored. */
  readonly field?: string | null
  readonly decimal?: ',' | '.'
  readonly dates?: 'dmy' | 'mdy'
  readonly currency?: string
  /** The factor of its numbers. */
  readonly unit?: number
}

/** By the headings of the columns. */
export type ColumnChoices = { readonly [heading: string]: ColumnAnswer }

const members: { readonly [name: string]: (value: unknown) => boolean } = {
  field: (value) => value === null || typeof value === 'string',
  decimal: (value) => value === ',' || value === '.',
  dates: (value) => value === 'dmy' || value === 'mdy',
  currency: (value) => typeof value === 'string' && /^[A-Z]{3}$/.test(value),
  unit: (value) => typeof value === 'number' && value >= 1e-6 && value <= 1e12,
}

const isChoice = (value: unknown): boolean =>
  isObject(value) && Object.entries(value).every(([name, each]) => members[name]?.(each) ?? false)

/** Choices for columns, each an object with a field and a reading. */
export const columnChoices: Kind<ColumnChoices> = {
  name: 'text',
  nullable: false,
  schema: {
    type: 'object',
    // A file has at most as many columns.
    maxProperties: 300,
    additionalProperties: {
      type: 'object',
      additionalProperties: false,
      properties: {
        field: { type: ['string', 'null'], maxLength: 64, pattern: '^\\S+$' },
        decimal: { enum: [',', '.'] },
        dates: { enum: ['dmy', 'mdy'] },
        currency: { type: 'string', minLength: 3, maxLength: 3, pattern: '^[A-Z]{3}$' },
        unit: { type: 'number', minimum: 1e-6, maximum: 1e12 },
      },
    },
    description: 'By heading: the field of the column, null to ignore it, and how its cells are read.',
  },
  read: (raw) =>
    isObject(raw) && Object.values(raw).every(isChoice)
      ? { value: raw as ColumnChoices }
      : { fault: reason('type', { wants: 'object' }) },
  readText: () => fault('type', { wants: 'object' }),
  write: (value) => value as unknown as Json,
}
