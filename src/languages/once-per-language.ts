import { currentReader } from './current-reader.ts'
import type { Language } from './language.ts'

/** Makes a fixed part of pages once for each language. */
export function oncePerLanguage<T>(make: () => T): () => T {
  const made = new WeakMap<Language, { readonly part: T }>()
  return () => {
    const { language } = currentReader()
    const known = made.get(language) ?? { part: make() }
    made.set(language, known)
    return known.part
  }
}
