import { statSync } from 'node:fs'

/**
 * Checks whether the paths still lead to the open files; returns the first that does not. Commits to removed or
 * replaced files succeed, but are lost when the process ends.
 */
export function watchFiles(path: string): () => string | undefined {
  const opened = [path, `${path}-wal`, `${path}-shm`].map((file) => ({ file, identity: identityOf(file) }))
  return () => opened.find(({ file, identity }) => identity !== undefined && identityOf(file) !== identity)?.file
}

/** Undefined if the system does not report it. */
function identityOf(file: string): string | undefined {
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    return found === undefined ? 'missing' : `${found.dev} ${found.ino}`
  } catch {
    return undefined
  }
}
