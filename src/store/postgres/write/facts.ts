import { bySchema } from '../../../model/declaration/by-schema.ts'
import type { PartCounts } from '../../../model/declaration/operation.ts'
import type { Key, Thing } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import type { Command, DecisionFacts, Intent } from '../../../model/intent/intent.ts'
import { mayEnter, mayRemovePart, relatedRequired, thingsNamed, wouldRemove } from '../../../model/intent/look-ahead.ts'
import { personTexts } from '../../../model/intent/persons.ts'
import { type UniqueValue, uniqueValuesIn } from '../../../model/intent/unique-values.ts'
import { resourceNamed } from '../../../model/schema/resources.ts'
import type { Kind } from '../../../values/kinds/kind.ts'
import { commandColumns, readCommand } from '../../rows/command.ts'
import { holding, readHolders } from '../../rows/holders.ts'
import { columnOfField, isNumbered, thingColumns } from '../../rows/things.ts'
import { type UniqueLookup, uniqueLookup } from '../../rows/unique-lookup.ts'
import { prepared } from '../../sql/statement.ts'
import { peopleWork } from '../../work/accounts/people.ts'
import { countParts } from '../../work/model/part-places.ts'
import type { Row, Session, Statement } from '../connect/connection.ts'
import { runWork } from '../schema/transaction.ts'
import { postgres } from '../sql/dialect.ts'

/** The facts for deciding intents on one thing. */
export interface KnownFacts {
  readonly thing: Thing | undefined
  /** When the thing's previous state began. */
  readonly previousAt: string | null
  readonly commands: Pick<ReadonlyMap<string, Command>, 'get'>
  readonly exists: DecisionFacts['exists']
  readonly related: DecisionFacts['related']
  readonly idBy: DecisionFacts['idBy']
  readonly people: DecisionFacts['people']
  readonly heldBy: DecisionFacts['heldBy']
  readonly counts?: DecisionFacts['counts']
  readonly breaks?: DecisionFacts['breaks']
}

/** An intent and the id of its thing, whichever way it names it; undefined if it creates one, or names none. */
interface ResolvedIntent {
  readonly intent: Intent
  readonly target: Key | undefined
}

/**
 * The facts for deciding intents on things of one resource, one statement for each kind, in one round trip. Commands
 * are read after the things: one that changed a thing meanwhile is then known. `further` are ids of things that the
 * decisions may change too.
 */
export async function readFacts(
  session: Session,
  resource: Resource,
  asked: readonly ResolvedIntent[],
  further: readonly Key[] = [],
): Promise<(sought: Key | undefined) => KnownFacts> {
  const { query } = session
  const { schema } = resource
  const statements = factStatements(resource)
  const intents = asked.map(({ intent }) => intent)
  const concerned = asked.filter(({ target }) => target !== undefined)
  /** The things whose facts of a kind are needed. */
  const targetsOf = (needs: (intent: Intent, resource: Resource) => boolean): readonly (Key | undefined)[] => {
    const those = concerned.filter(({ intent }) => needs(intent, resource)).map(({ target }) => target)
    return those.length === 0 ? [] : [...those, ...further]
  }
  const rowsOf = async (statement: Statement, ids: Iterable<unknown>): Promise<readonly Row[]> => {
    const asked = [...new Set(ids)].filter((id) => id !== undefined)
    return asked.length === 0 ? [] : query(statement, [asked])
  }
  const named = intents.flatMap((intent) => thingsNamed(intent, resource))
  const values = intents.flatMap((intent) => uniqueValuesIn(intent, resource))
  const isEntering = intents.some((intent) => mayEnter(intent, resource))
  const [things, commands, holders, counted, idBy, people, related, ...others] = await Promise.all([
    rowsOf(statements.things, [...concerned.map(({ target }) => target), ...further]),
    rowsOf(
      COMMANDS,
      intents.map(({ command }) => command?.id),
    ),
    statements.holders === undefined ? [] : rowsOf(statements.holders, targetsOf(wouldRemove)),
    readCounts(session, resource, targetsOf(mayRemovePart)),
    readIds(query, resource, values),
    runWork(session, peopleNamed(intents.flatMap((intent) => personTexts(intent, resource)))),
    isEntering ? readRelated(query, resource, targetsOf(mayEnter), named) : [],
    ...referredTo(resource).map(({ name, existing }) =>
      rowsOf(
        existing,
        named.filter((each) => each.resource === name).map(({ id }) => id),
      ),
    ),
  ])
  const found = new Map(things.map((row) => [row[0], row]))
  const known = new Map(commands.map((row) => [String(row[0]), readCommand(row, schema)]))
  const held = Map.groupBy(holders, ([id]) => id)
  const existing = new Map(
    referredTo(resource).map(({ name }, at) => [
      name,
      new Map(others[at]?.map(([id, deletedAt = null]) => [id, deletedAt === null])),
    ]),
  )
  const thingsRelated = new Map(related)
  return (sought) => {
    const row = found.get(sought) ?? []
    return {
      thing: readThing(resource, row),
      previousAt: (row[resource.columns.length] as string | null | undefined) ?? null,
      commands: known,
      exists: (name, id, isLinked) => {
        const isKept = existing.get(name)?.get(id)
        return isLinked ? isKept === true : isKept !== undefined
      },
      related: (name, id) => thingsRelated.get(name)?.get(id),
      idBy,
      people: () => people,
      heldBy: readHolders(
        resource,
        (held.get(sought) ?? []).map(([, ...holder]) => holder),
      ),
      counts: counted.get(sought),
    }
  }
}

/** The number of things in each part, by the ids of those that have the parts. */
async function readCounts(session: Session, resource: Resource, ids: readonly (Key | undefined)[]) {
  const counts = new Map<Key | undefined, PartCounts>()
  for (const id of new Set(ids)) {
    if (id !== undefined) counts.set(id, await runWork(session, countParts(postgres, resource, id)))
  }
  return counts
}

/** The ids of the things that have these unique values. */
export async function readIds(
  query: Session['query'],
  resource: Resource,
  values: readonly UniqueValue[],
): Promise<DecisionFacts['idBy']> {
  const ids = new Map<string, Pick<ReadonlyMap<unknown, Key>, 'get'>>()
  await Promise.all(
    factStatements(resource).naming.map(async ({ field, statement, kept }) => {
      const asked = new Set(values.filter((each) => each.field === field).map(({ value }) => kept(value)))
      const rows = asked.size === 0 ? [] : await query(statement, [[...asked]])
      const found = new Map(rows.map(([value, id]) => [value, id as Key]))
      ids.set(field, { get: (value) => found.get(kept(value)) })
    }),
  )
  return (field, value) => ids.get(field)?.get(value)
}

/**
 * The things that stages may require fields of: those that the given ones refer to, and those that intents name. They
 * do not change until the commit.
 */
async function readRelated(
  query: Session['query'],
  resource: Resource,
  ids: readonly (Key | undefined)[],
  named: ReturnType<typeof thingsNamed>,
): Promise<readonly (readonly [string, ReadonlyMap<Key, Thing>])[]> {
  return Promise.all(
    factStatements(resource).related.map(async ({ of, statement }) => {
      const sent = named.filter((each) => each.resource === of.name).map(({ id }) => id)
      const rows = await query(statement, [ids.filter((id) => id !== undefined), sent])
      const things = rows.flatMap((row) => readThing(of, row) ?? [])
      return [of.name, new Map(things.map((thing) => [thing.id, thing]))] as const
    }),
  )
}

/** Undefined for a row of nulls, as an outer join returns it. */
export function readThing(resource: Resource, row: Row): Thing | undefined {
  const { columns: names } = resource
  if (row[0] === null || row.length === 0) return undefined
  const thing = Object.fromEntries(names.map((name, at) => [name, row[at]]))
  for (const name of resource.structures) thing[name] = readParts(thing[name])
  return thing as unknown as Thing
}

const readParts = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : null)

interface FactStatements {
  readonly things: Statement
  /** The existing ones among the given ids, and when they were deleted if that keeps them. */
  readonly existing: Statement
  /** The values of each unique field that are taken, among the given ones, with the ids of their things. */
  readonly naming: readonly (Pick<UniqueLookup, 'kept'> & { readonly field: string; readonly statement: Statement })[]
  /** The things that refer to the given ids, behind these; undefined if no field can name them. */
  readonly holders: Statement | undefined
  /** The things that the given ids refer to, and further ones. */
  readonly related: readonly { readonly of: Resource; readonly statement: Statement }[]
}

const factStatements = bySchema((resource: Resource): FactStatements => {
  const { name, plural: table, keepsDeleted } = resource
  const ids = `$1::${keyType(resource)}[]`
  const holders = holding(postgres, resource, 'asked.id')
  return {
    things: prepared(
      `${name}-facts`,
      `SELECT ${thingColumns(resource).join(', ')}, previous_at FROM ${table} WHERE id = ANY (${ids})`,
    ),
    existing: {
      name: `${name}-existing`,
      text: `SELECT id${keepsDeleted ? ', deleted_at' : ''} FROM ${table} WHERE id = ANY (${ids})`,
    },
    naming: resource.uniques.map((field) => {
      const { many, kept } = uniqueLookup(postgres, resource, field)
      return { field, kept, statement: prepared(`${name}-by-${field}`, many('$1')) }
    }),
    holders:
      holders === undefined
        ? undefined
        : prepared(
            `${name}-holders`,
            `SELECT asked.id, held.* FROM unnest(${ids}) AS asked (id) CROSS JOIN LATERAL (${holders}) AS held`,
          ),
    related: [...relatedRequired(resource)].map(([field, of]) => ({
      of,
      statement: prepared(
        `${name}-${field}-related`,
        `SELECT ${thingColumns(of).join(', ')} FROM ${of.plural} WHERE id IN (
          SELECT ${columnOfField(resource, field)} FROM ${table} WHERE id = ANY (${ids})
          UNION SELECT unnest($2::${keyType(of)}[])) FOR SHARE`,
      ),
    })),
  }
})

const keyType = (resource: Resource): string => (isNumbered(resource) ? 'bigint' : 'text')

/** The targets of its fields, and the statement that finds the existing ones. */
const referredTo = bySchema(({ kinds, schema }: Resource) => {
  const names = new Set(Object.values<Kind<unknown>>(kinds).flatMap(({ refersTo }) => refersTo ?? []))
  return [...names].map((name) => ({
    name,
    existing: factStatements(resourceNamed(schema, name)).existing,
  }))
})

const peopleNamed = peopleWork(postgres)

/** The existing ones among the given ids. */
export const COMMANDS = {
  name: 'commands-known',
  text: `SELECT ${commandColumns.join(', ')} FROM commands WHERE id = ANY ($1::text[])`,
}
