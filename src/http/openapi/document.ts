import type { JsonSchema } from '../../values/kind.ts'
import { type Group, groups } from '../description.ts'
import type { Endpoint, Service } from '../endpoint.ts'
import { headerComponents } from './headers.ts'
import { parameterComponents, parametersOf } from './parameters.ts'
import { referredTo } from './referred-to.ts'
import { requestBodyOf } from './request-body.ts'
import { responsesOf, type SharedResponses, shareResponses } from './responses.ts'
import { schemaComponents } from './schemas.ts'

/** OpenAPI 3.1, derived from the very list that the server serves. */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  { version, addresses }: Pick<Service, 'version' | 'addresses'>,
): JsonSchema {
  const shared = shareResponses()
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const endpoint of endpoints) {
    const path = templateOf(endpoint.path)
    paths[path] ??= {}
    paths[path][endpoint.method.toLowerCase()] = operationObject(endpoint, shared)
  }
  const used = new Set(endpoints.map(groupOf))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Dealdesk',
      version,
      summary: 'Customers and deals over HTTP, in every form people argue about.',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'Whoever runs this service' },
    },
    servers: [
      {
        url: addresses.base || '/',
        description: 'This service: local, unless it is told otherwise.',
        'x-internal': false,
      },
    ],
    security: [{ basic: [] }, { bearer: [] }],
    tags: (Object.keys(groups) as Group[])
      .filter((name) => used.has(name))
      .map((name) => ({ name, description: groups[name] })),
    paths,
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'A user and a password.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key.' },
      },
      ...referredTo(paths, {
        schemas: schemaComponents(),
        parameters: parameterComponents(),
        headers: headerComponents(),
        responses: shared.components,
      }),
    },
  }
}

const description = `A deal operation is declared once, and can be asked for in eight forms: whichever is used, the deal, the event and, when it is refused, the problem are the same. \`/docs\` shows the operations side by side.

Every GET address also takes a suffix (\`.json\`, \`.xml\`, \`.html\`, and \`.csv\`, \`.ndjson\` for lists), every address with or without a slash at its end. HEAD is answered like GET, OPTIONS with \`Allow\`; another method is 405. What is not HTTP is refused before an address is looked at: 400, 431, 501, 505.

On a loopback address without users the service is open and needs no credential.`

/** `/customers/:id` is `/customers/{id}` in a document. */
export const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

const groupOf = ({ describes }: Endpoint): Group => describes?.group ?? 'Service'

function operationObject(endpoint: Endpoint, shared: SharedResponses): JsonSchema {
  const { role, summary } = endpoint
  const parameters = parametersOf(endpoint)
  const requestBody = requestBodyOf(endpoint)
  return {
    operationId: operationIdOf(endpoint),
    tags: [groupOf(endpoint)],
    summary,
    description: role === 'public' ? 'For everybody.' : `Needs the role ${role}.`,
    ...(role === 'public' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: responsesOf(endpoint, shared),
  }
}

const verbs = { GET: 'read', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const

/** `PUT /rest/v1/deals/:id/hold` is `putDealsByIdHold`. */
export function operationIdOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  const words = path
    .replace(/^\/rest\/v\d+/, '')
    .split(/[/.-]/)
    .filter((word) => word !== '')
    .map((word) => (word.startsWith(':') ? `By${capital(word.slice(1))}` : capital(word)))
  return verbs[method] + (words.join('') || 'Home')
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
