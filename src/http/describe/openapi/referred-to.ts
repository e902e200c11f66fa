import type { JsonSchema } from '../../../values/kinds/kind.ts'

type Components = { readonly [section: string]: { readonly [name: string]: JsonSchema } }

/** The components that parts of a document refer to, directly or indirectly, in their order; found in steps. */
export function* referredTo(
  document: { readonly [part: string]: JsonSchema },
  components: Components,
): Generator<undefined, Components> {
  const found = new Set<string>()
  const parts = Object.values(document)
  for (const part of parts) {
    for (const [, section = '', name = ''] of JSON.stringify(part).matchAll(pointers)) {
      const component = components[section]?.[name]
      if (component === undefined || found.has(`${section}/${name}`)) continue
      found.add(`${section}/${name}`)
      parts.push(component)
    }
    yield
  }
  return Object.fromEntries(
    Object.entries(components).map(([section, all]) => [
      section,
      Object.fromEntries(Object.entries(all).filter(([name]) => found.has(`${section}/${name}`))),
    ]),
  )
}

const pointers = /"\$ref":"#\/components\/(\w+)\/([\w.-]+)"/g
