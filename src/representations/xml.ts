import { type Data, type DataObject, isDataObject, isExactNumber, readDocument } from './read-document.ts'
import type { Representation } from './representation.ts'

/**
 * Members become elements. The root is the thing's own name, `collection` for a page, `items` for a bare list, and for
 * a problem what RFC 9457 appendix B says. Null is `xsi:nil`, so that it is not taken for empty text.
 * No white space is added between elements and none is lost within: a parser reads the very texts back.
 */
export const xml: Representation<string> = {
  name: 'xml',
  mediaTypes: ['application/xml', 'text/xml'],
  contentType: 'application/xml; charset=utf-8',
  problemType: 'application/problem+xml',
  carries: () => true,
  write: (document) => {
    const data = readDocument(document.json)
    switch (document.kind) {
      case 'resource':
        return whole(document.item, '', content(data, 'item'))
      case 'page':
        return whole('collection', '', pageContent(data, document.item))
      case 'list':
        return whole('items', '', entries(data, document.item))
      case 'problem':
        return whole('problem', ' xmlns="urn:ietf:rfc:7807"', content(data, 'i'))
    }
  },
}

const whole = (root: string, namespace: string, inner: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<${root}${namespace} xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${inner}</${root}>
`

function pageContent(page: Data, item: string): string {
  let inner = ''
  for (const [name, value] of isDataObject(page) ? Object.entries(page) : []) {
    inner += name === 'items' ? `<items>${entries(value, item)}</items>` : named(name, value, 'item')
  }
  return inner
}

function entries(values: Data, name: string): string {
  let inner = ''
  for (const value of isArray(values) ? values : []) inner += xmlElement(name, '', value, 'item')
  return inner
}

/** `entry` is what the entries of arrays are called. */
function content(value: Data, entry: string): string {
  if (typeof value === 'string') return xmlText(value)
  if (typeof value !== 'object') return String(value)
  if (value === null) return ''
  if (isExactNumber(value)) return value.rawJSON
  let inner = ''
  if (isArray(value)) for (const each of value) inner += xmlElement(entry, '', each, entry)
  else for (const name in value) inner += named(name, (value as DataObject)[name] ?? null, entry)
  return inner
}

function named(name: string, value: Data, entry: string): string {
  return isElementName.test(name)
    ? xmlElement(name, '', value, entry)
    : xmlElement('entry', ` name="${xmlAttribute(name)}"`, value, entry)
}

/** An element of a value; `entry` is what the entries of arrays are called. */
export function xmlElement(tag: string, attributes: string, value: Data, entry: string): string {
  return value === null
    ? `<${tag}${attributes} xsi:nil="true"/>`
    : `<${tag}${attributes}>${content(value, entry)}</${tag}>`
}

const isArray: (value: Data) => value is readonly Data[] = Array.isArray

// Of XML's names those in ASCII, without the colon of namespaces and without the reserved beginning.
const isElementName = /^(?!xml)[a-z_][\w.-]*$/i

// TAB and LF stand as they are; a parser would turn a bare CR into LF.
export const xmlText = (text: string): string => (special.test(text) ? text.replace(specials, reference) : text)
export const xmlAttribute = (text: string): string => text.replace(attributeSpecials, reference)

// Data has no other controls, but a problem may quote what somebody sent: XML 1.0 cannot carry those at all.
const special = /[&<>\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/
const specials = new RegExp(special, 'g')
const attributeSpecials = /[&<>"\u0000-\u001f\ufffe\uffff]/g

function reference(character: string): string {
  switch (character) {
    case '&':
      return '&amp;'
    case '<':
      return '&lt;'
    case '>':
      return '&gt;'
    case '"':
      return '&quot;'
    case '\t':
    case '\n':
    case '\r':
      return `&#${character.charCodeAt(0)};`
    default:
      return '\ufffd'
  }
}
