import type { Resource, Schema } from '../../../../model/declaration/schema.ts'
import { referencedFirst } from '../../../../model/schema/resources.ts'
import { commandColumns, commandValues } from '../../../rows/command.ts'
import { KEEP_OWN_INDEX, ownIndexes } from '../../../rows/own-indexes.ts'
import { statementIn } from '../../../sql/dialect.ts'
import { type BoundStatement, bind } from '../../../work/work.ts'
import type { Session } from '../../connect/connection.ts'
import type { TurnSettings } from '../../schema/model-in-use.ts'
import { runAll } from '../../schema/transaction.ts'
import { postgres } from '../../sql/dialect.ts'
import type { TurnDecision } from '../decide.ts'
import { appendEvents } from '../event-rows.ts'
import { awaitParting, mayPart, partingWrites } from '../part.ts'
import { projectionWrites } from '../projection-rows.ts'
import { insertRecords, recordsOf } from '../records.ts'
import { freeing, writesOf } from '../thing-rows.ts'
import { BatchOutdated, type BatchPart, type TouchedThing } from './batch-part.ts'

/** How the decisions of a part are written. */
interface PartWriting {
  readonly writeId: string
  /** Those that the batch began with. */
  readonly settings: TurnSettings
  /** The schema that the decisions have left. */
  readonly schema: Schema
  /** The subjects whose locks are ours. */
  readonly locked: ReadonlySet<string>
}

/** Things first, referenced ones before referring ones, then commands, events and their projections. */
export async function writePart(session: Session, part: BatchPart, writing: PartWriting): Promise<void> {
  const touched = [...part.things.values()]
  if (touched.length === 0) return
  const { writeId, settings, schema } = writing
  const partings = await Promise.all(touched.map((each) => partingsFrom(session, each, writing)))
  // A thing that was created and removed leaves only its events.
  const written = touched.filter(({ decided: { before, after } }) => before !== undefined || after?.removed === false)
  const decidedOf = (resource: Resource): readonly TurnDecision[] =>
    written.filter((each) => each.resource.name === resource.name).map(({ decided }) => decided)
  const rows = await runAll(session.query, [
    // The values of a field that the same batch has added are in its index, too.
    ...(schema === settings.schema ? [] : ownIndexes(schema).map((index) => bind(KEEP_INDEX, ...index))),
    ...schema.resources.flatMap((resource) => freeing(resource, decidedOf(resource))),
    ...partings.flat(),
    ...referencedFirst(schema).flatMap((resource) =>
      writesOf(resource, decidedOf(resource).map(withoutRecords), writeId),
    ),
    ...commandsOf(touched),
    ...(part.events.length === 0 ? [] : [appendEvents(part.events, writeId)]),
    ...schema.resources.flatMap((resource) => projectionWrites(resource, decidedOf(resource), writeId)),
  ])
  const there = new Set(rows.flat().map(([subject]) => subject))
  const isWritten = ({ decided: { before, after } }: TouchedThing): boolean =>
    there.has(String(before?.id ?? after?.thing.id))
  if (!written.every(isWritten)) throw new BatchOutdated()
}

/** The writes of other things that a removal affects. */
async function partingsFrom(
  session: Session,
  { resource, decided }: TouchedThing,
  { writeId, settings, locked }: PartWriting,
) {
  if (!mayPart(resource, decided)) return []
  // The transaction already has its id: a lock this late does not keep events in order.
  const referring = await awaitParting(session, resource, decided.before?.id)
  if (!referring.every((id) => locked.has(id))) throw new BatchOutdated()
  return partingWrites(session, resource, decided, writeId, settings)
}

/** Events and commands of all things are written together. */
const withoutRecords = (decided: TurnDecision): TurnDecision => ({ ...decided, events: [], commands: [] })

function commandsOf(touched: readonly TouchedThing[]): readonly BoundStatement[] {
  const commands = touched
    .flatMap(({ decided }) => decided.commands)
    .toSorted((a, b) => (a.command.id < b.command.id ? -1 : 1))
    .map(({ command, doc }) => [...commandValues(command), doc])
  return commands.length === 0 ? [] : [bind(INSERT_COMMANDS, recordsOf(recordedColumns, commands))]
}

const KEEP_INDEX = statementIn(postgres, { text: KEEP_OWN_INDEX })
const recordedColumns = [...commandColumns, 'doc']
const INSERT_COMMANDS = { name: 'commands-insert', ...insertRecords('commands', recordedColumns) }
