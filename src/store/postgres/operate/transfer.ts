import type { Schema } from '../../../model/declaration/schema.ts'
import { SEQUENCE_DIGITS } from '../../../values/kinds/sequence.ts'
import { type Transfer, type TransferDirection, type TransferRow, transferTables } from '../../port/transfer.ts'
import { TRANSFER_BATCH, transferOver } from '../../transactions/transfer.ts'
import type { Session } from '../connect/connection.ts'
import { connectPrimary } from '../connect/primary.ts'
import { migrate } from '../schema/migrate.ts'
import { allTables, analyze } from '../schema/statistics.ts'
import { beginWriting, runAll, runWork } from '../schema/transaction.ts'
import { tableStatements } from '../write/table-statements.ts'

export async function openPostgresTransfer(
  url: string,
  schema: Schema,
  direction: TransferDirection,
): Promise<Transfer> {
  await migrate(url, schema)
  const client = await connectPrimary(url, {
    application_name: 'dealdesk copy',
    types: { getTypeParser },
    pipeline: true,
  })
  const query: Session['query'] = async ({ text }, values = []) =>
    (await client.query<unknown[]>({ text, values: [...values], rowMode: 'array' })).rows
  if (direction === 'out') await query({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' })
  else {
    const lock = tableStatements.lock(transferTables(schema).map(({ name }) => name))
    await beginWriting({ query }, () => runAll(query, lock))
  }

  return transferOver({
    schema,
    placeDigits: SEQUENCE_DIGITS.postgres,
    lastPlace: async () => undefined,
    // A sequence begins with the number of its transaction, which is higher than any that was copied.
    continueFeed: async () => {},
    statements: tableStatements,
    run: (work) => runWork({ query }, work),
    placeIn: (_, digits) => digits.padStart(SEQUENCE_DIGITS.postgres, '0'),
    async *rows({ name, order }, columns) {
      await query({ text: `DECLARE rows CURSOR FOR SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${order}` })
      for (;;) {
        const batch = (await query({ text: `FETCH ${TRANSFER_BATCH} FROM rows` })) as readonly TransferRow[]
        if (batch.length > 0) yield batch
        if (batch.length < TRANSFER_BATCH) break
      }
      await query({ text: 'CLOSE rows' })
    },
    async commit() {
      await query({ text: 'COMMIT' })
      await query({ text: analyze(allTables(schema)) })
    },
    close: () => client.end(),
  })
}

const BOOLEAN = 16
const BIGINT = 20

function getTypeParser(type: number): (text: string) => string | number {
  if (type === BIGINT) return (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : text)
  return type === BOOLEAN ? (text) => Number(text === 't') : (text) => text
}
