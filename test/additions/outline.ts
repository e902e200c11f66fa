import { titleOf } from '../../src/representations/document.ts'
import type { Representation } from '../../src/representations/representation.ts'

/** A representation: the title, and below it the members, indented. */
export const outline: Representation = {
  name: 'txt',
  mediaTypes: ['text/plain'],
  contentType: 'text/plain; charset=utf-8',
  problemType: undefined,
  carries: () => true,
  write: (document) => `${titleOf(document)}\n${JSON.stringify(JSON.parse(document.json), null, 2)}\n`,
  schema: { name: 'Outline', of: { type: 'string', description: 'The title, and below it the members.' } },
}
