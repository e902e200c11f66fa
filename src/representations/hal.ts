import { type Data, type DataObject, isDataObject, itemsOf, readDocument } from './read-document.ts'
import type { Representation } from './representation.ts'

/**
 * The Hypertext Application Language: the members of the JSON, with `_links` in place of `links`, and the items of a
 * list under `item`, the registered relation, each with a link to itself. Operations are links of one relation, told
 * apart by their names.
 */
export const hal: Representation<string> = {
  name: 'hal',
  mediaTypes: ['application/hal+json'],
  contentType: 'application/hal+json',
  problemType: undefined,
  carries: (kind) => kind !== 'problem',
  write: ({ json, kind, itemAddress, pageLinks }) => {
    const data = readDocument(json)
    if (kind !== 'page' && kind !== 'list') return JSON.stringify(isDataObject(data) ? linked(data) : data)
    const items = itemsOf(data).map((item) => linked(item, itemAddress?.(item)))
    const { items: _, links = pageLinks ?? {}, ...rest } = isDataObject(data) ? data : {}
    return JSON.stringify({ ...linked({ ...rest, links }), _embedded: { item: items } })
  },
  schema: {
    name: 'Hal',
    of: {
      type: 'object',
      description: 'The members of the JSON; `_links` in place of `links`, and items in `_embedded.item`.',
      maxProperties: 100,
      properties: {
        _links: { type: 'object', maxProperties: 100, additionalProperties: {} },
        _embedded: {
          type: 'object',
          maxProperties: 1,
          additionalProperties: { type: 'array', maxItems: 1000, items: {} },
        },
      },
      additionalProperties: {},
    },
  },
}

function linked({ links, ...members }: DataObject, self?: string): DataObject {
  const all = { ...(self !== undefined && { self }), ...(isDataObject(links) ? links : {}) }
  if (Object.keys(all).length === 0) return members
  return { ...members, _links: Object.fromEntries(Object.entries(all).map(([name, to]) => [name, linkObjects(to)])) }
}

const linkObjects = (to: Data): Data =>
  isDataObject(to) ? Object.entries(to).map(([name, href]) => ({ href, name })) : { href: to }
