import { bySchema } from '../../../model/declaration/by-schema.ts'
import type { UsedBy } from '../../../model/declaration/refusal.ts'
import type { Key } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { wouldRemove } from '../../../model/intent/look-ahead.ts'
import { onceFor } from '../../../values/memoize.ts'
import { holding, readHolders } from '../../rows/holders.ts'
import { type SqlDialect, statementIn } from '../../sql/dialect.ts'
import { prepared } from '../../sql/statement.ts'
import { type Lookup, lookUp } from '../lookup.ts'
import { type Concerned, defineFact } from './fact.ts'
import { keyType } from './stored-thing.ts'

/** The first things that refer to one that is removed. */
export const heldBy = defineFact({
  name: 'heldBy',
  wanted: removed,
  *read({ things: { dialect }, resource }, ids) {
    const holders = holdersOf(dialect)(resource)
    const rows = holders === undefined ? [] : yield* lookUp(holders, ids)
    const held = Map.groupBy(rows, ([id]) => id)
    return (id: Key) => readHolders(resource, held.get(id)?.map(([, ...holder]) => holder) ?? [])
  },
  tell: (ask, about): readonly UsedBy[] => removed(about).flatMap(ask),
})

function removed({ intent, resource, target }: Concerned): readonly Key[] {
  return target !== undefined && wouldRemove(intent, resource) ? [target] : []
}

/** The holders of things, behind the ids of these; undefined if no field can name them. */
const holdersOf = onceFor((dialect: SqlDialect) =>
  bySchema((resource: Resource): Lookup | undefined => {
    const asked = (key: string): string => `SELECT ${key} AS asked, held.* FROM`
    const held = (key: string): string => `(${holding(dialect, resource, key)}) AS held`
    if (holding(dialect, resource, '') === undefined) return undefined
    const { asksForEach } = dialect
    const text = asksForEach
      ? `${asked('?1')} ${held('?1')}`
      : `${asked('asked.id')} (${dialect.listed('?1', keyType(resource))}) AS asked (id) CROSS JOIN LATERAL ${held('asked.id')}`
    return { statement: statementIn(dialect, prepared(`${resource.name}-holders`, text)), isForEach: asksForEach }
  }),
)
