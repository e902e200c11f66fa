import { fault } from '../faults/fault.ts'
import type { Json } from '../json/json.ts'
import type { JsonSchema, Kind, Read } from './kind.ts'

/**
 * A value with parts, such as a list: stored as JSON text, shown as it is, and neither compared nor sorted. The text in
 * a form or a cell is JSON too, or a line for each text of a list.
 */
export const structure = <T extends Json>(schema: JsonSchema, read: (raw: unknown) => Read<T>): Kind<T> => ({
  name: 'json',
  schema,
  nullable: false,
  read,
  readText(text) {
    if (isListOfTexts(schema) && !text.trimStart().startsWith('['))
      return read(text.split('\n').flatMap((line) => line.trim() || []))
    try {
      return read(JSON.parse(text))
    } catch {
      return fault('malformed', { wants: 'json' })
    }
  },
  write: (value) => value,
})

const isListOfTexts = ({ type, items }: JsonSchema): boolean =>
  type === 'array' && typeof items === 'object' && items !== null && 'type' in items && items.type === 'string'
