import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { lines, openReadyDesk } from '../support/service/running-command.ts'

type Content = string | Uint8Array

const rows = lines('name', 'Ana')
/** A ZIP with one empty entry. */
const archive = (name: string): Buffer => {
  const entry = (mark: string, before: number, after: number): Buffer =>
    Buffer.concat([
      Buffer.from(mark),
      Buffer.alloc(before),
      Buffer.of(name.length, 0),
      Buffer.alloc(after),
      Buffer.from(name),
    ])
  const file = entry('PK\x03\x04', 22, 2)
  const listed = entry('PK\x01\x02', 24, 16)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  for (const at of [8, 10]) end.writeUInt16LE(1, at)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(file.length, 16)
  return Buffer.concat([file, listed, end])
}
const wrong: readonly (readonly [what: string, name: string, content: Content | undefined, said: RegExp])[] = [
  ['a missing file', 'c.csv', undefined, /c\.csv does not exist$/],
  ['an empty file', 'c.csv', '', /c\.csv is empty$/],
  ['a file with a byte order mark and nothing else', 'c.csv', '\ufeff', /c\.csv is empty$/],
  ['a file of blank lines', 'c.csv', '\n\r\n\n', /c\.csv is empty$/],
  ['an unknown column', 'c.csv', lines('id,nmae'), /c\.csv: there is no column "nmae", did you mean name\?$/],
  [
    'rows without a header',
    'c.csv',
    lines('1,Ana Silva,30', '2,Ben,31'),
    /there is no column name; the columns are id, name, /,
  ],
  [
    'a header without name',
    'c.csv',
    lines('id,email', '1,a@example.com'),
    /there is no column name; the columns are id, name, /,
  ],
  ['a column that is there twice', 'c.csv', lines('name,age,name'), /the column name occurs twice$/],
  [
    'a header with a stray quote',
    'c.csv',
    lines('na"me,age', 'Ana,3'),
    /in the header, there is a quote in an unquoted cell/,
  ],
  ['a picture', 'c.csv', Buffer.alloc(100, 'a\0\0b'), /is UTF-16 or no text at all; save it as UTF-8$/],
  [
    'contacts of a phone',
    'c.vcf',
    'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ana\r\nEND:VCARD\r\n',
    /c\.vcf is a vCard; export/,
  ],
  ['a damaged spreadsheet', 'c.xlsx', 'PK\u0003\u0004rest', /c\.xlsx is damaged; save it again/],
  ['a spreadsheet of another program', 'c.ods', archive('mimetype'), /c\.ods is an archive or another kind of spread/],
  ['an archive without a known name', 'c.zip', archive('c.csv'), /c\.zip is an archive or another kind of spreadsheet/],
  ['an old spreadsheet', 'c.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /c\.xls is an archive or another kind of/],
  [
    'a PDF',
    'c.csv',
    '%PDF-1.7\n%âãÏÓ\n',
    /c\.csv is a document of another kind, such as a web page or a PDF; save its/,
  ],
  [
    'a web page',
    'c.csv',
    '\ufeff \n<!DOCTYPE html>\n<html lang="en">\n',
    /c\.csv is a document of another kind, such as/,
  ],
  ['a web page of cells', 'c.xls', '<table border="1"><tr><td>name', /c\.xls is a document of another kind, such as/],
  ['XML', 'c.csv', '<?xml version="1.0"?>\n<Workbook/>', /c\.csv is a document of another kind, such as/],
  ['a missing file without a known name', 'c', undefined, /\/c does not exist$/],
  ['a compressed file', 'c.csv', gzipSync(rows), /is compressed; unpack it first$/],
  ['a JSON array', 'c.ndjson', '[{"name":"Ana"}]', /is a JSON array; NDJSON has an object on each line$/],
  ['a line without end', 'c.csv', `name\n${'x'.repeat(2_000_000)}`, /has a line of more than 1048576 bytes$/],
]

suite('import says clearly what is wrong with', { concurrency: 2 }, () => {
  for (const [what, name, content, said] of wrong) {
    test(what, async () => {
      await using desk = openReadyDesk()
      const file = content === undefined ? desk.path(name) : desk.write(name, content)
      const { code, stdout, stderr } = await desk.run(['import', 'customers', file])
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, /^dealdesk: [^\n]*\n$/, 'one line')
      assert.match(stderr.trimEnd(), said)
    })
  }

  test('a folder', async () => {
    await using desk = openReadyDesk()
    for (const name of ['c.csv', 'c']) {
      mkdirSync(desk.path(name))
      const { code, stderr } = await desk.run(['import', 'customers', desk.path(name)])
      assert.deepEqual([code, stderr], [1, `dealdesk: ${desk.path(name)} is a folder; name a file in it\n`])
    }
  })

  test('several columns that can be read in more than one way, once for each option', async () => {
    await using desk = openReadyDesk()
    const file = desk.write(
      'd.csv',
      lines('name,price,paid,completionDate', 'a,"1,234","2,345",01/02/2026', 'b,"1,234","2,345",02/03/2026'),
    )
    const { stderr } = await desk.run(['import', 'deals', file])
    const amounts = `"price" and "paid" can be read in more than one way: say --decimal ',' or --decimal '.'`
    const dates = '"completionDate" can be read in more than one way: say --dates dmy or --dates mdy'
    assert.equal(stderr, `dealdesk: ${amounts}; ${dates}\n`)
    const signs = desk.write('s.csv', lines('name,price', 'a,5 $', 'b,6 £', 'c,7 ¥'))
    const said = 'say --currency USD or --currency GBP or --currency JPY or another\n'
    assert.ok((await desk.run(['import', 'deals', signs])).stderr.endsWith(said))
  })

  test('a file that may not be read', { skip: process.getuid?.() === 0 && 'root may read everything' }, async () => {
    await using desk = openReadyDesk()
    chmodSync(desk.write('c.csv', rows), 0)
    const { code, stderr } = await desk.run(['import', 'customers', desk.path('c.csv')])
    assert.equal(code, 1)
    assert.match(stderr, /c\.csv may not be used by this user\n$/)
  })

  test('a folder that is missing for rejected rows, before anything is imported', async () => {
    await using desk = openReadyDesk()
    const file = desk.write('c.csv', lines('name,age', 'Ana,3', 'Bea,x'))
    const { code, stdout, stderr } = await desk.run(['import', 'customers', file, '--rejected', 'nowhere/r.ndjson'])
    assert.deepEqual([code, stdout, stderr], [1, '', 'dealdesk: the folder nowhere does not exist\n'])
    assert.deepEqual(desk.customers(), [])
  })

  test('a file for rejected rows that is the database or the file to import', async () => {
    await using desk = openReadyDesk()
    const content = lines('name,age', 'Ana,3', 'Bea,x')
    const file = desk.write('c.csv', content)
    symlinkSync(file, desk.path('link.csv'))
    const refused = async (rejected: string, said: string): Promise<void> => {
      const { code, stderr } = await desk.run(['import', 'customers', file, '--rejected', rejected])
      assert.deepEqual([code, stderr], [1, `dealdesk: ${rejected} ${said}\n`])
    }
    assert.equal((await desk.run(['import', 'customers', desk.write('good.csv', rows)])).code, 0)
    symlinkSync(desk.database, desk.path('link.db'))
    for (const rejected of [desk.database, desk.path('link.db')]) await refused(rejected, 'is the database itself')
    for (const end of ['-wal', '-shm', '-journal']) await refused(desk.database + end, 'belongs to the database')
    for (const rejected of [file, desk.path('link.csv')]) await refused(rejected, 'is the file to import')
    assert.equal(readFileSync(file, 'utf8'), content)
    assert.equal(desk.customers().length, 1)
  })

  test('standard input without a format, and with nothing in it', async () => {
    await using desk = openReadyDesk()
    const unsaid = await desk.runAlone(['import', 'customers', '-'], rows)
    assert.match(unsaid.stderr, /^dealdesk: choose the format of standard input: --format csv or --format ndjson\n$/)
    const nothing = await desk.runAlone(['import', 'customers', '-', '--format', 'csv'], '')
    assert.match(nothing.stderr, /^dealdesk: standard input is empty\n$/)
    assert.deepEqual([unsaid.code, nothing.code], [1, 1])
  })
})

test('a text is a table whatever its name is, unless it begins as JSON does', async () => {
  await using desk = openReadyDesk()
  for (const [name, content] of [
    ['a.txt', lines('Name\tFirma', 'Ana Ruiz\tRuiz')],
    ['b.xls', lines('Name;Firma', 'Bo Lind;Lind')],
    ['c', lines('{"name":"Cher"}')],
  ] as const) {
    const { code, stdout, stderr } = await desk.run(['import', 'customers', desk.write(name, content)])
    assert.deepEqual([code, stderr], [0, ''], name)
    assert.match(stdout, /^inserted 1, /)
  }
})

test('a file with headings and no rows says so and changes nothing', async () => {
  await using desk = openReadyDesk()
  for (const [things, header] of [
    ['customers', 'name,age'],
    ['deals', 'name,price'],
  ] as const) {
    const file = desk.write('c.csv', lines(header))
    const { code, stdout, stderr } = await desk.run(['import', things, file])
    assert.deepEqual([code, stderr], [0, `${file} has headings and no rows\n`])
    assert.match(stdout, /^inserted 0, updated 0, unchanged 0, rejected 0 /)
  }
})

test('a dry run writes nothing, unless it is told where wrong rows go', async () => {
  await using desk = openReadyDesk()
  const file = desk.write('c.csv', lines('name,age', 'Ana,3', ...Array.from({ length: 21 }, (_, n) => `B${n},x`)))
  const before = readdirSync(desk.folder)
  const { code, stdout, stderr } = await desk.run(['import', 'customers', file, '--dry-run'])
  assert.equal(code, 1)
  assert.match(stdout, /^dry run, nothing is written: inserted 1, updated 0, unchanged 0, rejected 21 [^\n]*\n$/)
  assert.match(stderr, /\nand 18 more rows such as: age must be [^\n]*\n--rejected FILE takes all rejected rows\n$/)
  assert.deepEqual(readdirSync(desk.folder), before)
  const kept = desk.path('wrong.ndjson')
  const asked = await desk.run(['import', 'customers', file, '--dry-run', '--rejected', kept])
  assert.match(asked.stdout, /\nrejected rows are in .*wrong\.ndjson\n$/)
  assert.equal(readFileSync(kept, 'utf8').trimEnd().split('\n').length, 21)
  assert.deepEqual(desk.customers(), [])
})

test('reasons name columns as the file does, and what creates what was not found', async () => {
  await using desk = openReadyDesk()
  const content = lines('reference,Deal name,Amount,Company', 'a,,5,', 'b,B,6,Nobody', 'c,C')
  const { stderr } = await desk.run(['import', 'deals', desk.write('d.csv', content)])
  assert.equal(
    stderr,
    lines(
      'line 2: Deal name is required',
      'line 3: Company “Nobody” was not found',
      'line 4: has 2 cells where the header has 4',
      '--create missing creates what was not found',
    ),
  )
})

test('columns that are left out are named, and --map says what they are', async () => {
  await using desk = openReadyDesk()
  const file = desk.write('d.csv', lines('Titel;Was es kostet;Farbe', 'Dach;25;rot'))
  const left = `left out: "Was es kostet", "Farbe"; --map 'HEADING=FIELD' says what a column is`
  const refused = await desk.run(['import', 'deals', file])
  assert.deepEqual([refused.code, refused.stderr], [1, lines(left, 'line 2: price is required')])
  const { code, stdout, stderr } = await desk.run(['import', 'deals', file, '--map', 'Was es kostet=price*1000'])
  assert.deepEqual([code, stderr], [0, lines(`left out: "Farbe"; --map 'HEADING=FIELD' says what a column is`)])
  assert.match(stdout, /^inserted 1, /)
  for (const [option, said] of [
    [['--map', 'Was es kostt=price'], /d\.csv has no column "Was es kostt", did you mean Was es kostet\?/],
    [['--map', 'Farbe=prise'], /there is no field "prise", did you mean price\?/],
    [['--map', 'Farbe'], /It must be HEADING=FIELD, HEADING=FIELD\*1000 or HEADING=\./],
    [['--default', 'stage=warm'], /--default stage=warm: must be one of lead, /],
    [['--default', 'reference=A'], /--default: there is no field reference for it/],
    [['--sheet', 'Liste'], /d\.csv has no sheet with that name/],
    [['--headings', '9'], /d\.csv has nothing in the row that was chosen for the headings/],
  ] as const)
    assert.match((await desk.run(['import', 'deals', file, ...option])).stderr, said, option.join(' '))
})

test('values are matched, and those that nobody knows are named', async () => {
  await using desk = openReadyDesk()
  const rows = ['Titel;Betrag;Phase', 'A;1;Closed Won', 'B;1;Warm', 'C;1;Warm', 'D;1;Proposal Made']
  const file = desk.write('d.csv', lines(...rows))
  const first = await desk.run(['import', 'deals', file, '--dry-run'])
  const taken = 'Phase: "Closed Won" (1) as status "completed", "Proposal Made" (1) as stage "proposal"'
  const unknown = 'Phase: nobody knows "Warm" (2); --values FILE says what they mean'
  assert.ok(first.stderr.startsWith(lines(taken, unknown)), first.stderr)
  const values = desk.write('v.json', JSON.stringify({ Phase: { Warm: { stage: 'negotiation' } } }))
  const { code, stdout } = await desk.run(['import', 'deals', file, '--values', values])
  assert.deepEqual([code, stdout.startsWith('inserted 4, ')], [0, true], stdout)
  for (const [content, said] of [
    ['{', /v\.json is no JSON: /],
    ['{"Phase": 5}', /v\.json must be JSON such as \{"Phase": /],
    ['{"Phase": {"Warm": {"stage": "warm"}}}', /v\.json: \/values\/Phase\/Warm\/stage must be one of lead, /],
    ['{"Phse": {"Warm": null}}', /d\.csv has no column "Phse", did you mean Phase\?/],
  ] as const)
    assert.match((await desk.run(['import', 'deals', file, '--values', desk.write('v.json', content)])).stderr, said)
})

test('rows that look like things that are there come in again only with --yes', async () => {
  await using desk = openReadyDesk()
  const file = desk.write('c.csv', lines('name,email', 'Ana,ana@example.com', 'Bo,'))
  assert.equal((await desk.run(['import', 'customers', file])).code, 0)
  const looks = '2 rows look like customers that are there, and no column has an id or a reference'
  const again = await desk.run(['import', 'customers', file])
  const refusal = 'dealdesk: nothing is imported; --yes imports them as new customers'
  assert.deepEqual([again.code, again.stdout, again.stderr], [1, '', lines(looks, refusal)])
  const input = await desk.runAlone(['import', 'customers', '-', '--format', 'csv'], lines('name', 'Bo'))
  assert.match(input.stderr, /^dealdesk: 1 row looks like customers that are there, .*; --yes imports them as new/)
  const dry = await desk.run(['import', 'customers', file, '--dry-run'])
  assert.deepEqual([dry.code, dry.stderr], [0, lines(looks)])
  assert.equal(desk.customers().length, 2)
  assert.equal((await desk.run(['import', 'customers', file, '--yes'])).code, 0)
  assert.equal(desk.customers().length, 4)
  const deals = desk.write('d.csv', lines('name,price', 'Roof,1', 'Lift,2'))
  assert.equal((await desk.run(['import', 'deals', deals])).code, 0)
  assert.match((await desk.run(['import', 'deals', deals])).stderr, /^2 rows look like deals that are there/)
})
