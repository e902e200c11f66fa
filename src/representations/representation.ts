import type { JsonSchema } from '../values/kinds/kind.ts'
import type { ListedItems } from '../values/listed-items.ts'
import { type Document, titleOf } from './document.ts'
import type { WritingContext } from './markup/writing-context.ts'
import { batchesOf, columnsOf, isDataObject, itemsApart, itemsOf } from './read-document.ts'

export type Written = string | Uint8Array

/** A way to write documents as bytes. To add one: one file, and one line in `representations.ts`. */
export interface Representation<W extends Written = Written> {
  /** Also the path's extension and the value of `format`. */
  readonly name: string
  /** In lower case, without parameters. A client can ask for any of them; the first is the usual one. */
  readonly mediaTypes: readonly [string, ...string[]]
  /** The usual media type for the header, with its charset if it has one. */
  readonly contentType: string
  /** The media type of a problem, without parameters; undefined if it cannot carry one. */
  readonly problemType: string | undefined
  /** `items` are those of a list. */
  carries(kind: DocumentKind, items?: ListedItems): boolean
  write(document: Document, context: WritingContext): W
  /** The same in short parts, for pages and lists: long ones are sent while they are written, in turns with others. */
  parts?(document: Document, context: WritingContext): Iterable<Written>
  /** Set if further compression would gain nothing. */
  readonly isCompressed?: true
  /** Its schema in documents; undefined if it has the members of the JSON. */
  readonly schema?: { readonly name: string; readonly of: JsonSchema }
  /** Set if it writes the whole result of a query, of any length. */
  readonly whole?: WholeResult
}

/** How the whole result of a query is written, batch by batch, from the JSON texts of its items. */
export interface WholeResult {
  /** Whether it can also be one page, if the query asks for one. */
  readonly hasPages: boolean
  /** Lines of whole items are written as the store returns them. */
  readonly isLines: boolean
  /** Whether it has only the latest items, newest first, unless the query asks for others. */
  readonly isLatest?: true
  /** Entries consist of certain members, so a query can neither choose members nor group. */
  readonly hasOwnMembers?: true
  begin(list: ListShape): WholeWriter
}

/** A list of any items. */
export interface ListShape {
  /** The last word of its address. */
  readonly name: string
  readonly title: string
  /** Its own address. */
  readonly address: string
  readonly columns: readonly string[]
  /** Whether the columns are a selection, and not all. */
  readonly chosen: boolean
  readonly items: ListedItems
  readonly itemAddress?: Document['itemAddress']
  readonly about?: Document['about']
  /** Set if the table is for people: the cells are texts already, where the format has no type for them. */
  readonly shown?: ShownTable
}

export interface ShownTable {
  readonly heads: readonly string[]
  /** The separator of columns in the reader's region, where a comma is part of numbers. */
  readonly separator: ',' | ';'
}

export interface WholeWriter {
  /** Comes before the first batch, also if there is none. */
  beginning(): Written
  batch(texts: readonly string[]): Written
  end(): Written
}

/** The items of a document, written like a whole result. */
export const writtenAtOnce = (begin: WholeResult['begin'], document: Document): Uint8Array =>
  Buffer.concat(Array.from(writtenInParts(begin, document), (part) => Buffer.from(part as string)))

export function* writtenInParts(begin: WholeResult['begin'], document: Document): Iterable<Written> {
  const { columns, items = unknownItems, itemAddress, about, joined } = document
  const { frame } = itemsApart(document)
  const objects = joined === undefined ? itemsOf(frame) : []
  const links = isDataObject(frame) && isDataObject(frame.links) ? frame.links : {}
  const writer = begin({
    name: items.item,
    title: titleOf(document),
    address: document.address ?? String(links.self ?? document.pageLinks?.self ?? ''),
    columns: columnsOf(columns, objects),
    chosen: false,
    items,
    ...(itemAddress && { itemAddress }),
    ...(about !== undefined && { about }),
  })
  yield writer.beginning()
  for (const batch of batchesOf(joined?.texts ?? objects.map((item) => JSON.stringify(item)))) yield writer.batch(batch)
  yield writer.end()
}

const unknownItems: ListedItems = { item: 'item', key: 'id', fields: new Map() }

export type DocumentKind = Document['kind']

/** One of a representation's media types as a header value: with the parameters of the usual one. */
export function contentTypeFor({ mediaTypes, contentType }: Representation, mediaType: string): string {
  return mediaType + contentType.slice(mediaTypes[0].length)
}
