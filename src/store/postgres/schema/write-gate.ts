/** Lets work through, except while exclusive work runs. */
export function newWriteGate() {
  let underWay = 0
  let closed: Promise<unknown> | undefined
  let onIdle = (): void => {}

  return {
    async through<T>(work: () => Promise<T>): Promise<T> {
      while (closed !== undefined) await closed
      underWay++
      try {
        return await work()
      } finally {
        underWay--
        if (underWay === 0) onIdle()
      }
    },
    /** Runs when all current work is done, and before anything else begins. */
    async alone<T>(work: () => Promise<T>): Promise<T> {
      while (closed !== undefined) await closed
      const opening = Promise.withResolvers<void>()
      closed = opening.promise
      try {
        if (underWay > 0) await new Promise<void>((resolve) => (onIdle = resolve))
        return await work()
      } finally {
        closed = undefined
        opening.resolve()
      }
    },
  }
}
