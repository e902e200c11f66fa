/** The revisions on which a change may be built, as the client stated them. */
export interface Guard {
  /** `any` stands for whichever revision there is; nothing means the client stated none. */
  readonly revisions?: readonly number[] | 'any'
  readonly required: boolean
}

export type GuardRefusal =
  | { readonly code: 'revision-required' }
  | { readonly code: 'stale-revision'; readonly current: number }

export function checkGuard({ revisions, required }: Guard, current: number): GuardRefusal | undefined {
  if (revisions === undefined) return required ? { code: 'revision-required' } : undefined
  if (revisions === 'any' || revisions.includes(current)) return undefined
  return { code: 'stale-revision', current }
}
