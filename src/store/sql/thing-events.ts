import type { EventedTable, SqlDialect } from './dialect.ts'
import { raw } from './sql.ts'

// The events of things. One engine has an index of the subjects of all events. The other has it of every 16th event, and
// each event leads to the previous one: `chain` of its dialect. decisions/0060

/** The condition that an event is of one thing; `near` bounds it to some around a revision, which are all that matter. */
export const isOfThing = (dialect: SqlDialect, resource: EventedTable, key: string, near?: string): string =>
  isOf(dialect, resource, (column) => `${column} = ${key}`, '', near)

/** The condition that an event is of one of the things in a list parameter. */
export const isOfThings = (dialect: SqlDialect, resource: EventedTable, list: string): string =>
  isOf(dialect, resource, (column) => dialect.among(column, list))

/** The condition that an event is of a thing whose key meets a condition. `of` qualifies the columns of the event. */
export function isOf(
  { chain }: Pick<SqlDialect, 'chain'>,
  resource: EventedTable,
  is: (key: string) => string,
  of = '',
  near?: string,
): string {
  if (chain === undefined) return is(`${of}subject`)
  const isKey = (key: string) => raw(is(key))
  const { text } = near === undefined ? chain.events(resource, isKey) : chain.near(resource, isKey, near)
  return `${of}sequence IN (${text})`
}

/** The condition that an event made the revision before that of another event of the same thing. */
export const isBefore = ({ chain }: Pick<SqlDialect, 'chain'>, earlier: string, later: string): string =>
  `${
    chain === undefined
      ? `${earlier}.subject = ${later}.subject AND ${earlier}.resource = ${later}.resource`
      : `${earlier}.sequence = ${later}.${chain.previous}`
  } AND ${earlier}.revision = ${later}.revision - 1`

/** The condition, besides its subject, that an event is the last one of a removed thing, of an import, or of a trim. */
export const isLeft = ({ chain }: Pick<SqlDialect, 'chain'>): string => chain?.milestone ?? 'true'
