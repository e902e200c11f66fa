/** Something that an operator can mend: the message is one line that says what. */
export class Failure extends Error {
  override readonly name = 'Failure'
}

/** What a program ends with: https://tldp.org/LDP/abs/html/exitcodes.html for those beyond 2. */
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
}

/** What went wrong with a file, said in words; anything else is passed on as it is. */
export function fileFailure(file: string, cause: unknown): unknown {
  const { code } = cause as { code?: string }
  if (!(cause instanceof Error) || code === undefined || cause instanceof Failure) return cause
  return new Failure(`${file} ${said[code] ?? `cannot be used: ${cause.message}`}`, { cause })
}
