/** The modules that nobody has used yet. */
const waiting = new Set<() => Promise<unknown>>()

/** Loads something once, at its first use. Node resolves a module again with each `import()`. */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  const loadOnce = (): Promise<T> => {
    if (loaded === undefined) {
      loaded = load()
      waiting.delete(loadOnce)
    }
    return loaded
  }
  waiting.add(loadOnce)
  return loadOnce
}

/** Loads what nobody has used yet, one after the other, so that requests are answered in between. */
export async function loadRest(): Promise<void> {
  for (const load of waiting) {
    await load()
    await new Promise((resolve) => setImmediate(resolve))
  }
}
