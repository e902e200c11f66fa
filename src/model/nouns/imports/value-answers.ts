import { fileBounds } from '../../../values/bounds.ts'
import { fault, reason } from '../../../values/faults/fault.ts'
import { isObject } from '../../../values/json/is-object.ts'
import type { Json } from '../../../values/json/json.ts'
import type { JsonSchema, Kind } from '../../../values/kinds/kind.ts'

/** The meaning of a value in a file: values of fields by name; null for none, and `later` for a person to come. */
export type ValueAnswer = null | { readonly [field: string]: Json }

/** By the headings of columns, and by the values. */
export type ValueAnswers = { readonly [heading: string]: { readonly [value: string]: ValueAnswer } }

/** The values of fields where a file has none. */
export type Defaults = { readonly [field: string]: Json }

/** The member of an answer that says that somebody comes later who has this name. */
export const LATER = 'later'

const isAnswer = (value: unknown): boolean => value === null || isObject(value)

const isAnswers = (value: unknown): boolean =>
  isObject(value) &&
  Object.entries(value).every(([text, answer]) => text.length <= fileBounds.value && isAnswer(answer))

const answer: JsonSchema = {
  type: ['object', 'null'],
  maxProperties: 20,
  additionalProperties: true,
  description: 'The fields it sets, such as `{"status": "completed"}`; null counts as empty; `{}` refuses its rows.',
}

const answersOfColumn: JsonSchema = {
  type: 'object',
  maxProperties: fileBounds.values,
  additionalProperties: answer,
  description: 'By value. An admin answers `{"later": true}` for a person who has no account yet.',
}

/** Answers about values; the fields and values in them are read where the resource is known. */
export const valueAnswers: Kind<ValueAnswers> = {
  name: 'text',
  nullable: false,
  schema: {
    type: 'object',
    maxProperties: fileBounds.columns,
    additionalProperties: answersOfColumn,
    description: 'By heading: the meanings of the values in this column. Merged with earlier answers.',
  },
  read: (raw) =>
    isObject(raw) && Object.values(raw).every(isAnswers)
      ? { value: raw as ValueAnswers }
      : { fault: reason('type', { wants: 'object' }) },
  readText: () => fault('type', { wants: 'object' }),
  write: (value) => value as unknown as Json,
}

/** Values for what a file lacks; each is read where the resource is known. */
export const defaultValues: Kind<Defaults> = {
  name: 'text',
  nullable: false,
  schema: {
    type: 'object',
    maxProperties: fileBounds.columns,
    additionalProperties: true,
    description: 'By field: the value of new things without such a column, and of empty cells. Replaces earlier ones.',
  },
  read: (raw) => (isObject(raw) ? { value: raw as Defaults } : { fault: reason('type', { wants: 'object' }) }),
  readText: () => fault('type', { wants: 'object' }),
  write: (value) => value as unknown as Json,
}

/** Earlier answers with later ones. */
export const mergedAnswers = (...all: readonly (ValueAnswers | undefined)[]): ValueAnswers => {
  const merged: Record<string, Record<string, ValueAnswer>> = Object.create(null)
  for (const answers of all)
    for (const [heading, said] of Object.entries(answers ?? {}))
      merged[heading] = Object.assign(Object.create(null), merged[heading], said)
  return merged
}
