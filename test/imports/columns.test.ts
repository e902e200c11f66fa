import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Cell, textOf } from '../../src/imports/cells/cell.ts'
import type { ColumnReading } from '../../src/imports/cells/reading.ts'
import { matchHeadings } from '../../src/imports/columns/headings.ts'
import { fieldsIn, layoutOf } from '../../src/imports/columns/layout.ts'
import { rowReader } from '../../src/imports/columns/row-reader.ts'
import type { UnreadableFile } from '../../src/imports/file/unreadable-file.ts'
import { columnFaults } from '../../src/imports/read/column-faults.ts'
import { answered, examine } from '../../src/imports/read/examine.ts'
import { readWaves } from '../../src/imports/read/read-waves.ts'
import { rowFile } from '../../src/imports/read/row-file.ts'
import type { Resource } from '../../src/model/declaration/schema.ts'
import { fileBounds } from '../../src/values/bounds.ts'
import { memoryFile } from '../support/inputs/memory-file.ts'
import { spreadsheet } from '../support/inputs/spreadsheet.ts'
import { customer, deal, schema, task } from '../support/schema.ts'

const fieldsOf = (resource: Resource, header: readonly string[]) =>
  matchHeadings(header, resource, fieldsIn(layoutOf(resource))).map(({ field }) => field)

suite('a heading is known', () => {
  test('by the name and title of its field in every language, and by the words of people', () => {
    const known: readonly (readonly [Resource, { readonly [heading: string]: string | null }])[] = [
      [
        deal,
        {
          ...{
            name: 'name',
            Titel: 'name',
            Betrag: 'price',
            Montant: 'price',
            Importe: 'price',
            'Auftragsnr.': 'reference',
          },
          ...{ 'Betrag (EUR)': 'price', 'Amount in USD': 'price', 'Preis €': 'price', 'Deal - Value': 'price' },
          ...{ Kunde: 'customerId', Ansprechpartner: 'customerId', Client: 'customerId', customerId: 'customerId' },
          ...{
            Phase: 'stage',
            Étape: 'stage',
            'Expected Close Date': 'completionDate',
            Zuständig: 'owner',
            Zustaendig: 'owner',
          },
          ...{
            Bemerkung: 'description',
            Währung: 'currency',
            id: 'id',
            ID: 'reference',
            'Lost reason': 'closingReason',
          },
          ...{ 'Customer since': null, Datum: null, 'Price list': null, 'Sales tax': null, '': null, '#': null },
        },
      ],
      [
        customer,
        {
          ...{ Mobile: 'phone', 'Telephone number': 'phone', 'E-Mail': 'email', Land: 'country', País: 'country' },
          ...{
            Ansprechpartner: 'name',
            'Full name': 'name',
            Firma: 'company',
            Alter: 'age',
            'Country/Region': 'country',
          },
          ...{ 'Rejected because': null, 'Abgelehnt, weil': null, Bemerkung: null },
        },
      ],
      [
        task,
        { Task: 'title', Due: 'dueOn', Aufgabe: 'title', Échéance: 'dueOn', Verantwortlich: 'assignee', Notiz: 'note' },
      ],
    ]
    for (const [resource, headings] of known) {
      for (const [heading, field] of Object.entries(headings)) {
        assert.deepEqual(fieldsOf(resource, [heading]), [field], heading)
      }
    }
  })

  test('for the likeliest column if several claim a field, and for parts of a text', () => {
    assert.deepEqual(fieldsOf(deal, ['Ansprechpartner', 'Kunde', 'Name', 'Titel']), [null, 'customerId', 'name', null])
    assert.deepEqual(fieldsOf(customer, ['Nachname', 'Vorname']), ['name', 'name'])
    assert.deepEqual(fieldsOf(customer, ['Nachname', 'Vorname', 'Anzeigename']), [null, null, 'name'])
    const headings = matchHeadings(['a', '', 'a', 'a (2)'], deal, []).map(({ heading }) => heading)
    assert.deepEqual(headings, ['a', '(2)', 'a (2)', 'a (2) (2)'])
  })

  test('by words that belong to fields', () => {
    for (const { inFiles, fields, name } of schema.resources) {
      const { headings = {}, parts = {}, values = {} } = inFiles ?? {}
      for (const field of [...Object.keys(headings), ...Object.keys(parts), ...Object.keys(values)]) {
        assert.ok(field === 'reference' || Object.hasOwn(fields, field), `${name} has no field ${field}`)
      }
    }
  })
})

const rowsOf = (...rows: readonly string[]): string => `${rows.join('\r\n')}\r\n`

/** The columns that a file asks about, and how the others are read. */
async function decidedBy(content: string | Buffer) {
  const { matching, asked } = await examine(memoryFile(content), deal)
  const readings = matching.columns.flatMap(({ heading, reading }) => (reading === null ? [] : [[heading, reading]]))
  return { asked: asked.map(({ column, about, choices }) => [column, about, choices.slice(0, 2)]), readings }
}

/** The rows of a file, and the faults of those that are refused. */
async function read(content: string | Buffer, answers: ColumnReading = {}, empties = false, after = 0) {
  const file = memoryFile(content)
  const { matching, asked } = await examine(file, deal)
  const columns = answered(matching.columns, asked, answers)
  const reader = rowReader({ ...layoutOf(deal), oneOf: [] }, { empties })
  const found: { readonly rows: unknown[]; readonly faults: unknown[]; readonly emptied: unknown[] } = {
    ...{ rows: [], faults: [], emptied: [] },
  }
  for await (const wave of readWaves(rowFile(file, matching), { ...matching, columns, after, atOnce: 2 }, reader)) {
    found.rows.push(...wave.rows.map(({ values }) => values))
    const told = ({
      line,
      faults,
    }: {
      readonly line: number
      readonly faults: readonly { readonly code: string }[]
    }) => [line, ...faults.map(({ code }) => code)]
    found.faults.push(...wave.rejected.map(told))
    found.emptied.push(...(wave.emptied ?? []).map(told))
  }
  return found
}

suite('a column decides', () => {
  test('about its decimal sign, and is asked about if it allows both or neither', async () => {
    const signs: readonly (readonly [cells: readonly string[], sign: string | undefined])[] = [
      [['1.500', '2.500,00'], ','],
      [['"1,500"', '12.5'], '.'],
      [['1500', '20'], ''],
      [['1.500', '12'], undefined],
      [['1.500', 'n/a'], undefined],
      [['"1.234,50"', '"1,234.50"'], undefined],
    ]
    for (const [cells, sign] of signs) {
      const { asked, readings } = await decidedBy(rowsOf('name;price', ...cells.map((cell) => `x;${cell}`)))
      assert.deepEqual(asked, sign === undefined ? [['price', 'decimal', [',', '.']]] : [], cells.join())
      assert.deepEqual(readings, sign ? [['price', { decimal: sign }]] : [], cells.join())
    }
  })

  test('about the order of day and month', async () => {
    const orders: readonly (readonly [cells: readonly string[], order: string | undefined])[] = [
      [['03/04/2027', '31/12/2026'], 'dmy'],
      [['03/04/2027', '12/31/2026'], 'mdy'],
      [['2027-04-03', 'Dec 31, 2026', '05.05.2027'], ''],
      [['03.04.2027', '2027-04-03'], undefined],
      [['31/12/2026', '12/31/2026'], undefined],
    ]
    for (const [cells, order] of orders) {
      const { asked, readings } = await decidedBy(rowsOf('name;completionDate', ...cells.map((cell) => `x;${cell}`)))
      assert.deepEqual(asked, order === undefined ? [['completionDate', 'dates', ['dmy', 'mdy']]] : [], cells.join())
      assert.deepEqual(readings, order ? [['completionDate', { dates: order }]] : [], cells.join())
    }
  })

  test('about the currency, unless several share its symbol or some cells have none', async () => {
    const asks = async (...rows: readonly string[]) => (await decidedBy(rowsOf(...rows))).asked
    assert.deepEqual(await asks('name;price', 'x;$5'), [['price', 'currency', ['USD', 'ARS']]])
    assert.deepEqual(await asks('name;price;currency', 'x;$5;USD', 'y;5;CHF'), [])
    assert.deepEqual(await asks('name;price', 'x;5 €', 'y;6 CHF'), [])
    assert.deepEqual(await asks('name;price', 'x;5 €', 'y;6'), [], 'a bare number is in the usual currency')
    assert.deepEqual(await asks('name;price', 'x;5 CHF', 'y;6'), [['price', 'currency', ['CHF', 'EUR']]])
    assert.deepEqual(await asks('name;price;currency', 'x;5;$'), [['currency', 'currency', ['USD', 'ARS']]])
    assert.deepEqual(await decidedBy(rowsOf('name;Price (CHF)', 'x;5')), {
      asked: [],
      readings: [['Price (CHF)', { currency: 'CHF' }]],
    })
  })

  test('and its cells are read so', async () => {
    const file = rowsOf('name;price;currency', 'a;1.500;', 'b;$2.500;', 'c;3 €;USD', 'd;£4;', 'e;$5;CAD')
    const { rows, faults } = await read(file, { decimal: ',', currency: 'USD' })
    assert.deepEqual(rows, [
      { name: 'a', price: 1_500_000, currency: 'EUR' },
      { name: 'b', price: 2_500_000, currency: 'USD' },
      { name: 'e', price: 5000, currency: 'CAD' },
    ])
    assert.deepEqual(faults, [
      [4, 'other-currency'],
      [5, 'two-readings'],
    ])
  })
})

suite('a row', () => {
  test('with the reference of an earlier one is refused, also when reading continues behind that', async () => {
    const file = rowsOf('reference;name;price', 'A;a;1', 'B;b;2', 'A;c;3', ';d;4', ';e;5', ' B ;f;6')
    const refused = [
      [4, 'repeated-reference'],
      [7, 'repeated-reference'],
    ]
    assert.deepEqual((await read(file)).faults, refused)
    const rest = await read(file, {}, false, 3)
    assert.deepEqual([rest.rows.length, rest.faults], [2, refused])
  })

  test('keeps its other cells if an unreadable one is not needed', async () => {
    const file = rowsOf(
      'reference;name;price;stage;completionDate',
      'A;a;1;nowhere;soon',
      'B;b;much;lead;',
      `${'x'.repeat(200)};c;1;;`,
    )
    assert.deepEqual((await read(file)).faults, [
      [2, 'not-one-of', 'malformed'],
      [3, 'malformed'],
      [4, 'too-long'],
    ])
    assert.deepEqual(await read(file, {}, true), {
      rows: [{ reference: 'A', name: 'a', price: 1000, completionDate: null }],
      faults: [
        [3, 'malformed'],
        [4, 'too-long'],
      ],
      emptied: [[2, 'not-one-of', 'malformed']],
    })
  })

  test('may have empty cells behind it, and none is read from blank lines', async () => {
    const { rows, faults } = await read(rowsOf('name;price', 'a;1;;', ';;', '  ;', 'b;2;x', 'c'))
    assert.deepEqual(rows, [{ name: 'a', price: 1000 }])
    assert.deepEqual(faults, [
      [5, 'uneven-row'],
      [6, 'uneven-row'],
    ])
  })
})

test('faults are grouped by the heading of their column, or the field that has none, and count each row once', () => {
  const column = (heading: string, field: string | null) => ({ heading, field, reading: null })
  const groups = columnFaults({ columns: [column('First', 'name'), column('Last', 'name'), column('Land', null)] })
  const faulty = (line: number, code: 'blank' | 'totals-row', pointer?: string) => ({
    ...{ line, faults: [{ code, at: pointer === undefined ? {} : { pointer } }] },
  })
  groups.add([faulty(2, 'blank', '/name'), faulty(3, 'totals-row'), faulty(4, 'blank', '/name')])
  for (const line of [5, 6]) {
    const faults = ['/price', '/country', '/price'].map((pointer) => ({ code: 'required' as const, at: { pointer } }))
    groups.add([{ line, faults }])
  }
  // Cells that were left empty are another group than those that refused their rows.
  groups.add([faulty(7, 'blank', '/name')], true)
  const found = groups.found().map(({ example, ...group }) => ({ ...group, at: example?.at.pointer }))
  assert.deepEqual(found, [
    { column: 'First', code: 'blank', count: 2, rows: [2, 4], at: '/name' },
    { column: 'price', code: 'required', count: 2, rows: [5, 6], at: '/price' },
    { column: 'country', code: 'required', count: 2, rows: [5, 6], at: '/country' },
    { column: 'First', code: 'blank', count: 1, rows: [7], emptied: true, at: '/name' },
    { column: null, code: 'totals-row', count: 1, rows: [3], at: undefined },
  ])
})

suite('a spreadsheet becomes no more than', () => {
  const LONGEST = fileBounds.record
  const text = (length: number): string => `<sst><si><t>${'x'.repeat(length)}</t></si></sst>`
  const times = (count: number, cell: string): string => cell.repeat(count)
  const sheet = (...rows: readonly string[]): string =>
    `<worksheet><sheetData>${rows.map((cells) => `<row>${cells}</row>`).join('')}</sheetData></worksheet>`
  const [SHARED, headings] = ['<c t="s"><v>0</v></c>', '<c t="str"><v>name</v></c><c t="str"><v>description</v></c>']

  /** The lengths of what was taken and of the raw rows that were rejected, by line. */
  async function built(sheetXml: string, sharedXml: string) {
    const found: unknown[] = []
    let longest = 0
    const told = (line: number, what: unknown, row: string): void => {
      longest = Math.max(longest, row.length)
      found.push([line, what])
    }
    const rows = rowFile(memoryFile(spreadsheet([], { sheetXml, sharedXml })), xlsx).read({
      columns: 2,
      take: (cells, line, raw) => told(line, cells.length, raw()),
      reject: (line, { code }, raw) => told(line, code, raw),
    })
    for await (const _step of rows);
    return { found, longest }
  }
  const xlsx = { format: 'xlsx', encoding: 'utf-8', delimiter: ',' } as const

  test('a row of text may be, whatever its cells share', async () => {
    const rows = [headings, SHARED, times(2, SHARED), times(300, SHARED), '<c t="str"><v>last</v></c>']
    const { found, longest } = await built(sheet(...rows), text(40_000))
    assert.deepEqual(found, [
      [1, 2],
      [2, 1],
      [3, 'too-long'],
      [4, 'too-long'],
      [5, 1],
    ])
    assert.equal(longest, 40_000)
  })

  test('the longest cell, shared or in its row', async () => {
    for (const [length, code] of [
      [LONGEST, 1],
      [LONGEST + 1, 'too-long'],
      [2 * LONGEST, 'too-long'],
    ] as const) {
      assert.deepEqual((await built(sheet(SHARED), text(length))).found, [[1, code]])
      const inline = `<c t="inlineStr"><is><t>${'x'.repeat(length)}</t></is></c>`
      assert.deepEqual((await built(sheet(inline), text(1))).found, [[1, code]])
      const escaped = `<c t="str"><v>${'_x0041_'.repeat(length)}</v></c>`
      assert.deepEqual((await built(sheet(escaped), text(1))).found, [[1, code]])
    }
  })

  test('its headings, which are refused at once', async () => {
    const name = '<c t="str"><v>name</v></c>'
    for (const heading of [times(300, SHARED), `${name}${times(3, SHARED)}`]) {
      for (const above of [[], ['<c t="str"><v>A title</v></c>']]) {
        const content = spreadsheet([], { sheetXml: sheet(...above, heading, SHARED), sharedXml: text(60_000) })
        await assert.rejects(read(content), (cause: UnreadableFile) => {
          assert.deepEqual(cause.because, {
            header: { code: 'wrong-header', with: { why: { code: 'too-long', with: { max: LONGEST } } } },
          })
          return true
        })
      }
    }
    const long = spreadsheet([
      ['name', 'description', 'h'.repeat(30_000), 'h'.repeat(30_000)],
      ['Roof', 'd', 'x', 'y'],
    ])
    const { matching } = await examine(memoryFile(long), deal)
    assert.deepEqual(
      matching.columns.map(({ heading }) => heading.length),
      [4, 11, 500, 504],
    )
  })

  test('the columns of its headings: what is beyond them is a fault of its row, and nothing is padded', async () => {
    const far = '<c r="A2" t="str"><v>a</v></c><c r="XFD2" t="str"><v>b</v></c>'
    const blank = '<c r="A3" t="str"><v>a</v></c><c r="XFD3" s="1"/>'
    const { found, longest } = await built(sheet(headings, far, blank), text(1))
    assert.deepEqual(found, [
      [1, 2],
      [2, 'uneven-row'],
      [3, 1],
    ])
    assert.equal(longest, 'name,description'.length)
  })

  test('a hundred times its file', async () => {
    const sharing = spreadsheet([], { sheetXml: sheet(headings, ...Array(300).fill(SHARED)), sharedXml: text(60_000) })
    let taken = 0
    const reading = async (): Promise<void> => {
      const take = ([cell = '']: readonly Cell[]): void => {
        taken += textOf(cell).length
      }
      for await (const _step of rowFile(memoryFile(sharing), xlsx).read({ take, reject: () => {} }));
    }
    await assert.rejects(reading, { because: 'too large' })
    assert.ok(taken > 16_000_000 && taken < 17_000_000, String(taken))
  })
})

test('a row of text is as long as one of a spreadsheet may be', async () => {
  const long = 'x'.repeat(fileBounds.record - 2)
  const { rows, faults } = await read(`name,description\na,${'x'.repeat(fileBounds.record)}\nb,c\n`)
  assert.deepEqual([rows.length, faults], [1, [[2, 'too-long']]])
  assert.deepEqual((await read(`name,description\na,${long}\n`)).faults, [[2, 'too-long']], 'the field refuses it')
  await assert.rejects(read(`name,${long}xxxx\na,b\n`), (cause: UnreadableFile) => {
    assert.equal((cause.because as { header: { code: string } }).header.code, 'wrong-header')
    return true
  })
})

test('a whole number of a spreadsheet keeps its digits, a fraction those that spreadsheets show', async () => {
  const numbers = [9_007_199_254_740_991, -1_234_567_890_123_457, 0.1 + 0.2]
  const { rows } = await read(
    spreadsheet([['name', 'price', 'description'], ...numbers.map((number) => ['a', 1, number])]),
  )
  assert.deepEqual(
    rows.map((row) => (row as { readonly description: unknown }).description),
    ['9007199254740991', '-1234567890123457', '0.3'],
  )
})

suite('a spreadsheet is refused', () => {
  const ENTRY = 'PK\u0001\u0002'
  const titled = '<row><c t="str"><v>name</v></c></row>'
  const refusal = (content: Buffer) =>
    read(content).then(
      () => undefined,
      (cause: { readonly because?: unknown }) => cause.because ?? cause,
    )

  test('if it is none, damaged, encrypted, or has no rows', async () => {
    const good = spreadsheet([
      ['name', 'price'],
      ['a', 1],
    ])
    assert.equal(await refusal(good), undefined)
    assert.equal(await refusal(good.subarray(0, -30)), 'damaged')
    assert.equal(await refusal(Buffer.from('PK\u0003\u0004')), 'damaged')
    const garbled = Buffer.from(good)
    garbled.fill(0xff, good.indexOf('xl/worksheets/sheet2.xml') + 24, good.indexOf('xl/sharedStrings.xml') - 40)
    assert.equal(await refusal(garbled), 'damaged')
    const locked = Buffer.from(good)
    for (let at = locked.indexOf(ENTRY); at !== -1; at = locked.indexOf(ENTRY, at + 1)) locked[at + 8] = 1
    assert.equal(await refusal(locked), 'encrypted')
    assert.equal(await refusal(spreadsheet([])), 'empty')
    for (const sheetXml of [
      '<worksheet><sheetData>',
      '<!DOCTYPE x [<!ENTITY a "b">]><worksheet/>',
      `<worksheet><row><c r="${'A'.repeat(3)}1" t="str"><v>${'x'.repeat(70_000)}</v></c></row></worksheet>`,
    ])
      assert.match(String(await refusal(spreadsheet([], { sheetXml }))), /damaged|columns|empty/, sheetXml.slice(0, 40))
    assert.equal(
      await refusal(spreadsheet([], { sheetXml: '<worksheet><row r="1"><c r="ZZZ1"><v>1</v></c></row></worksheet>' })),
      'columns',
    )
    for (const number of ['NaN', 'x', '-5', '0', '1e300', '1.5', ''])
      for (const before of ['', titled]) {
        const sheetXml = `<worksheet>${before}<row r="1"/><row r="${number}"><c t="str"><v>1</v></c></row></worksheet>`
        assert.equal(await refusal(spreadsheet([], { sheetXml })), 'damaged', `row ${number}`)
      }
    const repeated = `<worksheet>${titled}<row r="1"><c t="str"><v>a</v></c></row></worksheet>`
    assert.equal(await refusal(spreadsheet([], { sheetXml: repeated })), 'damaged', 'a row that comes twice')
  })

  test('if it is made to unpack to far more than it holds, before that is done', async () => {
    const rows = [
      ['name', 'price'],
      ['a', 1],
    ] as const
    const bomb = spreadsheet([], { sheetXml: `<worksheet><sheetData>${'<row/>'.repeat(3_000_000)}` })
    let taken = 0
    const file = memoryFile(bomb)
    const counted = {
      ...file,
      async read(from: number, length: number) {
        const bytes = await file.read(from, length)
        taken += bytes.length
        return bytes
      },
    }
    await assert.rejects(examine(counted, deal), { because: 'too large' })
    // Its directory is read for the names of the sheets, and again with the sheet.
    assert.ok(taken < 4 * 65_557 && bomb.length < 2_000_000, `${taken} of ${bomb.length} bytes were read`)

    // One that declares less than it has is damaged, wherever it ends.
    const modest = spreadsheet([], { sheetXml: `<worksheet><sheetData>${'<row/>'.repeat(10_000)}` })
    const lying = Buffer.from(modest)
    for (let at = lying.indexOf(ENTRY); at !== -1; at = lying.indexOf(ENTRY, at + 1))
      if (lying.readUInt32LE(at + 24) > 50_000) lying.writeUInt32LE(5000, at + 24)
    assert.equal(await refusal(lying), 'damaged')

    const nothing = spreadsheet(rows, { sharedXml: `<sst>${'<si/>'.repeat(2_200_000)}</sst>` })
    assert.equal(await refusal(nothing), 'too large', 'texts without a letter')
    const styles = spreadsheet(rows, {
      stylesXml: `<styleSheet><cellXfs>${'<xf/>'.repeat(70_000)}</cellXfs></styleSheet>`,
    })
    assert.equal(await refusal(styles), 'damaged')
    const cells = `<worksheet><row r="1">${'<c r="A1"/>'.repeat(17_000)}</row></worksheet>`
    assert.equal(await refusal(spreadsheet([], { sheetXml: cells })), 'columns')
  })

  test('only for what is in it: blank rows behind those that people typed are skipped', async () => {
    const blank = Array.from({ length: 30_000 }, (_, at) => `<row r="${at + 3}"><c r="A${at + 3}" s="1"/></row>`)
    const typed = ['name', 'price'].map((text, at) => `<c r="${'AB'[at]}1" t="str"><v>${text}</v></c>`).join('')
    const row = '<row r="2"><c r="A2" t="str"><v>Roof</v></c><c r="B2"><v>12</v></c></row>'
    const sheetXml = `<worksheet><sheetData><row r="1">${typed}</row>${row}${blank.join('')}</sheetData></worksheet>`
    const { rows } = await read(spreadsheet([], { sheetXml }))
    assert.equal(rows.length, 1)
  })
})
