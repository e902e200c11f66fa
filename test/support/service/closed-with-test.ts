import { getTestContext } from 'node:test'

/**
 * Closes with the test that opened it, once, also when that test fails before it does so: what is left open, a
 * connection to PostgreSQL or a process, would keep the file from ending. What hooks of a file open, its hooks close.
 */
export function closedWithTest<T>(close: () => Promise<T>): () => Promise<T> {
  let closing: Promise<T> | undefined
  const closeOnce = (): Promise<T> => {
    closing ??= close()
    return closing
  }
  const context = getTestContext()
  const ofTheFile = context?.name === '<root>'
  if (context !== undefined && 'after' in context && !ofTheFile) context.after(closeOnce)
  return closeOnce
}
