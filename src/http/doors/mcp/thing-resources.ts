import type { Resource } from '../../../model/resource.ts'
import { resources } from '../../../model/resources.ts'
import { collectionNamed } from '../../../queries/collections.ts'
import { queryOf } from '../../../queries/query-string.ts'
import { capitalized } from '../../../values/kinds/text.ts'
import { mayDo } from '../../../values/role.ts'
import { titleIn } from '../../respond/documents.ts'
import type { Problem } from '../../respond/problems/problem.ts'
import type { DoorCall } from '../door.ts'
import { readList } from '../parts/read-list.ts'
import { readThing } from '../parts/read-thing.ts'

// Things as resources of the protocol, each at an address of its own: dealdesk://deals/{id}.

const SCHEME = 'dealdesk://'
const MIME_TYPE = 'application/json'
const PAGE = '100'

const readable = (call: DoorCall): readonly Resource[] => resources.filter(({ roles }) => mayDo(call, roles.reads))

export const templatesFor = (call: DoorCall): string =>
  JSON.stringify({
    resourceTemplates: readable(call).map(({ plural, name }) => ({
      uriTemplate: `${SCHEME}${plural}/{id}`,
      name,
      title: capitalized(name),
      description: `One of the ${plural}, by its id.`,
      mimeType: MIME_TYPE,
    })),
  })

/** A page of things, the latest first, one kind after the other; undefined if the cursor is none. */
export async function listThings(
  cursor: string | undefined,
  call: DoorCall,
): Promise<{ readonly json: string } | { readonly problem: Problem } | undefined> {
  const all = readable(call)
  const [plural = all[0]?.plural, after] = cursor?.split('.', 2) ?? []
  const at = all.findIndex((each) => each.plural === plural)
  const resource = all[at]
  if (resource === undefined) return undefined
  const collection = collectionNamed(resource.plural)
  const asked = queryOf([
    ['sort', `-${collection.key}`],
    ['maxpagesize', PAGE],
    ...(after === undefined ? [] : [['after', after] as const]),
  ])
  const read = await readList(collection, asked, call)
  if ('problem' in read) return read
  const next = all[at + 1]?.plural
  const nextCursor = read.cursors.after === undefined ? next : `${resource.plural}.${read.cursors.after}`
  const things = read.page.items.map((json) => shown(resource, json))
  return { json: JSON.stringify({ resources: things, ...(nextCursor && { nextCursor }) }) }
}

function shown(resource: Resource, json: string): object {
  const { id, updatedAt } = JSON.parse(json) as { readonly id: string; readonly updatedAt: string }
  return {
    uri: `${SCHEME}${resource.plural}/${id}`,
    name: titleIn(resource, json),
    mimeType: MIME_TYPE,
    annotations: { lastModified: updatedAt },
  }
}

/** The thing at an address, of this protocol or of the service; undefined if it is neither. */
export async function readAt(
  uri: string,
  call: DoorCall,
): Promise<{ readonly json: string } | { readonly problem: Problem } | undefined> {
  const { base } = call.service.addresses
  const address = base !== '' && uri.startsWith(base) ? uri.slice(base.length) : uri.replace(/^https?:\/\/[^/]*/, '')
  for (const resource of readable(call)) {
    const start = [`${SCHEME}${resource.plural}/`, `${resource.path}/`].find((each) => address.startsWith(each))
    if (start === undefined) continue
    const id = resource.kinds.id?.readText(address.slice(start.length))
    const read = await readThing(resource, id && 'value' in id ? id.value : address.slice(start.length), call)
    if ('problem' in read) return read
    return { json: JSON.stringify({ contents: [{ uri, mimeType: MIME_TYPE, text: read.json }] }) }
  }
  return undefined
}
