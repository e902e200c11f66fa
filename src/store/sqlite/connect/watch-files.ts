import { statSync } from 'node:fs'

/**
 * Answers whether the paths still lead to the files that are open, with the first that does not. What is written into
 * files that were removed or replaced is gone when the process ends, however well each commit goes.
 */
export function watchFiles(path: string): () => string | undefined {
  const opened = [path, `${path}-wal`, `${path}-shm`].map((file) => ({ file, identity: identityOf(file) }))
  return () => opened.find(({ file, identity }) => identity !== undefined && identityOf(file) !== identity)?.file
}

/** Nothing where the system does not say. */
function identityOf(file: string): string | undefined {
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    return found === undefined ? 'missing' : `${found.dev} ${found.ino}`
  } catch {
    return undefined
  }
}
