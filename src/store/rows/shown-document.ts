import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Resource, Schema } from '../../model/declaration/schema.ts'
import { OWN, ownName } from '../../values/json/own.ts'
import type { SqlDialect } from '../sql/dialect.ts'
import { changedThing } from './whole-state.ts'

/**
 * The document of a stored thing, as clients see it. A stored one has the values of added fields that are set, as they
 * are stored, in its last member; which fields there are, and how they are written, is known from the schema alone.
 * decisions/0062
 */
export const shownDocument = bySchema((resource: Resource): ((json: string) => string) => {
  if (!resource.extensible) return (json) => json
  const fields = resource.added.map(({ name, field }) => ({ key: ownName(name), kind: field.kind }))
  const unset = fields.map(({ key }) => `"${key}":null`)
  const nothing = unsetIn(resource)
  const places = new Map(fields.map(({ key }, at) => [key, at]))
  return (json) => {
    const at = ownPlace(json)
    if (at === -1) return isWhole(json) ? `${json.slice(0, -1)}${nothing}` : json
    if (fields.length === 0) return `${json.slice(0, at)}}`
    const members = unset.slice()
    const values = JSON.parse(json.slice(at + MEMBER.length, -1)) as { readonly [name: string]: unknown }
    for (const [key, value] of Object.entries(values)) {
      const place = places.get(key)
      // A retired field is not shown.
      if (place === undefined) continue
      members[place] = `"${key}":${JSON.stringify(fields[place]?.kind.write(value))}`
    }
    return `${json.slice(0, at)},"${OWN}":{${members.join(',')}}}`
  }
})

/** The member of a document in which no added field is set, and its end. */
const unsetIn = bySchema(({ added }: Resource): string =>
  added.length === 0 ? '}' : `,"${OWN}":{${added.map(({ name }) => `"${ownName(name)}":null`).join(',')}}}`,
)

/**
 * The expression of the documents of a table. Those in which nothing is set are as clients see them; the others are
 * marked, for `shownItem`.
 */
export function itemOf(resource: Resource, { unclosed }: Pick<SqlDialect, 'unclosed'>): string {
  if (!resource.extended) return 'doc'
  const unset = resource.added.length === 0 ? 'doc' : `${unclosed('doc')} || '${unsetIn(resource)}'`
  return `CASE WHEN ${OWN} IS NULL THEN ${unset} ELSE '${MARK}' || doc END`
}

/** Begins the text of a document that is not as clients see it. */
const MARK = '\u001d'

/** Completes the texts that `itemOf` selects; undefined if all of them are complete. */
export const shownItem = bySchema((resource: Resource): ((text: string) => string) | undefined => {
  if (!resource.extended) return undefined
  const show = shownDocument(resource)
  return (text) => (text.startsWith(MARK) ? show(text.slice(1)) : text)
})

/** Whether some lines are marked. */
export const hasMarked = (lines: Uint8Array): boolean => lines.includes(MARK.charCodeAt(0))

/** The text of an event, with its thing as clients see it. */
export const shownEvent = bySchema((schema: Schema): ((text: string) => string) => {
  const things = schema.resources
    .filter(({ extended }) => extended)
    .map((resource) => ({ member: `"${resource.name}":`, show: shownDocument(resource) }))
  return (text) =>
    changedThing(text, (thing, before) => {
      const shown = things.find(({ member }) => before.endsWith(member))
      return shown === undefined ? thing : shown.show(thing)
    })
})

const MEMBER = `,"${OWN}":`
const BRACE = '}'.charCodeAt(0)

/**
 * Where the member begins in a stored document, or -1. It is the last one, and the only one that is an object, without
 * objects in it; within a text, a quote is escaped. So no field name and no text looks like it.
 */
const ownPlace = (json: string): number =>
  json.charCodeAt(json.length - 2) === BRACE ? json.lastIndexOf(`${MEMBER}{`) : -1

/** Only the id of a removed thing stays. */
const isWhole = (json: string): boolean => json.length > LONGEST_ID || json.includes(',')
const LONGEST_ID = 60
