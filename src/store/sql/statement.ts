/** A statement; one with a name is prepared under it, where the engine prepares by name. */
export interface Statement {
  readonly name?: string
  readonly text: string
}

/** A list is one value: `SqlDialect.among` looks into it. */
export type Values = readonly unknown[]
export type Row = readonly unknown[]
