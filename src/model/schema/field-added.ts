import { type KindTitles, nullable, present } from '../../values/kinds/kind.ts'
import { type Field, given } from '../declaration/field.ts'
import type { AddedField } from '../source/added-field.ts'
import { addedKind, type KeyKinds } from '../source/added-kinds.ts'

/** Existing things have no value, so that it is null in documents even if it is required. */
export function fieldAdded(field: AddedField, keyOf: KeyKinds): Field {
  const kind = { ...addedKind(field.kind).valuesOf(field.options ?? {}, keyOf), titled: titlesOf(field) }
  return {
    ...given(nullable(kind), null),
    ...(field.required && { required: present(kind) }),
    ...(field.unique && { unique: true }),
    added: field,
  }
}

/** By position; equal ones in the order in which they were added. */
export const inPlace = (fields: readonly AddedField[]): readonly AddedField[] =>
  fields.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0) || compareIds(a.id ?? '', b.id ?? ''))

const compareIds = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

function titlesOf({ title, titles, help, group, options: { values } = {} }: AddedField): KindTitles {
  return { title, titles, help, group, ...(values && { values: new Map(values.map((each) => [each.value, each])) }) }
}
