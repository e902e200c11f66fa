import type { Printer } from '../../src/http/describe/printer.ts'
import { vocabularyOf } from '../../src/http/describe/vocabulary.ts'

/** A printer of descriptions: a line for each resource, with its members, its filters and what can be done with it. */
export const glossary: Printer = {
  path: '/glossary',
  summary: 'The words of this interface',
  says: 'A line for each resource.',
  types: ['text/plain'],
  print: ({ schema }) =>
    vocabularyOf(schema)
      .map(({ resource, shape, listing, actions }) => {
        const members = [...shape.plain, ...shape.groups].map(({ name }) => name)
        const filters = listing.filters.map(({ name }) => name)
        const done = actions.map(({ operation, takes }) => `${operation.name}(${takes.map(({ name }) => name).join()})`)
        return `${resource.name}: ${members.join()} by ${filters.join()} do ${done.join(' ')}\n`
      })
      .join(''),
}
