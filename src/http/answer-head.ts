import type { State } from '../values/guard.ts'

export type Headers = { readonly [name: string]: string }

/** The state that ETag and Last-Modified are made of. */
export interface Validators extends State {
  /** Set if the links are those for a reader. */
  readonly forReader?: boolean
}
