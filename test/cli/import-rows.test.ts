import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { layoutOf } from '../../src/imports/columns/layout.ts'
import { rowReader } from '../../src/imports/columns/row-reader.ts'
import { deal } from '../support/schema.ts'
import { lines, openReadyDesk } from '../support/service/running-command.ts'

interface Rejected {
  readonly line: number
  readonly reason: string
  readonly row: string
}

const rejectedIn = (file: string): readonly Rejected[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Rejected)

suite('import customers', { concurrency: 2 }, () => {
  test('reports every kind of broken CSV row with its line and reason, and takes the others', async () => {
    await using desk = openReadyDesk()
    const broken: readonly (readonly [row: string | Buffer, reason: RegExp])[] = [
      ['2,,ana@example.com,5,1,DE', /^name is required$/],
      ['3,Ana,nobody,5,1,DE', /^email must be an address/],
      ['4,Ana,a@example.com,5.5,1,DE', /^age must be an integer/],
      ['5,Ana,a@example.com,151,1,DE', /^age must be between 0 and 150$/],
      ['6,Ana,a@example.com,-1,1,DE', /^age must be between/],
      ['7,Ana,a@example.com,5,51,DE', /^children must be between 0 and 50$/],
      ['8,Ana,a@example.com,5,1,XX', /^country must be one of the ISO 3166-1/],
      ['0,Ana,a@example.com,5,1,DE', /^id must be between 1 and/],
      ['x,Ana,a@example.com,5,1,DE', /^id must be an integer/],
      ['9007199254740993,Ana,,,,', /^id must be between 1 and/],
      ['9,Ana,a@example.com,1e1,1,DE', /^age must be an integer/],
      ['10,Ana,a@example.com,+5,1,DE', /^age must be an integer/],
      [`11,${'x'.repeat(201)},,,,`, /^name must have at most 200 characters, not 201$/],
      ['12,A\u0001na,,,,', /^name must not contain the control character U\+0001$/],
      ['13,Ana,a@example.com,5,1', /^has 5 cells where the header has 6$/],
      ['14,Ana,a@example.com,5,1,DE,x', /^has 7 cells where the header has 6$/],
      ['15,"Ana"x,,,,', /^there is text after a quoted cell$/],
      ['16,A"na,,,,', /^there is a quote in an unquoted cell$/],
      ['17,Ana,a@example.com,5,1,Atlantis', /^country must be one of the ISO 3166-1/],
      ['18,Ana,nobody,x,1,XX', /^email .*; age .*; country .*$/],
      ['19,"Ana,,,,', /^there is text after a quoted cell|and never ends$/],
    ]
    const good = (id: number): string => `${id},Good ${id},g${id}@example.com,30,2,FR`
    const parts = broken.flatMap(([row], index) => [row, good(100 + index)])
    const content: Buffer[] = [Buffer.from('id,name,email,age,children,country\r\n')]
    for (const part of parts) content.push(typeof part === 'string' ? Buffer.from(part) : part, Buffer.from('\r\n'))
    const file = desk.write('c.csv', Buffer.concat(content))

    const { code, stdout, stderr } = await desk.run(['import', 'customers', file])
    assert.equal(code, 1)
    assert.match(stdout, /^inserted 21, updated 0, unchanged 0, rejected 21 in /)
    assert.match(stdout, /rejected rows are in .*c\.csv\.rejected\.ndjson\n$/)
    assert.equal(stderr.match(/^line \d+: /gm)?.length, 20, 'no more than twenty are shown')
    assert.deepEqual(
      desk.customers().map(({ name }) => name),
      broken.map((_, index) => `Good ${100 + index}`),
    )
    const rejected = rejectedIn(`${file}.rejected.ndjson`)
    assert.equal(rejected.length, broken.length)
    for (const [index, { line, reason, row }] of rejected.entries()) {
      const [sent, expected] = broken[index] ?? ['', /never/]
      assert.equal(line, 2 + 2 * index)
      assert.match(reason, expected)
      assert.equal(row, typeof sent === 'string' ? sent : sent.toString('latin1'))
    }
  })

  test('reports every kind of broken NDJSON row, and takes the others', async () => {
    await using desk = openReadyDesk()
    const broken: readonly (readonly [row: string, reason: RegExp])[] = [
      ['{"id":1', /^is not JSON$/],
      ['{"name":"Ana","age":5,"name":"Bea"}', /^name is given twice$/],
      ['{"name":"Ana","\\u0061ge":5,"age":6}', /^age is given twice$/],
      ['[1]', /^must be a JSON object$/],
      ['7', /^must be a JSON object$/],
      ['{"id":2}', /^name is required$/],
      ['{"name":null}', /^name must be a string$/],
      ['{"name":"Ana","age":"5"}', /^age must be an integer$/],
      ['{"name":"Ana","agee":5}', /^agee is not known here, did you mean age\?$/],
      ['{"name":"Ana","id":0}', /^id must be between/],
      ['{"name":"\\ud800"}', /^name must not contain a lone surrogate$/],
      ['{"name":"Ana","createdAt":"yesterday"}', /^createdAt must be an instant/],
    ]
    // The first line must not look like an array: such a file is refused as a whole.
    const rows = ['{"name":"First"}', ...broken.map(([row]) => row), '', '{"id":9,"name":"Last","age":null}']
    const file = desk.write('c.ndjson', lines(...rows))
    const { code, stdout } = await desk.run(['import', 'customers', file])
    assert.equal(code, 1)
    assert.match(stdout, new RegExp(`^inserted 2, updated 0, unchanged 0, rejected ${broken.length} in `))
    assert.deepEqual(
      desk.customers().map(({ id, name }) => [id, name]),
      [
        [1, 'First'],
        [9, 'Last'],
      ],
    )
    for (const [index, { line, reason }] of rejectedIn(`${file}.rejected.ndjson`).entries()) {
      assert.equal(line, index + 2)
      assert.match(reason, broken[index]?.[1] ?? /never/)
    }
  })

  test('loses no digit of an amount in NDJSON', () => {
    const { fromJson } = rowReader(layoutOf(deal))
    const read = (price: string) => fromJson([`{"reference":"A","name":"Lamps","price":${price}}`])
    assert.deepEqual(read('0.10'), { values: { reference: 'A', name: 'Lamps', price: 100 } })
    assert.ok('faults' in read('0.1000000000000000055'))
  })

  test('running it twice doubles and changes nothing; what differs is changed, what is absent stays', async () => {
    await using desk = openReadyDesk()
    const file = desk.write(
      'c.csv',
      lines(
        'id,name,email,age,children,country',
        '1,Ana,a@example.com,30,2,DE',
        '2,Bo,,,,',
        '7,Cy,c@example.com,40,0,FR',
      ),
    )
    assert.match(
      (await desk.run(['import', 'customers', file])).stdout,
      /^inserted 3, updated 0, unchanged 0, rejected 0/,
    )
    const before = desk.customers()
    const again = await desk.run(['import', 'customers', file])
    assert.equal(again.code, 0)
    assert.match(again.stdout, /^inserted 0, updated 0, unchanged 3, rejected 0/)
    assert.deepEqual(desk.customers(), before)

    const changes = desk.write('d.csv', lines('id,name,age', '1,Ana,31', '2,Bo,', '7,Cy,', ',Di,20', '7,Cyd,'))
    assert.match(
      (await desk.run(['import', 'customers', changes, '--dry-run'])).stdout,
      /^dry run, nothing is written: inserted 1, updated 3, unchanged 1, rejected 0/,
    )
    assert.deepEqual(desk.customers(), before)
    assert.match((await desk.run(['import', 'customers', changes])).stdout, /^inserted 1, updated 3, unchanged 1/)
    assert.deepEqual(
      desk.customers().map(({ id, name, email, age, country, revision }) => [id, name, email, age, country, revision]),
      [
        [1, 'Ana', 'a@example.com', 31, 'DE', 2],
        [2, 'Bo', null, null, null, 1],
        [7, 'Cyd', 'c@example.com', null, 'FR', 3],
        [8, 'Di', null, 20, null, 1],
      ],
    )
    const [row] = desk.rows('SELECT name, age, revision, updated_at FROM customers WHERE id = 1')
    const [ana] = desk.customers()
    assert.deepEqual({ ...row }, { name: 'Ana', age: 31, revision: 2, updated_at: ana?.updatedAt })
  })

  test('takes a byte order mark, quotes, line breaks in cells, and off goes only an apostrophe of an export', async () => {
    await using desk = openReadyDesk()
    const rows = [
      'name,email,createdAt,revision,updatedAt',
      `"O""Neil, Ann",,2026-01-02T03:04:05.678+01:00,77,never`,
      `'=cmd,,,,`,
      `''quoted,,,,`,
      `'t Hooft,,,,`,
      `"'@two\nlines",,,,`,
      `"",x@example.com,,,`,
      `Žofie Łęcka 陽菜,z@example.org,,,`,
    ]
    const { code, stdout } = await desk.runAlone(
      ['import', 'customers', '-', '--format', 'csv', '--rejected', 'r.ndjson'],
      `\ufeff${rows.join('\r\n')}`,
    )
    assert.equal(code, 1)
    assert.match(stdout, /^inserted 6, .* rejected 1 /)
    const customers = desk.customers()
    assert.deepEqual(
      customers.map(({ name }) => name),
      ['O"Neil, Ann', '=cmd', "'quoted", "'t Hooft", '@two\nlines', 'Žofie Łęcka 陽菜'],
    )
    assert.deepEqual([customers[0]?.createdAt, customers[0]?.revision], ['2026-01-02T02:04:05.678Z', 1])
    assert.deepEqual(
      rejectedIn(desk.path('r.ndjson')).map(({ line, reason }) => [line, reason]),
      [[8, 'name is required']],
    )
  })

  test('takes lines that end with CR alone, however long the file is', async () => {
    await using desk = openReadyDesk()
    // More than is read at a time.
    const rows = Array.from({ length: 6000 }, (_, at) => `"Row\r\n${at}",${at % 90}\r`)
    const file = desk.write('c.csv', `\ufeffname,age\rŽofie,x\r\r"Two\rlines",3\r${rows.join('')}Last,5`)
    const { stdout } = await desk.run(['import', 'customers', file])
    assert.match(stdout, /^inserted 6,002, updated 0, unchanged 0, rejected 1 /)
    const names = desk.customers().map(({ name }) => name)
    assert.deepEqual(names, ['Two\nlines', ...rows.map((_, at) => `Row\r\n${at}`), 'Last'])
    assert.deepEqual(rejectedIn(`${file}.rejected.ndjson`), [
      { line: 2, reason: 'age must be an integer such as 18', row: 'Žofie,x' },
    ])
  })

  test('takes a company and a phone number, and leaves what a customer has where the columns are absent', async () => {
    await using desk = openReadyDesk()
    const rows = ['1,Ana,Ruiz e Hijos,+34 91', '2,Bo,,', `3,Cy,${'x'.repeat(201)},${'5'.repeat(51)}`, "4,Di,'=Co,'+1"]
    const file = desk.write('c.csv', lines('id,name,company,phone', ...rows))
    assert.match((await desk.run(['import', 'customers', file])).stdout, /^inserted 3, .* rejected 1 /)
    const known = () => desk.customers().map(({ id, company, phone }) => [id, company, phone])
    const all = [
      [1, 'Ruiz e Hijos', '+34 91'],
      [2, null, null],
      [4, '=Co', '+1'],
    ]
    assert.deepEqual(known(), all)
    assert.deepEqual(
      rejectedIn(`${file}.rejected.ndjson`).map(({ reason }) => reason),
      ['company must have at most 200 characters, not 201; phone must have at most 50 characters, not 51'],
    )
    const without = desk.write('d.ndjson', lines('{"id":1,"name":"Anna"}', '{"id":4,"name":"Di","phone":null}'))
    assert.match((await desk.run(['import', 'customers', without])).stdout, /^inserted 0, updated 2, /)
    assert.deepEqual(known(), [...all.slice(0, 2), [4, '=Co', null]])
  })

  test('with --strict it stops before anything of the batch is kept', async () => {
    await using desk = openReadyDesk()
    const rows = Array.from(
      { length: 15_000 },
      (_, index) => `${index + 1},Name ${index + 1},${index === 14_000 ? 'x' : 30}`,
    )
    const file = desk.write('c.csv', lines('id,name,age', ...rows))
    const { code, stdout, stderr } = await desk.run(['import', 'customers', file, '--strict'])
    assert.equal(code, 1)
    assert.match(stderr, /\ndealdesk: stopped at line 14002: age must be an integer such as 18\n$/)
    assert.match(stdout, /^inserted 10,000, updated 0, unchanged 0, rejected 1 /)
    assert.equal(desk.customers().length, 10_000)
    const [event, ...others] = desk.rows('SELECT type, doc FROM events')
    assert.deepEqual({ ...event }, { type: 'customers.imported', doc: '{"inserted":10000,"updated":0,"unchanged":0}' })
    assert.deepEqual(others, [])
  })

  test('columns have what documents have, whether all rows give a field, some or none', async () => {
    await using desk = openReadyDesk()
    const some = (n: number) => [
      n,
      `N${n}`,
      n % 3 ? n : '',
      n === 30 ? "Co's" : '',
      n % 5 ? '' : '2020-01-02T03:04:05Z',
    ]
    const rows = Array.from({ length: 45 }, (_, at) => some(at + 1).join(','))
    const names = Array.from({ length: 25 }, (_, at) => `Only ${at}`)
    for (const content of [lines('id,name,age,company,createdAt', ...rows), lines('name', ...names)]) {
      assert.equal((await desk.run(['import', 'customers', desk.write('c.csv', content)])).code, 0)
    }
    const columns =
      'id, name, email, age, children, country, company, phone, reference, created_at, updated_at, revision'
    const stored = desk.rows(`SELECT ${columns} FROM customers ORDER BY id`)
    assert.equal(stored.length, 70)
    assert.deepEqual(
      stored.map(({ created_at, updated_at, ...others }) => ({
        ...others,
        createdAt: created_at,
        updatedAt: updated_at,
      })),
      desk.customers().map((each) => ({ ...each })),
    )
    assert.deepEqual(
      [5, 30, 31, 46]
        .map((id) => stored[id - 1])
        .map((row) => [row?.age, row?.company, String(row?.created_at).slice(0, 4)]),
      [
        [5, null, '2020'],
        [null, "Co's", '2020'],
        [31, null, stored[30]?.updated_at?.toString().slice(0, 4)],
        [null, null, stored[45]?.updated_at?.toString().slice(0, 4)],
      ],
    )
  })

  test('a customer is never updated before it was created or updated last', async () => {
    await using desk = openReadyDesk()
    const future = '2999-12-31T23:59:59.999Z'
    for (const age of [30, 31]) {
      const row = JSON.stringify({ id: 1, name: 'Ana', age, createdAt: future })
      assert.equal((await desk.run(['import', 'customers', desk.write('c.ndjson', lines(row))])).code, 0)
      const [ana] = desk.customers()
      const [row1] = desk.rows('SELECT updated_at FROM customers')
      assert.deepEqual([ana?.age, ana?.updatedAt, row1?.updated_at], [age, future, future])
    }
  })

  test('behind the largest id that a file may give there is room for more', async () => {
    await using desk = openReadyDesk()
    const file = desk.write('c.csv', 'id,name\n9007199254740991,Too large\n9000000000000000,Last\n,Next\n')
    const { code, stdout } = await desk.run(['import', 'customers', file])
    assert.equal(code, 1)
    assert.match(stdout, /^inserted 2, updated 0, unchanged 0, rejected 1 in /)
    assert.match(rejectedIn(`${file}.rejected.ndjson`)[0]?.reason ?? '', /^id must be between 1 and 9000000000000000$/)
    assert.deepEqual(
      desk.customers().map(({ id, name }) => [id, name]),
      [
        [9e15, 'Last'],
        [9e15 + 1, 'Next'],
      ],
    )
  })

  test('an id assigned once is not assigned again, whatever the order of the rows', async () => {
    await using desk = openReadyDesk()
    const rows = [',A', '5,B', ',C', '2,D', '1,E', '6,F', ',G']
    const { stdout } = await desk.run(['import', 'customers', desk.write('c.csv', lines('id,name', ...rows))])
    assert.match(stdout, /^inserted 5, updated 2, unchanged 0/)
    assert.deepEqual(
      desk.customers().map(({ id, name }) => `${id}${name}`),
      ['1E', '2D', '5B', '6F', '7G'],
    )
  })
})
