import { bySchema } from '../../../model/declaration/by-schema.ts'
import type { Key } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { idAmong, type UniqueValue, uniqueValuesIn } from '../../../model/intent/unique-values.ts'
import { onceFor } from '../../../values/memoize.ts'
import { uniqueLookup } from '../../rows/unique-lookup.ts'
import type { SqlDialect } from '../../sql/dialect.ts'
import { lookUp, lookup } from '../lookup.ts'
import { together, type Work } from '../work.ts'
import { defineFact } from './fact.ts'
import type { FactReader } from './stored-thing.ts'

/** The things that have unique values. */
export const idBy = defineFact({
  name: 'idBy',
  wanted: ({ intent, resource }) => uniqueValuesIn(intent, resource),
  read: readIds,
  tell:
    (ask, { resource: { name } }, left) =>
    (field: string, value: unknown) => {
      const changed = idAmong(left.all(name))(field, value)
      const id = changed ?? ask({ field, value })
      // A thing that had it, and no longer has, was decided before.
      return changed === undefined && id !== undefined && left.of(name, id) !== undefined ? undefined : id
    },
})

/** The ids of the things that have these values. */
export function* readIds(
  { things: { dialect }, resource }: FactReader,
  values: readonly UniqueValue[],
): Work<(value: UniqueValue) => Key | undefined> {
  const naming = namingOf(dialect)(resource)
  const byField = [...Map.groupBy(values, ({ field }) => field)]
  const rows = yield* together(
    byField.map(([field, some]) => {
      const { lookup, kept } = naming(field)
      return lookUp(
        lookup,
        some.map(({ value }) => kept(value)),
      )
    }),
  )
  const found = new Map(
    byField.map(([field], at) => [field, new Map(rows[at]?.map(([value, id]) => [value, id as Key]))]),
  )
  return ({ field, value }) => found.get(field)?.get(naming(field).kept(value))
}

const namingOf = onceFor((dialect: SqlDialect) =>
  bySchema((resource: Resource) => {
    const all = new Map(
      resource.uniques.map((field) => {
        const { values, kept, type } = uniqueLookup(dialect, resource, field)
        return [field, { kept, lookup: lookup(dialect, `${resource.name}-by-${field}`, values, type) }] as const
      }),
    )
    return (field: string) => {
      const naming = all.get(field)
      if (naming === undefined) throw new Error(`${field} of a ${resource.name} is not unique`)
      return naming
    }
  }),
)
