import type { Resource } from '../../../model/declaration/schema.ts'
import { fieldOf } from '../../../queries/collection.ts'
import { collectionNamed } from '../../../queries/collections.ts'
import { parseQuery } from '../../../queries/parse/parse-query.ts'
import type { Value } from '../../../queries/query.ts'
import { equals } from '../../../queries/term.ts'
import { label } from '../../../representations/html/label.ts'
import type { Desk } from '../../../store/port/desk.ts'
import { isUuid } from '../../../values/kinds/uuid.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { noSuch, type Problem } from '../../contract/problems/problem.ts'
import { auditedAddress } from '../../respond/audited-documents.ts'
import type { CollectionAddress } from '../collections/collection-address.ts'
import { collectionEndpoint } from '../collections/collection-endpoint.ts'

/** The list of a resource that the audit tells of. If it is private, each caller sees their own, and admins see all. */
export const auditedList = (resource: Resource, more: Partial<CollectionAddress> = {}): Endpoint =>
  collectionEndpoint({
    collection: collectionNamed(resource.schema, resource.plural),
    path: resource.path,
    summary: label(resource.plural),
    role: resource.roles.reads,
    ...(hasAddresses(resource) && {
      itemAddress: (item, { service }) =>
        item[resource.key] === undefined ? undefined : auditedAddress(resource, item, service.addresses),
    }),
    ...more,
  })

/** Whether an item alone determines its address: not if it belongs to another, and an entry of the audit has none. */
const hasAddresses = ({ path, operations }: Resource): boolean => !path.includes(':') && operations.length > 0

/** The thing with these values in these fields, as JSON text; undefined if the caller sees none. */
export async function findAudited(
  { schema, plural, uniques }: Resource,
  target: { readonly [field: string]: string },
  desk: Desk,
): Promise<string | undefined> {
  const collection = collectionNamed(schema, plural)
  const asked = Object.entries(target).map(([name, text]) => {
    // A thing with a name has an id too.
    const field = uniques.includes(name) && isUuid(text) ? 'id' : name
    return { field, read: fieldOf(collection, field).kind.readText(text) }
  })
  const known = asked.flatMap(({ field, read }) =>
    'value' in read ? [equals(collection, field, read.value as Value)] : [],
  )
  const parsed = parseQuery(collection, '')
  if (known.length < asked.length || 'faults' in parsed) return undefined
  const { items } = await desk.page(collection, known, { ...parsed.query, size: 1 })
  return items[0]
}

export const noAudited = ({ name, key }: Resource, { params }: Pick<Call, 'params'>): Problem => ({
  code: `${name}-not-found`,
  detail: noSuch(name, params[key] ?? ''),
})
