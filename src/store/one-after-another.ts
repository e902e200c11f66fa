/**
 * Runs work never twice at once. Everybody who asks waits for a run that begins after the question: those who ask during
 * a run share the next one.
 */
export function oneAfterAnother(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | undefined
  return () => {
    next ??= running.then(() => {
      next = undefined
      const run = work()
      running = run.catch(() => {})
      return run
    })
    return next
  }
}
