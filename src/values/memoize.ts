const MOST = 256
const LONGEST = 512

/**
 * Memoizes a pure function of a text, with a bound: a few texts recur, and made-up ones must not fill the memory. Any
 * further argument must follow from the text.
 */
export function memoize<K extends string, T, Rest extends readonly unknown[]>(
  find: (text: K, ...rest: Rest) => T,
  most: number = MOST,
  longest: number = LONGEST,
): (text: K, ...rest: Rest) => T {
  const known = new Map<K, T>()
  return (text, ...rest) => {
    const kept = known.get(text)
    if (kept !== undefined) return kept
    const found = find(text, ...rest)
    if (text.length > longest) return found
    if (known.size >= most) known.clear()
    known.set(text, found)
    return found
  }
}

/** Memoizes a pure function of an object for the lifetime of that object. Any further argument must follow from it. */
export function onceFor<K extends object, T, Rest extends readonly unknown[]>(
  make: (of: K, ...rest: Rest) => T,
): (of: K, ...rest: Rest) => T {
  const made = new WeakMap<K, { readonly value: T }>()
  return (of, ...rest) => {
    const known = made.get(of)
    if (known !== undefined) return known.value
    const value = make(of, ...rest)
    made.set(of, { value })
    return value
  }
}
