import { fault, near } from '../../values/faults/fault.ts'
import { nearest } from '../../values/faults/nearest.ts'
import type { Read } from '../../values/kinds/kind.ts'
import { groupsOf } from '../../values/members.ts'
import type { Collection } from '../collection.ts'

/** `id,age` or `name,customer.name`: members of an item, and of the things related to it. */
export function readFields(collection: Collection, text: string): Read<readonly string[]> {
  const known = new Set(fieldNames(collection))
  const groups = groupsOf(collection.columns)
  const all = [...collection.columns]
  const inGroup = (group: string): readonly string[] => all.filter((name) => name.startsWith(`${group}.`))
  const named = text.split(',').map((name) => name.trim())
  const asked = text === '*' ? all : named.flatMap((name) => (groups.has(name) ? inGroup(name) : [name]))
  const unknown = asked.find((name) => !known.has(name))
  if (unknown === '') return fault('blank', { wants: 'name' })
  if (unknown !== undefined) return fault('unknown-field', { name: unknown, ...near(nearest(unknown, known)) })
  return { value: [...new Set(asked)] }
}

/** Every name that `fields` can have. */
export function fieldNames({ fields, columns, structured, relations }: Collection): readonly string[] {
  const shown = [...fields.values()].filter((field) => !field.hidden).map((field) => field.name)
  const related = [...relations.values()].flatMap(({ name, of }) => [name, ...of.names.map((own) => `${name}.${own}`)])
  return [...shown, ...groupsOf(columns), ...structured, ...related]
}
