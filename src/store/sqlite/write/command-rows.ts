import type { DatabaseSync } from 'node:sqlite'
import type { Command } from '../../../model/perform/intent.ts'
import type { Schema } from '../../../model/schema.ts'
import { commandColumns, commandValues, findCommand, findCommandDoc, readCommand } from '../../rows/command.ts'

export interface CommandRows {
  find(id: string, schema: Schema): Command | undefined
  /** `doc` is stored with a command that made no event. */
  insert(command: Command, doc: string | null): void
  docOf(id: string): string | undefined
}

export function commandRows(db: DatabaseSync): CommandRows {
  const select = db.prepare(findCommand.text)
  select.setReturnArrays(true)
  const columns = [...commandColumns, 'doc']
  const insert = db.prepare(
    `INSERT INTO commands (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  const doc = db.prepare(findCommandDoc.text)
  return {
    find(id, schema) {
      const row = select.get(id) as unknown as readonly unknown[] | undefined
      return row && readCommand(row, schema)
    },
    insert(command, kept) {
      insert.run(...commandValues(command), kept)
    },
    docOf: (id) => (doc.get(id)?.doc as string | null | undefined) ?? undefined,
  }
}
