import type { Schema } from '../../model/declaration/schema.ts'
import type { Document } from '../../representations/document.ts'
import { StoreUnavailable } from '../../store/port/store.ts'
import { versions } from '../../values/address.ts'
import { CATALOG, READY } from '../contract/addresses.ts'
import type { Answer } from '../contract/answer.ts'
import type { Call, Endpoint, Service } from '../contract/endpoint.ts'
import { unavailable } from '../contract/problems/problem.ts'
import { problemTypes } from '../contract/problems/problem-types.ts'
import { overview, type Success } from '../contract/success.ts'
import { readNamedQueries } from './named-query-list.ts'

const open = { method: 'GET', role: 'public', offers: 'resource' } as const

const about = (answer: Success): Pick<Endpoint, 'describes'> => ({ describes: { group: 'Service', answers: [answer] } })

/** The endpoints that describe the service and its state. */
export const serviceEndpoints = (schema: Schema): readonly Endpoint[] => [
  {
    ...open,
    ...about(overview('Versions', 'The versions and their state.')),
    role: 'reader',
    path: '/rest',
    summary: 'The versions of the interface',
    handle: readVersions,
  },
  {
    ...open,
    ...about(overview('NamedQueries', 'Every named query.')),
    role: 'reader',
    path: '/query',
    summary: 'The named queries',
    handle: readNamedQueries,
  },
  {
    ...open,
    ...about(overview({ content: 'application/linkset+json' }, 'A linkset.')),
    offers: 'content',
    path: CATALOG,
    types: ['application/linkset+json', 'application/json'],
    summary: 'What programs find here',
    handle: readCatalog,
  },
  {
    ...open,
    ...about(overview('ProblemTypes', 'Every problem.')),
    path: '/problems',
    summary: 'Every problem there is',
    handle: readProblems,
  },
  {
    ...open,
    path: '/problems/:code',
    summary: 'What a problem means',
    describes: {
      group: 'Service',
      answers: [overview('ProblemType', 'The problem.')],
      refuses: ['not-found'],
      parameter: {
        description: 'The problem.',
        schema: { type: 'string', enum: Object.keys(problemTypes(schema)) },
        example: 'wrong-state',
      },
    },
    handle: readProblem,
  },
  {
    ...open,
    ...about(overview('Health', 'It does.')),
    always: true,
    path: '/health/live',
    summary: 'Whether the process answers',
    handle: () => healthy,
  },
  {
    ...open,
    ...about(overview('Health', 'It can.')),
    always: true,
    path: READY,
    summary: 'Whether the service can work',
    handle: readiness,
  },
]

/** RFC 9727, in the linkset format of RFC 9264. */
function readCatalog(call: Call): Answer {
  const { base, home, catalog } = call.service.addresses
  const api = {
    anchor: home,
    'service-desc': [{ href: `${base}/openapi.json`, type: 'application/json' }],
    'service-doc': [{ href: `${base}/docs`, type: 'text/html' }],
    'service-meta': [{ href: `${base}/rest` }],
    status: [{ href: `${base}${READY}` }],
  }
  return {
    content: JSON.stringify({ linkset: [{ anchor: catalog, item: [{ href: home }] }, api] }),
    headers: { link: `<${home}>; rel="item", <${catalog}>; rel="api-catalog"` },
    contentType: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  }
}

function readVersions(call: Call): Answer {
  const { addresses, settings } = call.service
  const today = new Date().toISOString().slice(0, 10)
  const items = versions.map((version) => {
    const end = settings.deprecatedVersions.get(version)
    const state = end === undefined || today < end.from ? 'current' : today > end.until ? 'retired' : 'deprecated'
    return { version, state, ...(end && { deprecatedFrom: end.from, sunset: end.until }), href: addresses.deals }
  })
  const json = JSON.stringify({ items, links: { self: `${addresses.base}/rest`, commands: addresses.commands } })
  return {
    status: 200,
    document: {
      title: 'Versions',
      kind: 'page',
      item: 'version',
      columns: ['version', 'state'],
      json,
      inEnglish: true,
    },
  }
}

function readProblems(call: Call): Answer {
  const items = Object.entries(problemTypes(call.schema)).map(([code, { status, title }]) => ({
    code,
    status,
    title,
    href: call.service.addresses.problem(code),
  }))
  const columns = ['code', 'status', 'title']
  const json = JSON.stringify({ items })
  const itemAddress: Document['itemAddress'] = ({ href }) => String(href)
  return {
    status: 200,
    document: { title: 'Problems', kind: 'page', item: 'problem', columns, json, itemAddress },
    shown: { screen: 'problems' },
  }
}

function readProblem(call: Call): Answer {
  const code = call.params.code ?? ''
  const types = problemTypes(call.schema)
  const type = Object.hasOwn(types, code) ? types[code] : undefined
  if (type === undefined) {
    return { problem: { code: 'not-found', detail: `There is no problem called ${JSON.stringify(code)}.` } }
  }
  const json = JSON.stringify({ code, ...type })
  return {
    status: 200,
    document: { title: type.title, kind: 'resource', item: 'problem', json },
    shown: { screen: 'problem type' },
  }
}

const healthy: Answer = {
  status: 200,
  document: { title: 'Alive', kind: 'resource', item: 'health', json: '{"status":"ok"}' },
}

async function readiness({ service }: Call): Promise<Answer> {
  if (service.state.stopping) return { problem: unavailable('service', 'the service is stopping', 5) }
  const fault = await storeFault(service)
  return fault === undefined ? healthy : { problem: unavailable('store', fault.message, fault.retryAfter) }
}

/** Why the store cannot be used. Probes ask again and again; the log says it once. */
async function storeFault({ store, state, log }: Service): Promise<StoreUnavailable | undefined> {
  const fault = await store.check().then(
    () => undefined,
    (cause: unknown) => {
      if (cause instanceof StoreUnavailable) return cause
      throw cause
    },
  )
  const reason = fault?.isTold ? undefined : fault?.message
  if (reason !== undefined && reason !== state.notReady) log.warn({ reason }, 'the store is not available')
  if (fault === undefined && state.notReady !== undefined) log.warn('the store is available again')
  if (fault === undefined || reason !== undefined) state.notReady = reason
  return fault
}
