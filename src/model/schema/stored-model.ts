import type { Json } from '../../values/json/json.ts'
import { bySchema } from '../declaration/by-schema.ts'
import type { Resource, Schema, SchemaSource } from '../declaration/schema.ts'
import { hasOwnRoles } from '../source/own-roles.ts'
import type { RoleHolder } from '../source/rights-source.ts'
import { modelTables, NOTHING_ADDED } from './build-schema.ts'

/** The source that the stored things make: `documents` are those of each table, in the order of `modelTables`. */
export function sourceOfThings(
  version: number,
  changedAt: string,
  documents: readonly (readonly { readonly [member: string]: Json }[])[],
  holders: readonly RoleHolder[] = [],
): SchemaSource {
  const parts = modelTables.map(({ part, made }, at) => [part, (documents[at] ?? []).map(made)] as const)
  return { ...NOTHING_ADDED, ...Object.fromEntries(parts), holders, version, changedAt }
}

/** Whether a change of its things is a change of the model. */
export const isOfModel = (schema: Schema, resource: string): boolean => shaping(schema).has(resource)

/**
 * Whether a change of an audited thing may change what rights follow from, so that nobody decides by the former ones
 * meanwhile: a team, a role, or a user who is in one.
 */
export const concernsRights = (schema: Schema, { name, shapes }: Pick<Resource, 'name' | 'shapes'>): boolean =>
  shapes !== undefined || (name === 'user' && (schema.teams.length > 0 || hasOwnRoles(schema)))

const shaping = bySchema(
  ({ resources }: Schema): ReadonlySet<string> =>
    new Set(resources.filter(({ shapes }: Resource) => shapes !== undefined).map(({ name }) => name)),
)

/** The model after a change of one of its things, before it is stored. */
export function sourceAfter(
  source: SchemaSource,
  { shapes, toJson }: Resource,
  thing: Parameters<Resource['toJson']>[0],
  removed: boolean,
  at: string,
): SchemaSource {
  if (shapes === undefined) return source
  const { part, made } = shapes
  const items = source[part] as readonly ModelItem[]
  const item: ModelItem = made(JSON.parse(toJson(thing)))
  const known = items.findIndex(({ id }) => id === thing.id)
  const next = known === -1 ? [...items, item] : items.with(known, item)
  const left = removed ? next.filter(({ id }) => id !== thing.id) : next
  return { ...source, ...({ [part]: left } as object), version: source.version + 1, changedAt: at }
}

/** The model when everything that is being removed has gone. */
export function settledSource(source: SchemaSource): SchemaSource {
  const parts = modelTables.map(({ part, settled = (item) => item }) => [
    part,
    (source[part] as readonly object[]).flatMap((item) => settled(item) ?? []),
  ])
  return { ...source, ...Object.fromEntries(parts) }
}

/** The ids of the things of a resource that the schema is made of. */
export const idsInModel = ({ shapes, schema }: Resource): readonly string[] =>
  shapes === undefined ? [] : (schema[shapes.part] as readonly ModelItem[]).flatMap(({ id }) => id ?? [])

/** The item of the model that a thing made. */
export const itemInModel = ({ shapes, schema }: Resource, id: unknown): object | undefined =>
  shapes === undefined ? undefined : (schema[shapes.part] as readonly ModelItem[]).find((each) => each.id === id)

interface ModelItem {
  readonly id?: string
}
