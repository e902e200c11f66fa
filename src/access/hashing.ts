/** Hashing is dear by intent: a few at once, some wait, and beyond that nobody is let in line. */
export interface Hashing {
  /** Nothing when the line is full. */
  run<T>(work: () => Promise<T>): Promise<T> | undefined
  readonly waiting: number
}

export function openHashing(mostAtOnce: number, longestLine: number): Hashing {
  const line: (() => void)[] = []
  let running = 0

  const turn = (): Promise<void> | undefined => {
    if (running >= mostAtOnce) return new Promise((resolve) => line.push(resolve))
    running++
  }

  /** Hands the place on instead of freeing it, so that nobody can step in between. */
  const leave = (): void => {
    const next = line.shift()
    if (next === undefined) running--
    else next()
  }

  return {
    run(work) {
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
    get waiting() {
      return line.length
    },
  }
}
