import { ownField } from '../../values/json/own.ts'
import type { Kind } from '../../values/kinds/kind.ts'
import type { DeclaredOperation } from '../declaration/operation.ts'
import { type DeclaredResource, defineResource, type ModelPart } from '../declaration/resource.ts'
import type { Operation, Resource, Schema, SchemaSource } from '../declaration/schema.ts'
import type { AddedField } from '../source/added-field.ts'
import { inOrder, SALES } from '../source/pipeline-source.ts'
import { operationOn } from './bound-operation.ts'
import { fieldAdded, inPlace } from './field-added.ts'
import { nouns } from './nouns.ts'

interface Noun {
  readonly resource: DeclaredResource
  readonly operations: readonly DeclaredOperation[]
}

/** The part of a schema that crosses threads. */
export const sourceOf = ({
  version,
  changedAt,
  fields,
  pipelines,
  teams,
  roles,
  holders,
}: SchemaSource): SchemaSource => ({
  version,
  ...(changedAt !== undefined && { changedAt }),
  fields,
  pipelines,
  teams,
  roles,
  holders,
})

/** The schema of the source alone. */
export const NOTHING_ADDED: SchemaSource = {
  version: 0,
  fields: [],
  pipelines: [SALES],
  teams: [],
  roles: [],
  holders: [],
}

export function buildSchema(source: SchemaSource = NOTHING_ADDED): Schema {
  const arranged = { ...source, fields: inPlace(source.fields), pipelines: inOrder(source.pipelines) }
  const resources: Resource[] = []
  const operations: Operation[] = []
  const byName = new Map<string, Resource>()
  const byAction = new Map<string, Operation>()
  const audited: Resource[] = []
  const schema: Schema = { ...sourceOf(arranged), resources, operations, byName, byAction, audited }
  // A declaration is typed by its own fields; a schema has resources with any fields.
  const declared = nouns as unknown as readonly Noun[]
  const add = (noun: Noun, to: Resource[]): Resource => {
    const resource = resourceIn(schema, noun, arranged)
    byName.set(resource.name, resource)
    to.push(resource)
    return resource
  }
  for (const noun of declared.filter(({ resource: { feed } }) => feed === 'events')) {
    const { operations: own } = add(noun, resources)
    operations.push(...own)
    for (const operation of own) byAction.set(operation.words.action, operation)
  }
  // Their fields may have the types of all events.
  for (const noun of declared.filter(({ resource: { feed } }) => feed === 'audit')) add(noun, audited)
  requireDistinctIds(resources)
  return schema
}

function resourceIn(schema: Schema, { resource: declaration, operations }: Noun, source: SchemaSource): Resource {
  const declared = withSource(declaration, source)
  const own: Operation[] = []
  const resource = withLaterKinds(declared, schema, { ...declared, schema, operations: own } as Resource)
  own.push(...operations.map((operation) => operationOn(resource, operation)))
  return resource
}

/** Kinds that follow from the whole schema are looked up when it is complete. */
function withLaterKinds(
  { kindsIn, kinds: declaredKinds }: DeclaredResource,
  schema: Schema,
  resource: Resource,
): Resource {
  if (kindsIn === undefined) return resource
  let kinds: Resource['kinds'] | undefined
  return Object.defineProperty(resource, 'kinds', {
    enumerable: true,
    get: () => {
      kinds ??= { ...declaredKinds, ...kindsIn(schema as never) }
      return kinds
    },
  })
}

/** A resource whose things make a part of the model. */
export interface ModelTable extends ModelPart {
  readonly resource: string
  /** The name of its table. */
  readonly table: string
}

export const modelTables: readonly ModelTable[] = (nouns as unknown as readonly Noun[])
  .filter(({ resource }) => resource.shapes !== undefined)
  .map(({ resource: { name, plural, shapes } }) => ({ ...(shapes as ModelPart), resource: name, table: plural }))

/**
 * The schema that follows another. A version identifies one schema: tags and prepared statements are named after it.
 */
export function laterSchema({ version }: Schema, source: SchemaSource): Schema {
  if (source.version > version) return buildSchema(source)
  throw new Error(`schema ${source.version} does not follow schema ${version}`)
}

/** With the fields that follow from the source, and those that were added. */
function withSource(resource: DeclaredResource, source: SchemaSource): DeclaredResource {
  const all = source.fields.filter(({ on }) => on === resource.name)
  const isExtended = resource.extensible && (source.version > 0 || all.length > 0)
  if (!isExtended && all.length === 0 && resource.fieldsIn === undefined) return resource
  const [added, retired] = [all.filter((each) => !isRetired(each)), all.filter(isRetired)]
  if (added.length > 0 && !resource.extensible) throw new Error(`${resource.plural} can have no added fields`)
  const further = added.map((field) => [ownField(field.name), fieldAdded(field, keyOf)] as const)
  const searched = added.filter((each) => each.searched).map(({ name }) => ownField(name))
  const dialled = further.flatMap(([name, { kind }]) =>
    kind.contact === 'tel' && searched.includes(name) ? [name] : [],
  )
  return defineResource({
    ...resource,
    ...(isExtended && { extended: true }),
    fields: { ...resource.fields, ...resource.fieldsIn?.(source), ...Object.fromEntries(further) },
    ...(searched.length > 0 && { searched: [...(resource.searched ?? []), ...searched] }),
    ...(retired.length > 0 && {
      retired: Object.fromEntries(retired.map((field) => [ownField(field.name), fieldAdded(field, keyOf).kind])),
    }),
    ...(dialled.length > 0 && { dialled: [...(resource.dialled ?? []), ...dialled] }),
  })
}

const isRetired = ({ retiredAt = null }: AddedField): boolean => retiredAt !== null

/** The kind of the ids of a resource. */
function keyOf(name: string): Kind<unknown> {
  const noun = (nouns as unknown as readonly Noun[]).find(({ resource }) => resource.name === name)
  if (noun?.resource.kinds.id === undefined) throw new Error(`there is no resource ${name}`)
  return noun.resource.kinds.id
}

/**
 * Events, commands and deliveries are stored by the id alone: UUIDs never collide, numbers of two resources would.
 * Throws at start if a thing could not be stored. decisions/0002
 */
export function requireDistinctIds(resources: readonly DeclaredResource[]): void {
  const [first, second] = resources.filter(({ kinds }) => kinds.id?.name === 'integer')
  if (first === undefined || second === undefined) return
  throw new Error(`${first.name} and ${second.name} are both identified by numbers: give ${second.name} a UUID`)
}
