import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { peopleFiles } from '../../support/inputs/people-files.ts'
import { testOnEachStore as test, test as testOnce } from '../../support/rooms/each-store.ts'
import { bearer, type ClosedService, runClosedService } from '../../support/service/closed-service.ts'
import { openSocket, type RawAnswer, readAnswer } from '../../support/service/raw-socket.ts'
import type { Answered, Shown } from '../../support/service/running-service.ts'
import { addPeople } from '../../support/things/people.ts'

// Imports as programs ask for them: a file, what was found in it, the import, and its undoing.

let service: ClosedService
before(async () => {
  service = await runClosedService()
})
after(() => service.close())

const ask = (method: string, path: string, body?: object, headers: object = {}, by = service.keys.editor) =>
  service.request(method, path, { headers: { ...bearer(by), ...headers }, ...(body && { body }) })

const csv = { 'content-type': 'text/csv' }

const send = (on: string, file: string, more = ''): Promise<Answered> =>
  ask('POST', `/imports?on=${on}${more}`, Buffer.from(file), csv)

/** The import as soon as nobody is at it any more. */
async function settled(address: string): Promise<Shown> {
  for (;;) {
    const { body, status, text } = await ask('GET', address)
    assert.equal(status, 200, text)
    if (body.isRunning !== true) return body
    await setTimeout(10)
  }
}

async function imported(on: string, file: string): Promise<string> {
  const sent = await send(on, file)
  assert.equal(sent.status, 201, sent.text)
  const address = String(sent.headers.location)
  assert.equal((await settled(address)).stage, 'ready')
  const run = await ask('POST', `${address}/runs`)
  assert.equal(run.status, 202, run.text)
  assert.equal((await settled(address)).stage, 'done')
  return address
}

/** A thing without what every change changes. */
const lasting = ({ revision: _revision, updatedAt: _updatedAt, ...thing }: Shown): object => thing

const itemsOf = async (path: string): Promise<readonly Shown[]> =>
  ((await ask('GET', path)).body.items ?? []) as readonly Shown[]

testOnce('each of their operations says what it does', async () => {
  const { body } = await ask('GET', '/openapi.json')
  const paths = body.paths as { readonly [path: string]: { readonly [method: string]: { description?: string } } }
  for (const [path, method, said] of [
    ['/imports', 'post', /50 MB.*bad-cells=empty/],
    ['/imports/{id}', 'get', /`asked`/],
    ['/imports/{id}', 'patch', /`decimal`, `dates` and `currency`/],
    ['/imports/{id}', 'delete', /What it imported stays/],
    ['/imports/{id}/runs', 'post', /in the background/],
    ['/imports/{id}/undoings', 'post', /restores what it changed, all of it or nothing/],
  ] as const)
    assert.match(paths[path]?.[method]?.description ?? '', said, `${method} ${path}`)
})

testOnce('a form of no announced length is refused as soon as it is too large, and not at its end', async () => {
  const socket = await openSocket(new URL(service.url))
  const type = 'multipart/form-data; boundary=between'
  const head = ['POST /imports HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${service.keys.editor}`]
  socket.write([...head, `Content-Type: ${type}`, 'Transfer-Encoding: chunked', '', ''].join('\r\n'))
  let answer: RawAnswer | undefined
  const answering = readAnswer(socket).then((read) => {
    answer = read
  })
  const megabyte = Buffer.concat([Buffer.from('f4240\r\n'), Buffer.alloc(1_000_000, 'x'), Buffer.from('\r\n')])
  for (let sent = 0; answer === undefined && sent < 200; sent++)
    if (!socket.write(megabyte)) await Promise.race([once(socket, 'drain'), answering])
  await answering
  assert.equal(answer?.status, 413)
  socket.destroy()
})

test('an import of customers is undone: what it made is gone, what it changed is as before', async () => {
  const made = await ask('POST', '/customers', { name: 'Ana Ruiz', email: 'ana@example.com', company: 'Ruiz' })
  const { id } = made.body
  const address = await imported('customer', `id,name,company\n${id},Anna Ruiz,Other\n,New One,\n`)
  const [created] = await itemsOf('/customers?name=New%20One')
  const undone = await ask('POST', `${address}/undoings`)
  assert.equal(undone.status, 200, undone.text)
  assert.equal(undone.body.stage, 'undone')
  const now = await ask('GET', `/customers/${id}`)
  assert.deepEqual(lasting(now.body), lasting(made.body))
  assert.equal(now.body.revision, 3)
  assert.equal((await ask('GET', `/customers/${created?.id}`)).status, 404)
  assert.deepEqual((await itemsOf(`/customers?q=Anna%20Ruiz`)).length, 0)
  assert.deepEqual(
    (await itemsOf(`/customers?q=Ana%20Ruiz`)).map((each) => each.id),
    [id],
  )
  const history = await itemsOf(`/customers/${id}/history`)
  assert.deepEqual(
    history.map(({ type, revision }) => [type, revision]),
    [
      ['customer.created', 1],
      ['import.undone', 3],
    ],
  )
  for (const path of ['/', '/events', `/customers/${id}`]) {
    const page = await ask('GET', path, undefined, { accept: 'text/html' })
    assert.equal(page.status, 200, page.text)
    if (path === '/events') assert.ok(page.text.includes(`<a href="${address}">Import</a>`))
  }
})

test('an import of deals is undone with its periods, references and search', async () => {
  const customer = (await ask('POST', '/customers', { name: 'Buyer' })).body.id
  const made = await ask('POST', '/rest/v1/deals', { name: 'Known deal', price: 100, customerId: customer })
  const { id } = made.body
  const before = await itemsOf(`/periods?dealId=${id}`)
  const rows = [`${id},,Renamed deal,200,qualified,`, `,R-1,Fresh deal,300,proposal,${customer}`]
  const address = await imported('deal', `id,reference,name,price,stage,customerId\n${rows.join('\n')}\n`)
  const [fresh] = await itemsOf('/rest/v1/deals?name=Fresh%20deal')
  assert.equal((await ask('GET', `/rest/v1/deals/${id}`)).body.name, 'Renamed deal')
  const undone = await ask('POST', `${address}/undoings`)
  assert.equal(undone.status, 200, undone.text)
  const now = await ask('GET', `/rest/v1/deals/${id}`)
  assert.deepEqual(lasting(now.body), lasting(made.body))
  assert.equal((await ask('GET', `/rest/v1/deals/${fresh?.id}`)).status, 404)
  assert.equal((await itemsOf('/rest/v1/deals?q=renamed')).length, 0)
  assert.equal((await itemsOf('/rest/v1/deals?q=known')).length, 1)
  const after = await itemsOf(`/periods?dealId=${id}`)
  assert.deepEqual(
    [before.length, after.map(({ stage, until }) => [stage, until === null])],
    [
      1,
      [
        ['lead', false],
        ['qualified', false],
        ['lead', true],
      ],
    ],
  )
  assert.equal((await itemsOf(`/periods?dealId=${fresh?.id}`)).length, 0)
  // The reference is free again.
  const again = await imported('deal', 'reference,name,price\nR-1,Fresh again,1\n')
  assert.equal((await ask('GET', again)).body.inserted, 1)
})

test('an import is not undone once one of its things was changed, or something new refers to it', async () => {
  const address = await imported('customer', 'name,company\nOne Since,\nTwo Since,\n')
  const [one] = await itemsOf('/customers?name=One%20Since')
  const [two] = await itemsOf('/customers?name=Two%20Since')
  await ask('PATCH', `/customers/${one?.id}`, { company: 'Since' })
  const deal = await ask('POST', '/rest/v1/deals', { name: 'Deal since', price: 1, customerId: two?.id })
  const refused = await ask('POST', `${address}/undoings`)
  assert.equal(refused.status, 409)
  assert.equal(refused.body.code, 'changed-since')
  assert.deepEqual(refused.body.things, [
    { on: 'customer', id: one?.id, name: 'One Since' },
    { on: 'deal', id: deal.body.id, name: 'Deal since' },
  ])
  assert.equal((await ask('GET', `/customers/${one?.id}`)).status, 200)
  assert.equal((await ask('GET', address)).body.stage, 'done')
})

test('what a file does not decide is asked, and answered by PATCH', async () => {
  const { headers } = await send('deal', 'Titel;Betrag\nDach;1.500\nTor;2.000\n')
  const address = String(headers.location)
  const { stage, asked, columns } = await settled(address)
  assert.equal(stage, 'asking')
  assert.deepEqual(asked, [{ column: 'Betrag', about: 'decimal', choices: [',', '.'] }])
  assert.deepEqual(columns, [
    { heading: 'Titel', field: 'name', reading: null },
    { heading: 'Betrag', field: 'price', reading: null },
  ])
  assert.equal((await ask('POST', `${address}/runs`)).status, 409)
  const wrong = await ask('PATCH', address, { columns: { Betrg: { field: 'price' }, Titel: { field: 'nam' } } })
  assert.deepEqual(
    [wrong.status, wrong.body.errors.map(({ pointer }) => pointer)],
    [422, ['/columns/Betrg', '/columns/Titel/field']],
  )
  const patched = await ask('PATCH', address, { columns: { Betrag: { decimal: ',' } }, create: 'missing' })
  assert.equal(patched.status, 200, patched.text)
  const ready = await settled(address)
  assert.deepEqual([ready.stage, ready.inserted, ready.create, ready.asked], ['ready', 2, 'missing', []])
})

test('faults are grouped by column, and optional cells can be left empty', async () => {
  const file = 'Name,Age,Country\nA,x,Nowhere\nB,y,Germany\nC,3,Elsewhere\n'
  const { headers } = await send('customer', file)
  const found = await settled(String(headers.location))
  assert.deepEqual([found.inserted, found.rejected], [0, 3])
  const groups = (found.faults as readonly Shown[]).map(({ column, count, rows }) => [column, count, rows])
  assert.deepEqual(groups, [
    ['Age', 2, [2, 3]],
    ['Country', 2, [2, 4]],
  ])
  const empty = await send('customer', file, '&bad-cells=empty')
  const kept = await settled(String(empty.headers.location))
  assert.deepEqual([kept.badCells, kept.inserted, kept.rejected, (kept.faults as unknown[]).length], ['empty', 3, 0, 2])
  for (const more of ['&create=all', '&bad-cells=no']) {
    const refused = await send('customer', file, more)
    assert.deepEqual([refused.status, refused.body.code], [400, 'invalid-parameter'], more)
  }
  assert.equal((await send('webhook', file)).status, 400)
})

test('an export changes nothing when it is imported again, whatever its texts look like', async () => {
  const titles = ["'=1", '=1', "''+2", "'t Hooft", '-3', "'@x", "'"]
  for (const title of titles) {
    const made = await ask('POST', '/rest/v1/tasks', { title, reference: `looks like ${title}` })
    assert.equal(made.status, 201, made.text)
  }
  const tasks = async () => (await itemsOf('/rest/v1/tasks?reference.null=false&sort=id')).map(({ title }) => title)
  for (const [format, type] of [
    ['csv', 'text/csv'],
    ['xlsx', XLSX],
  ] as const) {
    const path = `/rest/v1/tasks.${format}?reference.null=false&fields=reference,title`
    const file = await fetch(`${service.url}${path}`, { headers: bearer(service.keys.editor) })
    const content = Buffer.from(await file.arrayBuffer())
    const sent = await ask('POST', `/imports?on=task&name=tasks.${format}`, content, { 'content-type': type })
    assert.equal(sent.status, 201, sent.text)
    const address = String(sent.headers.location)
    const { stage, inserted, updated, rejected } = await settled(address)
    assert.deepEqual([stage, inserted, updated, rejected], ['ready', 0, 0, 0], format)
    assert.equal((await ask('POST', `${address}/runs`)).status, 202)
    assert.equal((await settled(address)).stage, 'done')
    assert.deepEqual(await tasks(), titles, format)
  }
})

test('an export with ids keeps spaces that are all of a text, and those of references; without an id nobody means them', async () => {
  const made = await ask('POST', '/rest/v1/tasks', { title: 'Call', reference: ' spaced ', note: ' ' })
  const { id } = made.body
  for (const [format, type] of [
    ['csv', 'text/csv'],
    ['xlsx', XLSX],
  ] as const) {
    const path = `/rest/v1/tasks.${format}?reference.contains=spaced&fields=id,title,reference,note`
    const file = await fetch(`${service.url}${path}`, { headers: bearer(service.keys.editor) })
    const content = Buffer.from(await file.arrayBuffer())
    const sent = await ask('POST', `/imports?on=task&name=tasks.${format}`, content, { 'content-type': type })
    const { stage, updated } = await settled(String(sent.headers.location))
    assert.deepEqual([stage, updated], ['ready', 0], format)
  }
  await imported('task', `id,title,reference\n${id},Call,spaced\n`)
  const address = await imported('task', 'title,reference\nCall again, spaced \n')
  const { inserted, updated } = (await ask('GET', address)).body
  assert.deepEqual([inserted, updated], [0, 1])
})

/** Every customer, deal and task without what every change changes. */
const everything = async (): Promise<unknown> =>
  Promise.all(
    ['/customers', '/rest/v1/deals', '/rest/v1/tasks'].map(async (path) =>
      (await itemsOf(`${path}?maxpagesize=1000`)).map(lasting),
    ),
  )

testOnce('files as tools export them come in as people read them, and each import is undone to the byte', async () => {
  const { body: gerda } = await ask('POST', '/customers', { name: 'Gerda Blum', email: 'Gerda.Blum@example.de' })
  const byron = { name: 'ada', fullName: 'Ada Byron', role: 'editor', password: 'correct horse battery' }
  assert.equal((await ask('POST', '/users', byron, {}, service.keys.admin)).status, 201)
  await addPeople(service.store, 'bert')
  const before = await everything()
  for (const { tool, name, of, content, asks = [], answers = {}, rows, rejected = [] } of peopleFiles) {
    const type = name.endsWith('.xlsx') ? XLSX : 'text/csv'
    const sent = await ask('POST', `/imports?on=${of.slice(0, -1)}&name=${name}`, content, { 'content-type': type })
    assert.equal(sent.status, 201, `${tool}: ${sent.text}`)
    const address = String(sent.headers.location)
    const found = await settled(address)
    if (asks.length > 0) {
      assert.equal(found.stage, 'asking', tool)
      const columns = Object.fromEntries(asks.map(([column, about]) => [column, { [about]: answers[about] }]))
      assert.equal((await ask('PATCH', address, { columns })).status, 200, tool)
    }
    const checked = await settled(address)
    assert.deepEqual([checked.stage, checked.inserted, checked.rejected], ['ready', rows.length, rejected.length], tool)
    assert.equal((await ask('POST', `${address}/runs`)).status, 202, tool)
    const done = await settled(address)
    assert.deepEqual([done.stage, done.inserted, done.rejected], ['done', rows.length, rejected.length], tool)
    const path = of === 'customers' ? '/customers' : `/rest/v1/${of}`
    for (const row of rows) {
      const by = row.reference === undefined ? `name=${row.name}` : `reference=${row.reference}`
      const [thing] = await itemsOf(`${path}?${encodeURI(by).replaceAll('&', '%26')}`)
      assert.ok(thing, `${tool}: ${by}`)
      const { customerId, price, owner, ...others } = row
      const named = typeof customerId === 'string' ? { customerId: gerda.id } : {}
      const amount = price === undefined ? {} : { price: Number(price) / 1000 }
      assert.partialDeepStrictEqual(
        thing,
        {
          ...others,
          ...named,
          ...amount,
          ...(owner !== undefined && { owner: owner === 'Ada Byron' ? 'ada' : owner }),
        },
        tool,
      )
    }
    const undone = await ask('POST', `${address}/undoings`)
    assert.equal(undone.status, 200, `${tool}: ${undone.text}`)
    assert.deepEqual(await everything(), before, tool)
  }
})

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
