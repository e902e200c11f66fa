import { bySchema } from '../../model/declaration/by-schema.ts'
import type { DomainEvent } from '../../model/declaration/event.ts'
import type { Thing } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { type ProjectionOn, projectionsOf } from '../../model/schema/resources.ts'
import { columnName } from '../sql/column-name.ts'
import type { Row } from '../sql/statement.ts'
import { columnOfField, kindIn } from './things.ts'

/** The column with the id of a row's thing. */
export const subjectColumn = ({ on, key }: ProjectionOn): string => columnName(key, kindIn(on.kinds, 'id'))

/** In the order of a row's values. */
export const projectionColumns = (projection: ProjectionOn): readonly string[] => [
  ...['id', subjectColumn(projection), 'revision'],
  ...['since', 'until', 'seconds'],
  ...projection.of.map((field) => columnOfField(projection.on, field)),
]

/** The index of its beginning in a row. */
export const SINCE = 3

/** The events of a thing, of which only the resulting states count. */
type States = readonly Pick<DomainEvent, 'thing'>[]

/** The rows that begin with the events of a thing. Each ends with the next; the last one has no end. */
export function rowsBegun(projection: ProjectionOn, before: Thing | undefined, events: States): readonly Row[] {
  const begun = statesBegun(projection, before, events)
  return begun.map((thing, at) => {
    const { id, revision, updatedAt: since } = thing
    const until = begun[at + 1]?.updatedAt
    const end = until === undefined ? [null, null] : [until, secondOf(until) - secondOf(since)]
    return [`${id}.${revision}`, id, revision, since, ...end, ...projection.of.map((field) => thing[field])]
  })
}

/** The states in which a row begins. */
function statesBegun({ of }: ProjectionOn, before: Thing | undefined, events: States): readonly Valued[] {
  const begun: Valued[] = []
  let last = before as Valued | undefined
  for (const event of events) {
    const thing = event.thing as Valued
    let isOther = false
    for (const field of of) isOther ||= last?.[field] !== thing[field]
    if (isOther) begun.push(thing)
    last = thing
  }
  return begun
}

/** The columns of a thing's table with the beginning of its last row, each if the row has certain values. */
export const sinceColumns = bySchema((resource: Resource): readonly string[] =>
  sinceFields(resource).map(({ field }) => columnName(field, { name: 'instant' })),
)

/** The values of these columns after some events; undefined if no row has begun, so that they stay. */
export function sinceAfter(
  resource: Resource,
  before: Thing | undefined,
  events: States,
): readonly (string | null | undefined)[] {
  return sinceFields(resource).map(({ projection, when }) => {
    const last = statesBegun(projection, before, events).at(-1)
    if (last === undefined) return undefined
    return Object.entries(when).every(([field, values]) => values?.includes(last[field] as string))
      ? last.updatedAt
      : null
  })
}

const sinceFields = bySchema((resource: Resource) =>
  projectionsOf(resource).flatMap((projection) =>
    Object.entries(projection.since ?? {}).map(([field, when]) => ({ projection, field, when })),
  ),
)

type Valued = Thing & { readonly [field: string]: unknown }

/** The whole seconds of an instant. */
export const secondOf = (instant: string): number => Math.floor(Date.parse(instant) / 1000)
