import { isExactNumber } from '../values/json/exact-numbers.ts'
import type { Document } from './document.ts'
import { type Data, type DataObject, isDataObject, itemsApart, readDocument } from './read-document.ts'
import type { Representation } from './representation.ts'

/**
 * Members become elements. The root is the thing's own name, `collection` for a page, `items` for a bare list, and for
 * a problem the one in RFC 9457 appendix B. Null is `xsi:nil`, so that it differs from empty text. No white space is
 * added between elements and none is lost within: a parser reads back the exact texts.
 */
export const xml: Representation<string> = {
  name: 'xml',
  mediaTypes: ['application/xml', 'text/xml'],
  contentType: 'application/xml; charset=utf-8',
  problemType: 'application/problem+xml',
  carries: () => true,
  write: (document) => {
    switch (document.kind) {
      case 'resource':
        return whole(document.item, '', content(readDocument(document.json), 'item'))
      case 'page':
      case 'list':
        return [...listParts(document)].join('')
      case 'problem':
        return whole('problem', ' xmlns="urn:ietf:rfc:7807"', content(readDocument(document.json), 'i'))
    }
  },
  parts: listParts,
}

const whole = (root: string, namespace: string, inner: string): string =>
  `${beginning(root, namespace)}${inner}</${root}>\n`

const beginning = (root: string, namespace: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<${root}${namespace} xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">`

function* listParts(document: Document): Iterable<string> {
  const { frame, items } = itemsApart(document)
  const root = document.kind === 'page' ? 'collection' : 'items'
  yield beginning(root, '')
  if (document.kind === 'list') yield* entries(items, document.item)
  else
    for (const [name, value] of isDataObject(frame) ? Object.entries(frame) : []) {
      if (name === 'items') {
        yield '<items>'
        yield* entries(items, document.item)
        yield '</items>'
      } else yield named(name, value, 'item')
    }
  yield `</${root}>\n`
}

function* entries(values: Iterable<Data>, name: string): Iterable<string> {
  for (const value of values) yield xmlElement(name, '', value, 'item')
}

/** `entry` is the name for the entries of arrays. */
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

/** An element for a value; `entry` is the name for the entries of arrays. */
export function xmlElement(tag: string, attributes: string, value: Data, entry: string): string {
  return value === null
    ? `<${tag}${attributes} xsi:nil="true"/>`
    : `<${tag}${attributes}>${content(value, entry)}</${tag}>`
}

const isArray: (value: Data) => value is readonly Data[] = Array.isArray

// The ASCII names of XML, without the colon of namespaces and without the reserved prefix.
const isElementName = /^(?!xml)[a-z_][\w.-]*$/i

// TAB and LF stay unchanged; a parser would turn a bare CR into LF.
export const xmlText = (text: string): string => (special.test(text) ? text.replace(specials, reference) : text)
export const xmlAttribute = (text: string): string => text.replace(attributeSpecials, reference)

// Data has no other controls, but a problem may quote client input: XML 1.0 cannot carry those at all.
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
