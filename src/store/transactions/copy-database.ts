import { createHash } from 'node:crypto'
import { modelTables } from '../../model/schema/build-schema.ts'
import { type Transfer, type TransferRow, type TransferTable, transferTables } from '../port/transfer.ts'
import { isNumbered } from '../rows/things.ts'

export interface Copied {
  readonly table: string
  readonly rows: number
  /** SHA-256 of the rows in order; the target gave the same when it was read back. */
  readonly checksum: string
}

export type CopyResult =
  | { readonly copied: readonly Copied[] }
  | { readonly refused: 'not empty'; readonly table: string; readonly rows: number }
  /** The rows that were read back differ from the written ones; nothing was kept. */
  | { readonly refused: 'differs'; readonly table: string }

export type CopyProgress = (done: number, all: number, phase: 'copying' | 'verifying') => void

/** Copies everything, in order, into an empty database; committed only if reading it back gives the same. */
export async function copyDatabase(source: Transfer, target: Transfer, onProgress: CopyProgress): Promise<CopyResult> {
  const tables = transferTables(source.schema)
  // A migration makes things of the model. They are no data until the model is changed.
  if ((await target.count({ name: 'model' })) === 0) for (const { table } of modelTables) await target.clear(table)
  for (const table of tables) {
    const rows = await target.count(table)
    if (rows > 0) return { refused: 'not empty', table: table.name, rows }
  }
  /** The digits of a sequence differ between engines; the order of events, which is the rows', does not. */
  const uncomparedPlace = ({ place }: TransferTable) => (source.placeDigits === target.placeDigits ? undefined : place)
  const counts: number[] = []
  for (const table of tables) counts.push(await source.count(table))
  const all = counts.reduce((sum, count) => sum + count, 0)
  const copied: Copied[] = []
  let done = 0
  for (const table of tables) {
    const columns = await source.columns(table)
    const sum = checksum(uncomparedPlace(table), columns)
    for await (const rows of source.rows(table, columns)) {
      await target.write(table, columns, rows)
      sum.add(rows)
      done += rows.length
      onProgress(done, all, 'copying')
    }
    copied.push({ table: table.name, ...sum.result() })
  }
  for (const { plural } of source.schema.resources.filter(isNumbered)) {
    await target.continueNumbers(plural, await source.lastNumber(plural))
  }
  const lastPlace = await source.lastPlace()
  if (lastPlace !== undefined) await target.continueFeed(lastPlace)
  done = 0
  for (const [at, table] of tables.entries()) {
    const columns = await source.columns(table)
    const sum = checksum(uncomparedPlace(table), columns)
    for await (const rows of target.rows(table, columns)) {
      sum.add(rows)
      done += rows.length
      onProgress(done, all, 'verifying')
    }
    const { rows, checksum: found } = sum.result()
    const same = rows === copied[at]?.rows && rows === counts[at] && found === copied[at]?.checksum
    if (!same) return { refused: 'differs', table: table.name }
  }
  await target.commit()
  return { copied }
}

/** Over all columns but one. */
function checksum(leftOut: string | undefined, columns: readonly string[]) {
  const hash = createHash('sha256')
  const left = leftOut === undefined ? -1 : columns.indexOf(leftOut)
  let rows = 0
  return {
    add(batch: readonly TransferRow[]): void {
      rows += batch.length
      for (const row of batch) hash.update(`${JSON.stringify(left === -1 ? row : row.toSpliced(left, 1))}\n`)
    },
    result: () => ({ rows, checksum: hash.digest('hex') }),
  }
}
