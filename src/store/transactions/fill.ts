import type { Schema } from '../../model/declaration/schema.ts'
import { modelTables } from '../../model/schema/build-schema.ts'
import { projectionsOf } from '../../model/schema/resources.ts'
import type { InitialContent } from '../port/maintenance.ts'
import { commandColumns, commandValues } from '../rows/command.ts'
import { eventRow } from '../rows/event.ts'
import { KEEP_OWN_INDEX, ownIndexes } from '../rows/own-indexes.ts'
import { projectionColumns, rowsBegun, sinceAfter, sinceColumns } from '../rows/projection.ts'
import { isNumbered, thingValues, writtenColumns } from '../rows/things.ts'
import { type SqlDialect, statementIn } from '../sql/dialect.ts'
import { WRITE_MODEL } from './model/stored-model.ts'
import type { TableStatements } from './table-statements.ts'
import { ask, askAll, bind, type Work } from './work.ts'

/** Writes everything or nothing, and only into an empty database. */
export function* fillDatabase(
  dialect: SqlDialect,
  { lock, insert, append, continueNumbers }: TableStatements,
  { resources }: Schema,
  { things, events, commands }: InitialContent,
): Work<'filled' | 'not empty'> {
  const tables = [...resources.map(({ plural }) => plural), 'events', 'commands']
  yield* askAll(lock(tables))
  // A migration makes things of the model. They are no content until the model is changed, which is an event.
  const filled = tables.filter((table) => !modelTables.some((each) => each.table === table))
  const found = yield* askAll(filled.map((table) => bind({ text: `SELECT 1 FROM ${table} LIMIT 1` })))
  if (found.some((rows) => rows.length > 0)) return 'not empty'
  const model = things[0]?.resource.schema
  if (model !== undefined && model.version > 0) yield* writeModel(dialect, model)
  const histories = Map.groupBy(events, ({ thing }) => thing.id)
  for (const { resource, things: all } of things) {
    // Stores may number rows in the order of their ids.
    const inOrder = isNumbered(resource) ? all : all.toSorted((one, other) => (one.id < other.id ? -1 : 1))
    const rows = inOrder.map((thing) => [
      ...thingValues(resource, thing, resource.toJson(thing)),
      ...sinceAfter(resource, undefined, histories.get(thing.id) ?? []).map((since) => since ?? null),
    ])
    yield* askAll(insert(resource.plural, [...writtenColumns(resource), ...sinceColumns(resource)], rows))
    if (!isNumbered(resource)) continue
    const last = Math.max(0, ...all.map(({ id }) => Number(id)))
    yield* askAll(continueNumbers(resource.plural, last))
  }
  yield* askAll(insert('commands', commandColumns, commands.map(commandValues)))
  yield* askAll(append(events.map((event) => eventRow(event, event.operation.on.toJson(event.thing)))))
  for (const projection of resources.flatMap(projectionsOf)) {
    const own = [...histories.values()].filter(([first]) => first?.operation.on.name === projection.on.name)
    const rows = own.flatMap((history) => rowsBegun(projection, undefined, history))
    yield* askAll(insert(projection.name, projectionColumns(projection), rows))
  }
  return 'filled'
}

/** The version of the model that the things were made by, and its indexes: before the things, which they are kept of. */
function* writeModel(dialect: SqlDialect, model: Schema): Work<void> {
  yield* ask(statementIn(dialect, { text: WRITE_MODEL.text }), model.version, model.changedAt)
  for (const index of ownIndexes(model)) yield* ask(statementIn(dialect, { text: KEEP_OWN_INDEX }), ...index)
}
