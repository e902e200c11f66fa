import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { testOnEachStore as test } from '../../support/rooms/each-store.ts'
import { DEALS } from '../../support/service/making-deals.ts'
import { type Answered, openService, type Shown, type TestService } from '../../support/service/running-service.ts'

// Fields that become unique or indexed when things already have values. A service of its own: a change of the model
// holds for every test beside.

let service: TestService
before(async () => {
  service = await openService()
})
after(() => service.close())

const ask = (method: string, path: string, body?: object): Promise<Answered> =>
  service.request(method, path, { ...(body && { body }) })

async function add(name: string, more: object = {}): Promise<string> {
  const made = await ask('POST', '/fields', { on: 'deal', name, title: name, kind: 'text', ...more })
  assert.equal(made.status, 201, made.text)
  return `/fields/${made.body.id}`
}

async function fill(own: object): Promise<unknown> {
  const made = await ask('POST', DEALS, { name: 'Roof', price: 1, own })
  assert.equal(made.status, 201, made.text)
  return made.body.id
}

/** The field as soon as its index is not being built any more, and the service knows that. */
async function built(self: string): Promise<Shown> {
  for (;;) {
    const { body } = await ask('GET', self)
    const known = service.store.schemas.current.fields.find(({ id }) => id === body.id)
    if (body.state !== 'building' && known?.state === body.state) return body
    await setTimeout(10)
  }
}

test('a field becomes unique with the values that things have', async () => {
  const self = await add('erp')
  const first = await fill({ erp: 'A-1' })
  await fill({ erp: 'A-2' })
  await fill({})
  assert.equal((await ask('GET', `${DEALS}/by/own.erp/A-1`)).status, 404)
  const changed = await ask('PATCH', self, { unique: true })
  assert.equal(changed.body.state, 'building')
  assert.partialDeepStrictEqual(await built(self), { state: 'ready', unique: true, repeats: null })
  assert.equal((await ask('GET', `${DEALS}/by/own.erp/A-1`)).body.id, first)
  const repeated = await ask('POST', DEALS, { name: 'Roof', price: 1, own: { erp: 'A-2' } })
  assert.deepEqual([repeated.status, repeated.body.code], [409, 'not-unique'])
})

test('a field that is shown as ready names things at once, at every instance', async () => {
  const other = await openService({ DATABASE_URL: service.database.url })
  try {
    for (const name of ['one', 'two', 'three', 'four']) {
      const self = await add(name)
      const first = await fill({ [name]: 'A' })
      await ask('PATCH', self, { unique: true })
      while ((await other.request('GET', self)).body.state !== 'ready') await setTimeout(1)
      const body = { deal: { [`own.${name}`]: 'A' }, action: 'AddDealNote', params: { text: 'x' } }
      const [read, told] = await Promise.all([
        other.request('GET', `${DEALS}/by/own.${name}/A`),
        ask('PUT', `/rest/commands/${name}`, body),
      ])
      assert.deepEqual([read.status, read.body.id], [200, first], read.text)
      assert.equal(told.status, 201, told.text)
    }
  } finally {
    await other.close()
  }
})

test('a value that a thing had before is not given to another while the index is being filled', async () => {
  for (const [name, kind, value] of [
    ['seal', 'text', 'A'],
    ['place', 'number', 1.25],
  ] as const) {
    const self = await add(name, { kind })
    const first = await fill({ [name]: value })
    const other = await fill({})
    const changed = await ask('PATCH', self, { unique: true })
    assert.equal(changed.body.state, 'building', changed.text)
    const [repeated, set, anew] = await Promise.all([
      ask('POST', DEALS, { name: 'Roof', price: 1, own: { [name]: value } }),
      ask('PATCH', `${DEALS}/${other}`, { own: { [name]: value } }),
      ask('PATCH', `${DEALS}/${first}`, { own: { [name]: value }, description: 'Its own value' }),
    ])
    for (const refused of [repeated, set]) assert.deepEqual([refused.status, refused.body.code], [409, 'not-unique'])
    assert.equal(anew.status, 200, anew.text)
    assert.equal((await built(self)).state, 'ready')
  }
})

test('repeated values keep a field from it, and it can be tried anew', async () => {
  const self = await add('serial', { kind: 'number' })
  const things = [await fill({ serial: 1.5 }), await fill({ serial: 1.5 }), await fill({ serial: -2 })]
  await ask('PATCH', self, { unique: true })
  const failed = await built(self)
  assert.partialDeepStrictEqual(failed, { state: 'failed', unique: false })
  assert.deepEqual(failed.repeats, [{ value: 1.5, things: things.slice(0, 2) }])
  const renaming = { title: 'Number of the series', required: true, help: 'As on the plate' }
  const titled = (await ask('PATCH', self, renaming)).body
  const still = { state: 'failed', unique: false, repeats: failed.repeats as never }
  assert.partialDeepStrictEqual(titled, { ...renaming, ...still, revision: Number(failed.revision) + 1 })
  assert.equal((await ask('PATCH', self, { required: false })).body.required, false)
  await fill({ serial: -2 })
  await ask('PATCH', self, { unique: true, title: 'Serial' })
  assert.equal(((await built(self)).repeats as readonly unknown[]).length, 2)
  const { items = [] } = (await ask('GET', `${DEALS}?own.serial.null=false&sort=own.serial,id`)).body
  for (const [at, { id }] of (items as readonly Shown[]).entries())
    assert.equal((await ask('PATCH', `${DEALS}/${id}`, { own: { serial: at } })).status, 200)
  await ask('PATCH', self, { unique: true })
  assert.partialDeepStrictEqual(await built(self), { state: 'ready', unique: true, repeats: null })
})

test('values of every unique kind are addresses', async () => {
  const kinds = {
    integer: -5,
    number: 1.25,
    date: '2027-01-31',
    email: 'a@x.example',
    phone: '030 1',
    url: 'http://x/?a',
  }
  for (const [kind, value] of Object.entries(kinds)) {
    const name = `by${kind}`
    const self = await add(name, { kind })
    const id = await fill({ [name]: value })
    await ask('PATCH', self, { unique: true })
    assert.equal((await built(self)).state, 'ready', kind)
    const by = `${DEALS}/by/own.${name}/${encodeURIComponent(value)}`
    assert.equal((await ask('GET', by)).body.id, id, kind)
    const put = await ask('PUT', by, { description: 'Again' })
    assert.deepEqual([put.status, put.body.id], [200, id], put.text)
  }
})

test('a field and its first values may come in one batch', async () => {
  const commands = [
    { action: 'CreateField', params: { on: 'deal', name: 'atOnce', title: 'At once', kind: 'text', unique: true } },
    { action: 'CreateDeal', params: { name: 'Roof', price: 1, own: { atOnce: 'x' } } },
  ]
  const made = await ask('POST', '/rest/v1/batch', { atomic: true, commands })
  assert.equal(made.status, 200, made.text)
  assert.equal((await ask('GET', `${DEALS}/by/own.atOnce/x`)).status, 200)
})
