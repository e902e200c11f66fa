import { bySchema } from '../../../model/declaration/by-schema.ts'
import type { Thing } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { projectionsOf } from '../../../model/schema/resources.ts'
import { commandColumns, commandValues } from '../../rows/command.ts'
import { eventColumns, eventValues } from '../../rows/event.ts'
import { projectionColumns, rowsBegun, SINCE, subjectColumn } from '../../rows/projection.ts'
import { columnValue } from '../../rows/things.ts'
import { type BoundStatement, bind, type Work } from '../../transactions/work.ts'
import type { Decision } from '../../transactions/write/decision.ts'
import type { DecidedRows } from '../../transactions/write/engine.ts'
import { thingRow } from './thing-rows.ts'

/** Writes decisions row by row: commands, then each thing behind its events. */
export function* writeRows({ first, parted, decisions }: DecidedRows): Work<undefined> {
  const commands = decisions.flatMap((each) => each.commands)
  let due = [...first, ...commands.map(({ command, doc }) => bind(COMMAND, ...commandValues(command), doc))]
  for (const decision of [...parted, ...decisions]) {
    let last = decision.before?.lastEvent ?? null
    // An event leads to the one before.
    for (const row of decision.events) {
      const event = bind(EVENT, ...eventValues(row), Number(row.isMilestone), last)
      const results = yield [...due, event]
      last = results.at(-1)?.[0]?.[0] as number
      due = []
    }
    due.push(...thingRow(decision, last), ...projected(decision))
  }
  if (due.length > 0) yield due
  return undefined
}

const insertInto = (table: string, columns: readonly string[]): string =>
  `INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`

const COMMAND = { text: `INSERT ${insertInto('commands', [...commandColumns, 'doc'])}` }
const EVENT = {
  text: `INSERT OR FAIL ${insertInto('events', [...eventColumns, 'milestone', 'previous'])}`,
  givesPosition: true,
} as const

const projected = ({ resource, before, after, events }: Decision): readonly BoundStatement[] =>
  after === undefined || after.removed
    ? []
    : projectionRows(
        resource,
        before?.thing,
        events.map(({ event }) => event),
      )

/** Ends and begins the rows of a thing, from its previous state, if any, and the states of its events. */
export const projectionRows = (
  resource: Resource,
  before: Thing | undefined,
  states: Parameters<typeof rowsBegun>[2],
): readonly BoundStatement[] =>
  projecting(resource).flatMap(({ projection, END, BEGIN }) => {
    const rows = rowsBegun(projection, before, states)
    const begun = rows.map((row) => bind(BEGIN, ...row.map(columnValue)))
    return before !== undefined && rows[0] !== undefined ? [bind(END, rows[0][SINCE], before.id), ...begun] : begun
  })

const projecting = bySchema((resource: Resource) =>
  projectionsOf(resource).map((projection) => {
    const { name } = projection
    const text = `UPDATE ${name} SET until = ?1, seconds = unixepoch(?1) - unixepoch(since)
      WHERE ${subjectColumn(projection)} = ?2 AND until IS NULL`
    return {
      projection,
      END: { text },
      BEGIN: { text: `INSERT ${insertInto(name, projectionColumns(projection))}` },
    }
  }),
)
