import { say } from '../../languages/say.ts'
import { valueIn } from '../../model/declaration/operation.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { Document } from '../../representations/document.ts'
import { asSegment } from '../../values/address.ts'
import type { Addresses } from '../contract/addresses.ts'
import type { Validators } from '../contract/answer.ts'
import { membersOf } from './drafts.ts'

interface ShownBeside {
  /** Members that are shown only once. */
  readonly once?: object
  /** The thing as JSON text, if it comes from its row. */
  readonly json?: string
}

/** A thing that the audit tells of: its fields without the secret ones, and links to its owner and its parts. */
export function auditedDocument(
  resource: Resource,
  thing: object,
  addresses: Addresses,
  { once = {}, json = resource.toJson(thing as never) }: ShownBeside = {},
): Document {
  const { text, with: places } = resource.title?.(thing) ?? UNTITLED
  const links = linksOf(resource, thing, addresses)
  return {
    title: say(text, places),
    kind: 'resource',
    item: resource.name,
    json: `${json.slice(0, -1)},${JSON.stringify({ ...once, links }).slice(1)}`,
  }
}

const UNTITLED = { text: '', with: {} }

/** The result of a dry run: it has no id yet, and no address. */
export const auditedDraft = (resource: Resource, thing: object, addresses: Addresses): Document => ({
  title: 'Result of the dry run',
  kind: 'resource',
  item: resource.name,
  json: JSON.stringify({
    ...membersOf(resource.toJson(thing as never), ['id']),
    links: { collection: listAddress(resource, thing, addresses) },
  }),
})

function linksOf(resource: Resource, thing: object, addresses: Addresses) {
  const { path, schema } = resource
  const self = auditedAddress(resource, thing, addresses)
  const parts = schema.audited.filter((each) => each.path.startsWith(`${path}/:`))
  const whole = schema.audited.find((each) => path.startsWith(`${each.path}/:`))
  return {
    self,
    collection: listAddress(resource, thing, addresses),
    ...Object.fromEntries(parts.map((part) => [part.plural, `${self}/${part.path.split('/').at(-1)}`])),
    ...(whole && { [whole.name]: listAddress(resource, thing, addresses).split('/').slice(0, -1).join('/') }),
  }
}

/** The address of one thing. */
export const auditedAddress = (resource: Resource, thing: object, addresses: Addresses): string =>
  `${listAddress(resource, thing, addresses)}/${asSegment(String(valueIn(thing, resource.key)))}`

const listAddress = ({ path }: Resource, thing: object, { base }: Addresses): string =>
  base + path.replace(/:(\w+)/g, (_, field: string) => asSegment(String(valueIn(thing, field) ?? '')))

/** The state of a thing that has revisions. */
export function auditedState(thing: object): { readonly validators?: Validators } {
  const [revision, updatedAt] = ['revision', 'updatedAt'].map((name) => valueIn(thing, name))
  if (typeof revision !== 'number' || typeof updatedAt !== 'string') return {}
  return { validators: { revision, updatedAt, previousAt: null } }
}
