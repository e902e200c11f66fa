import type { Schema } from '../../model/schema.ts'

/** A statement; one with a name is prepared under it, if the engine prepares by name. */
export interface Statement {
  readonly name?: string
  readonly text: string
}

/** The name of a statement whose text follows from a schema: one name is prepared with one text. */
export const nameIn = ({ version }: Schema, name: string): string => (version === 0 ? name : `${name} ${version}`)

/** A list is one value, which `SqlDialect.among` searches. */
export type Values = readonly unknown[]
export type Row = readonly unknown[]
