import type { Schema } from '../../model/schema.ts'
import type { StoreReads } from '../desks.ts'
import { findCommand, readCommand } from '../rows/command.ts'
import { findEvent, readEvent } from '../rows/event.ts'
import { type SqlDialect, statementIn, statementsIn } from '../sql/dialect.ts'
import { pastReader } from './past.ts'
import { relatedReader } from './related.ts'
import type { RunStatement } from './work.ts'

/** The reads that take a statement or a few: `read` runs short ones, `scan` those that may take longer. */
export function pointReads(
  dialect: SqlDialect,
  find: StoreReads['find'],
  read: RunStatement,
  scan: RunStatement,
  schemaNow: () => Schema,
): Omit<StoreReads, 'page' | 'textPage' | 'stream' | 'unsearchable'> {
  const { UP_TO, OF } = statementsIn(dialect, 'trimmed', {
    UP_TO: `SELECT ${dialect.sequence.text} FROM (SELECT upto AS sequence FROM trimmed_feed) AS place`,
    OF: 'SELECT events FROM trimmed_histories WHERE subject = ?1',
  })
  const command = statementIn(dialect, findCommand)
  return {
    find,
    past: pastReader(dialect, find, read),
    related: relatedReader(dialect, read, scan),
    event: eventReader(dialect, read),
    async command(id) {
      const [row] = await read(command, id)
      return row && readCommand(row, schemaNow())
    },
    trimmed: {
      async upTo() {
        const [row] = await read(UP_TO)
        return row && String(row[0])
      },
      async of(subject) {
        const [row] = await read(OF, String(subject))
        return Number(row?.[0] ?? 0)
      },
    },
  }
}

/** Finds the event that made a thing's revision. */
export function eventReader(dialect: SqlDialect, read: RunStatement): StoreReads['event'] {
  const statement = statementIn(dialect, findEvent)
  return async ({ name }, subject, revision) => {
    const [row] = await read(statement, String(subject), revision, name)
    return row && readEvent(row)
  }
}
