import { say } from '../../languages/say.ts'
import type { FormField } from '../../representations/document.ts'
import { label } from '../../representations/html/label.ts'
import type { Members } from '../../values/members.ts'

export type FieldValues = { readonly [name: string]: unknown }

/** The fields of a form for members, with their values and examples. */
export function formFields(members: Members, values: FieldValues, example: FieldValues): readonly FormField[] {
  return Object.entries(members).map(([name, { kind, required }]) => ({
    name,
    label: say(label(name)),
    schema: kind.schema,
    ...(kind.namesUser && { namesUser: kind.namesUser }),
    // A field that accepts null or an empty string may stay empty.
    required: required && !kind.nullable && 'fault' in kind.read(''),
    ...(isGiven(values[name]) && { value: String(values[name]) }),
    ...(isGiven(example[name]) && !kind.namesUser && { placeholder: say(String(example[name])) }),
  }))
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null
