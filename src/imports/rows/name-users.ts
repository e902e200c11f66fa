import type { Resource } from '../../model/schema.ts'
import { fieldOf } from '../../queries/collection.ts'
import { collectionsOf } from '../../queries/collections.ts'
import { defaultSort } from '../../queries/sort.ts'
import type { Desk } from '../../store/port/desk.ts'
import { fileBounds } from '../../values/bounds.ts'
import type { Wave } from '../read/read-waves.ts'

/**
 * Replaces the full names of users by their names, as in the owner of a deal, if one user alone has the full name and
 * nobody the name. Other names stay: they need not be those of users.
 */
export function userNaming(resource: Resource, desk: Desk): (wave: Wave) => Promise<Wave> {
  const fields = Object.keys(resource.fields).filter((field) => resource.fields[field]?.kind.namesUser)
  const known = new Map<string, string>()
  return async (wave) => {
    if (known.size > fileBounds.names) known.clear()
    const texts = new Set(wave.rows.flatMap(({ values }) => fields.flatMap((field) => values[field] ?? [])))
    const unknown = [...texts].map(String).filter((text) => !known.has(text))
    if (unknown.length > 0) for (const [text, name] of await namesOf(desk, unknown)) known.set(text, name)
    const isOther = (value: unknown): boolean => typeof value === 'string' && (known.get(value) ?? value) !== value
    const rows = wave.rows.map((row) => {
      const others = fields.filter((field) => isOther(row.values[field]))
      if (others.length === 0) return row
      const named = Object.fromEntries(others.map((field) => [field, known.get(String(row.values[field]))]))
      return { ...row, values: { ...row.values, ...named } }
    })
    return { ...wave, rows }
  }
}

/** The name for each text. */
async function namesOf(desk: Desk, texts: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { people } = collectionsOf(desk.schema)
  const terms = ['name', 'fullName'].map((name) => [
    { field: fieldOf(people, name), operator: 'eq' as const, values: texts },
  ])
  const filter = [{ any: terms, negated: false }]
  const query = { filter, sort: defaultSort(people), size: texts.length, count: false, refuseEmpty: false }
  const found: { readonly name: string; readonly fullName: string | null }[] = []
  for await (const lines of desk.stream(people, [], query)) {
    for (const line of Buffer.from(lines).toString('utf8').trimEnd().split('\n')) found.push(JSON.parse(line))
  }
  const names = new Set(found.map(({ name }) => name))
  return new Map(
    texts.map((text) => {
      const [user, ...others] = found.filter(({ fullName }) => fullName === text)
      return [text, names.has(text) || user === undefined || others.length > 0 ? text : user.name]
    }),
  )
}
