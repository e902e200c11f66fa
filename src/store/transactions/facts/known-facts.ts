import { bySchema } from '../../../model/declaration/by-schema.ts'
import type { Key } from '../../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import type { Command } from '../../../model/intent/intent.ts'
import { onceFor } from '../../../values/memoize.ts'
import { commandColumns, readCommand as commandIn } from '../../rows/command.ts'
import type { SqlDialect } from '../../sql/dialect.ts'
import { lookUp, lookup } from '../lookup.ts'
import { together, type Work } from '../work.ts'
import type { Concerned, LeftThings, RunNow } from './fact.ts'
import { facts, type ToldFacts } from './facts.ts'
import { type FactReader, readThing, readThings, type StoredThing, type ThingReader } from './stored-thing.ts'

/** The known facts about the things of a resource, for decisions about them. */
export interface KnownFacts {
  thing(id: Key): StoredThing | undefined
  command(id: string): Command | undefined
  told(about: Concerned, left: LeftThings): ToldFacts
}

/** Of each resource that decisions are about. */
export type FactsOf = (resource: Resource) => KnownFacts | undefined

/** Where a statement costs a round trip: before the decisions, each fact by one statement for all of them. */
export function* readAhead(
  things: ThingReader,
  asked: readonly Concerned[],
  furtherOf: (resource: Resource) => readonly Key[],
): Work<FactsOf> {
  const byResource = [...Map.groupBy(asked, ({ resource }) => resource)]
  const known = yield* together(
    byResource.map(([resource, some]) => readOf({ things, resource }, some, furtherOf(resource))),
  )
  const found = new Map(byResource.map(([{ name }], at) => [name, known[at]]))
  return ({ name }) => found.get(name)
}

/** Commands are read after the things: one that changed a thing meanwhile is then known. */
function* readOf(by: FactReader, asked: readonly Concerned[], further: readonly Key[]): Work<KnownFacts> {
  const { dialect } = by.things
  const ids = [...asked.flatMap(({ target }) => target ?? []), ...further]
  const commandIds = asked.flatMap(({ intent }) => intent.command?.id ?? [])
  const [thing, command, tellers] = yield* together([
    readThings(by, ids),
    readCommands(dialect, by.resource.schema, commandIds),
    together(facts.map((fact) => fact.readAhead(by, asked))),
  ])
  return { thing, command, told: tellingOf(tellers) }
}

/** Where a statement costs none: each fact when a decision asks. */
export const readWhenAsked = (things: ThingReader, now: RunNow): FactsOf =>
  bySchema((resource: Resource): KnownFacts => {
    const by = { things, resource }
    return {
      thing: (id) => now(readThing(by, id)),
      command: (id) => now(readCommand(things.dialect, resource.schema, id)),
      told: tellingOf(facts.map((fact) => fact.readWhenAsked(by, now))),
    }
  })

/** Each under its name. */
const tellingOf =
  (tellers: readonly ((about: Concerned, left: LeftThings) => unknown)[]): KnownFacts['told'] =>
  (about, left) => {
    const told: { [name: string]: unknown } = {}
    for (const [at, { name }] of facts.entries()) told[name] = tellers[at]?.(about, left)
    return told as ToldFacts
  }

/** The decided command with an id. */
function* readCommand(dialect: SqlDialect, schema: Schema, id: string): Work<Command | undefined> {
  const [row] = yield* lookUp(commandsById(dialect), [id])
  return row && commandIn(row, schema)
}

/** The decided commands with these ids. */
export function* readCommands(
  dialect: SqlDialect,
  schema: Schema,
  ids: readonly string[],
): Work<(id: string) => Command | undefined> {
  const rows = yield* lookUp(commandsById(dialect), ids)
  const found = new Map(rows.map((row) => [String(row[0]), commandIn(row, schema)]))
  return (id) => found.get(id)
}

const commandsById = onceFor((dialect: SqlDialect) =>
  lookup(dialect, 'commands-known', (is) => `SELECT ${commandColumns.join(', ')} FROM commands WHERE ${is('id')}`),
)
