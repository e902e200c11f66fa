import { bySchema } from '../../../model/declaration/by-schema.ts'
import type { Key, Thing } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { onceFor } from '../../../values/memoize.ts'
import { isNumbered } from '../../rows/things.ts'
import type { ColumnType, SqlDialect } from '../../sql/dialect.ts'
import type { Row } from '../../sql/statement.ts'
import { type Lookup, lookUp, lookup } from '../lookup.ts'
import { bind, type Work } from '../work.ts'

/** A thing as a decision finds it. */
export interface StoredThing {
  readonly thing: Thing
  /** When its previous state began. */
  readonly previousAt: string | null
  /** The position of its last event, if the engine reaches the earlier ones from there; null if it has none. */
  readonly lastEvent?: number | null
}

/** How an engine reads things for decisions. */
export interface ThingReader {
  readonly dialect: SqlDialect
  columns(resource: Resource): readonly string[]
  read(resource: Resource, row: Row): StoredThing
}

/** The statements that read facts about things of a resource. */
export interface FactReader {
  readonly things: ThingReader
  readonly resource: Resource
}

export const keyType = (resource: Resource): ColumnType => (isNumbered(resource) ? 'bigint' : 'text')

/** The thing with an id. */
export function* readThing({ things, resource }: FactReader, id: Key): Work<StoredThing | undefined> {
  const { statement, isForEach } = thingsById(things)(resource)
  const [[row] = []] = yield [bind(statement, isForEach ? id : [id])]
  return row && things.read(resource, row)
}

/** The things with these ids. */
export function* readThings(
  { things, resource }: FactReader,
  ids: readonly Key[],
): Work<(id: Key) => StoredThing | undefined> {
  const rows = yield* lookUp(thingsById(things)(resource), ids)
  const found = new Map(rows.map((row) => things.read(resource, row)).map((each) => [each.thing.id, each]))
  return (id) => found.get(id)
}

const thingsById = onceFor(({ dialect, columns }: ThingReader) =>
  bySchema((resource: Resource): Lookup => {
    const select = `SELECT ${columns(resource).join(', ')} FROM ${resource.plural}`
    return lookup(dialect, `${resource.name}-facts`, (is) => `${select} WHERE ${is('id')}`, keyType(resource))
  }),
)
