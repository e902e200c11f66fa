import type { Resource } from '../../../model/declaration/schema.ts'
import { referencedFirst } from '../../../model/schema/resources.ts'
import { commandColumns, commandValues } from '../../rows/command.ts'
import { type BoundStatement, bind } from '../../transactions/work.ts'
import { leavesRow } from '../../transactions/write/decide-batch.ts'
import type { Decision } from '../../transactions/write/decision.ts'
import type { DecidedRows, WriteEngine } from '../../transactions/write/engine.ts'
import { appendEvents } from './event-rows.ts'
import { projectionWrites } from './projection-rows.ts'
import { insertRecords, recordsOf } from './records.ts'
import { freeing, kindOf, writesOf } from './thing-rows.ts'

/** Writes what one write has decided, in one round trip. */
export const writeRows = (writeId: string): WriteEngine['write'] =>
  function* (rows) {
    const written = yield statementsFor(rows, writeId)
    return new Set(written.flat().map(([subject]) => String(subject)))
  }

/** First what others give up or lose, then things, referenced ones before referring ones, then their events. */
function statementsFor({ first, parted, decisions, events }: DecidedRows, writeId: string): readonly BoundStatement[] {
  const written = byResource(decisions.filter(leavesRow))
  const before = [
    ...first,
    ...written.flatMap(([resource, those]) => freeing(resource, those)),
    ...byResource(parted).flatMap((each) => thingsAndRecords(each, writeId)),
  ]
  const [only, ...others] = written
  // One statement has its events in their order.
  if (only !== undefined && others.length === 0 && isOneKind(decisions))
    return [...before, ...writesOf(...only, writeId, events), ...projectionWrites(...only, writeId)]
  return [
    ...before,
    ...written.flatMap(([resource, those]) => writesOf(resource, those.map(withoutRecords), writeId)),
    ...commandsOf(decisions),
    ...(events.length === 0 ? [] : [appendEvents(events, writeId)]),
    ...written.flatMap((each) => projectionWrites(...each, writeId)),
  ]
}

/** Things of one resource, with the events and commands of each. */
export const thingsAndRecords = (
  [resource, decisions]: readonly [Resource, readonly Decision[]],
  writeId: string,
): readonly BoundStatement[] => [
  ...writesOf(resource, decisions, writeId),
  ...projectionWrites(resource, decisions, writeId),
]

const isOneKind = (decisions: readonly Decision[]): boolean =>
  new Set(decisions.map(kindOf)).size === 1 && decisions.every(leavesRow)

/** Referenced resources come first. */
function byResource(decisions: readonly Decision[]): readonly (readonly [Resource, readonly Decision[]])[] {
  const groups = Map.groupBy(decisions, ({ resource }) => resource.name)
  const last = decisions.at(-1)
  if (last === undefined) return []
  return referencedFirst(last.resource.schema).flatMap((resource) => {
    const those = groups.get(resource.name)
    return those === undefined ? [] : [[resource, those] as const]
  })
}

/** Events and commands of all things are written together. */
const withoutRecords = (decision: Decision): Decision => ({ ...decision, events: [], commands: [] })

function commandsOf(decisions: readonly Decision[]): readonly BoundStatement[] {
  const commands = decisions
    .flatMap((each) => each.commands)
    .toSorted((a, b) => (a.command.id < b.command.id ? -1 : 1))
    .map(({ command, doc }) => [...commandValues(command), doc])
  return commands.length === 0 ? [] : [bind(INSERT_COMMANDS, recordsOf(recordedColumns, commands))]
}

const recordedColumns = [...commandColumns, 'doc']
const INSERT_COMMANDS = { name: 'commands-insert', ...insertRecords('commands', recordedColumns) }
