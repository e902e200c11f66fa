import { projectionsOf } from '../../model/resources.ts'
import type { Schema } from '../../model/schema.ts'
import type { InitialContent } from '../port/maintenance.ts'
import { commandColumns, commandValues } from '../rows/command.ts'
import { eventRow } from '../rows/event.ts'
import { projectionColumns, rowsBegun } from '../rows/projection.ts'
import { isNumbered, thingValues, writtenColumns } from '../rows/things.ts'
import type { TableStatements } from './table-statements.ts'
import { askAll, bind, type Work } from './work.ts'

/** Writes everything or nothing, and only into an empty database. */
export function* fillDatabase(
  { lock, insert, append, continueNumbers }: TableStatements,
  { resources }: Schema,
  { things, events, commands }: InitialContent,
): Work<'filled' | 'not empty'> {
  const tables = [...resources.map(({ plural }) => plural), 'events', 'commands']
  yield* askAll(lock(tables))
  const found = yield* askAll(tables.map((table) => bind({ text: `SELECT 1 FROM ${table} LIMIT 1` })))
  if (found.some((rows) => rows.length > 0)) return 'not empty'
  for (const { resource, things: all } of things) {
    const rows = all.map((thing) => thingValues(resource, thing, resource.toJson(thing)))
    yield* askAll(insert(resource.plural, writtenColumns(resource), rows))
    if (!isNumbered(resource)) continue
    const last = Math.max(0, ...all.map(({ id }) => Number(id)))
    yield* askAll(continueNumbers(resource.plural, last))
  }
  yield* askAll(insert('commands', commandColumns, commands.map(commandValues)))
  yield* askAll(append(events.map((event) => eventRow(event, event.operation.on.toJson(event.thing)))))
  const histories = [...Map.groupBy(events, ({ thing }) => thing.id).values()]
  for (const projection of resources.flatMap(projectionsOf)) {
    const own = histories.filter(([first]) => first?.operation.on.name === projection.on.name)
    const rows = own.flatMap((history) => rowsBegun(projection, undefined, history))
    yield* askAll(insert(projection.name, projectionColumns(projection), rows))
  }
  return 'filled'
}
