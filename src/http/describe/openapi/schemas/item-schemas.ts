import { bySchema } from '../../../../model/declaration/by-schema.ts'
import type { Resource, Schema } from '../../../../model/declaration/schema.ts'
import { operationsOnExisting, referrersOf } from '../../../../model/schema/resources.ts'
import type { Collection } from '../../../../queries/collection.ts'
import { collectionOf, resourceOf } from '../../../../queries/collections.ts'
import { answerBounds } from '../../../../values/bounds.ts'
import type { JsonSchema } from '../../../../values/kinds/kind.ts'
import { boolean, ordinal } from '../../../../values/kinds/number.ts'
import { capitalized } from '../../../../values/kinds/text.ts'
import { objectSchema, propertiesOf } from '../../../../values/members.ts'
import { hasForm } from '../../../contract/form.ts'
import { byPlace } from '../../vocabulary.ts'
import type { Examples } from './examples.ts'
import { addressText, count, kindSchema, limited, ownText, readOnly, reference } from './schema.ts'

/** The name of an item's schema. */
export const titleOf = ({ item }: Collection): string => capitalized(item)

export const properties = (list: readonly string[], schema: JsonSchema): { readonly [name: string]: JsonSchema } =>
  Object.fromEntries(list.map((name) => [name, schema]))

export const links = (...relations: readonly string[]): JsonSchema => objectSchema(properties(relations, addressText))

/** The links of a thing: to its sub-resources, to things it refers to and to things that refer to it. */
function thingLinks(resource: Resource): JsonSchema {
  const always = [
    ...['self', 'collection', 'history', ...(resource.savedQuery ? ['items'] : [])],
    ...referrersOf(resource).map(({ from }) => from.plural),
  ]
  // In a past state, `latest` leads to the present.
  const related = [...resource.references.map(({ to }) => to), 'latest']
  if (!hasForm(resource, 'verb')) {
    return objectSchema(properties([...always, ...related], addressText), always)
  }
  const names = operationsOnExisting(resource).map(({ name }) => name)
  const operationLinks = {
    ...objectSchema(properties(names, addressText), []),
    description: 'The operations that are allowed now.',
  }
  return objectSchema({ ...properties([...always, 'actions', ...related], addressText), operations: operationLinks }, [
    ...always,
    'actions',
    'operations',
  ])
}

/** The links of an item that belongs to a thing of any resource. */
export const linksOfAny = ({ resources }: Schema): JsonSchema =>
  objectSchema(properties(['self', ...resources.map(({ name }) => name), 'past'], addressText), ['self'])

/** The links of single things; other collections may have links of any name. */
function linksOf(collection: Collection): JsonSchema {
  const { name, schema } = collection
  if (name === 'history' || name === 'commands') return linksOfAny(schema)
  const resource = resourceOf(collection)
  return resource === undefined ? anyLinks : thingLinks(resource)
}

const anyLinks: JsonSchema = { type: 'object', maxProperties: 20, additionalProperties: addressText }

/** The schemas of a thing with its links, of the same in a list, and of the members of one that `fields` names. */
export function thingsOf(collection: Collection, examples: Examples): readonly [string, JsonSchema][] {
  const name = titleOf(collection)
  const own = itemProperties(collection)
  const always = Object.keys(own).filter((member) => !isOptional(member, collection))
  const expanded = expandedProperties(collection, 'Item')
  const links = readOnly(linksOf(collection))
  const once = describedMembers(auditedIn(collection)?.once)
  const whole = objectSchema({ ...own, links, ...once, ...expanded }, [...always, 'links'])
  const example = examples[name as keyof Examples]
  const xml = { name: collection.item }
  return [
    [name, { ...whole, xml, ...(example !== undefined && { examples: [example] }) }],
    [`${name}Item`, { ...objectSchema({ ...own, ...expanded }, always), xml }],
    [`${name}Part`, { ...objectSchema({ ...own, ...expandedProperties(collection, 'Part') }, []), xml }],
    [`${name}Draft`, { ...draftOf(collection, own), xml }],
  ]
}

/** The members that `expand` adds, whole or in part. */
const expandedProperties = (
  { relations }: Collection,
  what: 'Item' | 'Part',
): { readonly [name: string]: JsonSchema } =>
  Object.fromEntries(
    [...relations.values()].map(({ name, kind, of }) => {
      const related = reference(titleOf(collectionOf(of)) + what)
      return [name, readOnly(kind === 'one' ? { anyOf: [related, { type: 'null' }] } : latestOf(related))]
    }),
  )

const latestOf = (related: JsonSchema): JsonSchema =>
  objectSchema({ items: { type: 'array', items: related, maxItems: answerBounds.related }, hasMore: boolean.schema })

/** The result of a dry run: members that only an existing thing has are optional. */
function draftOf(collection: Collection, own: Record<string, JsonSchema>): JsonSchema {
  const links = { ...linksOf(collection), required: [] }
  const references = collection.schema.resources.flatMap((each) => each.references.map(({ field }) => field))
  const ofExisting = new Set(['id', 'status', 'decidedAt', ...references])
  const required = Object.keys(own).filter((member) => !isOptional(member, collection) && !ofExisting.has(member))
  return {
    ...objectSchema({ ...own, links }, [...required, 'links']),
    description: 'What a dry run would make. What does not exist has no id and no links.',
  }
}

/** The resource of this list, if the audit tells of it. */
const auditedIn = ({ schema, name }: Collection) => schema.audited.find(({ plural }) => plural === name)

/** Members as a declaration describes them. */
const describedMembers = (
  members: { readonly [name: string]: JsonSchema } = {},
): { readonly [name: string]: JsonSchema } =>
  Object.fromEntries(
    Object.entries(members).map(([name, schema]) => [name, schema.format === undefined ? limited(schema) : schema]),
  )

const isOptional = (member: string, { schema }: Collection): boolean =>
  sometimes.has(member) || schema.byName.get(member)?.feed === 'events'

const sometimes: ReadonlySet<string> = new Set(['key', 'commandId', 'problem', 'grants'])

function itemProperties(collection: Collection): Record<string, JsonSchema> {
  const { fields, structured, schema } = collection
  const audited = auditedIn(collection)
  const shown = [...fields.values()].filter(({ hidden }) => !hidden)
  const members = structuredMembers(schema)
  return {
    ...propertiesOf(byPlace(shown), ({ name, member: { kind } }) =>
      assigned.has(name) ? readOnly(kindSchema(kind.schema, schema)) : kindSchema(kind.schema, schema),
    ).properties,
    ...Object.fromEntries(
      structured.map((name) => {
        const kind = audited?.kinds[name]
        return [name, kind === undefined ? (members[name] ?? {}) : kindSchema(kind.schema, schema)]
      }),
    ),
    ...describedMembers(audited?.presented),
  }
}

/** Members that the service assigns, in every schema. */
const assigned: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt', 'revision'])

const usersKey = { ...ownText(200), description: 'The user’s key, if it was done with one.' }

const structuredMembers = bySchema((schema: Schema): { readonly [name: string]: JsonSchema } => ({
  params: reference('Params'),
  key: usersKey,
  problem: reference('Problem'),
  specversion: { type: 'string', const: '1.0' },
  id: ownText(100),
  source: addressText,
  subject: { ...ownText(40), description: 'The id of the thing.' },
  datacontenttype: { type: 'string', const: 'application/json' },
  data: objectSchema(
    {
      operation: reference('EventOperation'),
      params: reference('Params'),
      ...Object.fromEntries(schema.resources.map(({ name }) => [name, reference(`${capitalized(name)}Part`)])),
      counts: reference('ImportCounts'),
      import: reference('UndoneImport'),
      revision: limited(ordinal.schema),
      actor: { ...ownText(200), type: ['string', 'null'], description: 'The user, or a key that belongs to none.' },
      key: usersKey,
      form: reference('FormName'),
      commandId: ownText(128),
    },
    ['operation', 'params', 'revision', 'actor', 'form'],
  ),
}))

export const listsOf = (collection: Collection): readonly [string, JsonSchema][] =>
  ['', 'Part'].flatMap((part) => listSchemas(titleOf(collection) + part, titleOf(collection) + (part || 'Item')))

/** A page and a bare list of items. */
export function listSchemas(title: string, item: string): readonly [string, JsonSchema][] {
  const items = {
    type: 'array',
    items: reference(item),
    maxItems: 1000,
    xml: { name: 'items', wrapped: true },
  }
  const page = objectSchema(
    {
      items,
      page: count,
      pageSize: count,
      hasMore: boolean.schema,
      total: count,
      after: { ...ownText(8000), description: 'Continues the list in the content of the next QUERY.' },
      before: { ...ownText(8000), description: 'Goes back in the list in the content of the next QUERY.' },
      trimmed: { ...count, description: 'Entries that a history has lost, if events are not kept for ever.' },
      links: reference('PageLinks'),
    },
    ['items', 'pageSize', 'hasMore', 'links'],
  )
  return [
    [`${title}Page`, { ...page, xml: { name: 'collection' } }],
    [`${title}List`, items],
  ]
}
