import type { Params } from '../../model/declaration/operation.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Operation } from '../../model/declaration/schema.ts'

/** An operation as a client could request it. */
export interface Sample {
  readonly operation: Operation
  readonly params: Params
  /** The id of its thing. */
  readonly target: Key
  /** The id of the command, in forms that have one. */
  readonly command: string
}

/** The effect of an operation on a thing: its id, and the changed members, as JSON. */
export interface SaidThing {
  readonly id: string
  readonly revision: number
  readonly changed: readonly (readonly [name: string, json: string])[]
}

/** The thing as abbreviated JSON, with its links. */
export const withLinks = ({ id, changed }: SaidThing): string =>
  abbreviated(`"id":"${id}", `, [...changed, ['links', '{…}']])

/** Only its fields. */
export const withoutLinks = ({ id, changed }: SaidThing): string => abbreviated(`"id":"${id}", `, changed)

/** Abbreviated JSON: its beginning, and some of its members. */
export const abbreviated = (start: string, members: SaidThing['changed']): string =>
  `{${start}…\n${members.map(([name, json]) => ` "${name}":${json}`).join(', …\n')}}`
