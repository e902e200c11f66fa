import { targetSought, thingsNamed, wouldRemove } from '../../../model/perform/decide-change.ts'
import type { Command, Facts, Intent } from '../../../model/perform/intent.ts'
import type { Key, Resource, Thing } from '../../../model/resource.ts'
import { referrersOf, resourceNamed, resources } from '../../../model/resources.ts'
import { commandColumns, readCommand } from '../../rows/command.ts'
import { columnOfField, thingColumns } from '../../rows/things.ts'
import type { Row, Statement, Values } from '../connect/connection.ts'
import { readThing } from './thing-rows.ts'

/** What must be known to decide intents on one thing. */
export interface KnownFacts {
  readonly thing: Thing | undefined
  /** When the thing came into the state before. */
  readonly previousAt: string | null
  readonly commands: ReadonlyMap<string, Command>
  readonly exists: Facts['exists']
  readonly inUse: boolean
}

/** All of it as of one moment, in one round trip. */
export const factsStatement = ({ name }: Resource): Statement => statements.get(name) as Statement

const statements = new Map(resources.map((resource) => [resource.name, statementFor(resource)]))

function statementFor(resource: Resource): Statement {
  const { name, plural: table } = resource
  const named = referredTo(resource).map(
    (other, at) => `(SELECT json_agg(id) FROM ${other.plural} WHERE id = ANY ($${at + 4}::${keyType(other)}[])),`,
  )
  const using = referrersOf(resource).map(
    ({ from, field }) => `EXISTS (SELECT 1 FROM ${from.plural} WHERE ${columnOfField(from, field)} = $1)`,
  )
  return {
    name: `facts-${name}`,
    text: `SELECT ${thingColumns(resource)
      .map((column) => `${table}.${column}`)
      .join(', ')},
      (SELECT json_agg(json_build_array(${commandColumns.join(', ')})) FROM commands WHERE id = ANY ($2::text[])),
      ${named.join(' ')} $3::boolean AND (${[...using, 'false'].join(' OR ')}), ${table}.previous_at
      FROM (SELECT 1) AS always LEFT JOIN ${table} ON ${table}.id = $1::${keyType(resource)}`,
  }
}

/** The other resources to which its fields refer. */
function referredTo({ references }: Resource): readonly Resource[] {
  return [...new Set(references.map(({ to }) => to))].map(resourceNamed)
}

function keyType({ kinds }: Resource): string {
  return kinds.id?.name === 'integer' ? 'bigint' : 'text'
}

export function factsValues(resource: Resource, intents: readonly Intent[]): Values {
  const sought = intents.map(targetSought).find((id) => id !== undefined) ?? null
  const commands = new Set(intents.flatMap(({ command }) => command?.id ?? []))
  const named = intents.flatMap(thingsNamed)
  const ids = referredTo(resource).map(({ name }) => [
    ...new Set(named.filter((each) => each.resource === name).map(({ id }) => id)),
  ])
  return [sought, [...commands], intents.some(wouldRemove), ...ids]
}

export function readFacts(resource: Resource, [row = []]: readonly Row[]): KnownFacts {
  const [commands, ...rest] = row.slice(resource.names.length)
  const others = referredTo(resource)
  const found = new Map(others.map(({ name }, at) => [name, new Set(listIn(rest[at]) as Key[])]))
  const [inUse, previousAt] = rest.slice(others.length)
  return {
    thing: readThing(resource, row),
    previousAt: (previousAt as string | null | undefined) ?? null,
    commands: new Map((listIn(commands) as Row[]).map((each) => [String(each[0]), readCommand(each)])),
    exists: (name, id) => found.get(name)?.has(id) ?? false,
    inUse: inUse === true,
  }
}

const listIn = (text: unknown): readonly unknown[] => JSON.parse(String(text ?? '[]')) as unknown[]
