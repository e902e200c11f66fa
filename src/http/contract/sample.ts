import type { Params } from '../../model/operation.ts'
import type { Key } from '../../model/resource.ts'
import type { Operation } from '../../model/schema.ts'

/** An operation as a client could ask for it. */
export interface Sample {
  readonly operation: Operation
  readonly params: Params
  /** The id of its thing. */
  readonly target: Key
  /** The id of the command, in forms that have one. */
  readonly command: string
}
