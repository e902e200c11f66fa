import type { Endpoint } from '../endpoint.ts'
import type { Description, Shape } from '../openapi/description.ts'

const shows = (shape: Shape, when: string): Description => ({
  group: 'Service',
  gives: [{ status: 200, shows: shape, headers: ['Link'], when }],
})

/** Of the addresses where a visitor begins, and of those for operators. */
const descriptions: { readonly [path: string]: Description } = {
  '/': shows('home', 'Links to everything.'),
  '/rest': shows('versions', 'The versions and their state.'),
  '/query': shows('queries', 'Every named query.'),
  '/.well-known/api-catalog': shows({ content: 'application/linkset+json' }, 'A linkset.'),
  '/problems': shows('problems', 'Every problem.'),
  '/problems/:code': { ...shows('problem-type', 'The problem.'), refuses: ['not-found'] },
  '/health/live': shows('health', 'It does.'),
  '/health/ready': shows('health', 'It can.'),
  '/metrics': shows({ content: 'text/plain' }, 'Measurements, for Prometheus.'),
}

/** An endpoint with what documents say of it. */
export function described(endpoint: Endpoint): Endpoint {
  const describes = endpoint.describes ?? descriptions[endpoint.path]
  return describes === undefined ? endpoint : { ...endpoint, describes }
}
