import { withoutLinks } from '../../http/contract/sample.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import { pascalCase } from '../../values/letter-case.ts'
import type { Role } from '../../values/role.ts'
import type { Door, DoorRoute } from '../door.ts'
import { JSON_TYPE, posting, writingRole } from '../kit/declaring.ts'

const AT = '/odata'

// Percent-encoded as clients write them.
const plain = (path: string): string =>
  path.replaceAll(/%24/g, '$').replaceAll(/%28/g, '(').replaceAll(/%29/g, ')').slice(AT.length).replace(/\/$/, '')

const isBatch = (path: string): boolean => plain(path) === '/$batch'

const address = /^\/(\w+)(\([^/]*\))?(?:\/Dealdesk\.(\w+))?$/

function routesTo({ resources }: Schema): readonly DoorRoute[] {
  const placeAt = (path: string) => {
    const [, set, key, action] = address.exec(plain(path)) ?? []
    return { resource: resources.find(({ plural }) => pascalCase(plural) === set), key, action }
  }
  const reading = (path: string): Role | undefined =>
    isBatch(path) || placeAt(path).action !== undefined ? undefined : 'reader'
  /** Everybody may post to an unknown address, and gets 404. */
  const posted = (path: string): Role | undefined => {
    const { resource, key, action } = placeAt(path)
    if (isBatch(path)) return 'reader'
    if (action === undefined) return resource && key === undefined ? writingRole(resource, 'create') : undefined
    const operation = resource?.operations.find(({ name }) => pascalCase(name) === action)
    return operation === undefined ? 'reader' : writingRole(operation.on, operation.name)
  }
  const changing =
    (operation?: string) =>
    (path: string): Role | undefined => {
      const { resource, key, action } = placeAt(path)
      return resource && key && action === undefined ? writingRole(resource, operation) : undefined
    }
  const reads = [JSON_TYPE]
  return [
    { method: 'GET', path: '' },
    { method: 'GET', path: '/*', at: reading },
    { method: 'POST', path: '/$batch', at: posted, reads: [...reads, 'multipart/mixed'] },
    { method: 'POST', path: '/*', at: posted, reads },
    { method: 'PATCH', path: '/*', at: changing(), reads },
    { method: 'PUT', path: '/*', at: changing(), reads },
    { method: 'DELETE', path: '/*', at: changing('delete') },
  ]
}

/** /odata */
export const odata: Door<'odata'> = {
  name: 'odata',
  title: 'OData 4.01',
  idea: 'Entity sets that describe themselves, for Excel, Power BI and SAP: queries, changes, an action for each operation, batches.',
  at: AT,
  routes: routesTo,
  formats: ['metadata=none', 'ieee754', 'metadata=none ieee754'],
  headers: {
    request: ['OData-Version', 'OData-MaxVersion', 'Repeatability-Request-ID', 'Repeatability-First-Sent'],
    answer: ['OData-Version', 'OData-EntityId', 'Repeatability-Result'],
  },
  first: { method: 'GET', path: `${AT}/Deals?$filter=status%20eq%20'open'&$top=2&$count=true` },
  request({ operation, params, target }) {
    const set = `${AT}/${pascalCase(operation.on.plural)}`
    if (operation.to === 'nothing') return posting(set, params)
    return posting(`${set}(${target})/Dealdesk.${pascalCase(operation.name)}`, params)
  },
  answer(said, { operation }) {
    const headers = { 'Content-Type': `${JSON_TYPE};odata.metadata=minimal` }
    if ('problem' in said) {
      const body = `{"error":{"code":…,"message":…,"innererror":${said.problem}}}`
      return { status: said.status, headers, body }
    }
    if (operation.name === 'delete') return { status: 204 }
    const body = `{"@odata.context":…,"@odata.etag":…,${withoutLinks(said.thing).slice(1)}`
    return { status: operation.to === 'nothing' ? 201 : 200, headers, body }
  },
  says: () => [
    [
      'Addresses',
      "The service document at the root, $metadata as XML or JSON, entity sets such as Deals, entities such as Deals(id) and Customers(7), properties (Deals(id)/name, …/$value), navigations (Deals(id)/customer, Customers(7)/deals), and /$count. Keys that are texts stand in quotes, UUIDs may. A unique field is a key too: Deals(reference='A-0004').",
    ],
    [
      'Lists',
      '$filter, $orderby, $top, $skip, $count, $select, $expand and $search; unknown options are refused. A page has 1,000 entities unless Prefer: odata.maxpagesize says less, and @odata.nextLink leads on. contains, startswith and endswith are exact; around tolower() they fold. unknown(owner) is true of who is no user. $orderby has null before every value. $expand takes the options of lists within, four levels deep; a navigation to many with options of its own is shown for at most 50 entities, and 50 of each.',
    ],
    [
      'Operations',
      'A bound action for each: POST Deals(id)/Dealdesk.Hold with its parameters. POST, PATCH, PUT and DELETE make, change and delete entities; PATCH and PUT under a unique field make the entity if there is none, unless If-Match is sent.',
    ],
    ['Preconditions', '@odata.etag of an entity in If-Match, or expectedRevision of an action; a stale one is 412.'],
    [
      'Command ids',
      'Idempotency-Key, or Repeatability-Request-ID with Repeatability-First-Sent, or commandId of an action.',
    ],
    ['Dry runs', 'dry-run=true in the address, or dryRun of an action: every check, and nothing is stored.'],
    ['Problems', 'An error with code, message, target and details; its innererror is the whole problem.'],
    [
      'Batches',
      'POST $batch with JSON or multipart/mixed, at most 1,000 requests, one after the other. Requests with one atomicityGroup, or in one change set, take effect together or not at all; $id names what an earlier request made. After an error the others are not tried, unless Prefer: odata.continue-on-error says otherwise. What is read in one batch has at most 10,000 things and 16 MB, and each read counts as a request.',
    ],
  ],
  open: async () => (await import('./room.ts')).openRoom,
}
