import { anybody } from '../../../src/languages/reader.ts'
import type { Document } from '../../../src/representations/document.ts'
import type { WritingContext } from '../../../src/representations/markup/writing-context.ts'
import { textFault } from '../../../src/values/kinds/text.ts'
import { fc } from './fast-check.ts'

export const context: WritingContext = {
  alternates: [{ name: 'json', href: '/deals.json', mediaType: 'application/json' }],
  reader: anybody,
  homeHref: '/',
  styleHref: '/style.css',
  iconHref: '/icon.svg',
  touchIconHref: '/icon.png',
  manifestHref: '/manifest.webmanifest',
  people: [],
  back: '/',
  navigation: [
    { part: 'work', label: 'Customers', href: '/customers' },
    { part: 'work', label: 'Deals', href: '/rest/v1/deals' },
  ],
}

export const resource = (json: string, more: Partial<Document> = {}): Document => ({
  title: 'Deal',
  json,
  kind: 'resource',
  item: 'deal',
  ...more,
})

export const pageOf = (items: readonly object[], more: Partial<Document> = {}): Document => ({
  title: 'Deals',
  json: JSON.stringify({ items, page: 1, pageSize: 50, hasMore: false, links: { self: '/rest/v1/deals' } }),
  kind: 'page',
  item: 'deal',
  ...more,
})

/** Any text that the service accepts, with more than its share of what formats stumble over. */
export const acceptedText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '<',
        '>',
        '&',
        '"',
        "'",
        ']]>',
        '&amp;',
        '&#13;',
        '<!--',
        '\r',
        '\n',
        '\r\n',
        '\t',
        ' ',
        ',',
        '=',
      ),
      fc.constantFrom('+', '-', '@', '\u2028', '\u00a0', '\ufeff', '😀', '<script>', '{', '%', '\\'),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''))
  .filter((text) => textFault(text) === undefined)
