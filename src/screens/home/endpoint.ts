import type { Addresses } from '../../http/contract/addresses.ts'
import type { Answer } from '../../http/contract/answer.ts'
import type { Call, Endpoint } from '../../http/contract/endpoint.ts'
import { parameterProblem } from '../../http/contract/problems/problem.ts'
import { overview } from '../../http/contract/success.ts'
import { lazily } from '../../values/lazily.ts'
import { pipelineFaults } from '../stages/asked-pipeline.ts'

const home = lazily(() => import('./read.ts'))
const numbers = lazily(() => import('./numbers.ts'))

/** The start: people see their day, programs the links to everything. */
export const homeEndpoint: Endpoint = {
  method: 'GET',
  path: '/',
  role: 'reader',
  summary: 'Everything there is',
  offers: 'resource',
  parameters: ['pipeline'],
  describes: { group: 'Service', answers: [overview('Home', 'Links to everything.')] },
  handle: readHome,
}

async function readHome(call: Call): Promise<Answer> {
  const { numberQueries } = await numbers()
  const faults = pipelineFaults(call.parameters.get('pipeline') || undefined, call)
  if (faults.length > 0) return { problem: parameterProblem(faults) }
  const { addresses } = call.service
  const links = {
    self: addresses.home,
    deals: addresses.deals,
    board: addresses.board,
    customers: addresses.customers,
    ...Object.fromEntries(call.schema.resources.map(({ plural, path }) => [plural, addresses.base + path])),
    commands: addresses.commands,
    events: addresses.events,
    webhooks: addresses.webhooks,
    search: addresses.search,
    queries: `${addresses.base}/query`,
    versions: `${addresses.base}/rest`,
    ...Object.fromEntries(call.service.doors.map(({ name, at }) => [name, addresses.base + at])),
    problems: `${addresses.base}/problems`,
    docs: `${addresses.base}/docs`,
    openapi: `${addresses.base}/openapi.json`,
    catalog: addresses.catalog,
    health: `${addresses.base}/health/ready`,
    ...Object.fromEntries(
      Object.entries(numberQueries(new Date().toISOString().slice(0, 10))).map(([name, query]) => [
        name,
        `${addresses.deals}?${query}`,
      ]),
    ),
  }
  const json = JSON.stringify({ name: 'Dealdesk', version: call.service.version, links })
  const screen = call.representation === 'html' ? await (await home()).showHome(call) : undefined
  return {
    status: 200,
    headers: { link: documentLinks(addresses) },
    document: { title: 'Today', kind: 'resource', item: 'service', json, ...(screen && { screen }) },
  }
}

/** RFC 9727 §3 and RFC 8631: where programs and people read about the interface. */
const documentLinks = ({ base, catalog }: Addresses): string =>
  [
    `<${catalog}>; rel="api-catalog"`,
    `<${base}/openapi.json>; rel="service-desc"; type="application/json"`,
    `<${base}/docs>; rel="service-doc"; type="text/html"`,
  ].join(', ')
