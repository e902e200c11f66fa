import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sheets, styled } from '../../support/inputs/sheets.ts'
import { testOnEachStore as test, test as testOnce } from '../../support/rooms/each-store.ts'
import { bearer, type ClosedService, runClosedService } from '../../support/service/closed-service.ts'
import type { Shown } from '../../support/service/running-service.ts'

// What the values, sheets and headings of files mean, as programs say it. Contract §27.

let service: ClosedService
before(async () => {
  service = await runClosedService()
  const bert = { name: 'bert', fullName: 'Bert Öztürk', email: 'bert@example.com', role: 'editor' }
  const made = await ask('POST', '/users', { ...bert, password: 'correct horse battery' }, {}, service.keys.admin)
  assert.equal(made.status, 201, made.text)
})
after(() => service.close())

const ask = (method: string, path: string, body?: object, headers: object = {}, by = service.keys.editor) =>
  service.request(method, path, { headers: { ...bearer(by), ...headers }, ...(body && { body }) })

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

async function send(on: string, file: string | Buffer, more = '', by = service.keys.editor): Promise<string> {
  const type = typeof file === 'string' ? 'text/csv' : XLSX
  const sent = await ask('POST', `/imports?on=${on}${more}`, Buffer.from(file), { 'content-type': type }, by)
  assert.equal(sent.status, 201, sent.text)
  return String(sent.headers.location)
}

/** The import as soon as nobody is at it any more. */
async function settled(address: string): Promise<Shown> {
  for (;;) {
    const { body, status, text } = await ask('GET', address, undefined, {}, service.keys.admin)
    assert.equal(status, 200, text)
    if (body.isRunning !== true) return body
    await setTimeout(10)
  }
}

async function patched(address: string, body: object, by = service.keys.editor): Promise<Shown> {
  const { status, text } = await ask('PATCH', address, body, {}, by)
  assert.equal(status, 200, text)
  return settled(address)
}

async function run(address: string): Promise<Shown> {
  assert.equal((await ask('POST', `${address}/runs`)).status, 202)
  return settled(address)
}

const valuesOf = ({ values }: Shown): unknown[] =>
  (values as readonly Shown[]).map(({ column, value, count, as }) => [column, value, count, as])

const itemsOf = async (path: string): Promise<readonly Shown[]> =>
  ((await ask('GET', path)).body.items ?? []) as readonly Shown[]

const dealNamed = async (name: string): Promise<Shown> => {
  const [deal, ...others] = await itemsOf(`/rest/v1/deals?name=${encodeURIComponent(name)}`)
  assert.ok(deal && others.length === 0, name)
  return deal
}

test('values that nobody knows are listed, set beforehand for known products, answered, and kept', async () => {
  const rows = (...lines: readonly string[]) => `${lines.join('\n')}\n`
  const file = rows(
    'Titel;Betrag;Phase;Zuständig',
    'V one;10;Closed Won;Öztürk, Bert',
    'V two;20;Proposal Made;bert@example.com',
    'V three;30;Ganz warm;Karla',
    'V four;40;ganz  warm;',
    'V five;50;Angebot;BERT',
  )
  const address = await send('deal', file)
  const found = await settled(address)
  assert.deepEqual([found.stage, found.inserted, found.rejected], ['ready', 3, 2])
  assert.deepEqual(valuesOf(found), [
    ['Phase', 'Closed Won', 1, { status: 'completed' }],
    ['Phase', 'Proposal Made', 1, { stage: 'proposal' }],
    ['Phase', 'Ganz warm', 2, null],
    ['Zuständig', 'Karla', 1, null],
  ])
  const answers = { Phase: { 'Ganz warm': { stage: 'negotiation' } }, Zuständig: { Karla: { owner: 'bert' } } }
  const answered = await patched(address, { values: answers })
  assert.deepEqual([answered.stage, answered.inserted, answered.rejected], ['ready', 5, 0])
  // A preset is an answer that can be changed; others stay.
  const changed = await patched(address, { values: { Phase: { 'Closed Won': { stage: 'contract' } } } })
  assert.deepEqual(valuesOf(changed).slice(0, 3), [
    ['Phase', 'Closed Won', 1, { stage: 'contract' }],
    ['Phase', 'Proposal Made', 1, { stage: 'proposal' }],
    ['Phase', 'Ganz warm', 2, { stage: 'negotiation' }],
  ])
  assert.equal((await run(address)).inserted, 5)
  assert.partialDeepStrictEqual(await dealNamed('V one'), { stage: 'contract', status: 'open', owner: 'bert' })
  assert.partialDeepStrictEqual(await dealNamed('V three'), { stage: 'negotiation', owner: 'bert' })

  const next = await settled(await send('deal', rows('Phase;Zuständig;Titel;Betrag', 'Ganz warm;;V six;1')))
  assert.deepEqual(valuesOf(next), [['Phase', 'Ganz warm', 1, { stage: 'negotiation' }]])
  // What an editor answered is nobody else's.
  const others = await send('deal', rows('Phase;Zuständig;Titel;Betrag', 'Ganz warm;;V six;1'), '', service.keys.admin)
  assert.deepEqual(valuesOf(await settled(others)), [['Phase', 'Ganz warm', 1, null]])
  const undone = await ask('POST', `${address}/undoings`)
  assert.equal(undone.status, 200, undone.text)
})

test('an admin answers for everybody, and names who comes later', async () => {
  const file = 'Owner,Name,Amount,Stage\nKarla,W one,1,Halbgar\n'
  const refused = await ask('PATCH', await send('deal', file), { values: { Stage: { Halbgar: null } }, keep: 'all' })
  assert.equal(refused.status, 403)
  const address = await send('deal', file, '', service.keys.admin)
  await settled(address)
  const later = { Owner: { Karla: { later: true } }, Stage: { Halbgar: null } }
  assert.equal((await ask('PATCH', await send('deal', file), { values: later })).status, 403)
  const body = await patched(address, { values: later, keep: 'all' }, service.keys.admin)
  assert.deepEqual(valuesOf(body), [
    ['Owner', 'Karla', 1, { later: true }],
    ['Stage', 'Halbgar', 1, { stage: null }],
  ])
  assert.deepEqual([body.stage, body.inserted], ['ready', 1])
  const next = await settled(await send('deal', 'Amount,Stage,Name,Owner\n1,Halbgar,W two,Karla\n'))
  assert.deepEqual(valuesOf(next), valuesOf(body).toSorted().toReversed())
  const ran = await ask('POST', `${address}/runs`, undefined, {}, service.keys.admin)
  assert.equal(ran.status, 202)
  await settled(address)
  assert.partialDeepStrictEqual(await dealNamed('W one'), { owner: 'Karla', stage: 'lead' })
})

testOnce('answers name columns, fields and values that there are', async () => {
  const address = await send('deal', 'Name,Amount,Stage\nX,1,Warm\n')
  await settled(address)
  const wrong = await ask('PATCH', address, {
    values: { Stag: {}, Stage: { Warm: { stage: 'warm' }, Cold: { stages: 'lead' }, Hot: { owner: 5 } } },
    defaults: { pric: 0, price: 'x', reference: 'R' },
  })
  assert.equal(wrong.status, 422)
  assert.deepEqual(wrong.body.errors.map(({ pointer }) => pointer).toSorted(), [
    ...['/defaults/pric', '/defaults/price', '/defaults/reference', '/values/Stag'],
    ...['/values/Stage/Cold/stages', '/values/Stage/Hot/owner', '/values/Stage/Warm/stage'],
  ])
  for (const [body, pointer] of [
    [{ sheet: 'Liste' }, '/sheet'],
    [{ headings: 9 }, '/headings'],
    [{ keep: 'mine' }, '/keep'],
    [{ values: { Stage: { Warm: 5 } } }, '/values'],
  ] as const) {
    const { status, body: problem } = await ask('PATCH', address, body)
    assert.deepEqual([status, problem.errors.map((each) => each.pointer)], [422, [pointer]], pointer)
  }
})

test('defaults fill what a file lacks, columns and empty cells, and change nothing that there is', async () => {
  const known = await ask('POST', '/rest/v1/deals', { name: 'D old', price: 7, reference: 'D-1', stage: 'proposal' })
  const file = 'Ref,Name,Amount\nD-1,D old,\nD-2,D new,\nD-3,D lost,5\n'
  const address = await send('deal', file)
  assert.equal((await settled(address)).rejected, 1, 'a new deal needs a price')
  const defaults = { price: 0, stage: 'qualified', currency: 'CHF', closingReason: 'no reason' }
  const body = await patched(address, { defaults })
  assert.deepEqual([body.stage, body.defaults, body.inserted, body.updated], ['ready', defaults, 2, 1])
  await run(address)
  assert.partialDeepStrictEqual(await dealNamed('D new'), { price: 0, stage: 'qualified', currency: 'CHF' })
  assert.partialDeepStrictEqual(await dealNamed('D old'), {
    price: 0,
    stage: 'proposal',
    currency: known.body.currency,
  })
  const lost = await send('deal', 'Name,Amount,Stage\nD gone,5,Closed Lost\nD here,5,Lead\n')
  await settled(lost)
  assert.equal((await patched(lost, { defaults: { closingReason: 'no reason' } })).inserted, 2)
  await run(lost)
  assert.partialDeepStrictEqual(await dealNamed('D gone'), { status: 'cancelled', closingReason: 'no reason' })
  const customers = await send('customer', 'Name,Land\nDef one,\nDef two,AT\n')
  await patched(customers, { defaults: { country: 'CH', company: 'Def' } })
  await run(customers)
  const made = await itemsOf('/customers?company=Def&sort=name')
  assert.deepEqual(
    made.map(({ name, country }) => [name, country]),
    [
      ['Def one', 'CH'],
      ['Def two', 'AT'],
    ],
  )
})

test('a workbook is read below titles, in the sheet with the table, or where somebody says', async () => {
  const table = (...names: readonly string[]) => [
    ['Report', null, null],
    ['Made by', 'Bert', null],
    [],
    ['Title', 'Amount', 'Stage'],
    ...names.map((name, at) => [name, at + 1, 'Lead']),
    ['Total', 99, null],
  ]
  const one = await settled(
    await send('deal', sheets({ Cover: [['Pipeline']], Data: table('S one'), Notes: [['a'], ['b']] })),
  )
  assert.deepEqual([one.stage, one.sheet, one.headings, one.inserted], ['ready', 'Data', 4, 1])
  assert.deepEqual(
    (one.faults as readonly Shown[]).map(({ code, rows }) => [code, rows]),
    [['totals-row', [6]]],
  )
  const address = await send('deal', sheets({ '2025': table('S two'), '2026': table('S three', 'S four') }))
  const two = await settled(address)
  assert.deepEqual([two.stage, two.asked], ['asking', [{ column: null, about: 'sheet', choices: ['2025', '2026'] }]])
  const chosen = await patched(address, { sheet: '2026' })
  assert.deepEqual([chosen.stage, chosen.sheet, chosen.asked, chosen.inserted], ['ready', '2026', [], 2])
  const below = await patched(address, { headings: 5 })
  assert.deepEqual(
    (below.columns as readonly Shown[]).map(({ heading }) => heading),
    ['S three', '1', 'Lead'],
  )
  assert.equal((await patched(address, { headings: 4 })).inserted, 2)
})

test('a unit in a heading is asked about, and numbers are multiplied by it', async () => {
  const address = await send('deal', 'Name;VOLUMEN (T€);Stage\nU one;25;Lead\nU two;1,5;Lead\n')
  const found = await settled(address)
  assert.equal(found.stage, 'asking')
  assert.deepEqual(found.asked, [{ column: 'VOLUMEN (T€)', about: 'unit', choices: [1000, 1] }])
  const body = await patched(address, { columns: { 'VOLUMEN (T€)': { unit: 1000 } } })
  assert.deepEqual([body.stage, body.asked, body.inserted], ['ready', [], 2])
  await run(address)
  assert.partialDeepStrictEqual(await dealNamed('U one'), { price: 25_000, currency: 'EUR' })
  assert.partialDeepStrictEqual(await dealNamed('U two'), { price: 1500 })
})

test('rows that look like things that are there are counted where no column says which they are', async () => {
  await ask('POST', '/customers', { name: 'K one', email: 'k1@example.com', phone: '+49 30 1' })
  const customer = (await ask('POST', '/customers', { name: 'K two' })).body.id
  await ask('POST', '/rest/v1/deals', { name: 'K deal', price: 1, customerId: customer })
  const looks = async (on: string, file: string) => (await settled(await send(on, file))).looksKnown
  const people = 'Name,Email,Phone\nOther,k1@example.com,\nOther,,+49 30 1\nK two,,\nK new,k9@example.com,\n'
  assert.equal(await looks('customer', people), 3)
  assert.equal(await looks('deal', 'Name,Amount,Customer\nK deal,5,K two\nK deal,5,\nK deal,5,K one\n'), 1)
  assert.equal(await looks('deal', 'Ref,Name,Amount,Customer\nR,K deal,5,K two\n'), 0)
})

test('an export as shown, corrected and imported, changes what was corrected and doubles nothing', async () => {
  const customer = (await ask('POST', '/customers', { name: 'Shown one', email: 's1@example.com' })).body
  await ask('POST', '/customers', { name: 'Shown two' })
  // Nobody can say by the name which of them a deal is of.
  await ask('POST', '/customers', { name: 'Shown one' })
  const deal = {
    name: 'Shown deal',
    price: 1234.5,
    owner: 'bert',
    completionDate: '2027-01-31',
    customerId: customer.id,
  }
  await ask('POST', '/rest/v1/deals', deal)
  await ask('POST', '/rest/v1/deals', { name: 'Shown more', price: 0.5, currency: 'CHF', stage: 'proposal' })
  for (const language of ['en', 'de-DE', 'fr', 'es'])
    for (const [on, path, count, from, to] of [
      ['customer', '/customers.csv?q=Shown&shown=true', 3, 'Shown two', `Shown zwei ${language}`],
      ['deal', '/rest/v1/deals.csv?q=Shown&shown=true', 2, 'Shown more', `Shown mehr ${language}`],
    ] as const) {
      const headers = { ...bearer(service.keys.editor), 'accept-language': language }
      const text = await (await fetch(service.url + path, { headers })).text()
      assert.match(text, /^\ufeff?(?:Dealdesk.ID|ID (?:de )?Dealdesk)[,;]/, path)
      const unchanged = await settled(await send(on, text))
      assert.deepEqual(
        [unchanged.stage, unchanged.unchanged, unchanged.inserted, unchanged.updated, unchanged.rejected],
        ['ready', count, 0, 0, 0],
        text,
      )
      const address = await send(on, text.replace(from, to))
      const found = await settled(address)
      assert.deepEqual([found.stage, found.unchanged, found.updated], ['ready', count - 1, 1], language)
      await run(address)
      assert.equal((await ask('POST', `${address}/undoings`)).status, 200)
    }
})

test('a local time is read in the reader’s zone, in a workbook and as text; an export with the names of the API is in UTC', async () => {
  const field = { on: 'customer', name: 'metAt', title: 'Met at', kind: 'instant' }
  const { body: added } = await ask('POST', '/fields', field, {}, service.keys.admin)
  const by = { ...bearer(service.keys.editor), cookie: 'zone=Europe/Berlin' }
  const at = (Date.parse('2026-11-01T14:30:00Z') - Date.UTC(1899, 11, 30)) / 86_400_000
  const book = sheets({
    Liste: [
      ['Name', 'Met at', 'E-Mail'],
      ['Zone book', styled('time', at), 'zone@example.com'],
    ],
  })
  for (const [file, type, name] of [
    [book, XLSX, 'Zone book'],
    [
      Buffer.from(
        'Name;Met at;E-Mail\nZone text;01.11.2026 14:30;z@example.com\nZone more;31.12.2026 09:00;y@example.com\n',
      ),
      'text/csv',
      'Zone text',
    ],
  ] as const) {
    const sent = await service.request('POST', '/imports?on=customer', {
      headers: { ...by, 'content-type': type },
      body: file,
    })
    assert.equal(sent.status, 201, sent.text)
    const address = String(sent.headers.location)
    assert.equal((await settled(address)).stage, 'ready')
    assert.equal((await service.request('POST', `${address}/runs`, { headers: by })).status, 202)
    await settled(address)
    const [made] = await itemsOf(`/customers?name=${encodeURIComponent(name)}`)
    assert.deepEqual(made?.own, { metAt: '2026-11-01T13:30:00.000Z' })
  }
  const path = '/customers.csv?name=Zone%20book&fields=id,name,own.metAt'
  const text = await (await fetch(service.url + path, { headers: by })).text()
  const again = await settled(await send('customer', text))
  assert.deepEqual([again.unchanged, again.updated], [1, 0])
  const shown = await (
    await fetch(`${service.url}/customers.xlsx?name=Zone%20book&fields=name,own.metAt&shown=true`, { headers: by })
  ).arrayBuffer()
  const back = await service.request('POST', '/imports?on=customer', {
    headers: { ...by, 'content-type': XLSX },
    body: Buffer.from(shown),
  })
  const found = await settled(String(back.headers.location))
  assert.deepEqual([found.unchanged, found.updated], [1, 0])
  await ask('PUT', `/fields/${added.id}/retire`, undefined, {}, service.keys.admin)
})
