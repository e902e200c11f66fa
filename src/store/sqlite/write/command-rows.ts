import type { DatabaseSync } from 'node:sqlite'
import type { Schema } from '../../../model/declaration/schema.ts'
import type { Command } from '../../../model/intent/intent.ts'
import { commandColumns, commandValues, findCommand, findCommandDoc, readCommand } from '../../rows/command.ts'

export function commandRows(db: DatabaseSync) {
  const select = db.prepare(findCommand.text)
  select.setReturnArrays(true)
  const columns = [...commandColumns, 'doc']
  const insert = db.prepare(
    `INSERT INTO commands (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  const doc = db.prepare(findCommandDoc.text)
  return {
    find(id: string, schema: Schema): Command | undefined {
      const row = select.get(id) as unknown as readonly unknown[] | undefined
      return row && readCommand(row, schema)
    },
    /** The document of a command that made no event is kept with it. */
    insert(command: Command, kept: string | null): void {
      insert.run(...commandValues(command), kept)
    },
    docOf: (id: string): string | undefined => (doc.get(id)?.doc as string | null | undefined) ?? undefined,
  }
}
