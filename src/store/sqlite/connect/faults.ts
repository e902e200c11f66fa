import { StoreBroken, StoreUnavailable } from '../../port/store.ts'

// SQLite's result codes: https://sqlite.org/rescode.html
const [BUSY, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB] = [5, 8, 10, 11, 13, 14, 26]
const storeFaults = new Set([BUSY, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB])
const fatalFaults = new Set([IOERR, CORRUPT, NOTADB])
/** No memory, or no space for temporary files: the database itself is unchanged. */
const passing = new Set([(12 << 8) | IOERR, (25 << 8) | IOERR])

export const codeOf = (cause: unknown): number => (cause as { errcode?: number } | null)?.errcode ?? 0

/** Whether the store failed, not a job or a query. */
export const isStoreFault = (cause: unknown): boolean => storeFaults.has(codeOf(cause) & 0xff)

/** Whether the state of the file is unknown now: the process must end. */
export const isFatal = (cause: unknown): boolean => fatalFaults.has(codeOf(cause) & 0xff) && !passing.has(codeOf(cause))

export const isDamage = (cause: unknown): boolean => [CORRUPT, NOTADB].includes(codeOf(cause) & 0xff)

/** A fault in a reader thread: it leaves no file except its temporary ones in an unknown state. */
export function readerFault(message: string, errcode: number): Error {
  const cause = Object.assign(new Error(message), { errcode })
  return isStoreFault(cause) && !isDamage(cause) ? new StoreUnavailable(UNREADABLE, 5, cause) : cause
}

const UNREADABLE = 'the database cannot be read now'

/** The fault that ended the database, reported once. */
export interface Faults {
  /** Set once the database can no longer be trusted. */
  readonly broken: StoreBroken | undefined
  /** Sets `broken`; `what` is for callers, `cause` for the log. */
  end(what: string, cause: unknown): StoreBroken
  /** The error to throw instead of SQLite's. */
  told(cause: unknown): unknown
}

export function noteFaults(onFatal: (cause: Error) => void): Faults {
  let broken: StoreBroken | undefined
  const end = (what: string, cause: unknown): StoreBroken => {
    if (broken !== undefined) return broken
    broken = new StoreBroken(what, 5, cause)
    onFatal(broken)
    return broken
  }
  return {
    get broken() {
      return broken
    },
    end,
    told(cause) {
      if (cause instanceof StoreUnavailable || !isStoreFault(cause)) return cause
      if (!isFatal(cause)) return new StoreUnavailable(UNREADABLE, 5, cause)
      return end(isDamage(cause) ? DAMAGED : 'the database could not be read', cause)
    },
  }
}

export const DAMAGED = 'the database is damaged'
