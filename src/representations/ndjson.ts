import { project } from './project.ts'
import { itemsOf, readDocument } from './read-document.ts'
import type { Representation } from './representation.ts'

/**
 * A line of JSON for each thing. The whole result of a query is streamed from the store and never becomes a document;
 * `write` is for the things that a document already has, such as a list that is always complete.
 */
export const ndjson: Representation<string> = {
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
  schema: { name: 'Lines', of: { type: 'string', description: 'The whole result, one item as JSON on each line.' } },
  whole: {
    hasPages: false,
    isLines: true,
    begin: ({ columns, chosen }) => ({
      beginning: () => '',
      batch: (texts) => texts.map((text) => `${chosen ? project(text, columns) : text}\n`).join(''),
      end: () => '',
    }),
  },
}
