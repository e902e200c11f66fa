import { withQuery } from '../pages/filter-bar.ts'
import { readParameters } from '../queries/parameters.ts'
import type { Addresses } from './addresses.ts'
import type { Answer } from './answer.ts'
import type { Call, Endpoint } from './endpoint.ts'

/** A browser sends the empty fields of a filter bar too; this leaves them out and leads to the view. decisions/0042 */
export const filterEndpoint: Endpoint = {
  method: 'GET',
  path: '/filters/:view',
  role: 'reader',
  summary: 'From a filter bar to its view',
  offers: 'resource',
  parameters: 'filters',
  describes: {
    group: 'Service',
    gives: [{ status: 303, headers: ['Location', 'Link'], when: 'The view, without empty fields.' }],
    refuses: ['not-found'],
    parameter: { description: 'The view.', schema: { type: 'string', maxLength: 20 }, example: 'deals' },
  },
  handle: leadToView,
}

const views: { readonly [view: string]: (addresses: Addresses) => string } = {
  deals: ({ deals }) => deals,
  board: ({ board }) => board,
  customers: ({ customers }) => customers,
  commands: ({ commands }) => commands,
  events: ({ events }) => events,
}

/** What is wrong with a filter is for the view to say. */
function leadToView({ params, search, service }: Call): Answer {
  const view = views[params.view ?? '']
  if (view === undefined || !Object.hasOwn(views, params.view ?? '')) {
    return { problem: { code: 'not-found', detail: 'There is no view of this name.' } }
  }
  const said = readParameters(search).flatMap((each) => ('raw' in each && isSaid(each) ? [each] : []))
  return { status: 303, headers: { location: withQuery(view(service.addresses), said) } }
}

/** `age>18` has its value in its name. */
const isSaid = ({ name, value }: { readonly name: string; readonly value: string | undefined }): boolean =>
  value !== '' || /[<>]/.test(name)
