import type { Document } from './document.ts'
import { type Data, type DataObject, isDataObject, itemsApart, readDocument } from './read-document.ts'
import type { Representation } from './representation.ts'

/**
 * The Hypertext Application Language: the members of the JSON, with `_links` instead of `links`, and the items of a
 * list under `item`, the registered relation, each with a link to itself. Operations are links of one relation,
 * distinguished by their names.
 */
export const hal: Representation<string> = {
  name: 'hal',
  mediaTypes: ['application/hal+json'],
  contentType: 'application/hal+json',
  problemType: undefined,
  carries: (kind) => kind !== 'problem',
  write: (document) => {
    if (document.kind === 'page' || document.kind === 'list') return [...listParts(document)].join('')
    const data = readDocument(document.json)
    return JSON.stringify(isDataObject(data) ? linked(data) : data)
  },
  parts: listParts,
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

function* listParts(document: Document): Iterable<string> {
  const { itemAddress, pageLinks } = document
  const { frame, items } = itemsApart(document)
  const { items: _, links = pageLinks ?? {}, ...rest } = isDataObject(frame) ? frame : {}
  const around = JSON.stringify({ ...linked({ ...rest, links }), _embedded: { item: [] } })
  yield around.slice(0, -END.length)
  let separator = ''
  for (const item of items) {
    if (!isDataObject(item)) continue
    yield separator + JSON.stringify(linked(item, itemAddress?.(item)))
    separator = ','
  }
  yield END
}

/** The text after the items. */
const END = ']}}'

function linked({ links, ...members }: DataObject, self?: string): DataObject {
  const all = { ...(self !== undefined && { self }), ...(isDataObject(links) ? links : {}) }
  if (Object.keys(all).length === 0) return members
  return { ...members, _links: Object.fromEntries(Object.entries(all).map(([name, to]) => [name, linkObjects(to)])) }
}

const linkObjects = (to: Data): Data =>
  isDataObject(to) ? Object.entries(to).map(([name, href]) => ({ href, name })) : { href: to }
