import { addressable } from '../values/address.ts'
import type { FeedFields, ListedItems } from '../values/listed-items.ts'
import { type DataObject, itemsOf, readDocument, valueIn } from './read-document.ts'
import {
  type ListShape,
  type Representation,
  type WholeWriter,
  writtenAtOnce,
  writtenInParts,
} from './representation.ts'
import { xmlAttribute, xmlElement, xmlText } from './xml.ts'

/**
 * A feed (RFC 4287) of events: an entry for each item, whose content is the item as XML. The time of the last update is
 * at its end, where it is known: the order of elements has no meaning. Feed readers poll, so it has only the latest
 * entries. decisions/0037
 */
export const atom: Representation = {
  name: 'atom',
  mediaTypes: ['application/atom+xml'],
  contentType: 'application/atom+xml; charset=utf-8',
  problemType: undefined,
  carries: (kind, items) => (kind === 'page' || kind === 'list') && items?.feed !== undefined,
  write: (document) => writtenAtOnce(writeFeed, document),
  parts: (document) => writtenInParts(writeFeed, document),
  schema: { name: 'Atom', of: { type: 'string', description: 'A feed with an entry for each item.' } },
  whole: { hasPages: true, isLatest: true, isLines: false, hasOwnMembers: true, begin: writeFeed },
}

function writeFeed({ title, address, items, itemAddress, about }: ListShape): WholeWriter {
  const { feed } = items
  let updated = NEVER
  function entry(item: DataObject, fields: FeedFields): string {
    const time = textIn(item, fields.time)
    if (time > updated) updated = time
    return entryOf(item, fields, items, { address: itemAddress?.(item), about })
  }
  return {
    beginning: () =>
      `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><id>${xmlText(identifier(address))}</id><title>${xmlText(about === undefined ? title : `${title}: ${about}`)}</title><link rel="self" href="${xmlAttribute(address)}"/><author><name>Dealdesk</name></author>
`,
    batch: (texts) =>
      feed === undefined
        ? ''
        : itemsOf(readDocument(`[${texts.join()}]`))
            .map((item) => entry(item, feed))
            .join(''),
    end: () => `<updated>${updated}</updated></feed>\n`,
  }
}

const NEVER = '1970-01-01T00:00:00.000Z'

function entryOf(
  item: DataObject,
  fields: FeedFields,
  list: ListedItems,
  { address, about }: { readonly address: string | undefined; readonly about: string | undefined },
): string {
  const time = textIn(item, fields.time)
  const author = textIn(item, fields.author)
  const id = identifier(address ?? `/${list.item}/${encodeURIComponent(textIn(item, list.key))}`)
  const link = address === undefined ? '' : `<link href="${xmlAttribute(address)}"/>`
  const by = author === '' ? '' : `<author><name>${xmlText(author)}</name></author>`
  const content = xmlElement(list.item, ' xmlns=""', item, 'item')
  return `<entry><id>${xmlText(id)}</id><title>${xmlText(titleIn(item, fields, about))}</title><updated>${time}</updated>${link}${by}<content type="application/xml">${content}</content></entry>
`
}

/** What happened, and the name of the thing if the item has it. */
function titleIn(item: DataObject, { title, names }: FeedFields, about: string | undefined): string {
  const name = about ?? names.map((each) => textIn(item, each)).find((each) => each !== '')
  return name === undefined ? textIn(item, title) : `${textIn(item, title)}: ${name}`
}

const textIn = (item: DataObject, name: string): string => String(valueIn(item, name) ?? '')

/** RFC 4287 §4.2.6: an IRI. A path is turned into one. */
const identifier = (address: string): string =>
  address.includes('://') ? address : `urn:dealdesk:${addressable(address).replace(/^\//, '').replace('?', '/')}`
