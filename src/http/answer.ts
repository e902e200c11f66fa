import type { Readable } from 'node:stream'
import type { Document } from '../representations/document.ts'
import type { WritingContext } from '../representations/representation.ts'
import type { State } from '../values/guard.ts'
import type { FixedContent } from './respond/fixed-content.ts'
import type { Problem } from './respond/problem.ts'

export type Headers = { readonly [name: string]: string }

/** What an endpoint answers, before a representation is chosen. */
export type Answer =
  | { readonly problem: Problem }
  | {
      readonly status: number
      readonly headers?: Headers
      /** Nothing for an answer without a body. */
      readonly document?: Document
      /** Makes the ETag and Last-Modified of what the document shows. */
      readonly validators?: Validators
      /** It shows a secret, which its length must not tell about: it is not compressed. */
      readonly secret?: true
    }
  /** Bytes of one fixed type, whatever was asked for. */
  | { readonly content: string; readonly contentType: string; readonly headers?: Headers }
  /** The same text for everybody, or for everybody with the same surroundings where it is a page. */
  | {
      readonly fixed: FixedContent | ((context: WritingContext) => FixedContent)
      readonly contentType: string
      readonly headers?: Headers
    }
  /** Events as they come, as long as the client takes them; opened when there is a body to be sent. */
  | { readonly live: () => Readable; readonly headers?: Headers }
  /** Lines of JSON, as long as the client takes them. */
  | { readonly lines: AsyncIterable<Uint8Array>; readonly headers?: Headers }

export interface Validators extends State {
  /** Set where the links are those of somebody who may only read. */
  readonly forReader?: boolean
}
