import { layoutOf } from '../../imports/rows/layouts.ts'
import type { FieldNames } from '../../imports/uploads/matching.ts'
import { languages } from '../../languages/language.ts'
import type { Resource } from '../../model/schema.ts'
import { label } from '../../representations/html/label.ts'
import { reasonHeadings } from './reasons.ts'

/** The fields that a file of a resource may have. */
export const fieldsOf = (resource: Resource): readonly string[] =>
  [...layoutOf(resource).columns].flatMap(([name, { ignored }]) => (ignored ? [] : [name]))

/** The names of each field, in every language: files come from anywhere. */
export function fieldNames(resource: Resource): FieldNames {
  const names = new Map(fieldsOf(resource).map((field) => [field, [field, ...saidIn(label(field))]] as const))
  // The reasons of previously rejected rows are not a field.
  return new Map([...names, ['', reasonHeadings()]])
}

const saidIn = (text: string): readonly string[] => [
  text,
  ...[...languages.values()].flatMap((language) => {
    const said = language().texts.get(text)
    return typeof said === 'string' ? [said] : []
  }),
]
