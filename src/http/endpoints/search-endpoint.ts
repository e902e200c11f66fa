import { say } from '../../languages/say.ts'
import { SEARCH } from '../../queries/dialects/search.ts'
import { searchThings } from '../ask/search-things.ts'
import type { Answer } from '../contract/answer.ts'
import type { Call, Endpoint } from '../contract/endpoint.ts'
import { overview } from '../contract/success.ts'

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
  const text = call.parameters.get(SEARCH) ?? ''
  const searched = await searchThings(call.parameters.get(SEARCH), call)
  if ('problem' in searched) {
    return text.trim() === '' ? { problem: { ...searched.problem, shown: { screen: 'search form' } } } : searched
  }
  const links = { self: `${call.service.addresses.search}?${SEARCH}=${encodeURIComponent(text)}` }
  return {
    status: 200,
    document: {
      title: say('Search for {text}', { text }),
      kind: 'page',
      item: 'found',
      columns: ['type', 'name', 'match', 'updatedAt', 'id'],
      json: JSON.stringify({ items: searched.found, didYouMean: searched.didYouMean, links }),
      itemAddress: ({ href }) => (typeof href === 'string' ? href : undefined),
    },
    shown: { screen: 'search', search: { ...searched, text } },
  }
}
