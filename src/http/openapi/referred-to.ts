import type { Json, JsonSchema } from '../../values/kinds/kind.ts'

type Components = { readonly [section: string]: { readonly [name: string]: JsonSchema } }

/** The components that the document refers to, directly or indirectly, in their order. */
export function referredTo(document: Json, components: Components): Components {
  const found = new Set<string>()
  const follow = (part: Json): void => {
    for (const [, section = '', name = ''] of JSON.stringify(part).matchAll(pointers)) {
      if (found.has(`${section}/${name}`)) continue
      found.add(`${section}/${name}`)
      follow(components[section]?.[name] ?? null)
    }
  }
  follow(document)
  return Object.fromEntries(
    Object.entries(components).map(([section, parts]) => [
      section,
      Object.fromEntries(Object.entries(parts).filter(([name]) => found.has(`${section}/${name}`))),
    ]),
  )
}

const pointers = /"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g
