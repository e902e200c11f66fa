import type { Description, Shape } from './description.ts'
import type { Endpoint } from './endpoint.ts'
import type { HeaderName } from './openapi/headers.ts'

const shows = (shape: Shape, when: string, header: HeaderName = 'Link'): Description => ({
  group: 'Service',
  gives: [{ status: 200, shows: shape, headers: [header], when }],
})

/** Of the addresses where a visitor begins, and of those for operators. */
const descriptions: { readonly [path: string]: Description } = {
  '/': shows('home', 'Links to everything.'),
  '/rest': shows('versions', 'The versions and their state.'),
  '/query': shows('queries', 'Every named query.'),
  '/.well-known/api-catalog': shows({ content: 'application/linkset+json' }, 'A linkset.'),
  '/style.css': shows({ content: 'text/css' }, 'A style sheet.', 'ETag'),
  '/app.js': shows({ content: 'text/javascript' }, 'A script.', 'ETag'),
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
