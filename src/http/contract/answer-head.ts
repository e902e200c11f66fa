import type { State } from '../../values/guard.ts'

export type Headers = { readonly [name: string]: string }

/** The state for ETag and Last-Modified. */
export interface Validators extends State {
  /** Set if the links are those for a reader. */
  readonly forReader?: boolean
  /** An instant that the answer shows and that changes without a revision: it is part of the tag. */
  readonly beside?: string | null
}
