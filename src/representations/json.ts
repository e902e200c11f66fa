import { listed } from '../values/json/texts.ts'
import type { Representation } from './representation.ts'

/** A document is already JSON. RFC 8259 §11: the type has no charset parameter. */
export const json: Representation = {
  name: 'json',
  mediaTypes: ['application/json'],
  contentType: 'application/json',
  problemType: 'application/problem+json',
  carries: () => true,
  write(document) {
    const { before = '', texts, after = '' } = document.joined ?? {}
    if (texts?.bytes === undefined) return document.json
    return Buffer.concat([Buffer.from(before), texts.bytes, Buffer.from(after)])
  },
  parts: function* ({ json, joined }) {
    if (joined === undefined) return yield json
    const { before, texts, after } = joined
    yield before
    yield* listed(texts)
    yield after
  },
}
