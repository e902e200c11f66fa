import type { DatabaseSync } from 'node:sqlite'
import type { Command } from '../../model/perform.ts'
import { commandColumns, commandValues, findCommand, readCommand } from '../rows/command.ts'

export interface CommandRows {
  find(id: string): Command | undefined
  insert(command: Command): void
}

export function commandRows(db: DatabaseSync): CommandRows {
  const select = db.prepare(findCommand.text)
  select.setReturnArrays(true)
  const insert = db.prepare(
    `INSERT INTO commands (${commandColumns.join(', ')}) VALUES (${commandColumns.map(() => '?').join(', ')})`,
  )
  return {
    find(id) {
      const row = select.get(id) as unknown as readonly unknown[] | undefined
      return row && readCommand(row)
    },
    insert(command) {
      insert.run(...commandValues(command))
    },
  }
}
