import pg from 'pg'
import { MOVED_ON } from '../../port/opening.ts'
import { StoreAway, StoreUnavailable } from '../../port/store.ts'

/** The connection broke during a statement: its effect is unknown. */
export class ConnectionLost extends StoreAway {
  override readonly name = 'ConnectionLost'
}

/** There was no connection: nothing was sent. */
export class NotConnected extends StoreAway {
  override readonly name = 'NotConnected'
}

/** The connection was abandoned, because the service stops. */
export class GivenUp extends StoreUnavailable {
  override readonly name = 'GivenUp'
}

/** The write was decided by a model that is no longer the stored one; nothing was written. */
export class ModelBehind extends StoreUnavailable {
  override readonly name = 'ModelBehind'
}

// https://www.postgresql.org/docs/18/errcodes-appendix.html
const FOREIGN_KEY_VIOLATION = '23503'
const UNIQUE_VIOLATION = '23505'
const INVALID_REGULAR_EXPRESSION = '2201B'
const READ_ONLY = '25006'
const QUERY_CANCELED = '57014'
const LOCK_NOT_AVAILABLE = '55P03'
/** Raised by `may_write`. */
const MAY_NOT_WRITE = 'DD001'
const MODEL_CHANGED = 'DD002'
const missing: ReadonlySet<string> = new Set(['42P01', '42703', '42883'])
/** The columns have changed since the statement was prepared. Any other unsupported feature is a defect of ours. */
const isOtherPlan = (cause: unknown): boolean =>
  codeOf(cause) === '0A000' && /cached plan must not change/.test((cause as Error).message)
const repeatable: ReadonlySet<string> = new Set(['40001', '40P01'])

const codeOf = (cause: unknown): string => (cause as { readonly code?: string } | null)?.code ?? ''

/** A serialization failure or a deadlock: the whole transaction may be tried again. */
export const isRepeatable = (cause: unknown): boolean => repeatable.has(codeOf(cause))

/** A table, a column or a function is missing: the schema is of another release, or the statement is a defect of ours. */
export const isMissing = (cause: unknown): boolean => missing.has(codeOf(cause))

export const movedOn = (cause: unknown): StoreUnavailable => new StoreUnavailable(MOVED_ON, 5, cause)

export const isDuplicate = (cause: unknown): boolean => codeOf(cause) === UNIQUE_VIOLATION

/** Whether the key of a row of the table is a duplicate. */
export const isDuplicateKey = (cause: unknown, table: string): boolean =>
  isDuplicate(cause) && (cause as { readonly constraint?: string }).constraint === `${table}_pkey`

export const isMissingReference = (cause: unknown): boolean => codeOf(cause) === FOREIGN_KEY_VIOLATION

export const isBadPattern = (cause: unknown): boolean => codeOf(cause) === INVALID_REGULAR_EXPRESSION

/** The server ended the statement because it took too long. */
export const isCanceled = (cause: unknown): boolean =>
  cause instanceof StoreUnavailable && codeOf(cause.cause) === QUERY_CANCELED

/** Another session held a lock for too long. */
export const isLocked = (cause: unknown): boolean =>
  cause instanceof StoreUnavailable && codeOf(cause.cause) === LOCK_NOT_AVAILABLE

/** The server is no longer the primary: another connection may find the new one. */
export const isReadOnly = (cause: unknown): boolean => codeOf(cause) === READ_ONLY

/** An error that ends the connection: from the server (classes 08 and 57P, an idle transaction) or from the socket. */
export const endsConnection = (cause: unknown): boolean =>
  !(cause instanceof pg.DatabaseError) || /^(08|57P|25P0[34])/.test(codeOf(cause))

/** The error for the caller: the statement had no effect, and a later attempt may have. */
export function asUnavailable(cause: unknown): unknown {
  const code = codeOf(cause)
  if (code === QUERY_CANCELED) return new StoreUnavailable('the database took too long', 5, cause)
  if (code === LOCK_NOT_AVAILABLE) return new StoreUnavailable('too many are changing this at once', 1, cause)
  if (code === READ_ONLY) return new StoreUnavailable('the database is read-only now', 2, cause)
  if (code === MODEL_CHANGED) return new ModelBehind('the model has changed meanwhile', 1, cause)
  if (code === MAY_NOT_WRITE || isOtherPlan(cause)) return movedOn(cause)
  // Damaged data and the server's own defects.
  if (code.startsWith('XX')) return new StoreUnavailable('the database reports a fault of its own', 5, cause)
  // Insufficient resources, an operator's intervention and faults of the server's system: disk full, out of memory, I/O.
  if (/^(53|57|58)/.test(code)) return new StoreUnavailable('the database is short of resources', 5, cause)
  return cause
}
