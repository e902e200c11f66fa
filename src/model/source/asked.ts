import type { Json } from '../../values/json/json.ts'

/** An operation, as somebody asks for it. */
export interface AskedOperation {
  readonly action: unknown
  readonly params: unknown
  /** Fields that clients cannot set, if the service itself asks. */
  readonly assigned?: { readonly [field: string]: Json }
  /** The further attributes of a new thing, which are applied with it or not at all. */
  readonly afterwards?: AskedAttributes
}

/** The attributes that a thing is to have. */
export interface AskedAttributes {
  readonly attributes: unknown
  /** An absent field gets its default instead of keeping its value. */
  readonly whole?: boolean
  /** An object changes only the members that it has, and null removes one (RFC 7396). */
  readonly merges?: boolean
  /** Creates the thing if none has the unique value that the target names. */
  readonly makes?: boolean
  /** An imported row: it asks for every operation that leads to its state. */
  readonly row?: boolean
}
