import { bySchema } from '../../model/declaration/by-schema.ts'
import type { ConditionFaults, StoredCondition } from '../../model/declaration/operation.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import { type Fault, near, type Reason, reason } from '../../values/faults/fault.ts'
import { nearest } from '../../values/faults/nearest.ts'
import type { Collection } from '../collection.ts'
import { collectionOf } from '../collections.ts'
import { operators } from '../operators.ts'
import type { Filter, Term } from '../query.ts'
import { type QueryString, readQueryString } from '../query-string.ts'
import { misplaced, settingNames } from '../settings.ts'
import { holdsAfter, type ThingChange, touches } from '../thing-change.ts'
import { askerOf, withCaller } from './caller.ts'
import { parametersWith } from './parameters-with.ts'
import { type ParsedQuery, parseQuery } from './parse-query.ts'

/** Where a query about one thing is used: its settings that have a meaning there, and why the others have none. */
interface Use {
  readonly settings: ReadonlySet<string>
  readonly why: Reason
}

/**
 * A query whose filter is about the thing alone, so that its document decides whether it matches; `user` is the one
 * that `me` names. decisions/0020
 */
export function parseAlone(collection: Collection, sent: QueryString, use: Use, user: string | null): ParsedQuery {
  return withCaller(parseAsWritten(collection, sent, use), askerOf(collection.schema, user))
}

/** The same with the words for the caller. */
function parseAsWritten(collection: Collection, sent: QueryString, { settings, why }: Use): ParsedQuery {
  const parsed = parseQuery(collection, sent)
  if ('faults' in parsed) return parsed
  const faults = [...misplaced(sent, settingNames.difference(settings), why), ...beyond(collection, sent)]
  return faults.length > 0 ? { faults } : parsed
}

/** A fault for each parameter that looks at another thing, or at what no document has. */
const beyond = (collection: Collection, sent: QueryString): readonly Fault[] =>
  parametersWith(collection, sent, (term) => isBeyond(collection, term)).map(({ name, term }) => ({
    ...reason('beyond-the-thing', { name: term.field.name }),
    at: { parameter: name },
  }))

/** Whether a thing is deleted can be seen in its document, and who is a user cannot. */
const isBeyond = ({ defaults }: Collection, { field: { through, hidden, name }, operator }: Term): boolean =>
  through !== undefined || (hidden && !defaults.has(name)) || operators[operator].compares === 'user'

const stored: Use = { settings: new Set(), why: reason('meaningless', { wants: 'condition' }) }

/** The collection of the things that it is about; undefined if its types are not of one resource. */
const collectionIn = ({ resources }: Schema, { on }: StoredCondition): Collection | undefined => {
  const resource = resources.find(({ name }) => name === on)
  return resource && collectionOf(resource)
}

const parseStored = (collection: Collection, { where, owner }: StoredCondition): ParsedQuery =>
  parseAlone(collection, readQueryString(where ?? ''), stored, owner)

/** The faults of a condition that is about to be stored. */
export const conditionFaults = bySchema(
  (schema: Schema): ConditionFaults =>
    (condition) => {
      const { where, changed } = condition
      const collection = collectionIn(schema, condition)
      if (collection === undefined) {
        const given = [...(where === null ? [] : ['/where']), ...(changed === null ? [] : ['/changed'])]
        return given.map((pointer) => ({ ...reason('goes-with', { wants: 'types', other: 'types' }), at: { pointer } }))
      }
      const parsed = parseStored(collection, condition)
      const inside = 'faults' in parsed ? parsed.faults : []
      return [
        ...inside.map(({ at, ...each }) => ({ ...each, at: { ...at, pointer: '/where' } })),
        ...unknownFields(collection, changed ?? []),
      ]
    },
)

/** The filter of a stored condition; undefined if the schema does not understand the condition. */
export function conditionFilter(schema: Schema, condition: StoredCondition): Filter | undefined {
  const collection = collectionIn(schema, condition)
  if (collection === undefined || conditionFaults(schema)(condition).length > 0) return undefined
  const parsed = parseStored(collection, condition)
  return 'query' in parsed ? parsed.query.filter : undefined
}

/** The same with the words for the caller. */
export function filterAsWritten(schema: Schema, condition: StoredCondition): Filter | undefined {
  const collection = collectionIn(schema, condition)
  const parsed = collection && parseAsWritten(collection, readQueryString(condition.where ?? ''), stored)
  return parsed && 'query' in parsed ? parsed.query.filter : undefined
}

function unknownFields({ columns }: Collection, changed: readonly string[]): readonly Fault[] {
  return changed.flatMap((name, at) => {
    if (columns.includes(name)) return []
    return [
      { ...reason('unknown-field', { name, ...near(nearest(name, columns)) }), at: { pointer: `/changed/${at}` } },
    ]
  })
}

/** The changes that a stored condition lets through. */
export interface Judge {
  readonly collection: Collection
  accepts(change: ThingChange): boolean
}

/**
 * The judge of a condition. A filter that the schema no longer understands lets everything through: a receiver gets too
 * much rather than too little.
 */
export function judgeOf(schema: Schema, condition: StoredCondition): Judge | undefined {
  const collection = collectionIn(schema, condition)
  if (collection === undefined) return undefined
  const parsed = parseStored(collection, condition)
  const filter = 'faults' in parsed ? undefined : parsed.query.filter
  const { where, changed } = condition
  return {
    collection,
    accepts: (change) =>
      (where === null || filter === undefined || holdsAfter(filter, change)) &&
      (changed === null || touches(changed, change)),
  }
}
