import { bySchema } from '../../../model/declaration/by-schema.ts'
import type { Exists } from '../../../model/declaration/operation.ts'
import type { Key } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { thingsNamed } from '../../../model/intent/look-ahead.ts'
import { isDeleted, resourceNamed } from '../../../model/schema/resources.ts'
import { onceFor } from '../../../values/memoize.ts'
import type { SqlDialect } from '../../sql/dialect.ts'
import { type Lookup, lookUp, lookup } from '../lookup.ts'
import { together } from '../work.ts'
import { defineFact } from './fact.ts'
import { keyType } from './stored-thing.ts'

/** Whether the things that an intent refers to exist. */
export const exists = defineFact({
  name: 'exists',
  wanted: ({ intent, resource }) => thingsNamed(intent, resource),
  *read({ things: { dialect }, resource: { schema } }, keys) {
    const byResource = [...Map.groupBy(keys, ({ resource }) => resource)]
    const rows = yield* together(
      byResource.map(([name, named]) =>
        lookUp(
          existing(dialect)(resourceNamed(schema, name)),
          named.map(({ id }) => id),
        ),
      ),
    )
    const found = new Map(byResource.map(([name], at) => [name, new Map(rows[at]?.map(([id, gone]) => [id, gone]))]))
    // Undefined if there is none.
    return ({ resource, id }) => {
      const deletedAt = found.get(resource)?.get(id)
      return deletedAt === undefined ? undefined : deletedAt === null
    }
  },
  tell: (ask, _about, left): Exists => {
    const isKept = (resource: string, id: Key): boolean | undefined => {
      const changed = left.of(resource, id)
      if (changed === undefined) return ask({ resource, id })
      return changed.thing && !isDeleted(changed.thing)
    }
    return (resource, id, isLinked) => (isLinked ? isKept(resource, id) === true : isKept(resource, id) !== undefined)
  },
})

/** With the time at which they were deleted, if that keeps them. */
const existing = onceFor((dialect: SqlDialect) =>
  bySchema((resource: Resource): Lookup => {
    const { name, plural, keepsDeleted } = resource
    const columns = `id, ${keepsDeleted ? 'deleted_at' : 'NULL'}`
    return lookup(
      dialect,
      `${name}-existing`,
      (is) => `SELECT ${columns} FROM ${plural} WHERE ${is('id')}`,
      keyType(resource),
    )
  }),
)
