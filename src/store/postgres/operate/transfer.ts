import pg from 'pg'
import { SEQUENCE_DIGITS } from '../../../values/kinds/sequence.ts'
import { type Transfer, type TransferDirection, type TransferRow, transferTables } from '../../port/transfer.ts'
import { migrate } from '../schema/migrate.ts'

const BATCH = 1000

export async function openPostgresTransfer(url: string, direction: TransferDirection): Promise<Transfer> {
  await migrate(url)
  const client = new pg.Client({ connectionString: url, application_name: 'dealdesk copy', types: { getTypeParser } })
  client.on('error', () => {})
  await client.connect()
  const query = async (text: string, values: readonly unknown[] = []): Promise<readonly TransferRow[]> =>
    (await client.query<unknown[]>({ text, values: [...values], rowMode: 'array' })).rows as unknown as TransferRow[]
  if (direction === 'out') await query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  else {
    await query('BEGIN')
    // Instances may read meanwhile, and see nothing; whoever writes waits.
    await query(`LOCK TABLE ${transferTables.map(({ name }) => name).join(', ')} IN EXCLUSIVE MODE`)
  }

  return {
    async columns({ name }) {
      const rows = await query(
        `SELECT column_name::text FROM information_schema.columns
         WHERE table_schema = current_schema() AND table_name = $1 AND column_name <> 'write_id'
         ORDER BY ordinal_position`,
        [name],
      )
      return rows.map(([column]) => String(column))
    },
    async count({ name }) {
      return Number((await query(`SELECT count(*) FROM ${name}`))[0]?.[0])
    },
    async *rows({ name, order }, columns) {
      await query(`DECLARE rows CURSOR FOR SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${order}`)
      for (;;) {
        const batch = await query(`FETCH ${BATCH} FROM rows`)
        if (batch.length > 0) yield batch
        if (batch.length < BATCH) break
      }
      await query('CLOSE rows')
    },
    async write({ name, place }, columns, rows) {
      const records = rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]])))
      const values = columns.map((column) =>
        column === place ? `lpad(${place}, ${SEQUENCE_DIGITS.postgres}, '0')` : column,
      )
      await query(
        `INSERT INTO ${name} (${columns.join(', ')})
         SELECT ${values.join(', ')} FROM json_populate_recordset(NULL::${name}, $1)`,
        [JSON.stringify(records)],
      )
    },
    async lastCustomer() {
      const [row] = await query('SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM customers_id_seq')
      return Number(row?.[0])
    },
    async continueCustomers(last) {
      await query(`SELECT setval('customers_id_seq', greatest($1, 1), $1 > 0)`, [last])
    },
    async commit() {
      await query('COMMIT')
    },
    close: () => client.end(),
  }
}

const BOOLEAN = 16
const BIGINT = 20

function getTypeParser(type: number): (text: string) => string | number {
  if (type === BIGINT) return (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : text)
  return type === BOOLEAN ? (text) => Number(text === 't') : (text) => text
}
