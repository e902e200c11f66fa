import type { RefusedCall } from '../../http/contract/problems/problem.ts'
import { titleIn } from '../../http/respond/documents.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { mayRead } from '../../model/intent/caller.ts'
import { collectionOf } from '../../queries/collections.ts'
import { queryOf } from '../../queries/query-string.ts'
import { capitalized } from '../../values/kinds/text.ts'
import type { DoorCall } from '../door.ts'
import { readList, readThing } from '../kit/reads.ts'

// Things as resources of the protocol, each at its own address: dealdesk://deals/{id}.

const SCHEME = 'dealdesk://'
const MIME_TYPE = 'application/json'
const MOST = 50

const readable = (call: DoorCall): readonly Resource[] =>
  call.schema.resources.filter((resource) => mayRead(call, resource))

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

/** The latest things of all kinds together: for others, clients search or use the template. */
export async function latestThings(call: DoorCall): Promise<{ readonly json: string } | RefusedCall> {
  const found: { readonly createdAt: string; readonly shown: object }[] = []
  for (const resource of readable(call)) {
    const collection = collectionOf(resource)
    const asked = queryOf([
      ['sort', `-${collection.key}`],
      ['maxpagesize', String(MOST)],
    ])
    const read = await readList(collection, asked, call)
    if ('problem' in read) return read
    found.push(...Array.from(read.page.items, (json) => shown(resource, json)))
  }
  const latest = found.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1)).slice(0, MOST)
  return { json: JSON.stringify({ resources: latest.map((each) => each.shown) }) }
}

function shown(resource: Resource, json: string): { readonly createdAt: string; readonly shown: object } {
  const { id, updatedAt, createdAt } = JSON.parse(json) as { readonly [name: string]: string }
  const uri = `${SCHEME}${resource.plural}/${id}`
  const name = titleIn(resource, json)
  return {
    createdAt: createdAt ?? '',
    shown: { uri, name, mimeType: MIME_TYPE, annotations: { lastModified: updatedAt } },
  }
}

/** The thing at an address, of this protocol or of the service; undefined for any other address. */
export async function readAt(
  uri: string,
  call: DoorCall,
): Promise<{ readonly json: string } | RefusedCall | undefined> {
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
