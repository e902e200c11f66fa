import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Lane } from '../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../model/declaration/schema.ts'
import { projectionsOf } from '../../model/schema/resources.ts'
import type { Collection } from '../../queries/collection.ts'
import { isOwn } from '../../values/json/own.ts'
import { readyOwn } from '../rows/unique-lookup.ts'

/** The indexes of a collection, in addition to those of the declared fields. */
interface Indexes {
  /** Fields whose equality, together with the key, is answered from an index. */
  readonly scopes: readonly string[]
  /** Fields whose values an index answers, except null, which it does not contain. */
  readonly uniques: readonly string[]
  /** Fields whose ranges an index answers, in no order of pages. */
  readonly ranges: readonly string[]
  /** Booleans whose truth an index answers. */
  readonly flags: readonly string[]
  readonly lanes: readonly Lane[]
}

export const indexesOf = ({ schema, name }: Collection): Indexes => indexesIn(schema)[name] ?? none

const none: Indexes = { scopes: [], uniques: [], ranges: [], flags: [], lanes: [] }
const indexesIn = bySchema(({ resources, audited }: Schema): { readonly [collection: string]: Indexes } => ({
  ...Object.fromEntries(resources.map((resource) => [resource.plural, thingIndexes(resource)])),
  ...Object.fromEntries(
    ['history', 'commands'].map((name) => [name, { ...none, scopes: resources.map(({ name }) => name) }]),
  ),
  events: { ...none, ranges: ['time', ...resources.map(({ name }) => name)] },
  ...Object.fromEntries(
    resources
      .flatMap(projectionsOf)
      .map(({ name, key }) => [name, { ...none, scopes: [key], ranges: ['since', 'until'] }]),
  ),
  // The list of things that belong to another is read by that thing's key.
  ...Object.fromEntries(
    audited.map(({ plural, path }) => [
      plural,
      { ...none, scopes: [...path.matchAll(/:(\w+)/g)].map(([, part = '']) => part) },
    ]),
  ),
  audit: { ...none, scopes: ['user'] },
}))

function thingIndexes(resource: Resource): Indexes {
  const { scopes = [], lanes = [], kinds, keepsDeleted } = resource
  // The index of an added field has no nulls either.
  const uniques = [...resource.uniques.filter((name) => !isOwn(name)), ...readyOwn(resource).map(({ name }) => name)]
  const isFlag = (name: string): boolean => kinds[name]?.name === 'boolean'
  const flags = [...scopes.filter(isFlag), ...(keepsDeleted ? ['deleted'] : [])]
  return { ...none, scopes: scopes.filter((name) => !isFlag(name)), uniques, flags, lanes }
}
