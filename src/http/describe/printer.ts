import type { Schema } from '../../model/declaration/schema.ts'
import type { Endpoint, Service } from '../contract/endpoint.ts'
import type { Selection } from './openapi/selection.ts'

/** A document that describes the interface, at an address of its own. Its modules are loaded when it is printed. */
export interface Printer {
  readonly path: string
  readonly summary: string
  /** A sentence about it. */
  readonly says: string
  /** The first one is sent. */
  readonly types: readonly [string, ...string[]]
  readonly print: (described: PrintedInterface) => string | Promise<string>
}

export interface PrintedInterface {
  readonly schema: Schema
  readonly endpoints: readonly Endpoint[]
  readonly service: Service
  readonly selection: Selection
  /** The text of another document of the same selection. */
  readonly textOf: (other: Printer) => Promise<string>
}
