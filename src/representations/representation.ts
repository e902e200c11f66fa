import type { JsonSchema } from '../values/kinds/kind.ts'
import type { Document } from './document.ts'
import type { WritingContext } from './html/writing-context.ts'

/** A way to write documents as bytes. To add one: one file, and one line in `representations.ts`. */
export interface Representation {
  /** Also the path's extension and the value of `format`. */
  readonly name: string
  /** In lower case, without parameters. Any of them can be asked for; the first is the usual one. */
  readonly mediaTypes: readonly [string, ...string[]]
  /** The usual media type as it is sent, with its charset where that is proper. */
  readonly contentType: string
  /** The media type of a problem, without parameters; nothing when it cannot carry one. */
  readonly problemType: string | undefined
  carries(kind: DocumentKind): boolean
  write(document: Document, context: WritingContext): string
  /** What documents say of it; nothing where it has the members of the JSON. */
  readonly schema?: { readonly name: string; readonly of: JsonSchema }
  /** Set where it writes the whole result of a query, as long as that is. */
  readonly whole?: WholeResult
}

/** How the whole result of a query is written, batch by batch, from the JSON texts of its items. */
export interface WholeResult {
  /** Whether it can be one page too, where the query asks for one. */
  readonly hasPages: boolean
  /** Comes before the first batch, also where there is none. */
  beginning(columns: readonly string[]): string
  /** `chosen` tells that the columns are those that were asked for, and not all. */
  batch(texts: readonly string[], columns: readonly string[], chosen: boolean): string
  /** Lines of whole items, as the store gives them, are written as they are. */
  readonly isLines: boolean
}

export type DocumentKind = Document['kind']

/** One of a representation's media types as a header value: with the parameters of the usual one. */
export function contentTypeFor({ mediaTypes, contentType }: Representation, mediaType: string): string {
  return mediaType + contentType.slice(mediaTypes[0].length)
}
