import type { DoorRequest } from '../../http/contract/described-door.ts'
import { withoutLinks } from '../../http/contract/said-thing.ts'
import type { Sample } from '../../http/contract/sample.ts'
import type { Params } from '../../model/operation.ts'
import type { Schema } from '../../model/schema.ts'
import { pascalCase } from '../../values/letter-case.ts'
import type { Role } from '../../values/role.ts'
import type { Door, DoorRoute } from '../door.ts'
import { writingRole } from '../kit/writing-role.ts'

const JSON_TYPE = 'application/json'
const AT = '/odata'

// Percent-encoded as clients write them.
const plain = (path: string): string =>
  path.replaceAll(/%24/g, '$').replaceAll(/%28/g, '(').replaceAll(/%29/g, ')').slice(AT.length).replace(/\/$/, '')

const action = /^\/\w+(?:\([^/]*\))?\/Dealdesk\.\w+$/
const isRead = (path: string): boolean => plain(path) !== '/$batch' && !action.test(plain(path))

const written = /^\/(\w+)(?:\([^/]*\))?(?:\/Dealdesk\.(\w+))?$/

function routesTo({ resources }: Schema): readonly DoorRoute[] {
  const sets = resources.map(({ plural }) => pascalCase(plural)).join('|')
  const changedBy = new RegExp(`^/(?:${sets})\\([^/]*\\)$`)
  const madeIn = new RegExp(`^/(?:${sets})$`)
  const isChanged = (path: string): boolean => changedBy.test(plain(path))
  const isPosted = (path: string): boolean => {
    const below = plain(path)
    return below === '/$batch' || madeIn.test(below) || action.test(below)
  }
  /** The operation that an address names, or else the one that the method is for. */
  const roleTo =
    (usual?: string) =>
    (path: string): Role => {
      const [, set = '', named] = written.exec(plain(path)) ?? []
      const resource = resources.find(({ plural }) => pascalCase(plural) === set)
      if (resource === undefined || named === undefined) return writingRole(resource, usual)
      const operation = resource.operations.find(({ name }) => pascalCase(name) === named)
      return operation === undefined ? 'reader' : writingRole(resource, operation.name)
    }
  const changing = { path: '/*', reads: [JSON_TYPE], where: isChanged, roleAt: roleTo() }
  return [
    { method: 'GET', path: '' },
    { method: 'GET', path: '/*', where: isRead },
    { method: 'POST', path: '/*', reads: [JSON_TYPE], where: isPosted, roleAt: roleTo('create') },
    { method: 'PATCH', ...changing },
    { method: 'PUT', ...changing },
    { method: 'DELETE', path: '/*', where: isChanged, roleAt: roleTo('delete') },
  ]
}

const posting = (path: string, body: Params): DoorRequest => ({
  method: 'POST',
  path: `${AT}/${path}`,
  headers: { 'Content-Type': JSON_TYPE },
  body,
})

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
  request: ({ operation, params, target }: Sample) => {
    const set = pascalCase(operation.on.plural)
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
      'The service document at the root, $metadata as XML or JSON, entity sets such as Deals, entities such as Deals(id) and Customers(7), properties (Deals(id)/name, …/$value), navigations (Deals(id)/customer, Customers(7)/deals), and /$count. Keys that are texts stand in quotes, UUIDs may.',
    ],
    [
      'Lists',
      '$filter, $orderby, $top, $skip, $count, $select, $expand and $search; unknown options are refused. A page has 1,000 entities unless Prefer: odata.maxpagesize says less, and @odata.nextLink leads on. contains, startswith and endswith are exact; around tolower() they fold. $orderby means what sort means in REST: nulls come last in either direction.',
    ],
    [
      'Operations',
      'A bound action for each: POST Deals(id)/Dealdesk.Hold with its parameters. POST, PATCH, PUT and DELETE make, change and delete entities.',
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
      'POST $batch with JSON, at most 1,000 requests, one after the other. Requests with one atomicityGroup take effect together or not at all; $id names what an earlier request made. After an error the others are not tried, unless Prefer: odata.continue-on-error says otherwise. What is read in one batch has at most 10,000 things and 16 MB, and each read counts as a request.',
    ],
  ],
  open: async () => (await import('./room.ts')).openRoom,
}
