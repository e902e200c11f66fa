import type { Words } from '../../languages/text.ts'
import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { linksOf, resourceNamed } from '../../model/schema/resources.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { titleText, wordText } from '../../representations/html/field-title.ts'
import type { Desk } from '../../store/port/desk.ts'
import { isObject } from '../../values/json/is-object.ts'
import type { Titled } from '../../values/kinds/kind.ts'
import { type FieldsOfThing, readThing } from './shown.ts'
import { untilChanged } from './until-changed.ts'

/** The field that people know a thing by: the first that clients give, and not the name in its address. */
export const nameField = bySchema(
  ({ names, fields, addressedBy }: Resource): string =>
    names.find((name) => fields[name]?.by === 'client' && name !== addressedBy) ?? 'id',
)

export const nameOf = (resource: Resource, thing: FieldsOfThing): string =>
  String(thing[nameField(resource)] ?? thing.id)

/** The same in the reader's words, which parts of the model have: admins name them in each language. */
export function shownName(resource: Resource, thing: FieldsOfThing): Words {
  const title = nameOf(resource, thing)
  if (resource.shapes === undefined) return title
  const titled: Titled = { title, ...(isObject(thing.titles) && { titles: thing.titles as Titled['titles'] }) }
  // The parts that every database begins with have a name in addresses and a title of ours.
  return resource.addressedBy === undefined ? titleText(titled) : wordText(String(thing.name), titled)
}

/** The fields that refer to other things, added ones too. */
export const referringFields = bySchema(
  (resource: Resource): readonly { readonly field: string; readonly to: string }[] => [
    ...resource.references,
    ...linksOf(resource),
  ],
)

/** The fields that name a person, added ones too. */
export const personFields = bySchema(({ names, kinds }: Resource): readonly string[] =>
  names.filter((name) => kinds[name]?.namesUser === true),
)

/**
 * Whether a thing that is referred to has a page: what is not found by name is gone. The page of a deleted deal, which
 * has no name either, offers to restore it. The link of a restored field may name what was removed while it was retired.
 */
export const hasPage = ({ keepsDeleted }: Resource, name: string | undefined, isLink = false): boolean =>
  name !== undefined || (keepsDeleted === true && !isLink)

/** The names of referenced things, by resource. */
export type Names = ReadonlyMap<string, ReadonlyMap<Key, string>>

export async function readNames(resource: Resource, things: readonly FieldsOfThing[], desk: Desk): Promise<Names> {
  const asked = Map.groupBy(referringFields(resource), ({ to }) => to)
  const read = [...asked].map(async ([to, references]) => {
    const ids = new Set(references.flatMap(({ field }) => things.flatMap((thing) => (thing[field] ?? []) as Key)))
    return [to, await namesOf(resourceNamed(resource.schema, to), [...ids], desk)] as const
  })
  return new Map(await Promise.all(read))
}

/** Those that the filters of a list name. */
export function readFilterNames(resource: Resource, parameters: readonly Parameter[], desk: Desk): Promise<Names> {
  const references = new Set(referringFields(resource).map(({ field }) => field))
  const named = parameters.flatMap(({ name, value = '' }) => {
    const read = references.has(name) ? resource.kinds[name]?.readText(value) : undefined
    return read !== undefined && 'value' in read ? [{ [name]: read.value }] : []
  })
  return named.length === 0 ? Promise.resolve(new Map()) : readNames(resource, named, desk)
}

/** The names of the existing things with these ids. */
export const namesOf = (of: Resource, ids: readonly Key[], desk: Desk): Promise<ReadonlyMap<Key, string>> =>
  ids.length === 0 ? Promise.resolve(new Map()) : namesAgain(desk, `${of.name} ${ids.join()}`, of, ids)

const namesAgain = untilChanged(async (desk, _key, of: Resource, ids: readonly Key[]) => {
  const found = await desk.related({ name: of.name, kind: 'one', of, field: 'id' }, ids, 1)
  return new Map(
    [...found.values()].flatMap((items) => items.map(readThing)).map((each) => [each.id, nameOf(of, each)]),
  )
})
