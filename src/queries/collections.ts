import { bySchema } from '../model/declaration/by-schema.ts'
import type { Happening } from '../model/declaration/event.ts'
import type { Resource, Schema } from '../model/declaration/schema.ts'
import { eventTypeKind, happenings } from '../model/nouns/event-types.ts'
import { importUndone } from '../model/nouns/imports/undone.ts'
import { personKinds } from '../model/nouns/user/user.ts'
import { updateAction, upsertAction } from '../model/perform/content.ts'
import { type Plural, type ProjectionOn, projectionsOf, relationsOf, sinceKinds } from '../model/schema/resources.ts'
import { type JsonSchema, type Kind, nullable } from '../values/kinds/kind.ts'
import { boolean, integer, ordinal } from '../values/kinds/number.ts'
import { sequence } from '../values/kinds/sequence.ts'
import { choice, text } from '../values/kinds/text.ts'
import { instant } from '../values/kinds/time.ts'
import { type Collection, defineCollection } from './collection.ts'

const form = text({ min: 1, max: 40 })
const actor = nullable(text({ min: 1, max: 200 }))
const key = nullable(text({ min: 1, max: 200 }))
const commandId = text({ min: 1, max: 128 })
/** Events and commands of private things are in no list. decisions/0039 */
const whatEverybodyMayKnow = { scopes: { private: boolean }, defaults: { private: false } }
const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

type ThingLists = { readonly [P in Plural]: Collection<P> }

const namesOf = (all: readonly Happening[]) => choice([...new Set(all.map(({ name }) => name))])

/** Everything that is read as pages: resources, events, commands, webhooks, users. */
export const collectionsOf = bySchema((schema: Schema) => {
  const { resources, audited, operations } = schema
  const inHistories = [...operations, importUndone]
  const operation = namesOf(inHistories)
  const action = choice(inHistories.map(({ words }) => words.action))
  const type = eventTypeKind(schema)

  /** The id of the thing that an event or a command is about, under the name of its resource. */
  const keys = Object.fromEntries(resources.map(({ name, kinds }) => [name, kinds.id as Kind<unknown>]))
  const about = Object.fromEntries(Object.entries(keys).map(([name, kind]) => [name, nullable(kind)]))

  const history = defineCollection(schema, {
    name: 'history',
    item: 'entry',
    key: 'revision',
    fields: { revision: ordinal, operation, action, type, actor, form, commandId: nullable(commandId), at: instant },
    indexed: ['revision'],
    scopes: keys,
    structured: ['params', 'key'],
    feed: { time: 'at', title: 'type', names: [], author: 'actor' },
  })

  const commands = defineCollection(schema, {
    name: 'commands',
    item: 'command',
    key: 'id',
    fields: {
      id: commandId,
      ...about,
      // An attribute update under an idempotency key is a command too, with its own name, and so is an upsert.
      action: choice([
        ...operations.map(({ words }) => words.action),
        ...resources.map(updateAction),
        ...resources.filter(({ uniques }) => uniques.length > 0).map(upsertAction),
      ]),
      status: choice(['applied', 'rejected']),
      revision: ordinal,
      decidedAt: instant,
    },
    indexed: ['id', 'decidedAt'],
    structured: ['params', 'problem'],
    ...whatEverybodyMayKnow,
  })

  /** An event has its thing under the name of its resource; only the id of a removed one. */
  const namesInEvents = [
    ...resources.flatMap(({ name }) => [`data.${name}.name`, `data.${name}.title`, `data.${name}.currency`]),
    'subject',
  ]

  const events = defineCollection(schema, {
    name: 'events',
    item: 'event',
    key: 'sequence',
    fields: { sequence, type, time: instant },
    indexed: ['sequence'],
    // The id of an event is its sequence.
    hidden: {
      ...about,
      id: sequence,
      operation: namesOf(happenings(schema)),
      actor,
      key,
      form,
      commandId: nullable(commandId),
    },
    structured: ['specversion', 'id', 'source', 'subject', 'datacontenttype', 'data'],
    keyIsCursor: true,
    ...whatEverybodyMayKnow,
    feed: { time: 'time', title: 'type', names: namesInEvents, author: 'data.actor' },
  })

  /** The fields of users that every signed-in user may see. */
  const people = defineCollection(schema, {
    name: 'people',
    item: 'person',
    key: 'name',
    fields: personKinds,
    indexed: ['name'],
    scopes: { disabled: boolean },
  })

  return {
    ...(listsOf(resources) as ThingLists),
    history,
    commands,
    events,
    ...Object.fromEntries(resources.flatMap(projectionsOf).map((each) => [each.name, periodsOf(each)])),
    people,
    ...listsOf(audited),
  } as const
})

const listsOf = (resources: readonly Resource[]) =>
  Object.fromEntries(resources.map((resource) => [resource.plural, listOf(resource)]))

export function collectionNamed(schema: Schema, name: string): Collection {
  const collection = (collectionsOf(schema) as { readonly [name: string]: Collection })[name]
  if (collection === undefined) throw new Error(`there is no collection ${name}`)
  return collection
}

/** The collection of a resource. */
export const collectionOf = ({ schema, plural }: Resource): Collection => collectionNamed(schema, plural)

/** The resource whose things are the items of a collection; undefined if these are not things. */
export const resourceOf = ({ schema, name }: Collection): Resource | undefined => byPlural(schema).get(name)

const byPlural = bySchema(
  ({ resources }: Schema): ReadonlyMap<string, Resource> => new Map(resources.map((each) => [each.plural, each])),
)

/** The resource whose periods a collection has. */
export const wholeOf = ({ schema, name }: Collection): Resource | undefined =>
  schema.resources.find((resource) => projectionsOf(resource).some((each) => each.name === name))

/** The added fields whose index has the order of the field: not that of choices, nor of texts that are cut off in it. */
const sortedOwn = ({ added }: Resource): readonly string[] =>
  added
    .filter(({ field: { kind, added: of } }) => {
      const isBuilt = (of?.indexed || of?.unique) && (of.state ?? 'ready') === 'ready'
      return isBuilt && kind.ranks === undefined && !kind.unordered && longestIn(kind) <= LONGEST_SORTED
    })
    .map(({ name }) => name)

/** Texts up to this length are in an index as they are. */
const LONGEST_SORTED = 500

const longestIn = ({ schema }: Kind<unknown>): number => {
  const { anyOf, maxLength } = schema as { readonly anyOf?: readonly JsonSchema[]; readonly maxLength?: number }
  return Number(anyOf?.[0]?.maxLength ?? maxLength ?? 0)
}

/**
 * Deleted things are left out unless the query filters by `deleted`. What an address implies of its owner documents do not
 * repeat: only the address filters by it.
 */
function listOf(resource: Resource): Collection {
  const {
    plural,
    name,
    key,
    path,
    fields,
    kinds,
    structures,
    unfiltered = [],
    indexed,
    keepsDeleted,
    moneyIn,
    calendar,
    privacy,
    searched = [],
    dialled = [],
    feed,
  } = resource
  const unlisted = [...structures, ...unfiltered]
  const scopes = [...path.matchAll(/:(\w+)/g)].flatMap(([, part = '']) =>
    part in kinds ? [] : [[part, fields[part]?.kind] as const],
  )
  return defineCollection(resource.schema, {
    name: plural,
    item: name,
    key,
    fields: Object.fromEntries(Object.entries(kinds).filter(([field]) => !unlisted.includes(field))),
    structured: unlisted,
    indexed: [...indexed, ...sortedOwn(resource)],
    scopes: Object.fromEntries(scopes) as { readonly [part: string]: Kind<unknown> },
    relations: relationsOf(resource),
    searched,
    dialled,
    ...(feed === 'events' && { isMeasured: true }),
    ...(moneyIn !== undefined && { moneyIn }),
    ...(calendar && { calendar }),
    ...(privacy && { privacy }),
    hidden: { ...(keepsDeleted && { deleted: boolean }), ...sinceKinds(resource) },
    ...(keepsDeleted && { defaults: { deleted: false } }),
  })
}

/** The rows of a projection. A thing's last one has no end; the first with its values is `first`. decisions/0050 */
function periodsOf({ name, item, of, on, key }: ProjectionOn): Collection {
  const { kinds, schema, privacy } = on
  return defineCollection(schema, {
    ...{ name, item, key: 'id', indexed: ['id'], isMeasured: true },
    fields: {
      id: text({ min: 1, max: 60 }),
      [key]: kinds.id as Kind<unknown>,
      revision: ordinal,
      ...Object.fromEntries(of.map((field) => [field, kinds[field] as Kind<unknown>])),
      since: instant,
      until: nullable(instant),
      seconds: nullable(count),
    },
    hidden: { first: boolean },
    relations: [{ name: on.name, kind: 'one', of: on, field: key }],
    ...(privacy?.shared && {
      privacy: { owner: `${on.name}.${privacy.owner}`, shared: `${on.name}.${privacy.shared}` },
    }),
  })
}
