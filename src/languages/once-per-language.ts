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

/** Makes a part of pages once for each language and each object that it shows; any further argument must follow from it. */
export function oncePerLanguageAnd<K extends object, T, Rest extends readonly unknown[]>(
  make: (of: K, ...rest: Rest) => T,
): (of: K, ...rest: Rest) => T {
  const inLanguage = oncePerLanguage(() => new WeakMap<K, { readonly part: T }>())
  return (of, ...rest) => {
    const made = inLanguage()
    const known = made.get(of) ?? { part: make(of, ...rest) }
    made.set(of, known)
    return known.part
  }
}
