import { SEARCH } from '../../queries/dialects/search.ts'
import type { Answer } from '../answer.ts'
import { searchThings } from '../ask/search-things.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import { overview } from '../respond/success.ts'

/** Things of every kind that has searched fields, best first. decisions/0029 */
export const searchEndpoint: Endpoint = {
  method: 'GET',
  path: '/search',
  role: 'reader',
  summary: 'Search everything',
  offers: 'resource',
  parameters: [SEARCH],
  describes: {
    group: 'Queries',
    answers: [overview('Found', 'What was found, best first.')],
    refuses: ['query-too-costly'],
  },
  handle: readSearch,
}

async function readSearch(call: Call): Promise<Answer> {
  const text = call.parameters.get(SEARCH)
  const searched = await searchThings(text, call)
  if ('problem' in searched) return searched
  const { base } = call.service.addresses
  const links = { self: `${base}/search?${SEARCH}=${encodeURIComponent(text ?? '')}` }
  return {
    status: 200,
    document: {
      title: 'Search',
      kind: 'page',
      item: 'found',
      columns: ['type', 'name', 'match', 'updatedAt', 'id'],
      json: JSON.stringify({ items: searched.found, links }),
      itemAddress: ({ href }) => (typeof href === 'string' ? href : undefined),
    },
  }
}
