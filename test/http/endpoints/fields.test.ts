import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { ownSamples } from '../../support/own-fields/samples.ts'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { type Answered, openService, type TestService } from '../../support/service/running-service.ts'

// A service of its own: a change of the model holds for every test beside.

let service: TestService
before(async () => {
  service = await openService()
})
after(() => service.close())

const ask = (method: string, path: string, body?: object, headers = {}): Promise<Answered> =>
  service.request(method, path, { headers, ...(body && { body }) })
const add = (name: string, more: object = {}): Promise<Answered> =>
  ask('POST', '/fields', { on: 'deal', name, title: name, kind: 'integer', ...more })
const faultsOf = ({ body }: Answered) => body.errors.map(({ pointer, code }) => `${pointer} ${code}`)

testOnEachStore('a field is made, changed, retired and restored, and never deleted', async () => {
  const values = [
    { value: 'retail', title: 'Retail', titles: { de: 'Handel' } },
    { value: 'health', title: 'Health' },
  ]
  const made = await add('branch', { kind: 'choice', options: { values }, titles: { de: 'Branche' } })
  assert.equal(made.status, 201, made.text)
  const self = `/fields/${made.body.id}`
  assert.equal(made.headers.location, self)
  assert.partialDeepStrictEqual(made.body, { on: 'deal', options: { values }, state: 'ready', retiredAt: null })
  assert.deepEqual((await ask('GET', self)).body, made.body)
  assert.deepEqual((await ask('PATCH', self, { options: { values } })).body.revision, 1, 'nothing differs')
  const changed = await ask('PATCH', self, { title: 'Line', required: true })
  assert.partialDeepStrictEqual(changed.body, { title: 'Line', required: true, revision: 2 })
  for (const fixed of [{ kind: 'text' }, { name: 'line' }, { on: 'task' }]) {
    const refused = await ask('PATCH', self, fixed)
    assert.deepEqual(faultsOf(refused), [`/${Object.keys(fixed)[0]} set-at-creation`])
  }
  const fewer = await ask('PATCH', self, { options: { values: values.slice(1) } })
  assert.deepEqual([fewer.status, fewer.body.options], [200, { values: values.slice(1) }], 'a choice that nothing has')
  assert.equal((await ask('PATCH', self, { options: { values } })).status, 200)
  assert.equal((await ask('PATCH', self, { indexed: true })).body.state, 'building')
  assert.equal((await ask('PATCH', self, { indexed: false })).body.state, 'ready')
  assert.equal((await ask('DELETE', self)).status, 405)
  const retired = await ask('PUT', `${self}/retired`)
  assert.equal(retired.status, 200, retired.text)
  assert.notEqual(retired.body.retiredAt, null)
  assert.equal((await ask('PATCH', self, { title: 'Branch' })).body.code, 'wrong-state')
  const restored = await ask('POST', `${self}/restorations`)
  assert.equal(restored.status, 201, restored.text)
  assert.equal((await ask('GET', self)).body.retiredAt, null)
  const { items = [] } = (await ask('GET', `${self}/history?sort=revision`)).body
  assert.deepEqual(
    items.map((each) => (each as { readonly type: string }).type),
    ['created', ...Array(5).fill('changed'), 'retired', 'restored'].map((word) => `field.${word}`),
  )
  // It is asked of every creation.
  const without = await ask('POST', DEALS, { name: 'Roof', price: 1 })
  assert.deepEqual([without.status, faultsOf(without)], [422, ['/own/branch required']])
  const filled = await ask('POST', DEALS, { name: 'Roof', price: 1, own: { branch: 'health' } })
  assert.deepEqual(filled.body.own, { branch: 'health' })
  assert.equal((await ask('PATCH', self, { required: false })).status, 200)
})

test('an index for too long a text is refused where it is asked for', async () => {
  const { headers } = await add('essay', { kind: 'text', options: { max: 1000 } })
  const self = String(headers.location)
  for (const [sent, faults] of [
    [{ unique: true }, ['/unique not-for-kind']],
    [{ indexed: true, title: 'Essay' }, ['/indexed not-for-kind']],
    [{ unique: true, options: { max: 900 } }, ['/options/max out-of-range']],
  ] as const) {
    const refused = await ask('PATCH', self, sent)
    assert.deepEqual([refused.status, faultsOf(refused)], [422, faults])
  }
  const { errors } = (await ask('PATCH', self, { unique: true })).body
  assert.equal(
    (errors as readonly { readonly detail: string }[])[0]?.detail,
    'is only possible for a text of at most 500 characters',
  )
  assert.equal((await ask('PATCH', self, { unique: true, options: { max: 500 } })).status, 200)
})

test('a field that makes no sense is refused, each fault at its place', async () => {
  const refusals: readonly (readonly [object, readonly string[]])[] = [
    [{ kind: 'text', options: { max: 20_000 } }, ['/options/max out-of-range']],
    [{ kind: 'text', unique: true, options: { max: 501 } }, ['/options/max out-of-range']],
    [{ kind: 'integer', options: { max: 5 } }, ['/options/max not-for-kind']],
    [{ kind: 'choice' }, ['/options/values required']],
    [{ kind: 'choice', options: { values: [] } }, ['/options/values blank']],
    [
      { title: ' ', kind: 'choice', options: { values: [{ value: 'a', title: ' ' }] } },
      ['/title blank', '/options/values/0/title blank'],
    ],
    [{ on: 'deals', kind: 'amount', options: { max: 1 } }, ['/on not-one-of', '/options/max not-for-kind']],
    [
      {
        kind: 'choice',
        options: { values: [{ value: 'a;b', title: '' }, { value: 'c', title: 'C' }, { value: 'c', title: 'D' }, 7] },
      },
      [
        '/options/values/0/value malformed',
        '/options/values/0/title blank',
        '/options/values/2/value repeated',
        '/options/values/3 type',
      ],
    ],
    [{ kind: 'link', options: { to: 'rate' } }, ['/options/to not-one-of']],
    [{ kind: 'boolean', unique: true, searched: true }, ['/unique not-for-kind', '/searched not-for-kind']],
    [{ kind: 'choices', indexed: true, options: { values: [{ value: 'a', title: 'A' }] } }, ['/indexed not-for-kind']],
    [{ on: 'task', kind: 'amount' }, ['/on not-for-kind']],
    [{ titles: { German: 'x', de: '' } }, ['/titles/German malformed', '/titles/de blank']],
    [{ titles: [] }, ['/titles type']],
    [
      { titles: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`de-X${n}A`, 'x'])) },
      ['/titles too-many-values'],
    ],
    [{ replaceBy: {} }, ['/replaceBy unknown']],
  ]
  for (const [more, faults] of refusals) {
    const refused = await add('odd', more)
    assert.equal(refused.status, 422, JSON.stringify(more))
    assert.deepEqual(faultsOf(refused), faults)
  }
  for (const name of [
    'gte',
    'LT',
    'sum',
    'month',
    '__proto__',
    'constructor',
    'toString',
    '1a',
    'a-b',
    'a'.repeat(41),
  ]) {
    const refused = await add(name)
    assert.equal(refused.status, 422, name)
    assert.match(String(faultsOf(refused)), /^\/name (reserved|malformed|too-long)$/, name)
  }
})

testOnEachStore('a replaced thing needs no value of a field that became required later', async () => {
  const field = (await add('joinedOn', { on: 'customer', kind: 'date', required: true })).body
  assert.equal((await ask('PATCH', `/fields/${field.id}`, { required: false })).status, 200)
  const { id } = (await ask('POST', '/customers', { name: 'Ann' })).body
  assert.equal((await ask('PATCH', `/fields/${field.id}`, { required: true })).status, 200)
  const put = (body: object) => ask('PUT', `/customers/${id}`, body)
  for (const own of [undefined, {}, { joinedOn: null }]) {
    const replaced = await put({ name: `Ann ${JSON.stringify(own)}`, ...(own && { own }) })
    assert.equal(replaced.status, 200, replaced.text)
  }
  assert.equal((await put({ name: 'Ann', own: { joinedOn: '2026-11-01' } })).status, 200)
  for (const own of [undefined, {}, { joinedOn: null }]) {
    const refused = await put({ name: 'Ann', ...(own && { own }) })
    assert.deepEqual([refused.status, faultsOf(refused)], [422, ['/own/joinedOn required']], refused.text)
  }
  assert.equal((await ask('PUT', `/fields/${field.id}/retire`)).status, 200)
})

testOnEachStore('a unique field names things in the batch that adds it', async () => {
  const made = { deal: { name: 'Roof', price: 1 }, customer: { name: 'Ana' }, task: { title: 'Call' } }
  const paths = { deal: DEALS, customer: '/customers', task: '/rest/v1/tasks' }
  for (const [at, atomic] of [true, false].entries())
    for (const on of ['deal', 'customer', 'task'] as const) {
      const field = { on, name: `serial${at}`, title: 'Serial', kind: 'integer', unique: true }
      const by = (value: number) => ({ [on]: { [`own.${field.name}`]: value } })
      const Noun = `${on[0]?.toUpperCase()}${on.slice(1)}`
      const commands = [
        { action: 'CreateField', params: field },
        { ...by(7), action: `Upsert${Noun}`, params: made[on] },
        { ...by(7), action: `Upsert${Noun}`, params: { reference: `serial${at}` } },
        { ...by(8), action: `Upsert${Noun}`, params: made[on] },
        { ...by(8), action: `Delete${Noun}` },
      ]
      const tried = await ask('POST', '/rest/v1/batch?dry-run=true', { atomic, commands })
      assert.equal(tried.status, 200, tried.text)
      const { status, body, text } = await ask('POST', '/rest/v1/batch', { atomic, commands })
      assert.equal(status, 200, text)
      const results = body.results as readonly { readonly [on: string]: { readonly id: string } | undefined }[]
      const [, first, second] = results.map((each) => each[on]?.id)
      assert.ok(first)
      assert.equal(second, first)
      const { body: found } = await ask('GET', `${paths[on]}/by/own.${field.name}/7`)
      assert.partialDeepStrictEqual(found, { id: first, ...made[on], reference: `serial${at}` })
      assert.equal((await ask('GET', `${paths[on]}/by/own.${field.name}/8`)).status, on === 'deal' ? 410 : 404)
      assert.equal((await ask('PUT', `/fields/${results[0]?.field?.id}/retire`)).status, 200)
    }
})

testOnEachStore('a resource has 200 fields at most, and a name is never used again', async () => {
  const commands = Array.from({ length: 200 }, (_, at) => ({
    action: 'CreateField',
    params: { on: 'customer', name: `f${at}`, title: 'F', kind: 'date' },
  }))
  const filled = await ask('POST', '/rest/v1/batch', { atomic: true, commands })
  assert.equal(filled.status, 200, filled.text.slice(0, 300))
  const full = await add('f200', { on: 'customer' })
  assert.deepEqual([full.status, full.body.code], [409, 'too-many-fields'])
  const [first] = (await ask('GET', '/fields?on=customer&name=f0')).body.items as readonly { readonly id: string }[]
  assert.equal((await ask('PUT', `/fields/${first?.id}/retire`)).status, 200)
  const again = await add('F0'.toLowerCase(), { on: 'customer' })
  assert.deepEqual([again.status, again.body.code], [409, 'name-taken'])
  assert.equal((await add('f200', { on: 'customer' })).status, 201)
  assert.equal((await ask('PUT', `/fields/${first?.id}/restore`)).body.code, 'too-many-fields')
})

testOnEachStore('the model is part of every tag, and an older tag of the state still guards a write', async () => {
  const { id } = await openDeal(service)
  const self = `${DEALS}/${id}`
  const before = await ask('GET', self)
  assert.equal((await add('tagged')).status, 201)
  const now = await ask('GET', self)
  assert.notEqual(now.headers.etag, before.headers.etag)
  const { changedAt = '' } = service.store.schemas.current
  assert.equal(Date.parse(String(now.headers['last-modified'])), Math.floor(Date.parse(changedAt) / 1000) * 1000)
  const read = (headers: object) => ask('GET', self, undefined, headers).then(({ status }) => status)
  assert.equal(await read({ 'if-none-match': String(before.headers.etag) }), 200)
  assert.equal(await read({ 'if-none-match': String(now.headers.etag) }), 304)
  assert.equal(await read({ 'if-modified-since': new Date(Date.parse(changedAt) - 1000).toUTCString() }), 200)
  const guarded = { 'if-match': String(before.headers.etag) }
  assert.equal((await ask('PATCH', self, { description: 'Once' }, guarded)).status, 200)
  assert.equal((await ask('PATCH', self, { description: 'Twice' }, guarded)).status, 412)
})

testOnEachStore('a change of the model leaves conditions alone that it does not break', async () => {
  const view = { name: 'Open', collection: 'deals', query: 'status=open', shared: true }
  assert.equal((await ask('POST', '/views', view)).status, 201)
  const hook = { url: 'https://example.com/in', types: ['deal.*'], where: 'price.gte=5', changed: ['price'] }
  assert.equal((await ask('POST', '/webhooks', hook)).status, 201)
  const { id } = (await add('unused')).body
  assert.equal((await ask('PUT', `/fields/${id}/retire`)).status, 200)
})

testOnEachStore('a merge patch changes only the members that an object has, a PUT all of them', async () => {
  const titles = { de: 'Umfang', fr: 'Volume' }
  const made = await add('extent', { kind: 'text', titles, options: { max: 20 } })
  const self = `/fields/${made.body.id}`
  const patch = async (body: object) => {
    const headers = { 'content-type': 'application/merge-patch+json', 'idempotency-key': `${made.body.id}-${calls++}` }
    const answered = await ask('PATCH', self, body, headers)
    assert.equal(answered.status, 200, answered.text)
    assert.deepEqual((await ask('PATCH', self, body, headers)).body, answered.body)
    return [answered.body.titles, answered.body.options]
  }
  let calls = 0
  assert.deepEqual(await patch({ titles: { es: 'Volumen' } }), [{ ...titles, es: 'Volumen' }, { max: 20 }])
  assert.deepEqual(await patch({ titles: { de: null, es: 'Tamaño' } }), [{ fr: 'Volume', es: 'Tamaño' }, { max: 20 }])
  assert.deepEqual(await patch({ titles: {}, options: {} }), [{ fr: 'Volume', es: 'Tamaño' }, { max: 20 }])
  assert.deepEqual(await patch({ options: { max: null } }), [{ fr: 'Volume', es: 'Tamaño' }, {}])
  assert.deepEqual(faultsOf(await ask('PATCH', self, { titles: { German: 'x' } })), ['/titles/German malformed'])
  const whole = { on: 'deal', name: 'extent', kind: 'text', title: 'Extent', titles: { de: 'Umfang' } }
  assert.deepEqual((await ask('PUT', self, whole)).body.titles, { de: 'Umfang' })
  assert.equal((await ask('PUT', `${self}/retire`)).status, 200)
})

test('people add and change a field by forms: choices are a list, and what is set once is not asked for again', async () => {
  const html = { accept: 'text/html', origin: service.url }
  const send = (path: string, fields: Record<string, string>) =>
    service.request('POST', path, { body: new URLSearchParams(fields), headers: html })
  const page = async (path: string) => (await service.request('GET', path, { headers: html })).text
  assert.doesNotMatch(await page('/new/fields'), /\[object/)
  const made = await send('/fields', {
    ...{ on: 'deal', name: 'byForm', title: 'By form', kind: 'choice', options: 'Retail; Public health', titles: '' },
    ...{ required: 'false', unique: 'false', indexed: 'false', searched: 'false', help: '' },
  })
  assert.equal(made.status, 303, made.text)
  const self = String(made.headers.location)
  const shown = await page(self)
  assert.doesNotMatch(shown, /\[object/)
  assert.match(shown, /<h1>By form<\/h1>/)
  assert.doesNotMatch(shown, /name="(on|kind)"/)
  const changed = await send(`${self}/changes`, {
    title: 'Changed',
    titles: '',
    options: 'Retail; Public health; Other',
  })
  assert.equal(changed.status, 303, changed.text)
  const { title, titles, options } = (await ask('GET', self)).body
  const values = ['Retail', 'Public health', 'Other'].map((value) => ({ value, title: value }))
  assert.deepEqual({ title, titles, options }, { title: 'Changed', titles: {}, options: { values } })
})

test('a choice of a form that is no longer there is told as in a document', async () => {
  const options = { values: [{ value: 'a', title: 'A' }] }
  const made = await add('ticked', { kind: 'choices', options })
  const fields = (...ticked: readonly string[]): URLSearchParams =>
    new URLSearchParams([['name', 'Roof'], ['price', '1'], ...ticked.map((each) => ['own.ticked[]', each])])
  const send = (body: object): Promise<Answered> =>
    service.request('POST', DEALS, { body, headers: { origin: service.url } })
  const refused = await send(fields('a', 'gone'))
  assert.deepEqual(refused.body.errors, (await send({ name: 'Roof', price: 1, own: { ticked: ['gone'] } })).body.errors)
  assert.deepEqual([refused.status, faultsOf(refused)], [422, ['/own/ticked not-one-of']])
  assert.partialDeepStrictEqual((await send(fields('a'))).body, { own: { ticked: ['a'] } })
  assert.equal((await ask('PUT', `/fields/${made.body.id}/retire`)).status, 200)
})

testOnEachStore('closing choices count until they are gone', async () => {
  const choices = (from: number, below: number) => ({
    values: Array.from({ length: below - from }, (_, at) => ({ value: `v${from + at}`, title: 'V' })),
  })
  const { id } = (await add('full', { kind: 'choice', options: choices(0, 200) })).body
  const self = `/fields/${id}`
  const most = await ask('PATCH', self, { options: choices(1, 201), replaceBy: { v0: 'v1' } })
  assert.deepEqual([most.status, faultsOf(most)], [422, ['/options/values too-many-values']])
  const closed = await ask('PATCH', self, { options: choices(1, 200), replaceBy: { v0: 'v1' } })
  assert.equal(closed.status, 200, closed.text)
  while ((await ask('GET', self)).body.replaceBy !== null) await pause(20)
  assert.equal((await ask('PATCH', self, { options: choices(1, 201) })).status, 200)
  assert.equal((await ask('PUT', `${self}/retire`)).status, 200)
})

testOnEachStore('a choice that things have goes with another one for them', async () => {
  const valued = (...values: readonly string[]) => ({ values: values.map((value) => ({ value, title: value })) })
  const made = await add('line', { kind: 'choices', options: valued('a/b', 'c~d', 'e') })
  const self = `/fields/${made.body.id}`
  const { id } = (await ask('POST', DEALS, { name: 'Roof', price: 1, own: { line: ['a/b', 'e'] } })).body
  const refused = await ask('PATCH', self, { options: valued('c~d', 'e') })
  assert.equal(refused.status, 409, refused.text)
  const { code, count, part, detail } = refused.body
  assert.deepEqual({ code, count, part }, { code: 'in-use', count: 1, part: 'a/b' })
  assert.match(String(detail), /replaceBy/)
  const wrong = await ask('PATCH', self, { options: valued('c~d', 'e'), replaceBy: { 'a/b': 'f' } })
  assert.deepEqual([wrong.status, faultsOf(wrong)], [422, ['/replaceBy/a~1b not-one-of']])
  assert.deepEqual(faultsOf(await ask('PATCH', self, { replaceBy: { 'a/b': 'e' } })), ['/replaceBy goes-with'])
  // As a form sends it.
  const fields = Object.entries({
    ...{
      title: 'Line',
      'options/values/0/value': 'a/b',
      'options/values/0/title': 'A',
      'options/values/0/_remove': 'true',
    },
    ...{ 'options/values/1/value': 'c~d', 'options/values/1/title': 'C', 'replaceBy/a~1b': 'c~d' },
    ...{ 'options/values/2/value': 'e', 'options/values/2/title': 'E' },
  })
  const sent = await service.request('POST', `${self}/changes`, {
    body: new URLSearchParams(fields),
    headers: { accept: 'text/html', origin: service.url },
  })
  assert.equal(sent.status, 303, sent.text)
  const field = async () => (await ask('GET', self)).body
  while ((await field()).replaceBy !== null) await pause(20)
  assert.deepEqual((await field()).options, {
    values: [
      { value: 'c~d', title: 'C' },
      { value: 'e', title: 'E' },
    ],
  })
  assert.partialDeepStrictEqual((await ask('GET', `${DEALS}/${id}`)).body, { own: { line: ['c~d', 'e'] } })
  assert.equal((await ask('PATCH', `${DEALS}/${id}`, { own: { line: ['a/b'] } })).status, 422)
})

testOnEachStore('a repeat gets the answer of its time, whatever the model asks by now', async () => {
  const choices = (...values: readonly string[]) => ({ values: values.map((value) => ({ value, title: value })) })
  const size = (await add('girth', { kind: 'choice', options: choices('small', 'large') })).body
  const note = (await add('memo', { kind: 'text', options: { max: 20 } })).body
  const gone = (await add('gone')).body
  const key = { 'idempotency-key': 'stricter-key' }
  const roof = { name: ' Roof ', price: 5, own: { girth: 'large', memo: 'ten or more', gone: 3 } }
  const command = { action: 'CreateDeal', params: roof }
  const { body: made } = await ask('POST', DEALS, roof, key)
  const first = await ask('PUT', '/rest/commands/stricter-command', command)
  assert.equal(first.status, 201, first.text)

  const small = { options: choices('small'), replaceBy: { large: 'small' } }
  assert.equal((await ask('PATCH', `/fields/${size.id}`, small)).status, 200)
  assert.equal((await ask('PATCH', `/fields/${note.id}`, { options: { max: 5 } })).status, 200)
  assert.equal((await ask('PUT', `/fields/${gone.id}/retire`)).status, 200)
  const needed = (await add('needed', { required: true })).body
  const again = await ask('POST', DEALS, roof, key)
  assert.deepEqual([again.status, again.headers['idempotent-replayed'], again.body.id], [201, 'true', made.id])
  assert.equal((await ask('PUT', '/rest/commands/stricter-command', command)).status, 200)
  for (const own of [{}, { ...roof.own, gone: 4 }, { ...roof.own, girth: 'small' }, { ...roof.own, needed: 1 }]) {
    const other = await ask('POST', DEALS, { ...roof, own }, key)
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency-key-reused'], JSON.stringify(own))
  }
  assert.equal((await ask('PUT', `/fields/${needed.id}/retire`)).status, 200)
})

testOnEachStore('a repeat is the same when no field is left of those that it sets to nothing', async () => {
  const fields = await Promise.all(['first', 'second'].map((name) => add(name, { on: 'task' })))
  const command = { action: 'CreateTask', params: { title: 'Call', own: { first: null, second: 5 } } }
  assert.equal((await ask('PUT', '/rest/commands/all-retired', command)).status, 201)
  for (const { body } of fields) {
    assert.equal((await ask('PUT', `/fields/${body.id}/retire`)).status, 200)
    assert.equal((await ask('PUT', '/rest/commands/all-retired', command)).status, 200)
  }
})

testOnEachStore(
  'a repeat is the same however it writes values of fields that are retired or choices that are gone',
  async () => {
    const choices = (...values: readonly string[]) => ({ values: values.map((value) => ({ value, title: value })) })
    const at = (await add('landed', { kind: 'instant' })).body
    const tags = (await add('tags', { kind: 'choices', options: choices('a', 'b', 'c') })).body
    const command = (own: object) => ({ action: 'CreateDeal', params: { name: 'Roof', price: 5, own } })
    const own = { landed: '2027-01-31T11:00:00+01:00', tags: ['c', 'a', 'c'] }
    const send = (sent: object) => ask('PUT', '/rest/commands/written-otherwise', command(sent))
    assert.equal((await send(own)).status, 201)
    const isReplayed = async () => {
      for (const sent of [own, { landed: '2027-01-31T10:00:00Z', tags: ['a', 'c'] }])
        assert.equal((await send(sent)).status, 200)
      for (const sent of [
        { ...own, landed: '2027-01-31T11:00:00Z' },
        { ...own, tags: ['a'] },
      ])
        assert.equal((await send(sent)).body.code, 'command-id-reused')
    }
    await isReplayed()
    const fewer = { options: choices('b', 'c'), replaceBy: { a: 'b' } }
    assert.equal((await ask('PATCH', `/fields/${tags.id}`, fewer)).status, 200)
    await isReplayed()
    for (const { id } of [at, tags]) {
      assert.equal((await ask('PUT', `/fields/${id}/retire`)).status, 200)
      await isReplayed()
    }
  },
)

testOnEachStore('a repeat shows values of every kind as the first answer did', async () => {
  const customer = (await ask('POST', '/customers', { name: 'Ana' })).body
  // A user has to exist, and this service has none.
  const { user: _user, ...samples } = ownSamples
  const own: Record<string, unknown> = {}
  for (const [kind, { options, value }] of Object.entries(samples)) {
    const made = await add(`repeated${kind}`, { kind, ...(options && { options }) })
    assert.equal(made.status, 201, made.text)
    own[`repeated${kind}`] = kind === 'link' ? customer.id : value
  }
  const key = { 'idempotency-key': 'every-kind' }
  const roof = { name: 'Roof', price: 5, own }
  const first = await ask('POST', DEALS, roof, key)
  assert.equal(first.status, 201, first.text)
  const again = await ask('POST', DEALS, roof, key)
  assert.equal(again.headers['idempotent-replayed'], 'true', again.text)
  assert.deepEqual(again.body, first.body)
})

testOnEachStore('no choices are none at all where some are required', async () => {
  const values = [{ value: 'a', title: 'A' }]
  const field = (await add('musts', { kind: 'choices', options: { values } })).body
  const deal = (await ask('POST', DEALS, { name: 'Roof', price: 1, own: { musts: ['a'] } })).body
  assert.equal((await ask('PATCH', `/fields/${field.id}`, { required: true })).status, 200)
  for (const none of [[], null]) {
    const own = { musts: none }
    for (const refused of [
      await ask('POST', DEALS, { name: 'Roof', price: 1, own }),
      await ask('PUT', `${DEALS}/by/reference/musts-1`, { name: 'Roof', price: 1, own }),
      await ask('PATCH', `${DEALS}/${deal.id}`, { own }),
      await ask('PUT', `${DEALS}/${deal.id}/set-fields`, { own }),
    ])
      assert.deepEqual([refused.status, faultsOf(refused)], [422, ['/own/musts required']], refused.text)
  }
  assert.equal((await ask('PUT', `/fields/${field.id}/retire`)).status, 200)
})

testOnEachStore('choices have any names, and only the service closes one', async () => {
  const named = (...values: readonly string[]) => ({ values: values.map((value) => ({ value, title: value })) })
  const closed = { values: named('constructor', 'toString', 'last').values.map((each) => ({ ...each, closing: true })) }
  const made = await add('words', { kind: 'choice', options: closed })
  assert.deepEqual([made.status, made.body.options], [201, named('constructor', 'toString', 'last')], made.text)
  const self = `/fields/${made.body.id}`
  await ask('POST', DEALS, { name: 'Roof', price: 1, own: { words: 'toString' } })
  const held = await ask('PATCH', self, { options: named('last') })
  assert.deepEqual([held.status, held.body.part], [409, 'toString'], held.text)
  const fewer = await ask('PATCH', self, { options: named('toString', 'last') })
  assert.deepEqual([fewer.status, fewer.body.options], [200, named('toString', 'last')], fewer.text)
  assert.equal((await ask('PATCH', self, { options: named('last'), replaceBy: { toString: 'last' } })).status, 200)
  while ((await ask('GET', self)).body.replaceBy !== null) await pause(20)
  assert.deepEqual((await ask('GET', self)).body.options, named('last'))
})

testOnEachStore('a value in an address is that of its kind in a command', async () => {
  await add('number', { unique: true })
  await add('exact', { kind: 'number', unique: true })
  const at = `${DEALS}/by/own.number/78`
  const made = await ask('PUT', at, { name: 'Roof', price: 1 }, { 'idempotency-key': 'number-key' })
  assert.equal(made.status, 201, made.text)
  assert.partialDeepStrictEqual((await ask('GET', '/rest/commands/number-key')).body, {
    params: { own: { number: 78 } },
  })
  for (const number of [78, '78']) {
    const held = await ask('PUT', '/rest/commands/number-command', {
      ...{ deal: { 'own.number': number }, action: 'HoldDeal' },
      params: { reason: 'Waiting' },
    })
    assert.equal(held.status, number === 78 ? 201 : 200, held.text)
  }
  const exact = await ask('PUT', `${DEALS}/by/own.exact/8999999999.999999`, { name: 'Roof', price: 1 })
  assert.match(exact.text, /"exact":8999999999\.999999[,}]/, 'a decimal that no double holds is not rounded')
  const fine = await ask('PUT', `${DEALS}/by/own.exact/-1234567.654321`, { name: 'Roof', price: 1 })
  assert.partialDeepStrictEqual(fine.body, { own: { exact: -1234567.654321 } })
})

testOnEachStore('other instances follow', async () => {
  const other = await openService({ DATABASE_URL: service.database.url })
  try {
    const { id } = await openDeal(service)
    assert.equal((await add('followed')).status, 201)
    const written = await other.request('PATCH', `${DEALS}/${id}`, { body: { description: 'By the other' } })
    assert.equal(written.status, 200)
    assert.equal(other.store.schemas.current.version, service.store.schemas.current.version)
  } finally {
    await other.close()
  }
})

const TASKS = '/rest/v1/tasks'

testOnEachStore('fields stand by their position, then in the order in which they were added', async (t) => {
  // Of a resource that has no other fields.
  const fresh = await openService()
  t.after(() => fresh.close())
  const ask = (method: string, path: string, body?: object): Promise<Answered> =>
    fresh.request(method, path, { ...(body && { body }) })
  const add = (name: string, more: object): Promise<Answered> =>
    ask('POST', '/fields', { name, title: name, kind: 'integer', ...more })
  const on = 'task'
  const made = []
  for (const [name, more] of [['firstOne'], ['secondOne'], ['thirdOne', { position: 1 }], ['fourthOne']] as const)
    made.push((await add(name, { on, ...more })).body)
  assert.deepEqual(
    made.map(({ position, group }) => [position, group]),
    [
      [0, null],
      [1, null],
      [1, null],
      [2, null],
    ],
  )
  const [first, , third] = made.map(({ id }) => `/fields/${id}`)
  const order = async () => {
    const { body } = await ask('POST', TASKS, { title: 'Call', own: { fourthOne: 4 } })
    const { text } = await ask('GET', `${TASKS}/${body.id}`)
    const own = /"own":\{([^}]*)\}/.exec(text)?.[1] ?? ''
    // As it is stored, with values and without, and in a list.
    const empty = (await ask('POST', TASKS, { title: 'Mail' })).text
    const listed = (await ask('GET', `${TASKS}?title=Mail&fields=own`)).text
    const names = (json: string) => [...json.matchAll(/"(\w+One)":/g)].map(([, name]) => name)
    assert.deepEqual(names(empty), names(own))
    assert.deepEqual(names(listed).slice(0, 4), names(own))
    return names(own)
  }
  assert.deepEqual(await order(), ['firstOne', 'secondOne', 'thirdOne', 'fourthOne'])
  const moved = await ask('PATCH', String(first), { position: 9, group: ' Contract ' })
  assert.partialDeepStrictEqual(moved.body, { position: 9, group: 'Contract', revision: 2 })
  assert.deepEqual(await order(), ['secondOne', 'thirdOne', 'fourthOne', 'firstOne'])
  assert.equal((await ask('PATCH', String(third), { position: -1 })).status, 200)
  assert.deepEqual(await order(), ['thirdOne', 'secondOne', 'fourthOne', 'firstOne'])
  const { items = [] } = (await ask('GET', '/fields?on=task&sort=position,id&fields=name,position')).body
  assert.deepEqual(
    items.map((each) => (each as { readonly name: string }).name),
    ['thirdOne', 'secondOne', 'fourthOne', 'firstOne'],
  )
  // A parameter of that name makes groups; the other ways to filter know the field.
  for (const filter of ['group.eq=Contract', "$filter=group eq 'Contract'", 'filter[group]=Contract']) {
    const found = (await ask('GET', `/fields?on=task&fields=name&${filter.replaceAll(' ', '%20')}`)).body
    assert.deepEqual(found.items, [{ name: 'firstOne' }], filter)
  }
  const groups = (await ask('GET', '/fields?on=task&group=group')).body
  assert.deepEqual(groups.items, [
    { group: 'Contract', count: 1 },
    { group: null, count: 3 },
  ])
  // A whole field without them has no heading any more, and stays where it is.
  const { links: _links, position: _position, group: _group, ...whole } = moved.body
  const replaced = await ask('PUT', String(first), { ...whole, title: 'First' })
  assert.partialDeepStrictEqual(replaced.body, { title: 'First', position: 9, group: null, revision: 3 })
  const { body: history } = await ask('GET', `${first}/history?sort=revision`)
  assert.deepEqual(
    (history.items as readonly { readonly params: object }[]).slice(1).map(({ params }) => params),
    [
      { position: 9, group: 'Contract' },
      { title: 'First', group: null },
    ],
  )
  for (const [sent, fault] of [
    [{ group: 'x'.repeat(101) }, '/group too-long'],
    [{ group: ' ' }, '/group blank'],
    [{ position: 1.5 }, '/position type'],
    [{ position: 1_000_001 }, '/position out-of-range'],
  ] as const) {
    const refused = await ask('PATCH', String(first), sent)
    assert.deepEqual([refused.status, faultsOf(refused)], [422, [fault]])
  }
  // Behind the last possible position there is none.
  await ask('PATCH', String(third), { position: 1_000_000 })
  assert.equal((await add('fifthOne', { on })).body.position, 1_000_000)
})
