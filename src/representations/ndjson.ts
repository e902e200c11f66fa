import { itemsOf, readDocument } from './read-document.ts'
import type { Representation } from './representation.ts'

/**
 * A line of JSON for each thing. The whole result of a query is streamed from the store by the HTTP layer and never
 * becomes a document; this writes the things that one already has, such as a list that is always complete.
 */
export const ndjson: Representation = {
  name: 'ndjson',
  mediaTypes: ['application/x-ndjson'],
  contentType: 'application/x-ndjson',
  problemType: undefined,
  carries: (kind) => kind === 'page' || kind === 'list',
  write: (document) => {
    let lines = ''
    for (const item of itemsOf(readDocument(document.json))) lines += `${JSON.stringify(item)}\n`
    return lines
  },
}
