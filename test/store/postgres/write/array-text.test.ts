import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { arrayText } from '../../../../src/store/postgres/write/array-text.ts'
import { freshDatabase } from '../../../support/database/postgres-database.ts'
import { fc } from '../../../support/inputs/fast-check.ts'

let client: pg.Client
before(async () => {
  client = new pg.Client({ connectionString: await freshDatabase() })
  await client.connect()
})
after(() => client.end())

async function readBack(type: string, values: readonly unknown[]): Promise<unknown> {
  const { rows } = await client.query(`SELECT to_json($1::${type}[]) AS json`, [arrayText(values)])
  return rows[0].json
}

const SURROGATES = 0x800
/** The nth character that there is. */
const character = (nth: number): string => String.fromCodePoint(nth < 0xd800 ? nth : nth + SURROGATES)

test('any text comes back from an array as it was', async () => {
  const special = [
    '',
    'NULL',
    'null',
    '{}',
    '"',
    '\\',
    '\\"',
    '\n\t\r',
    '{"a":"b\\n\\"c\\u0000"}',
    ',',
    ' ',
    'é 漢 𝒳',
    '\u2028',
    '\u007f',
  ]
  assert.deepEqual(await readBack('text', [...special, null, undefined]), [...special, null, null])
  const unit = fc.oneof(
    fc.constantFrom('"', '\\', '\n', ',', '{', '𝒳'),
    fc.integer({ min: 1, max: 0x10_ffff - SURROGATES }).map(character),
  )
  const text = fc.array(unit).map((units) => units.join(''))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text)), async (values) =>
      assert.deepEqual(await readBack('text', values), values),
    ),
    { numRuns: 50 },
  )
})

test('numbers and booleans do too', async () => {
  assert.deepEqual(await readBack('bigint', [1, -2, null, Number.MAX_SAFE_INTEGER, 5n]), [
    1,
    -2,
    null,
    Number.MAX_SAFE_INTEGER,
    5,
  ])
  assert.deepEqual(await readBack('boolean', [true, false, null]), [true, false, null])
  assert.deepEqual(await readBack('text', []), [])
})
