/** A bounded queue for password hashing, which is expensive by intent: a few run, some wait, the rest are refused. */
export function openHashing(mostAtOnce: number, longestLine: number) {
  const line: (() => void)[] = []
  let running = 0

  const turn = (): Promise<void> | undefined => {
    if (running >= mostAtOnce) return new Promise((resolve) => line.push(resolve))
    running++
  }

  /** Passes the slot to the next in the queue instead of freeing it, so that a newcomer cannot take it. */
  const leave = (): void => {
    const next = line.shift()
    if (next === undefined) running--
    else next()
  }

  return {
    /** Undefined if the queue is full. */
    run<T>(work: () => Promise<T>): Promise<T> | undefined {
      if (running >= mostAtOnce && line.length >= longestLine) return undefined
      const admitted = turn()
      const done = async () => {
        await admitted
        try {
          return await work()
        } finally {
          leave()
        }
      }
      return done()
    },
    get waiting(): number {
      return line.length
    },
  }
}
