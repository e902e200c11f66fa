import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { lines, openDesk } from '../support/service/running-command.ts'

type Content = string | Uint8Array

const rows = lines('name', 'Ana')
const wrong: readonly (readonly [what: string, name: string, content: Content | undefined, said: RegExp])[] = [
  ['a missing file', 'c.csv', undefined, /c\.csv does not exist$/],
  ['an empty file', 'c.csv', '', /c\.csv is empty$/],
  ['a file with a byte order mark and nothing else', 'c.csv', '\ufeff', /c\.csv is empty$/],
  ['a file of blank lines', 'c.csv', '\n\r\n\n', /c\.csv is empty$/],
  ['an unknown column', 'c.csv', lines('id,nmae'), /c\.csv: there is no column "nmae", did you mean name\?$/],
  ['rows without a header', 'c.csv', lines('1,Ana Silva,30'), /there is no column name; the columns are id, name, /],
  ['a header without name', 'c.csv', lines('id,email'), /there is no column name; the columns are id, name, /],
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
  ['a compressed file', 'c.csv', gzipSync(rows), /is compressed; unpack it first$/],
  ['a JSON array', 'c.ndjson', '[{"name":"Ana"}]', /is a JSON array; NDJSON has an object on each line$/],
  [
    'a name that does not say what it is',
    'c.txt',
    rows,
    /choose the format of .*c\.txt: --format csv or --format ndjson$/,
  ],
  ['a line without end', 'c.csv', `name\n${'x'.repeat(2_000_000)}`, /has a line of more than 1048576 bytes$/],
]

suite('import says clearly what is wrong with', { concurrency: 2 }, () => {
  for (const [what, name, content, said] of wrong) {
    test(what, async () => {
      await using desk = openDesk()
      const file = content === undefined ? desk.path(name) : desk.write(name, content)
      const { code, stdout, stderr } = await desk.run(['import', 'customers', file])
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, /^dealdesk: [^\n]*\n$/, 'one line')
      assert.match(stderr.trimEnd(), said)
    })
  }

  test('a folder', async () => {
    await using desk = openDesk()
    mkdirSync(desk.path('c.csv'))
    const { code, stderr } = await desk.run(['import', 'customers', desk.path('c.csv')])
    assert.equal(code, 1)
    assert.match(stderr, /^dealdesk: .*c\.csv is a folder; name a file in it\n$/)
  })

  test('a file that may not be read', { skip: process.getuid?.() === 0 && 'root may read everything' }, async () => {
    await using desk = openDesk()
    chmodSync(desk.write('c.csv', rows), 0)
    const { code, stderr } = await desk.run(['import', 'customers', desk.path('c.csv')])
    assert.equal(code, 1)
    assert.match(stderr, /c\.csv may not be used by this user\n$/)
  })

  test('a folder that is missing for rejected rows, before anything is imported', async () => {
    await using desk = openDesk()
    const file = desk.write('c.csv', lines('name,age', 'Ana,3', 'Bea,x'))
    const { code, stdout, stderr } = await desk.run(['import', 'customers', file, '--rejected', 'nowhere/r.ndjson'])
    assert.deepEqual([code, stdout, stderr], [1, '', 'dealdesk: the folder nowhere does not exist\n'])
    assert.throws(() => desk.rows('SELECT 1'))
  })

  test('a file for rejected rows that is the database or the file to import', async () => {
    await using desk = openDesk()
    const content = lines('name,age', 'Ana,3', 'Bea,x')
    const file = desk.write('c.csv', content)
    symlinkSync(file, desk.path('link.csv'))
    const refused = async (rejected: string, said: string): Promise<void> => {
      const { code, stderr } = await desk.run(['import', 'customers', file, '--rejected', rejected])
      assert.deepEqual([code, stderr], [1, `dealdesk: ${rejected} ${said}\n`])
    }
    await refused(desk.database, 'is the database itself')
    assert.equal(existsSync(desk.database), false, 'also before there is one')
    assert.equal((await desk.run(['import', 'customers', desk.write('good.csv', rows)])).code, 0)
    symlinkSync(desk.database, desk.path('link.db'))
    for (const rejected of [desk.database, desk.path('link.db')]) await refused(rejected, 'is the database itself')
    for (const end of ['-wal', '-shm', '-journal']) await refused(desk.database + end, 'belongs to the database')
    for (const rejected of [file, desk.path('link.csv')]) await refused(rejected, 'is the file to import')
    assert.equal(readFileSync(file, 'utf8'), content)
    assert.equal(desk.customers().length, 1)
  })

  test('standard input without a format, and with nothing in it', async () => {
    await using desk = openDesk()
    const unsaid = await desk.runAlone(['import', 'customers', '-'], rows)
    assert.match(unsaid.stderr, /^dealdesk: choose the format of standard input: --format csv or --format ndjson\n$/)
    const nothing = await desk.runAlone(['import', 'customers', '-', '--format', 'csv'], '')
    assert.match(nothing.stderr, /^dealdesk: standard input is empty\n$/)
    assert.deepEqual([unsaid.code, nothing.code], [1, 1])
  })
})
