import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { SchemaSource } from '../../../model/declaration/schema.ts'
import { NOTHING_ADDED } from '../../../model/schema/build-schema.ts'
import type { Row } from '../../sql/statement.ts'
import { READ_MODEL, READ_MODEL_VERSION, readModel, WRITE_MODEL } from '../../transactions/model/stored-model.ts'
import { BUSY_TIMEOUT } from '../connect/connection.ts'
import { isInterrupted, untouchedAddress } from '../connect/database-file.ts'
import { migrations } from './migrations.ts'

/** The stored model, as one connection sees it. */
export interface ModelRows {
  /** 0 until the first change. */
  version(): number
  source(): SchemaSource
  /** In the transaction of the change. */
  write(version: number, changedAt: string): void
}

export function modelRows(db: DatabaseSync): ModelRows {
  const [version, source] = [READ_MODEL_VERSION, READ_MODEL].map(({ text }) => {
    const statement = db.prepare(text)
    statement.setReturnArrays(true)
    return () => statement.get() as unknown as Row | undefined
  }) as [() => Row | undefined, () => Row]
  const write = db.prepare(WRITE_MODEL.text)
  return {
    version: () => Number(version()?.[0] ?? 0),
    source: () => readModel(source()),
    write(next, changedAt) {
      write.run(next, changedAt)
    },
  }
}

/** The model of a database that may not exist yet, or be of an earlier release: then it is prepared without additions. */
export function storedSource(path: string): SchemaSource {
  // A pipe would be waited for.
  if (!statSync(path, { throwIfNoEntry: false })?.isFile() || isInterrupted(path)) return NOTHING_ADDED
  try {
    using db = new DatabaseSync(untouchedAddress(path), { timeout: BUSY_TIMEOUT, readOnly: true })
    return db.prepare('PRAGMA user_version').get()?.user_version === migrations.length
      ? modelRows(db).source()
      : NOTHING_ADDED
  } catch {
    // Its preparation reports the fault.
    return NOTHING_ADDED
  }
}
