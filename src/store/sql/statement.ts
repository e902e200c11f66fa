import { createHash } from 'node:crypto'

/** A statement; one with a name is prepared under it, if the engine prepares by name. */
export interface Statement {
  readonly name?: string
  readonly text: string
  /** Whether its result is the position of the row that it inserts, on an engine that numbers rows. */
  readonly givesPosition?: true
}

/**
 * A statement whose text follows from a schema. One name is prepared with one text: two schemas may have the same version
 * if one of them is never stored, such as that of a dry run.
 */
export const prepared = (name: string, text: string): Statement & { readonly name: string } => ({
  name: `${name.slice(0, LONGEST_NAME)} ${createHash('sha256').update(text).digest('base64url').slice(0, 12)}`,
  text,
})

/** PostgreSQL compares 63 characters. */
const LONGEST_NAME = 50

/** A list is one value, which `SqlDialect.among` searches. */
export type Values = readonly unknown[]
export type Row = readonly unknown[]
