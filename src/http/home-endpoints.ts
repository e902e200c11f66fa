import { versions } from './addresses.ts'
import type { Answer } from './answer.ts'
import type { Call, Endpoint } from './endpoint.ts'
import { type ProblemCode, problemTypes } from './problem-types.ts'

const open = { method: 'GET', role: 'public', offers: 'resource' } as const

/** Where a visitor begins, and what explains the rest. */
export const homeEndpoints: readonly Endpoint[] = [
  { ...open, role: 'reader', path: '/rest', summary: 'The versions of the interface', handle: readVersions },
  { ...open, path: '/problems', summary: 'Every problem there is', handle: readProblems },
  { ...open, path: '/problems/:code', summary: 'What a problem means', handle: readProblem },
  { ...open, path: '/health/live', summary: 'Whether the process answers', handle: () => healthy },
  { ...open, path: '/health/ready', summary: 'Whether the service can work', handle: readiness },
]

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
    document: { title: 'Versions', kind: 'page', item: 'version', columns: ['version', 'state'], json },
  }
}

function readProblems(call: Call): Answer {
  const items = Object.entries(problemTypes).map(([code, { status, title }]) => ({
    code,
    status,
    title,
    href: call.service.addresses.problem(code),
  }))
  const columns = ['code', 'status', 'title', 'href']
  return {
    status: 200,
    document: { title: 'Problems', kind: 'page', item: 'problem', columns, json: JSON.stringify({ items }) },
  }
}

function readProblem(call: Call): Answer {
  const code = call.params.code ?? ''
  if (!Object.hasOwn(problemTypes, code)) {
    return { problem: { code: 'not-found', detail: `There is no problem called ${JSON.stringify(code)}.` } }
  }
  const type = problemTypes[code as ProblemCode]
  return {
    status: 200,
    document: { title: type.title, kind: 'resource', item: 'problem', json: JSON.stringify({ code, ...type }) },
  }
}

const healthy: Answer = {
  status: 200,
  document: { title: 'Alive', kind: 'resource', item: 'health', json: '{"status":"ok"}' },
}

async function readiness(call: Call): Promise<Answer> {
  await call.service.store.check()
  return healthy
}
