import type { State } from '../../values/guard.ts'

export type Headers = { readonly [name: string]: string }

/** The state that ETag and Last-Modified are made of. */
export interface Validators extends State {
  /** Set if the links are those for a reader. */
  readonly forReader?: boolean
  /** An instant that the answer shows and that changes without a revision: it is in the tag. */
  readonly beside?: string | null
}
