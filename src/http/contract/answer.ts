import type { Readable } from 'node:stream'
import type { Key } from '../../model/declaration/resource.ts'
import type { Document } from '../../representations/document.ts'
import type { WritingContext } from '../../representations/markup/writing-context.ts'
import type { Headers, Validators } from './answer-head.ts'
import type { Problem, RefusedCall } from './problems/problem.ts'
import type { Coding } from './service-parts.ts'
import type { Shown } from './shown.ts'

export type { Headers, Validators } from './answer-head.ts'

/** An endpoint's answer, before it is bytes. */
export type Answer =
  | { readonly problem: Problem }
  | {
      readonly status: number
      readonly headers?: Headers
      readonly cookies?: Cookies
      /** Absent for an answer without a body. */
      readonly document?: Document
      /** The state for ETag and Last-Modified. */
      readonly validators?: Validators
      /**
       * Set if it shows a secret: nothing stores it, and it is not compressed, because its length would reveal
       * something (BREACH).
       */
      readonly secret?: true
      /** The screen for people. */
      readonly shown?: Shown | undefined
      /** The change that a form made: the page that follows shows it. */
      readonly done?: DoneWrite | undefined
    }
  /** Bytes of one fixed type. */
  | {
      readonly content: string
      readonly contentType: string
      readonly status?: number
      readonly headers?: Headers
      readonly cookies?: Cookies
    }
  /** A text that is the same for every request, inside the layout if it is a page. */
  | {
      readonly fixed: FixedContent | ((context: WritingContext) => FixedContent)
      readonly contentType: string
      readonly headers?: Headers
    }
  /** Live events, as long as the client reads them; opened only if a body is sent. */
  | { readonly live: () => { readonly stream: Readable } | RefusedCall; readonly headers?: Headers }
  /** Lines of JSON, as long as the client reads them. */
  | { readonly lines: AsyncIterable<Uint8Array>; readonly contentType?: string; readonly headers?: Headers }

/** A revision that a write made. */
export interface DoneWrite {
  readonly resource: string
  readonly id: Key
  readonly revision: number
}

/** The Set-Cookie headers. */
type Cookies = readonly string[]

/** A text that never changes while the service runs: its tag and its compressed forms are computed once. */
export interface FixedContent {
  readonly text: string
  readonly bytes: number
  tag(coding: Coding | undefined): string
  /** Computed on first use. */
  coded(coding: Coding): Promise<Buffer>
}
