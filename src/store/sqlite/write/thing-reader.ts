import { bySchema } from '../../../model/declaration/by-schema.ts'
import type { Thing } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { OWN } from '../../../values/json/own.ts'
import type { Kind } from '../../../values/kinds/kind.ts'
import { columnOfField, membersInOwn, storedKind } from '../../rows/things.ts'
import type { Row } from '../../sql/statement.ts'
import type { ThingReader } from '../../transactions/facts/stored-thing.ts'
import { LAST_EVENT } from '../schema/event-links.ts'
import { sqlite } from '../sql/dialect.ts'

export const thingReader: ThingReader = {
  dialect: sqlite,
  columns: (resource) => [...selected(resource), 'previous_at', LAST_EVENT],
  read(resource, row) {
    const place = resource.columns.length
    const [previousAt, lastEvent] = [row[place] as string | null, row[place + 1] as number | null]
    return { thing: readerOf(resource)(row), previousAt, lastEvent }
  },
}

/** The driver refuses unsafe integers: totals, which an earlier release let grow so large, are read as text. */
function selected(resource: Resource): readonly string[] {
  return resource.columns.map((name) => {
    const column = columnOfField(resource, name)
    if (storedKind(resource, name).name !== 'amount') return column
    return `CASE WHEN ${column} > ${Number.MAX_SAFE_INTEGER} THEN CAST(${column} AS TEXT) ELSE ${column} END`
  })
}

const readerOf = bySchema((resource: Resource): ((row: Row) => Thing) => {
  const names = resource.columns.filter((name) => name !== OWN)
  const readers = names.map((name) => valueReader(storedKind(resource, name)))
  return (row) => {
    const thing: Record<string, unknown> = {}
    names.forEach((name, at) => {
      thing[name] = readers[at]?.(row[at])
    })
    // The column of added fields is the last one.
    if (resource.extensible) Object.assign(thing, membersInOwn(resource, row[names.length]))
    return thing as unknown as Thing
  }
})

function valueReader({ name }: Kind<unknown>): (value: unknown) => unknown {
  if (name === 'boolean') return (value) => (value === null ? null : value === 1)
  if (name === 'json') return (value) => (value === null ? null : JSON.parse(String(value)))
  if (name === 'amount') return (value) => (typeof value === 'string' ? BigInt(value) : value)
  return (value) => value
}
