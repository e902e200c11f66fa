import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Settings } from '../config.ts'
import { tell } from '../languages/tell.ts'
import type { Fault } from '../values/faults/fault.ts'
import { memberAt } from '../values/members.ts'

/** A failure that an operator can fix: the message is one line that says how. */
export class Failure extends Error {
  override readonly name = 'Failure'
}

/** Exit codes; those beyond 2 as in https://tldp.org/LDP/abs/html/exitcodes.html */
export const exitCodes = { fine: 0, failed: 1, usage: 2, interrupted: 130 } as const

const said: { readonly [code: string]: string } = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder',
  ENOTDIR: 'lies in something that is no folder',
  EACCES: 'may not be used by this user',
  EPERM: 'may not be used by this user',
  EROFS: 'lies on a disk that cannot be written',
  ENOSPC: 'does not fit: the disk is full',
  EIO: 'cannot be used: the disk reports an error',
  ESPIPE: 'is a pipe; name - to read standard input',
}

/** Refuses a file whose folder does not exist. */
export function requireFolder(file: string): void {
  const folder = dirname(file)
  if (statSync(folder, { throwIfNoEntry: false }) === undefined)
    throw new Failure(`the folder ${folder} does not exist`)
}

/** Turns a file error into a sentence; passes other errors on unchanged. */
export function fileFailure(file: string, cause: unknown): unknown {
  const { code } = cause as { code?: string }
  if (!(cause instanceof Error) || code === undefined || cause instanceof Failure) return cause
  return new Failure(`${file} ${said[code] ?? `cannot be used: ${cause.message}`}`, { cause })
}

/** Why no service answered. `fetch` says it in its cause, where a code may be all that there is. */
export function unreached(cause: unknown): string {
  const { cause: inner = cause } = cause as { readonly cause?: unknown }
  const { code = '', message = '' } = inner as NodeJS.ErrnoException
  if (code === 'ECONNREFUSED') return 'no service listens there'
  return ofAddress[code] ?? (message || code || (cause as Error).message)
}

const ofAddress: { readonly [code: string]: string } = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'may not be used by this user',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is not a known host',
  EAI_AGAIN: 'is not a known host',
}

/** The same for an address that the service cannot listen on. */
export function addressFailure({ host, port }: Pick<Settings, 'host' | 'port'>, cause: unknown): unknown {
  const { code = '', syscall = '' } = cause as NodeJS.ErrnoException
  if (!/^(listen|getaddrinfo)$/.test(syscall)) return cause
  return new Failure(`HOST=${host} PORT=${port} ${ofAddress[code] ?? `cannot be used: ${code}`}`, { cause })
}

/**
 * Faults in the form of the command line: `age must be …; name is required`. Fields are called as in the file, if it
 * names them.
 */
export const tellFaults = (faults: readonly Fault[], inFile?: ReadonlyMap<string, string>): string =>
  faults.map((fault) => `${inFile?.get(nameOf(fault)) ?? nameOf(fault)} ${tell(fault)}`.trim()).join('; ')

/** A fault of an argument: `the name is required`. */
export const tellFault = (fault: Fault): string => `${nameOf(fault) && 'the '}${tellFaults([fault])}`

const nameOf = ({ at: { parameter, pointer } }: Fault): string => parameter ?? memberAt(pointer)
