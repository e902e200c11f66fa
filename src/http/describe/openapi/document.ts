import type { Schema } from '../../../model/declaration/schema.ts'
import { operationsByGroup, resourceNamed } from '../../../model/schema/resources.ts'
import type { Representation } from '../../../representations/representation.ts'
import { carrying, representations } from '../../../representations/representations.ts'
import type { JsonSchema } from '../../../values/kinds/kind.ts'
import type { DescribedDoor } from '../../contract/described-door.ts'
import { type Group, groups } from '../../contract/description.ts'
import type { Endpoint, Service } from '../../contract/endpoint.ts'
import { headerComponents } from '../../contract/headers.ts'
import { doorPaths } from './door-document.ts'
import { operationIds } from './operation-ids.ts'
import { parameterComponents } from './parameter-components.ts'
import { parametersOf } from './parameter-objects.ts'
import { referredTo } from './referred-to.ts'
import { requestBodies, requestBodyOf } from './request-body.ts'
import { responsesOf, type SharedResponses, shareResponses } from './responses.ts'
import { schemaComponents } from './schemas/schemas.ts'
import { type Selection, selectedEndpoints } from './selection.ts'

/** The OpenAPI 3.1 document, derived from the list of endpoints that the server serves. */
export function openApiDocument(
  schema: Schema,
  endpoints: readonly Endpoint[],
  service: DocumentedService,
): JsonSchema {
  const steps = documentSteps(schema, endpoints, service)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

type Paths = Record<string, Record<string, JsonSchema>>

type DocumentedService = Pick<Service, 'version' | 'addresses' | 'doors'>

/** The same in steps of some milliseconds: it is built while other requests wait. */
export function* documentSteps(
  schema: Schema,
  endpoints: readonly Endpoint[],
  { version, addresses, doors }: DocumentedService,
  selection: Selection = {},
): Generator<undefined, JsonSchema> {
  const shared = shareResponses()
  const schemas = yield* schemaComponents(schema)
  const { door } = selection
  const documented = inReadingOrder(
    endpoints.filter(({ forPeople }) => !forPeople),
    schema,
  )
  const selected = door === undefined ? selectedEndpoints(documented, selection) : []
  // A small document has the names of the whole one.
  const ids = operationIds(documented, schema)
  const paths: Paths = door === undefined ? {} : doorPaths(door, schema)
  for (const endpoint of selected) {
    const path = documentedPath(endpoint)
    paths[path] ??= {}
    // OpenAPI 3.1 has no name for QUERY.
    const method = endpoint.method === 'QUERY' ? 'x-query' : endpoint.method.toLowerCase()
    paths[path][method] = operationObject(endpoint, ids.get(endpoint) ?? '', shared, schemas, schema)
    yield
  }
  const used = new Set(selected.map(groupOf))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Dealdesk',
      version,
      summary: 'Customers, deals and what is done with them.',
      description: descriptionOf(schema) + doorsIn(doors, addresses.base),
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
    tags: [...used].map((name) => ({ name, description: groups[name] ?? `${name}.` })),
    paths,
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'A user and a password.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key.' },
      },
      ...(yield* referredTo(paths, {
        schemas,
        parameters: parameterComponents(schema),
        headers: headerComponents(),
        requestBodies,
        responses: shared.components,
      })),
    },
  }
}

const suffixed = (all: readonly Representation[]): string => all.map(({ name }) => `\`.${name}\``).join(', ')
const ofLists = representations.filter((each) => !each.carries('resource'))
const suffixes = `${suffixed(carrying('resource'))}, and ${suffixed(ofLists)} for lists`

const descriptionOf = (
  schema: Schema,
): string => `Customers, deals, and the ${resourceNamed(schema, 'deal').operations.length} operations that change a deal: hold, complete, cancel, change the price, record a payment and so on.

**To begin**: \`POST /rest/v1/deals/\` with \`{"name":"Forty espresso machines","price":51800}\` makes a deal. The answer is the deal, with links to what can be done with it now. \`PUT /rest/v1/deals/{id}/hold\` with \`{"reason":"credit check"}\` puts it on hold.

**Bodies**: no body, or \`null\`, is the same as \`{}\`.

**Forms**: an operation is declared once and can be asked for in many forms, which \`/docs\` shows side by side; whichever is used, the deal, the event and, when it is refused, the problem are the same. The verb (\`PUT …/hold\`) is the shortest. Under an id of your own (\`PUT /rest/commands/{command}\`, or \`Idempotency-Key\` with any other form) it is decided once, however often it is sent.

**Lists** are pages with \`links\`; follow \`next\`. Every field can be filtered (\`age.gte=18\`, \`age>=18\`, \`min-age=18\`), \`sort\` and \`fields\` go with it. CSV and NDJSON are the whole result. What \`fields\`, \`group\` and \`dry-run\` answer in another shape stands in \`x-answers\`, by the parameter. A query that is too long for an address is sent as the content of QUERY (RFC 10008), as a form or as JSON; it stands here as \`x-query\`.

**Small documents**: \`/openapi.json?form=verb\`, \`?tag=deals\` and \`?door=odata\`; all of it also at \`/openapi.yaml\`.

**Formats**: JSON unless \`Accept\`, \`format\` or a suffix of the path (${suffixes}) asks for another. Every address is the same with and without a slash at its end.

**Problems** are RFC 9457: \`code\` for programs, \`detail\` for people, \`errors\` for each fault. HEAD is answered like GET, OPTIONS with \`Allow\`; another method is 405. What is not HTTP is refused before an address is looked at: 400, 431, 501, 505.

**Who may call**: on a loopback address without users the service is open. Otherwise Basic or an API key (\`Bearer\`), with a role: reader, editor or admin.`

/** Their addresses are described by their own protocols. */
function doorsIn(doors: readonly DescribedDoor[], base: string): string {
  if (doors.length === 0) return ''
  const list = doors.map(({ name, title, at }) => `${title} at \`${at}\` ([how](${base}/docs/doors/${name}))`)
  return `\n\n**Doors** are other protocols for the same: ${list.join(', ')}.`
}

/** Sorts by heading, then by operation; otherwise keeps the order of the list. */
function inReadingOrder(endpoints: readonly Endpoint[], { resources }: Schema): readonly Endpoint[] {
  const headings = [...new Set([...Object.keys(groups), ...endpoints.map(groupOf)])]
  const order = resources.flatMap((resource) =>
    operationsByGroup(resource).flatMap(({ operations }) => operations.map(({ name }) => name)),
  )
  const place = (endpoint: Endpoint): number =>
    headings.indexOf(groupOf(endpoint)) * 1000 + order.indexOf(endpoint.describes?.operation ?? '')
  return endpoints.toSorted((a, b) => place(a) - place(b))
}

/** The path of an endpoint in documents. */
export const documentedPath = ({ path, describes }: Pick<Endpoint, 'path' | 'describes'>): string =>
  templateOf(describes?.path ?? path)

/** `/customers/:id` is `/customers/{id}` in a document. */
const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

const groupOf = ({ describes }: Endpoint): Group => describes?.group ?? 'Service'

function operationObject(
  endpoint: Endpoint,
  id: string,
  shared: SharedResponses,
  schemas: { readonly [name: string]: JsonSchema },
  schema: Schema,
): JsonSchema {
  const { role, summary, describes } = endpoint
  const parameters = parametersOf(endpoint, schema)
  const requestBody = requestBodyOf(endpoint, schemas)
  return {
    operationId: id,
    tags: [groupOf(endpoint)],
    summary: describes?.form === undefined ? summary : `${summary} (${describes.form})`,
    description: [describes?.about, role === 'public' ? 'For everybody.' : `Needs the role ${role}.`]
      .filter((text) => text !== undefined)
      .join(' '),
    ...(role === 'public' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    ...responsesOf(endpoint, shared, schema),
  }
}
