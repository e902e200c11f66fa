import assert from 'node:assert/strict'
import { test } from 'node:test'
import readWorkbook from 'read-excel-file/node'
import { cellWriter } from '../../src/representations/xlsx/cells.ts'
import { writeWorkbook, xlsx } from '../../src/representations/xlsx.ts'
import { fc } from '../support/inputs/fast-check.ts'
import { acceptedText, context, pageOf, resource } from '../support/inputs/sample-documents.ts'
import { collections } from '../support/schema.ts'

type Cell = string | number | boolean | Date | null

/** By an independent reader, which leaves the escapes of ECMA-376 §22.9.2.19 to its caller. */
async function sheetsOf(bytes: Uint8Array): Promise<readonly Sheet[]> {
  const sheets = (await readWorkbook(Buffer.from(bytes), { trim: false })) as unknown as readonly Sheet[]
  return sheets.map(({ sheet, data }) => ({ sheet, data: data.map((row) => row.map(unescaped)) }))
}

interface Sheet {
  readonly sheet: string
  readonly data: readonly Cell[][]
}

const unescaped = (cell: Cell): Cell =>
  typeof cell === 'string'
    ? cell.replaceAll(/_x([\da-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : cell

const { deals } = collections

async function read(items: readonly object[], columns: readonly string[]): Promise<readonly Cell[][]> {
  const bytes = xlsx.write(pageOf(items, { columns, items: deals }), context) as Uint8Array
  return (await sheetsOf(bytes))[0]?.data ?? []
}

test('cells have the type of their value: numbers, truth values, dates and instants', async () => {
  const columns = ['name', 'price', 'currency', 'held', 'completionDate', 'createdAt', 'holdReason', 'revision']
  const deal = {
    name: '007',
    price: 1234.5,
    currency: 'EUR',
    held: true,
    completionDate: '2026-11-30',
    createdAt: '2026-02-03T04:05:06.789Z',
    holdReason: null,
    revision: 3,
  }
  const [header, row] = await read([deal], columns)
  assert.deepEqual(header, columns)
  const created = row?.[5]
  // The reader cuts off what a double lacks of the last millisecond.
  assert.ok(created instanceof Date && Math.abs(created.getTime() - Date.parse(deal.createdAt)) <= 1)
  assert.deepEqual(row, ['007', 1234.5, 'EUR', true, new Date('2026-11-30'), created, null, 3])
})

test('a day before spreadsheets have days stays text', async () => {
  const days = ['0001-01-01', '1900-02-28', '1900-03-01', '9999-12-31']
  const rows = await read(
    days.map((completionDate) => ({ completionDate })),
    ['completionDate'],
  )
  assert.deepEqual(rows.slice(1).flat(), [...days.slice(0, 2), ...days.slice(2).map((day) => new Date(day))])
})

test('text is text, whatever it looks like', async () => {
  const texts = [
    '=1+1',
    '+1',
    '-1',
    '@A1',
    "'x",
    '1',
    '2026-11-30',
    'true',
    '_x000D_',
    '_x000d__x0041_',
    'a\r\nb\rc\n\td',
    ' a ',
  ]
  const rows = await read(
    texts.map((name) => ({ name })),
    ['name'],
  )
  assert.deepEqual(rows.slice(1).flat(), texts)
})

test('every text that the service accepts is read back', async () => {
  // An empty cell and an empty text are one to the reader.
  const visible = acceptedText.filter((text) => text !== '')
  await fc.assert(
    fc.asyncProperty(fc.array(visible, { minLength: 20, maxLength: 40 }), async (texts) => {
      const rows = await read(
        texts.map((name) => ({ name })),
        ['name'],
      )
      assert.deepEqual(rows.slice(1).flat(), texts)
    }),
    { numRuns: 20 },
  )
})

test('an amount has the decimals of its currency', () => {
  const cell = cellWriter('paid', deals)
  for (const [currency, style] of Object.entries({ JPY: 4, EUR: 6, KWD: 7 })) {
    assert.equal(cell('A2', { paid: 5, currency }), `<c r="A2" s="${style}"><v>5</v></c>`)
  }
})

test('a number with more digits than a spreadsheet keeps is a text', async () => {
  const numbers = [9000000000000.12, JSON.rawJSON('9000000000000.123'), 0.1, -123456789012345, 9007199254740991]
  const items = numbers.map((paid) => ({ paid, currency: 'KWD' }))
  const rows = await read(items, ['paid'])
  assert.deepEqual(rows.slice(1).flat(), [
    9000000000000.12,
    '9000000000000.123',
    0.1,
    -123456789012345,
    '9007199254740991',
  ])
})

test('what is nested is JSON, cut where a cell ends', async () => {
  const events = { columns: ['data'], items: collections.events }
  const bytes = xlsx.write(pageOf([{ data: { a: [1] } }, { data: { a: 'x'.repeat(40_000) } }], events), context)
  const rows = (await sheetsOf(bytes as Uint8Array))[0]?.data ?? []
  assert.equal(rows[1]?.[0], '{"a":[1]}')
  assert.match(String(rows[2]?.[0]), /^\{"a":"x{32760}…$/)
})

test('a list that is longer than a sheet goes on in the next one', async () => {
  const list = {
    name: 'deals',
    title: 'Deals',
    address: '/',
    columns: ['name', 'revision'],
    chosen: true,
    items: deals,
  }
  const writer = writeWorkbook(list, 4)
  const batches = [[1, 2], [3, 4, 5], [], [6, 7]].map((all) => all.map((id) => `{"name":"n","revision":${id}}`))
  const parts = [writer.beginning(), ...batches.map((batch) => writer.batch(batch)), writer.end()]
  const sheets = await sheetsOf(Buffer.concat(parts as Uint8Array[]))
  assert.deepEqual(
    sheets.map(({ sheet, data }) => [sheet, ...data.map((row) => row[1])]),
    [
      ['deals', 'revision', 1, 2, 3],
      ['deals 2', 'revision', 4, 5, 6],
      ['deals 3', 'revision', 7],
    ],
  )
})

test('no items make a sheet with a header', async () => {
  assert.deepEqual(await read([], ['id', 'name']), [['id', 'name']])
  const list = xlsx.write(resource('[{"id":1}]', { kind: 'list' }), context) as Uint8Array
  assert.deepEqual((await sheetsOf(list))[0]?.data, [['id'], [1]])
})
