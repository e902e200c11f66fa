/**
 * Keeps what is compiled from a schema, or from one of its parts, as long as that schema is in use. A part belongs to one
 * schema: the resources and operations of another are other objects.
 */
export function bySchema<P extends object, T>(compile: (part: P) => T): (part: P) => T {
  const compiled = new WeakMap<P, { readonly result: T }>()
  return (part) => {
    const known = compiled.get(part)
    if (known !== undefined) return known.result
    const result = compile(part)
    compiled.set(part, { result })
    return result
  }
}
