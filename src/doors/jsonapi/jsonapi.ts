import type { DoorRequest } from '../../http/contract/described-door.ts'
import type { Sample } from '../../http/contract/sample.ts'
import { abbreviated } from '../../http/contract/sample.ts'
import type { Params } from '../../model/declaration/operation.ts'
import type { Resource, Schema } from '../../model/declaration/schema.ts'
import { operationsOnExisting, type Relation, relationsOf, resourceNamed } from '../../model/schema/resources.ts'
import type { Json } from '../../values/json/json.ts'
import type { Role } from '../../values/role.ts'
import type { Door, DoorRoute } from '../door.ts'
import { posting, writingRole } from '../kit/declaring.ts'

const TYPE = 'application/vnd.api+json'
const reads = [TYPE]

const root = '/jsonapi'

function routesTo({ resources }: Schema): readonly DoorRoute[] {
  /** The role for an address, by the resource that it names and the parts below its things. */
  const at =
    (roleOf: (resource: Resource, name: string) => Role | undefined) =>
    (path: string): Role | undefined => {
      const [type, , ...rest] = path.slice(root.length + 1).split('/')
      const resource = resources.find(({ plural }) => plural === type)
      return resource && roleOf(resource, rest.filter((part) => part !== '').at(-1) ?? '')
    }
  const relationIn = (resource: Resource, name: string): Relation | undefined =>
    relationsOf(resource).find((relation) => relation.name === name)
  const reading = at(() => 'reader')
  const writing = (operation?: string) => at((resource) => writingRole(resource, operation))
  const operating = at((resource, name) =>
    operationsOnExisting(resource).some((each) => each.name === name) ? writingRole(resource, name) : undefined,
  )
  const following = at((resource, name) => relationIn(resource, name) && 'reader')
  // The related things have the field of a relation to many.
  const linkingIn = (resource: Resource, { kind, of }: Relation): Role => writingRole(kind === 'many' ? of : resource)
  const linking = at((resource, name) => {
    const relation = relationIn(resource, name)
    return relation && linkingIn(resource, relation)
  })
  const linkingMany = at((resource, name) => {
    const relation = relationIn(resource, name)
    return relation?.kind === 'many' ? linkingIn(resource, relation) : undefined
  })
  return [
    { method: 'GET', path: '' },
    { method: 'POST', path: '/operations', reads },
    { method: 'GET', path: '/:type', at: reading },
    { method: 'POST', path: '/:type', at: writing('create'), reads },
    { method: 'GET', path: '/:type/:id', at: reading },
    { method: 'PATCH', path: '/:type/:id', at: writing(), reads },
    { method: 'DELETE', path: '/:type/:id', at: writing('delete'), reads },
    { method: 'GET', path: '/:type/:id/:name', at: following },
    { method: 'POST', path: '/:type/:id/:name', at: operating, reads },
    { method: 'GET', path: '/:type/:id/relationships/:relationship', at: following },
    { method: 'PATCH', path: '/:type/:id/relationships/:relationship', at: linking, reads },
    { method: 'POST', path: '/:type/:id/relationships/:relationship', at: linkingMany, reads },
    { method: 'DELETE', path: '/:type/:id/relationships/:relationship', at: linkingMany, reads },
  ]
}

/** The resource object of a creation. */
function resourceObject(resource: Resource, params: Params): Json {
  const linked = resource.references.filter(({ field }) => Object.hasOwn(params, field))
  const attributes = Object.entries(params).filter(([name]) => !linked.some(({ field }) => field === name))
  const relationships = linked.map(({ name, field, to }) => {
    const { plural } = resourceNamed(resource.schema, to)
    const id = params[field] ?? null
    return [name, { data: id === null ? null : { type: plural, id: String(id) } }]
  })
  return {
    type: resource.plural,
    attributes: Object.fromEntries(attributes),
    ...(linked.length > 0 && { relationships: Object.fromEntries(relationships) }),
  }
}

const sending = (path: string, data: Json): DoorRequest => posting(path, { data }, { 'Content-Type': TYPE })

/** /jsonapi/deals, /jsonapi/customers and so on. */
export const jsonapi: Door<'jsonapi'> = {
  name: 'jsonapi',
  title: 'JSON:API 1.1',
  idea: 'Resources with attributes and relationships, compound documents, and operations that take effect together.',
  at: root,
  routes: routesTo,
  first: { method: 'GET', path: `${root}/deals?filter[status]=open&include=customer&page[size]=2` },
  request({ operation, params, target }: Sample): DoorRequest {
    const collection = `${root}/${operation.on.plural}`
    if (operation.to === 'nothing') return sending(collection, resourceObject(operation.on, params))
    if (operation.name === 'delete') return { method: 'DELETE', path: `${collection}/${target}` }
    return sending(`${collection}/${target}/${operation.name}`, { attributes: params })
  },
  answer(said, { operation, target }) {
    const headers = { 'Content-Type': TYPE }
    if ('problem' in said) return { status: said.status, headers, body: `{"errors":[${said.problem}]}` }
    if (operation.name === 'delete') return { status: 204 }
    const status = operation.to === 'nothing' ? 201 : 200
    const { plural, references } = operation.on
    const isAttribute = (name: string): boolean => !references.some(({ field }) => field === name)
    const attributes = said.thing.changed.filter(([name]) => isAttribute(name))
    const object = `{"type":"${plural}","id":"${target}",\n "attributes":${abbreviated('', attributes)},\n "relationships":{…},"links":{…},"meta":{…}}`
    return { status, headers, body: `{"data":${object}}` }
  },
  says: () => [
    [
      'Resources',
      'Every resource has its plural as type: GET and POST /jsonapi/deals, GET, PATCH and DELETE /jsonapi/deals/{id}. An attribute update becomes the operations that it stands for, all or nothing. Ids are chosen by the service.',
    ],
    [
      'Operations',
      'POST /jsonapi/deals/{id}/hold with {"data":{"attributes":{…}}}; the type may be left out. The answer is the resource, and 204 after a deletion.',
    ],
    [
      'Relationships',
      '/jsonapi/deals/{id}/customer and /jsonapi/deals/{id}/relationships/customer, which PATCH changes; POST, DELETE and PATCH of a relation to many add, remove and replace, all or nothing. include follows them, along paths such as deals.customer, at most 50 things of a relation to many.',
    ],
    [
      'Lists',
      'filter[status]=open, filter[price][gte]=1000, filter[customer]=7, sort=-price, page[size] or page[limit], page[after], page[offset] or page[number], fields[deals]=name,price, q, and count=exact for meta.total. links has first, prev and next.',
    ],
    [
      'Problems',
      'An errors array: code, status, title, detail, source with pointer, parameter or header, the request as id, the page of the problem in links, and in meta what else the problem tells, with the code and the facts of the fault.',
    ],
    [
      'Preconditions',
      'ETag and If-Match, or the revision that meta of every resource has, sent back in meta of the resource, also as expectedRevision: 412 if it is not the current one.',
    ],
    ['Command ids', 'The header Idempotency-Key, or commandId in meta of the resource or the document.'],
    ['Dry runs', 'dry-run=true in the address, or dryRun in meta: every check, and nothing is stored.'],
    [
      'Together',
      'POST /jsonapi/operations with the extension https://jsonapi.org/ext/atomic in the media type: add, update and remove, lid for what an earlier one makes, href for an operation, at most 1,000, all or nothing. Each may have expectedRevision and commandId in its meta; dryRun, also in meta of the document, holds for all or none; under a key K operation n has the command id K.n.',
    ],
  ],
  open: async () => (await import('./room.ts')).openRoom,
}
