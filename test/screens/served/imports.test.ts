import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { performWave } from '../../../src/imports/rows/perform-wave.ts'
import { packed } from '../../../src/imports/uploads/upload.ts'
import { SERVICE } from '../../../src/store/port/desk.ts'
import { sheets } from '../../support/inputs/sheets.ts'
import { spreadsheet } from '../../support/inputs/spreadsheet.ts'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { task } from '../../support/schema.ts'
import { basic, bearer, type ClosedService, runClosedService } from '../../support/service/closed-service.ts'
import { fileForm } from '../../support/service/file-form.ts'
import type { Answered, Shown } from '../../support/service/running-service.ts'
import { saidFaults } from '../../support/service/said-faults.ts'

// Files that people upload: read, checked, imported, and corrected.

let service: ClosedService
before(async () => {
  service = await runClosedService()
})
after(() => service.close())

const page = { accept: 'text/html' }

const ask = (method: string, path: string, body?: object, headers: object = {}, by = service.keys.editor) =>
  service.request(method, path, { headers: { ...bearer(by), ...headers }, ...(body && { body }) })

const send = (parts: Parameters<typeof fileForm>[0], headers: object = page): Promise<Answered> => {
  const { type, content } = fileForm(parts)
  return ask('POST', '/imports', content, { 'content-type': type, ...headers })
}

/** Uploads a file; gives its address. */
async function upload(what: string, file: string | Buffer, name = 'people.csv'): Promise<string> {
  const sent = await send({ what, file: { name, content: file } })
  assert.equal(sent.status, 303, sent.text)
  return String(sent.headers.location)
}

const post = async (address: string, fields: { readonly [name: string]: string } = {}): Promise<void> => {
  const sent = await ask('POST', address, new URLSearchParams(fields), page)
  assert.equal(sent.status, 303, sent.text)
}

/** The upload as soon as nobody is at it any more. */
async function settled(address: string): Promise<Shown> {
  for (;;) {
    const { body, status, text } = await ask('GET', address)
    assert.equal(status, 200, text)
    if (body.isRunning !== true) return body
    await setTimeout(10)
  }
}

/** Checks the file with the columns as they were guessed, and answers with what was found. */
async function check(address: string, columns: { readonly [name: string]: string } = {}): Promise<Shown> {
  await settled(address)
  if (Object.keys(columns).length > 0) await post(`${address}/matchings`, columns)
  return settled(address)
}

/** The fields of the columns, as the page shows them. */
async function guessedColumns(address: string): Promise<Record<string, string>> {
  await settled(address)
  const { text } = await ask('GET', address, undefined, page)
  const selects = [...text.matchAll(/<select name="field:([^"]+)".*?<\/select>/gs)]
  return Object.fromEntries(selects.map(([select, name]) => [name, /value="([^"]*)" selected/.exec(select)?.[1] ?? '']))
}

async function run(address: string): Promise<Shown> {
  await post(`${address}/runs`)
  return settled(address)
}

const countsOf = ({ stage, inserted, updated, unchanged, rejected }: Shown): unknown[] => [
  ...[stage, inserted, updated, unchanged, rejected],
]

const customersNamed = async (name: string): Promise<readonly Shown[]> =>
  (await ask('GET', `/customers?name=${encodeURIComponent(name)}`)).body.items as readonly Shown[]

/** On PostgreSQL the feed shows an event when no transaction that could come before it is open. */
async function importEvents(known = 0): Promise<readonly Shown[]> {
  for (;;) {
    const events = await eventsNow()
    if (events.length > known) return events
    await setTimeout(20)
  }
}

const insertedIn = ({ data }: Shown): unknown => ((data as Shown).params as Shown).inserted

const eventsNow = async (): Promise<readonly Shown[]> =>
  (await ask('GET', '/events?type=customers.imported')).body.items as readonly Shown[]

testOnEachStore('a file with faults is checked, imported, corrected and imported again', async () => {
  const file = [
    '\ufeffName;E-Mail;Alter;Firma;Bemerkung',
    "'t Hooft;thooft@example.com;52;Utrecht BV;x",
    '"Müller; Söhne";"mueller@example.com";41;"Die ""Zwei""";',
    'Wrong Age;a@example.com;two hundred;;',
    ';nobody@example.com;3;;',
    'Too;few',
    '"broken;x;1;;',
    'Last;last@example.com;7;;',
  ].join('\r\n')
  const address = await upload('customers', file)
  assert.deepEqual(await guessedColumns(address), {
    ...{ Name: 'name', 'E-Mail': 'email', Alter: 'age', Firma: 'company', Bemerkung: '' },
  })
  const preview = await ask('GET', address, undefined, page)
  assert.match(preview.text, /two hundred<\/span><span class="fault">/)
  assert.deepEqual(countsOf(await check(address)), ['ready', 3, 0, 0, 4])
  assert.deepEqual(await customersNamed("'t Hooft"), [], 'a check writes nothing')
  assert.deepEqual(countsOf(await run(address)), ['done', 3, 0, 0, 4])
  const [mueller] = await customersNamed('Müller; Söhne')
  assert.equal(mueller?.company, 'Die "Zwei"')
  assert.equal((await customersNamed("'t Hooft")).length, 1)
  assert.deepEqual(
    (await importEvents()).map((event) => [(event.data as Shown).actor, insertedIn(event)]),
    [['editor-key', 3]],
  )

  const rejected = await ask('GET', `${address}/rejected.csv`)
  assert.equal(rejected.status, 200)
  assert.match(String(rejected.headers['content-disposition']), /people-rejected\.csv/)
  const [heading, ...rows] = rejected.text.split('\r\n')
  assert.equal(heading, '\ufeffRejected because;Name;E-Mail;Alter;Firma;Bemerkung')
  assert.deepEqual(
    rows.map((row) => row.slice(row.indexOf(';') + 1)).filter((row) => row !== ''),
    ['Wrong Age;a@example.com;two hundred;;', ';nobody@example.com;3;;', 'Too;few', '"""broken;x;1;;"'],
  )
  const french = await ask('GET', `${address}/rejected.csv`, undefined, { 'accept-language': 'fr' })
  assert.match(french.text, /\r\nAlter\u00a0: /)
  assert.match(french.text, /a 2 cellules, et l’en-tête en a 5/)
  const corrected = rejected.text
    .replace('two hundred', '20')
    .replace(';;nobody@', ';Somebody;nobody@')
    .replace('Too;few', 'Too;few@example.com;;;')
    .replace('"""broken;x;1;;"', 'Mended;x@example.com;1;;')
  const again = await upload('customers', corrected)
  assert.equal((await guessedColumns(again))['Rejected because'], '', 'the reasons are no field')
  assert.deepEqual(countsOf(await check(again)), ['ready', 4, 0, 0, 0])
  assert.deepEqual(countsOf(await run(again)), ['done', 4, 0, 0, 0])
  assert.equal((await customersNamed('Mended')).length, 1)
})

test('what rows lack is told once for each field, and that names can be created', async () => {
  const address = await upload('deals', 'Company;Stage\nNobody;lead\n;lead\n;lead\n')
  assert.deepEqual(countsOf(await check(address)), ['ready', 0, 0, 0, 3])
  const { text } = await ask('GET', address, undefined, page)
  const found = /<ul>(<li><b>.*?)<\/ul>/s
    .exec(text)?.[1]
    ?.replaceAll(/<[^>]*>/g, '')
    .trim()
  assert.deepEqual(found?.split('\n').toSorted(), [
    '1 row: Company: “Nobody” was not found',
    '2 rows: “Name” is required',
    '2 rows: “Price” is required',
  ])
  assert.match(text, /What was not found can be created: choose that under “Change how the file is read”/)
  const { body } = await ask('GET', address)
  assert.deepEqual((body.faults as readonly Shown[]).map(({ column, count }) => [column, count]).toSorted(), [
    ['Company', 1],
    ['name', 2],
    ['price', 2],
  ])
})

test('a file with headings and no rows says so, whatever it lacks', async () => {
  for (const content of ['name;age\n', 'age;Bemerkung\n']) {
    const address = await upload('customers', content)
    assert.deepEqual(countsOf(await check(address)), ['ready', 0, 0, 0, 0])
    assert.match((await ask('GET', address, undefined, page)).text, /The file has headings and no rows\./)
  }
  const lacking = await upload('customers', 'age;Bemerkung\n3;x\n')
  assert.equal((await check(lacking)).stage, 'failed')
  assert.match((await ask('GET', lacking, undefined, page)).text, /A row needs a column that the file lacks/)
})

test('a row that an earlier release rejected has its reason as it was', async () => {
  const address = await upload('customers', 'name,age\nAnn,old\n')
  assert.deepEqual(countsOf(await check(address)), ['ready', 0, 0, 0, 1])
  const kept = JSON.stringify([{ line: 2, reason: 'age must be a number of years', row: 'Ann,old' }])
  await service.store.imports.putPiece(address.split('/').at(-1) ?? '', 'rejected', 0, await packed(kept))
  const { text } = await ask('GET', `${address}/rejected.csv`, undefined, { 'accept-language': 'fr' })
  assert.match(text, /\r\nage must be a number of years,Ann,old\r\n$/)
  assert.match((await ask('GET', address, undefined, page)).text, /age must be a number of years/)
})

testOnEachStore('customers who are named by their id are changed, and counted before', async () => {
  const made = await ask('POST', '/customers', { name: 'Id Holder', age: 30 })
  const { id } = made.body
  const address = await upload('customers', `id,name,age\n${id},Id Holder,31\n${id},Id Holder,31\n`)
  assert.deepEqual(countsOf(await check(address)), ['ready', 0, 1, 1, 0])
  assert.deepEqual(countsOf(await run(address)), ['done', 0, 1, 1, 0])
  assert.equal((await ask('GET', `/customers/${id}`)).body.age, 31)
})

const dealFile = `Name,Price,Completion date,Owner
Roof,10.50,2027-01-31,
Lift,12,2027-01-31,Mila Sanz
Bad,x,2027-01-31,
`

testOnEachStore(
  'deals go through their operations, and a file makes them once however often it is asked for',
  async () => {
    const mila = { name: 'mila', fullName: 'Mila Sanz', role: 'editor', password: 'correct horse battery' }
    assert.equal((await ask('POST', '/users', mila, {}, service.keys.admin)).status, 201)
    const address = await upload('deals', dealFile)
    assert.deepEqual(countsOf(await check(address)), ['ready', 2, 0, 0, 1])
    await Promise.all([post(`${address}/runs`), post(`${address}/runs`), post(`${address}/runs`)])
    assert.deepEqual(countsOf(await settled(address)), ['done', 2, 0, 0, 1])
    await post(`${address}/runs`)
    assert.equal((await settled(address)).stage, 'done')
    const { items = [] } = (await ask('GET', '/rest/v1/deals?name=Lift')).body
    assert.deepEqual(
      (items as readonly Shown[]).map(({ owner, price }) => [owner, price]),
      [['mila', 12]],
    )
    const history = await ask('GET', `/rest/v1/deals/${(items as readonly Shown[])[0]?.id}/history`)
    assert.ok((history.body.items as readonly Shown[]).every(({ actor }) => actor === 'editor-key'))
  },
)

testOnEachStore('tasks are imported under their references, and a second file changes them', async () => {
  const first = await upload('tasks', 'reference|title|dueOn\nT-1|Call|2027-01-02\n')
  await check(first)
  assert.deepEqual(countsOf(await run(first)), ['done', 1, 0, 0, 0])
  const second = await upload('tasks', 'reference|title|dueOn\nT-1|Call again|2027-01-02\n')
  assert.deepEqual(countsOf(await check(second)), ['ready', 0, 1, 0, 0])
  assert.deepEqual(countsOf(await run(second)), ['done', 0, 1, 0, 0])
})

test('encodings and delimiters are recognised, and can be chosen', async () => {
  const text = 'Name\tCompany\nÉlodie Œuvre\tCafé\n'
  const wide = Buffer.from(`\ufeff${text}`, 'utf16le')
  for (const content of [Buffer.from(text), wide, Buffer.from(wide).swap16(), latin(text)]) {
    const address = await upload('customers', content)
    const { text: shown } = await ask('GET', address, undefined, page)
    assert.match(shown, /Élodie Œuvre/)
    assert.match(shown, /<option value="tab" selected>/)
  }
  const address = await upload('customers', Buffer.from('Name\n\xb9\xf6\n', 'latin1'))
  await post(`${address}/matchings`, { encoding: 'windows-1250', delimiter: ';' })
  const { text: shown } = await ask('GET', address, undefined, page)
  assert.match(shown, /ąö/)
  assert.match(shown, /<option value=";" selected>/)
})

test('lines may end with CR alone, and cells have other line breaks', async () => {
  const rows = Array.from({ length: 1000 }, (_, at) => `Row ${at},${at % 90},"Two\nlines"\r`)
  const file = `name,age,"com\npany"\rOld M\x8cc,1,"Two\rlines"\r${rows.join('')}Last,2,`
  const address = await upload('customers', Buffer.from(file, 'latin1'))
  await post(`${address}/matchings`, { encoding: 'macintosh' })
  assert.deepEqual(await guessedColumns(address), { name: 'name', age: 'age', 'com\npany': 'company' })
  assert.deepEqual(countsOf(await check(address, { 'field:com\npany': '' })), ['ready', 1002, 0, 0, 0])
  assert.deepEqual(countsOf(await run(address)), ['done', 1002, 0, 0, 0])
  assert.equal((await customersNamed('Old Måc')).length, 1)
})

test('a delimiter that breaks the header is refused, and nothing is changed', async () => {
  const address = await upload('customers', '"name","age"\nA,1\n')
  const sent = await ask('POST', `${address}/matchings`, new URLSearchParams({ delimiter: ';' }))
  assert.equal(sent.status, 422)
  assert.match(sent.text, /there is text after a quoted cell/)
  assert.deepEqual(await guessedColumns(address), { name: 'name', age: 'age' })
})

/** Windows-1252, as spreadsheets save CSV in the West. */
const latin = (text: string): Buffer => Buffer.from(text.replaceAll('Œ', '\x8c'), 'latin1')

test('dates are read in the order that the rows tell or that is chosen', async () => {
  const dueOf = async (title: string) =>
    ((await ask('GET', `/rest/v1/tasks?title=${encodeURIComponent(title)}`)).body.items as readonly Shown[])[0]?.dueOn
  const told = await upload(
    'tasks',
    'Title;Due on\nTold;31.12.2026\nTold too;1.2.2027\nPlain;2027-02-03\nNone;31.02.2027\n',
  )
  assert.deepEqual(countsOf(await check(told)), ['ready', 3, 0, 0, 1])
  await run(told)
  assert.deepEqual(await Promise.all(['Told', 'Told too', 'Plain'].map(dueOf)), [
    '2026-12-31',
    '2027-02-01',
    '2027-02-03',
  ])
  const chosen = await upload('tasks', 'Title,Due on\nChosen,03/04/2027\n')
  await check(chosen, { 'dates:Due on': 'mdy' })
  await run(chosen)
  assert.equal(await dueOf('Chosen'), '2027-03-04')
})

test('what is no file of rows is refused with the page and a reason', async () => {
  const refused: readonly (readonly [string, Parameters<typeof fileForm>[0], number, RegExp])[] = [
    ['an empty file', { what: 'customers', file: { name: 'a.csv', content: '' } }, 422, /has no rows, or was not sent/],
    ['no file', { what: 'customers' }, 422, /has no rows, or was not sent/],
    [
      'blank lines',
      { what: 'customers', file: { name: 'a.csv', content: '\r\n\r\n' } },
      422,
      /has no rows, or was not sent/,
    ],
    ['a spreadsheet', { what: 'customers', file: { name: 'a.xlsx', content: 'PK\x03\x04rest' } }, 422, /is damaged/],
    [
      'a sheet that unpacks to far more than it is',
      { what: 'deals', file: { name: 'a.xlsx', content: bomb() } },
      422,
      /unpacks to more than can be imported at once/,
    ],
    ['a packed file', { what: 'deals', file: { name: 'a.gz', content: gzipSync('name\nA\n') } }, 422, /compressed/],
    [
      'a picture',
      { what: 'deals', file: { name: 'a.png', content: Buffer.alloc(100, 'a\0\0b') } },
      422,
      /no text at all/,
    ],
    ['a PDF', { what: 'deals', file: { name: 'a.csv', content: '%PDF-1.7\n%x,y\n' } }, 422, /web page or a PDF/],
    ['a page', { what: 'deals', file: { name: 'a.csv', content: '<html>\n<td>name' } }, 422, /web page or a PDF/],
    ['NDJSON', { what: 'customers', file: { name: 'a.csv', content: '{"name":"A","age":3}\n' } }, 422, /is JSON/],
    ['a JSON array', { what: 'deals', text: '[\r\n {\r\n  "name": "A" }]' }, 422, /is JSON/],
    [
      'a header with a stray quote',
      { what: 'customers', file: { name: 'a.csv', content: 'na"me,age\nA,1\nB,2\n' } },
      422,
      /a quote in an unquoted cell/,
    ],
    ['too many columns', { what: 'customers', file: { name: 'a.csv', content: wide(301) } }, 422, /300 columns/],
    [
      'far too many columns',
      { what: 'customers', file: { name: 'a.csv', content: wide(100_000) } },
      422,
      /300 columns/,
    ],
    ['nothing known', { what: 'webhooks', file: { name: 'a.csv', content: 'name\nA\n' } }, 422, /must be one of/],
    ['too much', { what: 'customers', file: { name: 'a.csv', content: Buffer.alloc(50_000_001, 'a') } }, 413, /50 MB/],
  ]
  for (const [name, parts, status, said] of refused) {
    const answer = await send(parts)
    assert.equal(answer.status, status, name)
    assert.match(answer.text, said, name)
    assert.match(answer.text, /type="file"/, name)
  }
  for (const [parts, pointer, detail] of [
    [{ file: { name: 'a.csv', content: 'name\nA\n' } }, '/on', 'must be one of customer, deal, task'],
    [{ what: 'customers' }, '/file', 'has no rows, or was not sent'],
    [{ what: 'customers', file: { name: 'a.xlsx', content: 'PK\x03\x04rest' } }, '/file', 'is damaged; save it again'],
    [
      { what: 'customers', file: { name: 'a.csv', content: 'na"me,age\nA,1\nB,2\n' } },
      '/file',
      'has a header that is not CSV: there is a quote in an unquoted cell',
    ],
    [
      { what: 'customers', file: { name: 'a.csv', content: '{"name":"A"}\n{"name":"B"}\n' } },
      '/file',
      'is JSON; save it as CSV',
    ],
  ] as const) {
    const { body } = await send(parts, {})
    assert.deepEqual([body.detail, saidFaults(body.errors)], [`${pointer.slice(1)} ${detail}`, [{ pointer, detail }]])
  }
  const { items = [] } = (await ask('GET', '/imports')).body
  assert.ok(
    (items as readonly Shown[]).every(({ name }) => name !== 'a.csv'),
    'nothing is kept of them',
  )
})

/** An XLSX file of some kilobytes with three million rows. */
const bomb = (): Buffer => spreadsheet([], { sheetXml: `<worksheet><sheetData>${'<row/>'.repeat(3_000_000)}` })

/** A header of so many columns and a row. */
const wide = (columns: number): string =>
  `${Array.from({ length: columns }, (_, n) => `c${n}`).join()}\n${'1,'.repeat(columns - 1)}1\n`

test('a file with 300 columns is taken, and one with a quote that does not end', async () => {
  for (const content of [wide(300), `name\n"x,\n${'x,\n'.repeat(200_000)}`]) {
    const { status, headers } = await send({ what: 'customers', file: { name: 'wide.csv', content } })
    assert.equal(status, 303)
    const shown = await ask('GET', String(headers.location), undefined, page)
    assert.equal(shown.status, 200)
    assert.ok(shown.text.length < 600_000, String(shown.text.length))
  }
})

test('a form says once what its file holds', async () => {
  const part = (head: string, content: string) =>
    `--b\r\ncontent-disposition: form-data; name=${head}\r\n\r\n${content}\r\n`
  const what = `${part('"what"', 'cust')}${part('"what"', 'omers')}`
  const body = Buffer.from(`${what}${part('"file"; filename="a.csv"', 'name\nA\n')}--b--\r\n`)
  const answer = await ask('POST', '/imports', body, { 'content-type': 'multipart/form-data; boundary=b' })
  assert.equal(answer.status, 400)
  assert.match(answer.body.detail, /more than once/)
})

test('what a file holds must be said before it', async () => {
  const part = (head: string, content: string) =>
    `--b\r\ncontent-disposition: form-data; name=${head}\r\n\r\n${content}\r\n`
  const late = `${part('"file"; filename="late.csv"', 'name\nA\n')}${part('"what"', 'customers')}`
  for (const body of [late, `${late}${part('"text"', 'name\nB\n')}`]) {
    const type = { 'content-type': 'multipart/form-data; boundary=b' }
    const answer = await ask('POST', '/imports', Buffer.from(`${body}--b--\r\n`), type)
    assert.equal(answer.status, 422)
    assert.deepEqual(saidFaults(answer.body.errors), [{ pointer: '/on', detail: 'must come before the file' }])
    const shown = await ask('POST', '/imports', Buffer.from(`${body}--b--\r\n`), { ...type, ...page })
    assert.match(shown.text, /must come before the file/)
  }
})

test('pasted rows are a file too, unless one is chosen', async () => {
  const pasted = await send({ what: 'customers', text: 'name\r\nPasted\r\n' })
  assert.deepEqual(countsOf(await check(String(pasted.headers.location))), ['ready', 1, 0, 0, 0])
  const both = await send({ what: 'customers', file: { name: 'b.csv', content: 'name\nA\nB\n' }, text: 'name\nC\n' })
  assert.deepEqual(countsOf(await check(String(both.headers.location))), ['ready', 2, 0, 0, 0])
})

test('hostile forms are refused in bounded memory', async () => {
  const type = 'multipart/form-data; boundary=b'
  const head = 'content-disposition: form-data; name="file"; filename="x.csv"'
  const bodies = [
    '',
    '--b',
    '--b--',
    `--b\r\n${head}\r\n\r\nname\r\nA`,
    `--b\r\n${'x'.repeat(20_000)}`,
    `--b\r\n\r\n\r\n--b--`,
    `--bx\r\n${head}\r\n\r\n--b--`,
    `${'--b\r\ncontent-disposition: form-data; name="n"\r\n\r\n1\r\n'.repeat(50)}--b--`,
  ]
  for (const body of bodies) {
    const answer = await ask('POST', '/imports', Buffer.from(body), { 'content-type': type, ...page })
    assert.ok([400, 415, 422].includes(answer.status), `${answer.status} for ${body.slice(0, 60)}`)
  }
  const without = await ask('POST', '/imports', Buffer.from('x'.repeat(100)), { 'content-type': 'multipart/form-data' })
  assert.equal(without.status, 400)
  for (const body of ['{"what":"customers"}', '{}', '']) {
    const json = await ask('POST', '/imports', Buffer.from(body), { 'content-type': 'application/json' })
    assert.deepEqual([json.status, String(json.headers.accept).split(',')[0]], [415, 'multipart/form-data'], body)
  }
})

test('a line without end is refused, and a quote without end costs a row', async () => {
  const content = `name\nA\n${'x'.repeat(1_500_000)}`
  const { status, text } = await send({ what: 'customers', file: { name: 'a.csv', content } })
  assert.equal(status, 422)
  assert.match(text, /a line of more than 1048576 bytes/)
  const quoted = await upload('customers', `name\n"${'xxxxxxxxx\n'.repeat(7000)}`)
  assert.equal((await check(quoted)).inserted, 6999)
})

test('an upload is its owner’s, and readers import nothing', async () => {
  const address = await upload('customers', 'name\nMine\n')
  await settled(address)
  // It shows rows of the file, which no browser is to store.
  for (const headers of [page, {}]) {
    assert.equal((await ask('GET', address, undefined, headers)).headers['cache-control'], 'no-store')
  }
  for (const [method, path] of [
    ['GET', address],
    ['GET', `${address}/rejected.csv`],
    ['POST', `${address}/runs`],
    ['POST', `${address}/matchings`],
    ['POST', `${address}/removals`],
  ] as const) {
    const others = await service.request(method, path, { headers: { ...basic('editor'), ...page } })
    assert.equal(others.status, 404, path)
  }
  assert.equal((await ask('GET', address, undefined, page, service.keys.admin)).status, 200, 'admins see all')
  assert.equal((await ask('GET', '/imports', undefined, page, service.keys.reader)).status, 403)
  await post(`${address}/removals`)
  assert.equal((await ask('GET', address)).status, 404)
})

testOnEachStore('an import that stopped says so, and goes on behind what it had kept', async () => {
  const names = Array.from({ length: 600 }, (_, at) => `Stopped ${at}`)
  const address = await upload('customers', `name\n${names.join('\n')}\n`)
  const id = address.split('/').at(-1) ?? ''
  assert.deepEqual(countsOf(await check(address)), ['ready', 600, 0, 0, 0])
  const toldBefore = (await eventsNow()).length
  // As if another process had imported the first 200 rows and died.
  const { imports } = service.store
  const dead = { runner: 'dead', lease: 60_000 }
  assert.equal(await imports.begin(id, 'importing', dead, new Date(Date.now() + 60_000).toISOString()), true)
  const { text: running } = await ask('GET', address, undefined, page)
  assert.match(running, /<progress/)
  const early = await ask('POST', `${address}/removals`, new URLSearchParams())
  assert.deepEqual([early.status, early.body.code], [409, 'wrong-state'])
  const step = { ...dead, lease: 0, id, upto: 201, position: 100, rejected: 0 }
  assert.equal(await imports.advance(step, { inserted: 200, updated: 0, unchanged: 0 }), true)
  const { text: stopped } = await ask('GET', address, undefined, page)
  assert.match(stopped, /The service stopped meanwhile.*200/s)
  assert.deepEqual(countsOf(await run(address)), ['done', 600, 0, 0, 0])
  const told = (await importEvents(toldBefore)).slice(toldBefore)
  assert.deepEqual(told.map(insertedIn), [600], 'what the dead one kept is told too')
  assert.equal((await customersNamed('Stopped 199')).length, 0)
  assert.equal((await customersNamed('Stopped 200')).length, 1)
  assert.equal(await imports.advance(step, { inserted: 1, updated: 0, unchanged: 0 }), false, 'the dead one is late')
})

testOnEachStore(
  'a row that was created by a run that died is counted as created, unless the file names it',
  async () => {
    const { imports } = service.store
    for (const [file, reference, counts] of [
      ['title\nDied 1\nx\nDied 3\n', null, ['done', 3, 0, 0, 0]],
      ['reference,title\nDied-1,Died 1\nDied-2,x\nDied-3,Died 3\n', 'Died-1', ['done', 2, 0, 1, 0]],
    ] as const) {
      const address = await upload('tasks', file)
      const id = address.split('/').at(-1) ?? ''
      assert.deepEqual(countsOf(await check(address)), ['ready', 3, 0, 0, 0])
      const dead = { runner: 'dead', lease: 0 }
      assert.equal(await imports.begin(id, 'importing', dead, new Date(Date.now() + 60_000).toISOString()), true)
      // As if its process had been killed between the first row and the step that counts it.
      const row = { values: { title: 'Died 1', reference }, key: `${id}-2`, line: 2, row: () => '' }
      const options = { dryRun: false, actor: 'editor-key', desk: service.store.as(SERVICE) }
      const [created] = await performWave(service.store, task, [row], options)
      assert.deepEqual(created, { status: 'fulfilled', value: 'inserted' })
      assert.deepEqual(countsOf(await run(address)), counts)
    }
    assert.equal(((await ask('GET', '/rest/v1/tasks?title=Died+1')).body.items as readonly Shown[]).length, 2)
  },
)

testOnEachStore('an import that died behind its last row is told when it goes on, once', async () => {
  const address = await upload('customers', 'name\nOne\nTwo\n')
  const id = address.split('/').at(-1) ?? ''
  await check(address)
  const toldBefore = (await eventsNow()).length
  const { imports } = service.store
  const dead = { runner: 'dead', lease: 60_000 }
  assert.equal(await imports.begin(id, 'importing', dead, new Date(Date.now() + 60_000).toISOString()), true)
  const step = { ...dead, lease: 0, id, upto: 3, position: 13, rejected: 0 }
  assert.equal(await imports.advance(step, { inserted: 2, updated: 0, unchanged: 0 }), true)
  assert.deepEqual(countsOf(await run(address)), ['done', 2, 0, 0, 0])
  assert.deepEqual((await importEvents(toldBefore)).slice(toldBefore).map(insertedIn), [2])
})

testOnEachStore('few unfinished uploads of one person are kept, and none for ever', async () => {
  for (let at = 1; at <= 11; at++) await settled(await upload('customers', 'name\nA\n', `many-${at}.csv`))
  const list = async () => (await ask('GET', '/imports?sort=-id')).body.items as readonly Shown[]
  const unfinished = (await list()).filter(({ stage }) => stage === 'ready')
  assert.equal(unfinished.length, 10)
  assert.equal(unfinished[0]?.name, 'many-11.csv')
  assert.ok((await list()).some(({ stage }) => stage === 'done'))
})

test('what a check knows is told: the first rows, values to match, who would be doubled, and what is left empty', async () => {
  const made = await ask('POST', '/customers', { name: 'Told One', email: 'told@example.com' })
  assert.equal(made.status, 201)
  const file =
    'Name,Amount,Customer,Stage,Close\nTold deal,"1,234.50",New Told,Closed Won,2027-01-31\nTold two,5,,Lukewarm,\n'
  const address = await upload('deals', file)
  await check(address, { create: 'missing' })
  const { text } = await ask('GET', address, undefined, page)
  assert.match(text, /The first rows, as they will be/)
  assert.match(text, /Told deal[\s\S]*1,234\.50 EUR[\s\S]*New Told/)
  assert.match(text, /<dt>New with them<\/dt><dd>1</)
  assert.match(text, /<b>1 row<\/b>: “<span lang="">Stage<\/span>” must be one of Lead, /)
  const won = /<select name="value:[^"]*Closed Won[^"]*"[\s\S]*?<\/select>/.exec(text)?.[0] ?? ''
  assert.match(won, /selected>Won</)
  const lukewarm = /<select name="(value:[^"]*Lukewarm[^"]*)"[\s\S]*?<option value="([^"]*)">Proposal</.exec(text)
  const [, name = '', meaning = ''] = (lukewarm ?? []).map((each) => each.replaceAll('&quot;', '"'))
  await post(`${address}/matchings`, { _part: 'values', [name]: meaning, 'default:completionDate': '' })
  const answered = await settled(address)
  assert.deepEqual(countsOf(answered), ['ready', 2, 0, 0, 0])
  assert.equal(answered.create, 'missing', 'answers about values leave the columns alone')
  await run(address)
  const [two] = (await ask('GET', '/rest/v1/deals?name=Told%20two')).body.items as readonly Shown[]
  assert.equal(two?.stage, 'proposal')

  const again = await upload('customers', 'Name,Email,Age\nTold Again,told@example.com,x\n')
  await check(again, { 'bad-cells': 'empty' })
  const warned = (await ask('GET', again, undefined, { ...page, 'accept-language': 'de' })).text
  assert.match(warned, /role="alert">1 Zeile sieht aus wie ein Eintrag, den es schon gibt/)
  assert.match(warned, /Leer gelassene Zellen[\s\S]*1 Zeile<\/b>: „<span lang="">Age<\/span>“ muss/)
  assert.doesNotMatch(warned, /Zeilen? abgelehnt/)
})

test('what a workbook has of sheets is shown, and its rejected rows are a workbook', async () => {
  const table = (name: string) => [
    ['Title', 'Amount'],
    [name, 64_040.9],
    ['Wrong', 'x'],
  ]
  const address = await upload('deals', sheets({ One: table('Sheet one'), Two: table('Sheet two') }), 'book.xlsx')
  assert.equal((await settled(address)).stage, 'asking')
  const { text } = await ask('GET', address, undefined, page)
  assert.match(text, /Several sheets have a table/)
  assert.match(
    text,
    /<select id="sheet" name="sheet">[\s\S]*Two<[\s\S]*<input id="headings" name="headings"[^>]*value="1"/,
  )
  assert.doesNotMatch(text, /name="delimiter"|name="encoding"/)
  await post(`${address}/matchings`, { sheet: 'Two', headings: '1' })
  const ready = await settled(address)
  assert.deepEqual(countsOf(ready), ['ready', 1, 0, 0, 1])
  const headers = { ...bearer(service.keys.editor) }
  const answer = await fetch(`${service.url}${address}/rejected.xlsx`, { headers })
  assert.match(String(answer.headers.get('content-disposition')), /book-rejected\.xlsx/)
  const rejected = Buffer.from(await answer.arrayBuffer())
  const back = await upload('deals', rejected, 'book-rejected.xlsx')
  assert.deepEqual((await settled(back)).rejected, 1)
})
