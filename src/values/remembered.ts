const MOST = 256
const LONGEST = 512

/**
 * Memoizes a pure function of a text, with a bound: a few texts come again and again, and made-up ones must not fill
 * the memory.
 */
export function remembered<T>(find: (text: string) => T, most = MOST, longest = LONGEST): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const kept = known.get(text)
    if (kept !== undefined) return kept
    const found = find(text)
    if (text.length > longest) return found
    if (known.size >= most) known.clear()
    known.set(text, found)
    return found
  }
}
