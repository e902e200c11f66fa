/**
 * A current or past state of a thing. The instant distinguishes it from the state of an earlier thing with the same id.
 */
export interface State {
  readonly revision: number
  readonly updatedAt: string
  /** When the previous state began; absent if there is none or it is unknown. */
  readonly previousAt?: string | null
}

/** A state as a client names it: by its tag, or by its revision alone. */
export type Version = number | Pick<State, 'revision' | 'updatedAt'>

/** The client's preconditions for a change. Plain data, because it crosses threads. */
export interface Guard {
  /** If-Match: `any` matches every existing state; absent if the client sent none. */
  readonly revisions?: readonly Version[] | 'any'
  /** If-Unmodified-Since, in seconds since 1970. */
  readonly unmodifiedSince?: number
  /** The state that the content of the request names; it must hold in addition to the headers. */
  readonly stated?: Version
  /** If-None-Match. */
  readonly noneOf?: readonly Version[] | 'any'
  readonly required: boolean
}

export type GuardRefusal =
  | { readonly code: 'revision-required' }
  | { readonly code: 'stale-revision'; readonly current: State }
  /**
   * The thing is in an excluded state, or does not exist although a state was named. Without `header`, the state may have
   * been named elsewhere: a form and a command of a batch have a member for it.
   */
  | { readonly code: 'precondition-failed'; readonly header?: string; readonly current: State | undefined }

/** RFC 9110 §13.2.2. A thing that does not exist yet has no state. */
export function checkGuard(guard: Guard, current: State | undefined): GuardRefusal | undefined {
  const { revisions, stated, unmodifiedSince, noneOf, required } = guard
  const namesState = revisions !== undefined || stated !== undefined
  if (current === undefined) return namesState ? { code: 'precondition-failed', current } : undefined
  if (required && !namesState) return { code: 'revision-required' }
  if (stated !== undefined && !includesState([stated], current)) return staleRevision(current)
  const holds =
    revisions === undefined
      ? unmodifiedSince === undefined || isUnmodified(current, unmodifiedSince)
      : includesState(revisions, current)
  if (!holds) return staleRevision(current)
  if (noneOf === undefined || !includesState(noneOf, current)) return undefined
  return excluded(current)
}

export const staleRevision = ({ revision, updatedAt }: State): GuardRefusal => ({
  code: 'stale-revision',
  current: { revision, updatedAt },
})

export const excluded = ({ revision, updatedAt }: State): GuardRefusal => ({
  code: 'precondition-failed',
  header: 'If-None-Match',
  current: { revision, updatedAt },
})

export function includesState(versions: readonly Version[] | 'any', { revision, updatedAt }: State): boolean {
  if (versions === 'any') return true
  return versions.some((version) =>
    typeof version === 'number'
      ? version === revision
      : version.revision === revision && version.updatedAt === updatedAt,
  )
}

/**
 * Whether a client that read the thing in a given second has seen its current state. A date cannot distinguish states
 * of one second, so in that second it matches only if the previous state began in an earlier one.
 */
export function isUnmodified({ revision, updatedAt, previousAt }: State, since: number): boolean {
  const second = secondOf(updatedAt)
  if (second !== since) return second < since
  // An earlier release did not store when the previous state began.
  if (previousAt === null) return revision === 1
  return previousAt === undefined || secondOf(previousAt) !== second
}

const secondOf = (instant: string): number => Math.floor(Date.parse(instant) / 1000)
