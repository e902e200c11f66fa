import type { Schema, SchemaSource } from '../../../model/declaration/schema.ts'
import { buildSchema, laterSchema, sourceOf } from '../../../model/schema/build-schema.ts'
import type { ModelRows } from './stored-model.ts'

/** The model that the main thread reads by: the stored one, as soon as it knows of a change. */
export class ModelInUse {
  readonly #rows: ModelRows
  #schema: Schema

  constructor(rows: ModelRows, source: SchemaSource) {
    this.#rows = rows
    this.#schema = buildSchema(source)
  }

  get schema(): Schema {
    return this.#schema
  }

  /** `write` tells the writer, which uses it first. */
  async adopt(source: SchemaSource, write: (source: SchemaSource) => Promise<unknown>): Promise<void> {
    const next = laterSchema(this.#schema, source)
    await write(sourceOf(source))
    this.#schema = next
  }

  /** Uses what the writer has written, unless it is known. */
  use(source: SchemaSource): void {
    if (source.version > this.#schema.version) this.#schema = buildSchema(source)
  }

  /** Another process may have changed it. */
  catchUp(): void {
    if (this.#rows.version() > this.#schema.version) this.use(this.#rows.source())
  }
}
