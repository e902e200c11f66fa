import type { DomainEvent } from '../../model/event.ts'
import type { Thing } from '../../model/resource.ts'
import type { ProjectionOn } from '../../model/resources.ts'
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

/** The rows that begin with the events of a thing. Each ends with the next; the last one has no end. */
export function rowsBegun(
  { of }: ProjectionOn,
  before: Thing | undefined,
  events: readonly Pick<DomainEvent, 'thing'>[],
): readonly Row[] {
  const begun: Valued[] = []
  let last = before as Valued | undefined
  for (const event of events) {
    const thing = event.thing as Valued
    let isOther = false
    for (const field of of) isOther ||= last?.[field] !== thing[field]
    if (isOther) begun.push(thing)
    last = thing
  }
  return begun.map((thing, at) => {
    const { id, revision, updatedAt: since } = thing
    const until = begun[at + 1]?.updatedAt
    const end = until === undefined ? [null, null] : [until, secondOf(until) - secondOf(since)]
    return [`${id}.${revision}`, id, revision, since, ...end, ...of.map((field) => thing[field])]
  })
}

type Valued = Thing & { readonly [field: string]: unknown }

const secondOf = (instant: string): number => Math.floor(Date.parse(instant) / 1000)
