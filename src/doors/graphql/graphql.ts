import { setImmediate } from 'node:timers/promises'
import type { Sample } from '../../http/contract/sample.ts'
import type { Door } from '../door.ts'
import { byName, JSON_TYPE, mutationName, posting } from '../kit/declaring.ts'

const asking = (query: string) => posting('/graphql', { query })

/** A JSON value is also a GraphQL value, unless it is an object. */
function mutation({ operation, ...sample }: Sample): string {
  const args = byName({ operation, ...sample, target: String(sample.target) })
  const written = Object.entries(args).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return `mutation { ${mutationName(operation)}(${written.join(', ')}) { ${operation.on.name} { id revision } } }`
}

/** /graphql */
export const graphql: Door<'graphql'> = {
  name: 'graphql',
  title: 'GraphQL',
  idea: 'One address, and each client selects what it needs, with what is related to it.',
  at: '/graphql',
  routes: () => [
    { method: 'GET', path: '' },
    { method: 'POST', path: '', reads: [JSON_TYPE] },
  ],
  first: asking(
    '{ deals(first: 2, where: { status: { eq: open } }, orderBy: "-updatedAt") { totalCount edges { node { id name price customer { name } } } pageInfo { hasNextPage endCursor } } }',
  ),
  request: (sample) => asking(mutation(sample)),
  answer: (said, { operation }) => ({
    status: 200,
    headers: { 'Content-Type': 'application/json' },
    body:
      'thing' in said
        ? `{"data":{"${mutationName(operation)}":{"${operation.on.name}":{"id":"${said.thing.id}","revision":${said.thing.revision}}}}}`
        : `{"errors":[{"message":…,"extensions":${said.problem}}],"data":{"${mutationName(operation)}":null}}`,
  }),
  says: () => [
    [
      'Reading',
      'deal(id) and so on for every resource; deals(first, after, last, before, where, orderBy, search) as Relay connections; dealAggregates(group, where, search, orderBy, first, page) with the measures that are selected; search(q). Related things are read together, however many there are.',
    ],
    [
      'Filters',
      'where has the fields of a resource with eq, ne, in, gt, gte, lt, lte, null and for texts contains, starts, ends, ilike, regex, for persons unknown; and, or, not; the fields of what it refers to below its name: where: { customer: { country: { eq: "DE" } } }.',
    ],
    [
      'Changing',
      'A mutation for each operation, named like its action: holdDeal(id, reason) { deal { … } }, with commandId, expectedRevision and dryRun beside the parameters. Those of a request are done one after the other, each for itself.',
    ],
    [
      'Problems',
      'Each error has the problem in its extensions: code, status, detail, errors. The status of HTTP is 200 once a request is executed; what is refused before has the status of its problem, such as 400 for a document that is not valid and 422 for a missing parameter, or 200 for clients that accept plain JSON only.',
    ],
    [
      'Limits',
      'Depth 12, 1,000 fields and 10,000 things in a request, by the sizes that are asked for; a total, a search and aggregates count as 1,000 things each. Queries also work with GET, mutations do not.',
    ],
  ],
  async open() {
    // Node loads everything that an import leads to in one go; in parts, other requests have their turn.
    for (const load of loads) {
      await load()
      await setImmediate()
    }
    return (await import('./room.ts')).openRoom
  },
}

const loads: readonly (() => Promise<unknown>)[] = [
  () => import('graphql/language'),
  () => import('graphql/type'),
  () => import('graphql/execution'),
  () => import('graphql/validation'),
  () => import('graphql'),
  () => import('./schema/lists.ts'),
  () => import('./schema/schema.ts'),
]
