import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
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
  ask('POST', '/pipelines', { name, title: name, stages: [{ name: 'due' }, { name: 'offered' }], ...more })
const faultsOf = ({ body }: Answered) => body.errors.map(({ pointer, code }) => `${pointer} ${code}`)
const itemsOf = async (path: string) => ((await ask('GET', path)).body.items ?? []) as readonly Answered['body'][]
const problemOf = ({ status, body }: Answered) => [status, body.code]

testOnEachStore('the first pipeline has the stages that deals always had', async () => {
  const { status, body } = await ask('GET', '/pipelines/sales')
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(body, { name: 'sales', default: true, position: 0, lostReasons: [], closing: false })
  const stages = body.stages as unknown as readonly { readonly name: string; readonly likelihood: number }[]
  assert.deepEqual(
    stages.map(({ name, likelihood }) => [name, likelihood]),
    [
      ['lead', 10],
      ['qualified', 25],
      ['proposal', 50],
      ['negotiation', 75],
      ['contract', 90],
    ],
  )
})

testOnEachStore('a pipeline is made, found by its name, changed and deleted, and deals use it at once', async () => {
  const made = await add('renewals', {
    title: 'Renewals',
    stages: [
      { name: 'due', title: 'Due', likelihood: 60, staleAfter: 30 },
      { name: 'offered', requires: ['owner'] },
    ],
    lostReasons: ['Too expensive'],
  })
  assert.equal(made.status, 201, made.text)
  assert.equal(made.headers.location, '/pipelines/renewals')
  assert.equal(made.body.links?.self, '/pipelines/renewals')
  const closing = false
  assert.partialDeepStrictEqual(made.body, {
    default: false,
    position: 1,
    stages: [
      { name: 'due', title: 'Due', likelihood: 60, requires: [], staleAfter: 30, closing },
      { name: 'offered', title: 'Offered', likelihood: 50, requires: ['owner'], staleAfter: null, closing },
    ],
  })
  for (const key of ['renewals', made.body.id, 'by/name/renewals'])
    assert.deepEqual((await ask('GET', `/pipelines/${key}`)).body, made.body)
  assert.deepEqual(problemOf(await add('renewals')), [409, 'name-taken'])
  // The address of a UUID is that of an id.
  const uuid = '00000000-0000-7000-8000-000000000001'
  for (const slug of ['Late', 'late-', '-late', 'la--te', 'la te', 'a'.repeat(41), uuid])
    assert.deepEqual(faultsOf(await add(slug)), [`/name ${slug.length > 40 ? 'too-long' : 'malformed'}`], slug)
  const deal = await ask('POST', DEALS, { name: 'Roof', price: 1, pipeline: 'renewals' })
  assert.partialDeepStrictEqual(deal.body, { pipeline: 'renewals', stage: 'due' })
  const gated = await ask('PUT', `${DEALS}/${deal.body.id}/move`, { stage: 'offered' })
  assert.deepEqual([...problemOf(gated), gated.body.fields], [409, 'stage-requires', ['owner']])
  const changed = await ask('PATCH', '/pipelines/renewals', { title: 'Contracts', lostReasons: [] })
  assert.partialDeepStrictEqual(changed.body, { title: 'Contracts', lostReasons: [], revision: 2 })
  assert.deepEqual(faultsOf(await ask('PATCH', '/pipelines/renewals', { name: 'other' })), ['/name set-at-creation'])
  const used = await ask('DELETE', '/pipelines/renewals')
  assert.deepEqual([...problemOf(used), used.body.count], [409, 'in-use', 1])
  assert.equal((await ask('PATCH', `${DEALS}/${deal.body.id}`, { pipeline: 'sales' })).status, 200)
  assert.equal((await ask('DELETE', '/pipelines/renewals')).status, 204)
  assert.equal((await ask('GET', '/pipelines/renewals')).status, 404)
  assert.equal((await ask('POST', DEALS, { name: 'Roof', price: 1, pipeline: 'renewals' })).status, 422)
  const events = (await itemsOf(`/events?pipeline=${made.body.id}`)).map((each) => (each as { type?: string }).type)
  assert.deepEqual(events, ['pipeline.created', 'pipeline.changed', 'pipeline.deleted'])
  const again = await add('renewals')
  assert.equal(again.status, 201, 'the name is free again')
  assert.equal((await ask('DELETE', '/pipelines/renewals')).status, 204)
})

testOnEachStore('one pipeline is the default: another takes it, with an event for each', async () => {
  const made = await add('tenders', { default: true })
  assert.equal(made.body.default, true)
  const isDefault = async () => (await itemsOf('/pipelines?default=true')).map(({ name }) => name)
  assert.deepEqual(await isDefault(), ['tenders'])
  assert.equal((await openDeal(service)).pipeline, 'tenders')
  const [lost] = await itemsOf('/pipelines/sales/history?sort=-revision&pageSize=1')
  assert.partialDeepStrictEqual(lost, { type: 'pipeline.changed', params: { default: false } })
  for (const name of ['tenders', 'sales']) {
    const refused = await ask('PATCH', `/pipelines/${name}`, { default: false })
    assert.deepEqual(
      [refused.status, name === 'sales' || faultsOf(refused)],
      name === 'sales' ? [200, true] : [422, ['/default not-one-of']],
    )
  }
  for (const address of ['/pipelines/tenders', '/pipelines/tenders?moveTo=sales']) {
    const kept = await ask('DELETE', address)
    assert.deepEqual([...problemOf(kept), kept.body.count, kept.body.needed], [409, 'in-use', 1, true])
    assert.match(kept.body.detail, /it is the default/)
  }
  const foreseen = await ask('PATCH', '/pipelines/sales?dry-run=true', { default: true })
  assert.equal(foreseen.body.default, true)
  assert.deepEqual(await isDefault(), ['tenders'])
  // In one batch, the last one has it.
  const commands = [
    { action: 'CreatePipeline', params: { name: 'first', title: 'First', default: true, stages: [{ name: 'a' }] } },
    { action: 'ChangePipeline', pipeline: 'sales', params: { default: true } },
    { action: 'DeletePipeline', pipeline: '$0' },
  ]
  const batch = await ask('POST', '/rest/v1/batch', { atomic: true, commands })
  assert.equal(batch.status, 200, batch.text)
  assert.deepEqual(await isDefault(), ['sales'])
  assert.deepEqual(
    (await itemsOf('/pipelines?sort=position')).map(({ name }) => name),
    ['sales', 'tenders'],
  )
})

test('a pipeline that makes no sense is refused, each fault at its place', async () => {
  const stage = { name: 'due' }
  const refusals: readonly (readonly [object, readonly string[]])[] = [
    [{ stages: [] }, ['/stages blank']],
    [{ stages: 'due' }, ['/stages type']],
    [{ stages: ['due'] }, ['/stages/0 type']],
    [{ stages: [stage, stage] }, ['/stages/1/name repeated']],
    [{ stages: [{ title: 'Due' }] }, ['/stages/0/name required']],
    [{ stages: [{ name: 'In Arbeit' }] }, ['/stages/0/name malformed']],
    [{ stages: [{ ...stage, likelihood: 101 }] }, ['/stages/0/likelihood out-of-range']],
    [{ stages: [{ ...stage, likelihood: -1 }] }, ['/stages/0/likelihood out-of-range']],
    [{ stages: [{ ...stage, likelihood: 0.5 }] }, ['/stages/0/likelihood type']],
    [{ stages: [{ ...stage, colour: 'red' }] }, ['/stages/0/colour unknown']],
    [{ stages: [{ ...stage, staleAfter: 0 }] }, ['/stages/0/staleAfter out-of-range']],
    [{ stages: [{ ...stage, requires: 'owner' }] }, ['/stages/0/requires type']],
    [{ stages: [{ ...stage, requires: ['owner', 'budget'] }] }, ['/stages/0/requires/1 unknown']],
    [{ stages: [{ ...stage, requires: ['own.budget'] }] }, ['/stages/0/requires/0 unknown']],
    [{ stages: [{ ...stage, requires: ['customer.phone', 'customer.budget'] }] }, ['/stages/0/requires/1 unknown']],
    [{ stages: [{ ...stage, requires: ['tasks.title'] }] }, ['/stages/0/requires/0 unknown']],
    [{ stages: [{ ...stage, requires: ['owner', 'owner'] }] }, ['/stages/0/requires/1 repeated']],
    [{ stages: Array.from({ length: 51 }, (_, nth) => ({ name: `s${nth}` })) }, ['/stages too-many-values']],
    [{ lostReasons: [''] }, ['/lostReasons/0 blank']],
    [{ lostReasons: ['Price', 'Price'] }, ['/lostReasons/1 repeated']],
    [{ name: 'Sales' }, ['/name malformed']],
    [{ position: 1.5 }, ['/position type']],
    [{ title: '' }, ['/title blank']],
    [{ closing: true }, ['/closing unknown']],
  ]
  for (const [more, faults] of refusals) {
    const refused = await add('wrong', more)
    assert.deepEqual([refused.status, faultsOf(refused)], [422, faults], JSON.stringify(more))
    if ('name' in more || 'title' in more || 'closing' in more) continue
    const changed = await ask('PATCH', '/pipelines/sales', more)
    assert.deepEqual([changed.status, faultsOf(changed)], [422, faults], JSON.stringify(more))
  }
  assert.deepEqual(faultsOf(await ask('PATCH', '/pipelines/sales', { moveTo: { lead: 'contract' } })), [
    '/moveTo goes-with',
  ])
  assert.equal((await ask('GET', '/pipelines/wrong')).status, 404)
  assert.equal((await ask('GET', '/pipelines/Not%20a%20name')).status, 404)
})

testOnEachStore('a stage that requires an own field is open while that field is retired', async () => {
  const field = await ask('POST', '/fields', { on: 'deal', name: 'budget', title: 'Budget', kind: 'integer' })
  const stages = [{ name: 'due' }, { name: 'offered', requires: ['own.budget'] }]
  assert.equal((await add('gated', { stages })).status, 201)
  const { id } = await openDeal(service, { pipeline: 'gated' })
  const move = (stage: string) => ask('PUT', `${DEALS}/${id}/move`, { stage })
  const refused = await move('offered')
  assert.deepEqual([...problemOf(refused), refused.body.fields], [409, 'stage-requires', ['own.budget']])
  assert.equal((await ask('PUT', `/fields/${field.body.id}/retired`)).status, 200)
  assert.equal((await move('offered')).status, 200)
  assert.equal((await move('due')).status, 200)
  const kept = await ask('PATCH', '/pipelines/gated', { stages: [...stages, { name: 'won' }] })
  assert.equal(kept.status, 200, 'the list can be sent as it was read')
  const anew = await ask('PATCH', '/pipelines/sales', { stages: [{ name: 'lead', requires: ['own.budget'] }] })
  assert.deepEqual(faultsOf(anew), ['/stages/0/requires/0 unknown'])
  assert.equal((await ask('PUT', `/fields/${field.body.id}/restored`)).status, 200)
  assert.equal((await move('offered')).body.code, 'stage-requires')
  assert.equal((await ask('PUT', `${DEALS}/${id}/set-fields`, { own: { budget: 0 } })).status, 200)
  assert.equal((await move('offered')).status, 200, '0 is a value')
})

testOnEachStore('a stage may require fields of the customer, in whichever form a deal enters it', async () => {
  const field = await ask('POST', '/fields', { on: 'customer', name: 'vat', title: 'VAT number', kind: 'text' })
  const requires = ['customer.phone', 'customer.own.vat']
  const stages = [{ name: 'new' }, { name: 'signed', requires }]
  assert.equal((await add('contracts', { stages })).status, 201)
  const customer = async (more: object): Promise<number> =>
    Number((await ask('POST', '/customers', { name: 'Ana Ruiz', ...more })).body.id)
  const [blank, full] = [await customer({ phone: '+34 1' }), await customer({ phone: '+34 2', own: { vat: 'ES1' } })]
  const place = { pipeline: 'contracts', stage: 'signed' }
  const deal = (customerId: number | null, more: object = {}) =>
    ask('POST', DEALS, { name: 'Roof', price: 1, pipeline: 'contracts', customerId, ...more })
  const missing = ({ status, body }: Answered) => [status, body.code, body.fields]
  const requiring = (...fields: readonly string[]) => [409, 'stage-requires', fields]
  // A creation; without a customer everything of it is empty.
  assert.deepEqual(missing(await deal(null, place)), requiring(...requires))
  assert.deepEqual(missing(await deal(blank, place)), requiring('customer.own.vat'))
  assert.equal((await deal(full, place)).status, 201)
  const { id, revision } = (await deal(blank)).body
  const at = `${DEALS}/${id}`
  const command = (params: object) => ({ action: 'MoveDeal', deal: id, params })
  assert.deepEqual(missing(await ask('PUT', `${at}/move`, { stage: 'signed' })), requiring('customer.own.vat'))
  assert.deepEqual(missing(await ask('PATCH', at, { stage: 'signed' })), requiring('customer.own.vat'))
  const address = `/rest/commands/${crypto.randomUUID()}`
  for (const _time of ['first', 'again'])
    assert.deepEqual(missing(await ask('PUT', address, command({ stage: 'signed' }))), requiring('customer.own.vat'))
  assert.equal((await ask('GET', at)).body.revision, revision)
  // With the customer that the same change gives it.
  assert.deepEqual(
    missing(await ask('PATCH', at, { stage: 'signed', customerId: null })),
    requiring('customer.phone', 'customer.own.vat'),
  )
  assert.equal((await ask('PATCH', `${at}?dry-run=true`, { stage: 'signed', customerId: full })).status, 200)
  // After what the same batch did to the customer before.
  const change = (vat: string | null) => ({ action: 'ChangeCustomer', customer: blank, params: { own: { vat } } })
  const batch = async (...commands: readonly object[]) =>
    (await ask('POST', '/rest/v1/batch', { atomic: true, commands })).status
  assert.equal(await batch(change('ES2'), change(null), command({ stage: 'signed' })), 409)
  assert.equal(await batch(change('ES2'), command({ stage: 'signed' }), change(null), command({ stage: 'new' })), 200)
  const made = { action: 'CreateCustomer', params: { name: 'Bo', phone: '1', own: { vat: 'B' } } }
  const withMade = (stage: string) => ({
    action: 'CreateDeal',
    params: { name: 'Hall', price: 1, ...place, stage, customerId: '$0' },
  })
  assert.equal(await batch(made, withMade('signed')), 200)
  assert.equal(await batch({ ...made, params: { name: 'Bo' } }, withMade('signed')), 409)
  const put = await ask('PUT', `${DEALS}/by/reference/C-1`, { name: 'Barn', price: 1, customerId: blank, ...place })
  assert.deepEqual(missing(put), requiring('customer.own.vat'))
  // A retired field is not asked for.
  assert.equal((await ask('PUT', `/fields/${field.body.id}/retired`)).status, 200)
  assert.equal((await ask('PUT', `${at}/move`, { stage: 'signed' })).status, 200)
})

testOnEachStore('a stage that a condition names stays, whatever stages other pipelines have', async () => {
  assert.equal((await add('named')).status, 201)
  assert.equal((await add('alike')).status, 201)
  const query = 'pipeline=named&stage=due'
  const view = await ask('POST', '/views', { name: 'Due', collection: 'deals', query, shared: true })
  const hook = { url: 'https://example.com/due', types: ['deal.moved'], where: query }
  const { body } = await ask('POST', '/webhooks', hook)
  const stages = [{ name: 'offered' }]
  const kept = await ask('PATCH', '/pipelines/named', { stages, moveTo: { due: 'offered' } })
  assert.deepEqual(problemOf(kept), [409, 'in-use'])
  assert.deepEqual(kept.body.usedBy, [
    { on: 'view', id: view.body.id, name: 'Due' },
    { on: 'webhook', id: body.id, name: hook.url },
  ])
  assert.equal((await ask('PATCH', '/pipelines/alike', { stages })).status, 200)
  for (const path of [`/views/${view.body.id}`, `/webhooks/${body.id}`]) await ask('DELETE', path)
  for (const name of ['named', 'alike']) assert.equal((await ask('DELETE', `/pipelines/${name}`)).status, 204)
})

testOnEachStore('closing stages count until they are gone', async () => {
  const stages = (from: number, below: number) =>
    Array.from({ length: below - from }, (_, at) => ({ name: `s${from + at}` }))
  assert.equal((await add('full', { stages: stages(0, 50) })).status, 201)
  const { id } = await openDeal(service, { pipeline: 'full' })
  const moveTo = { s0: 's1' }
  const most = await ask('PATCH', '/pipelines/full', { stages: stages(1, 51), moveTo })
  assert.deepEqual([most.status, faultsOf(most)], [422, ['/stages too-many-values']])
  assert.equal((await ask('PATCH', '/pipelines/full', { stages: stages(1, 50), moveTo })).status, 200)
  while ((await ask('GET', '/pipelines/full')).body.moveTo !== null) await pause(10)
  assert.equal((await ask('PATCH', '/pipelines/full', { stages: stages(1, 51) })).status, 200)
  assert.equal((await ask('PUT', `${DEALS}/${id}/move`, { pipeline: 'sales' })).status, 200)
  assert.equal((await ask('DELETE', '/pipelines/full')).status, 204)
})

testOnEachStore('deals move out of a stage or pipeline that is removed', async () => {
  assert.equal((await add('old')).status, 201)
  const { id } = await openDeal(service, { pipeline: 'old' })
  const stages = [{ name: 'offered' }]
  const used = await ask('PATCH', '/pipelines/old', { stages })
  assert.deepEqual([...problemOf(used), used.body.count, used.body.part], [409, 'in-use', 1, 'due'])
  const moved = await ask('PATCH', '/pipelines/old', { stages, moveTo: { due: 'offered' } })
  assert.equal(moved.status, 200, moved.text)
  assert.partialDeepStrictEqual(moved.body, {
    stages: [
      { name: 'due', closing: true },
      { name: 'offered', closing: false },
    ],
    moveTo: { due: 'offered' },
  })
  const deal = async () => (await ask('GET', `${DEALS}/${id}`)).body
  while ((await ask('GET', '/pipelines/old')).body.moveTo !== null) await pause(10)
  assert.partialDeepStrictEqual(await deal(), { pipeline: 'old', stage: 'offered', revision: 2 })
  const nowhere = await ask('DELETE', '/pipelines/old?moveTo=nowhere')
  assert.partialDeepStrictEqual(nowhere.body.errors, [{ parameter: 'moveTo', code: 'not-one-of' }])
  assert.equal(nowhere.body.errors[0]?.pointer, undefined)
  assert.deepEqual(faultsOf(await ask('DELETE', '/pipelines/old', { moveTo: 'nowhere' })), ['/moveTo not-one-of'])
  assert.deepEqual(faultsOf(await ask('DELETE', '/pipelines/old?moveTo=sales', { mvoeTo: 1 })), ['/mvoeTo unknown'])
  const contradictory = await ask('DELETE', '/pipelines/old?moveTo=sales', { moveTo: 'nowhere' })
  assert.partialDeepStrictEqual(contradictory.body.errors, [{ parameter: 'moveTo', code: 'differs' }])
  assert.deepEqual(problemOf(contradictory), [400, 'invalid-parameter'], contradictory.text)
  const agreeing = await ask('DELETE', '/pipelines/old?moveTo=sales&dry-run=true', { moveTo: 'sales' })
  assert.equal(agreeing.body.closing, true, agreeing.text)
  const foreseen = await ask('DELETE', '/pipelines/old?moveTo=sales&dry-run=true')
  assert.equal(foreseen.body.closing, true, foreseen.text)
  const key = { 'idempotency-key': crypto.randomUUID() }
  const begun = await ask('DELETE', '/pipelines/old?moveTo=sales', undefined, key)
  assert.deepEqual([begun.status, begun.body.closing, begun.body.successor], [202, true, 'sales'], begun.text)
  while ((await ask('GET', '/pipelines/old')).status !== 404) await pause(10)
  assert.partialDeepStrictEqual(await deal(), { pipeline: 'sales', stage: 'lead', revision: 3 })
  const again = await ask('DELETE', `/pipelines/${begun.body.id}?moveTo=sales`, undefined, key)
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [202, 'true'])
  const entries = await itemsOf(`/events?pipeline=${begun.body.id}`)
  assert.deepEqual(
    entries.map((each) => (each as { type?: string }).type),
    ['created', 'changed', 'changed', 'changed', 'deleted'].map((word) => `pipeline.${word}`),
  )
})

testOnEachStore('a repeat of a write by name gives its first answer, also when the pipeline is gone', async () => {
  assert.equal((await add('short-lived')).status, 201)
  const writes: readonly (readonly [string, string, object?])[] = [
    ['PATCH', '/pipelines/short-lived', { title: 'Brief' }],
    ['POST', '/pipelines/short-lived/changes', { position: 77 }],
    ['DELETE', '/pipelines/short-lived'],
  ]
  const once = ([method, path, body]: (typeof writes)[number], at: number): Promise<Answered> =>
    ask(method, path, body, { 'idempotency-key': `short-lived-${at}` })
  const answers: Answered[] = []
  for (const [at, write] of writes.entries()) answers.push(await once(write, at))
  assert.equal((await ask('GET', '/pipelines/short-lived')).status, 404)
  const repeats = async (): Promise<void> => {
    for (const [at, write] of writes.entries()) {
      const { status, headers, text } = await once(write, at)
      assert.deepEqual([status, headers['idempotent-replayed'], text], [answers[at]?.status, 'true', answers[at]?.text])
    }
  }
  await repeats()
  // Another thing with the name is not meant.
  assert.equal((await add('short-lived')).status, 201)
  await repeats()
  assert.equal((await ask('GET', '/pipelines/short-lived')).body.title, 'short-lived')
})

testOnEachStore('an id in a body may be the name that is the address', async () => {
  assert.equal((await add('named')).status, 201)
  const renamed = await ask('POST', '/command/ChangePipeline', { id: 'named', title: 'By command' })
  assert.equal(renamed.status, 200, renamed.text)
  const updated = await ask('PATCH', '/pipelines/named', { id: 'named', position: 99 })
  assert.partialDeepStrictEqual(updated.body, { title: 'By command', position: 99, revision: 3 })
  const other = await ask('POST', '/pipelines/named:change', { id: 'sales', position: 6 })
  assert.deepEqual(faultsOf(other), ['/id not-addressed'])
  assert.deepEqual(faultsOf(await ask('PATCH', '/pipelines/named', { id: 'sales' })), ['/id malformed'])
  assert.equal((await ask('POST', '/command/DeletePipeline', { id: 'named' })).status, 200)
  assert.equal((await ask('GET', '/pipelines/named')).status, 404)
})

testOnEachStore('a text that shows nothing does not meet what a stage requires', async () => {
  assert.equal((await add('described', { stages: [{ name: 'due', requires: ['description'] }] })).status, 201)
  const create = (description: string) =>
    ask('POST', DEALS, { name: 'Roof', price: 1, pipeline: 'described', description })
  for (const invisible of ['\u200b', '\u2800', '\u3164', ' \n'])
    assert.deepEqual(problemOf(await create(invisible)), [409, 'stage-requires'], JSON.stringify(invisible))
  assert.equal((await create('flat roof')).status, 201)
})

testOnEachStore('the periods in removed places are groups of their own, behind the others', async () => {
  const stages = ['b', 'a', 'c'].map((name) => ({ name }))
  assert.equal((await add('gone', { stages })).status, 201)
  for (const { name: stage } of stages) await openDeal(service, { pipeline: 'gone', stage, owner: 'mover' })
  assert.equal((await ask('DELETE', '/pipelines/gone?moveTo=sales')).status, 202)
  const those = '/periods?deal.owner=mover'
  // The service reads its new model right after the commit, and the pipeline's address with the commit.
  while ((await ask('GET', `${those}&pipeline=gone`)).status !== 400) await pause(10)
  const rowsOf = async (path: string) => (await itemsOf(path)) as readonly object[]
  const groups = await rowsOf(`${those}&group=pipeline,stage`)
  assert.deepEqual(groups, [
    { pipeline: 'sales', stage: 'lead', count: 3 },
    { pipeline: 'gone', stage: 'a', count: 1 },
    { pipeline: 'gone', stage: 'b', count: 1 },
    { pipeline: 'gone', stage: 'c', count: 1 },
  ])
  assert.deepEqual(await rowsOf(`${those}&group=pipeline,stage&sort=-pipeline,-stage`), groups.toReversed())
  const paged: unknown[] = []
  for (const page of [1, 2, 3, 4])
    paged.push(...(await itemsOf(`${those}&group=pipeline,stage&pageSize=1&page=${page}`)))
  assert.deepEqual(paged, groups)
  const csv = await ask('GET', `${those}&group=pipeline,stage`, undefined, { accept: 'text/csv' })
  assert.deepEqual(csv.text.trim().split('\r\n').slice(1), ['sales,lead,3', 'gone,a,1', 'gone,b,1', 'gone,c,1'])
  const page = await ask('GET', `${those}&group=pipeline,stage`, undefined, { accept: 'text/html' })
  assert.match(page.text, /gone/)
  const { rows } = (await ask('GET', '/reports/conversion?person=mover')).body as never as {
    readonly rows: readonly { readonly stage: string; readonly entered: number }[]
  }
  assert.deepEqual(
    rows.flatMap(({ stage, entered }) => (entered > 0 ? [[stage, entered]] : [])),
    [['lead', 3]],
  )
  assert.equal((await ask('GET', '/pipelines/gone')).status, 404)
  assert.deepEqual(await rowsOf(`${those}&stage.gte=lead&group=stage`), [{ stage: 'lead', count: 3 }])
  for (const sort of ['stage', '-stage', 'pipeline', '-pipeline', 'stage,-since']) {
    const whole = await itemsOf(`${those}&sort=${sort}`)
    const known = whole.map(({ pipeline }) => pipeline === 'sales')
    assert.deepEqual(known, sort.startsWith('-') ? known.toSorted() : known.toSorted().toReversed(), sort)
    const walked: unknown[] = []
    for (let next: string | undefined = `${those}&sort=${sort}&pageSize=1`; next !== undefined; ) {
      const { body, status }: Answered = await ask('GET', next)
      assert.equal(status, 200, next)
      walked.push(...(body.items ?? []))
      next = body.links?.next
    }
    assert.deepEqual(walked, whole, sort)
  }
})

testOnEachStore('the faults of a pipeline and of its stages are told together', async () => {
  const wrong = { title: ' ', stages: [{ name: 'Due Now' }, { name: 'offered', title: ' ' }], lostReasons: [''] }
  const inside = ['/stages/0/name malformed', '/stages/1/title blank', '/lostReasons/0 blank']
  assert.deepEqual(faultsOf(await add('X_1', wrong)), ['/name malformed', '/title blank', ...inside])
  assert.deepEqual(faultsOf(await ask('PATCH', '/pipelines/sales', wrong)), ['/title blank', ...inside])
  assert.deepEqual(faultsOf(await ask('POST', '/pipelines/sales:change', wrong)), ['/title blank', ...inside])
})

testOnEachStore('a refusal says which stage is wrong, and counts in its language', async () => {
  const saying = async (stages: readonly unknown[]) => (await add('unsaid', { stages })).body.detail
  assert.equal(await saying([null]), 'stages/0 must be a JSON object')
  assert.equal(await saying([{ name: 'due' }, { name: 'due' }]), 'stages/1/name must be given once')
  const many = Array.from({ length: 51 }, (_, at) => ({ name: `stage-${at}` }))
  assert.equal(await saying(many), 'stages must have at most 50 entries')
  const repeated = await service.request('POST', '/rest/v1/batch', {
    body: { commands: [{ action: 'CreatePipeline', params: { name: 'unsaid', title: 'Unsaid', stages: [null] } }] },
  })
  assert.match(repeated.text, /stages\/0 must be a JSON object/)
  assert.equal((await add('counted')).status, 201)
  const deals = [await openDeal(service, { pipeline: 'counted' })]
  const used = async () => (await ask('DELETE', '/pipelines/counted')).body.detail
  assert.equal(await used(), 'There is one thing in the pipeline: say with moveTo where it moves.')
  deals.push(await openDeal(service, { pipeline: 'counted' }))
  assert.equal(await used(), `There are ${deals.length} things in the pipeline: say with moveTo where they move.`)
})

testOnEachStore('a creation that its stage refuses is a rejected command, now and on every repeat', async () => {
  const open = { stages: [{ name: 'due' }, { name: 'offered' }] }
  const gated = { stages: [{ name: 'due' }, { name: 'offered', requires: ['owner'] }] }
  assert.equal((await add('stored', gated)).status, 201)
  const params = { name: 'Roof', price: 1, pipeline: 'stored', stage: 'offered' }
  const creation = { action: 'CreateDeal', params }
  const [id, key, inBatch, upsert] = ['put', 'key', 'batch', 'upsert'] as const
  const commands = [
    { id: inBatch, ...creation },
    { id: upsert, action: 'UpsertDeal', deal: { reference: 'stored-1' }, params },
  ]
  const answers = async (): Promise<readonly unknown[]> => {
    const batch = await ask('POST', '/rest/v1/batch', { commands, atomic: false })
    const results = batch.body.results as unknown as readonly { readonly problem?: { readonly code: string } }[]
    return [
      (await ask('PUT', `/rest/commands/${id}`, creation)).body.code,
      (await ask('POST', DEALS, params, { 'Idempotency-Key': key })).body.code,
      ...results.map(({ problem }) => problem?.code),
    ]
  }
  const refused = Array.from({ length: 4 }, () => 'stage-requires')
  assert.deepEqual(await answers(), refused)
  assert.equal((await ask('PATCH', '/pipelines/stored', open)).status, 200)
  assert.deepEqual(await answers(), refused)
  for (const each of [id, key, inBatch, upsert]) {
    const command = await ask('GET', `/rest/commands/${each}`)
    assert.deepEqual([command.status, command.body.status], [200, 'rejected'], each)
  }
})

testOnEachStore('groups of stages, and the first and last of them, keep the order of each pipeline', async () => {
  const stages = ['contract', 'lead', 'signed'].map((name) => ({ name }))
  assert.equal((await add('turned', { stages })).status, 201)
  const places = ['sales/lead', 'sales/contract', ...stages.map(({ name }) => `turned/${name}`)]
  for (const place of places) {
    const [pipeline = '', stage = ''] = place.split('/')
    await openDeal(service, { pipeline, stage, owner: 'turner' })
  }
  const found = async (path: string): Promise<readonly string[]> =>
    (await itemsOf(path)).map((group) => Object.values(group).join('/'))
  for (const those of [`${DEALS}?owner=turner`, '/periods?deal.owner=turner', `${DEALS}?owner=turner&name.ne=other`]) {
    const counted = places.map((place) => `${place}/1`)
    assert.deepEqual(await found(`${those}&group=pipeline,stage`), counted)
    assert.deepEqual(await found(`${those}&group=pipeline,stage&sort=-stage`), counted.toReversed())
    const ends = await found(`${those}&group=pipeline&measure=min.stage,max.stage`)
    assert.deepEqual(ends, ['sales/lead/contract', 'turned/contract/signed'])
    assert.deepEqual(await found(`${those}&group=stage`), ['lead/2', 'contract/2', 'signed/1'])
  }
  const related = '/periods?deal.owner=turner&group=deal.pipeline&measure=min.deal.stage'
  assert.deepEqual(await found(related), ['sales/lead', 'turned/contract'])
})

testOnEachStore('deals move only to a stage that there is, also while there are none to move', async () => {
  assert.equal((await add('empty')).status, 201)
  const stages = [{ name: 'offered' }]
  for (const to of ['nowhere', 'due'])
    assert.deepEqual(faultsOf(await ask('PATCH', '/pipelines/empty', { stages, moveTo: { due: to } })), [
      '/moveTo/due not-one-of',
    ])
  const both = [{ name: 'due' }, ...stages]
  assert.deepEqual(faultsOf(await ask('PATCH', '/pipelines/empty', { stages: both, moveTo: { due: 'offered' } })), [
    '/moveTo/due contradicts',
  ])
  assert.equal((await ask('PATCH', '/pipelines/empty', { stages, moveTo: { due: 'offered' } })).status, 200)
})

testOnEachStore('a stage and a pipeline may have a name that every object has', async () => {
  const name = 'constructor'
  assert.equal((await add(name, { stages: [{ name }, { name: 'due' }] })).status, 201)
  assert.equal((await openDeal(service, { pipeline: name })).stage, name)
  const left = await ask('PATCH', `/pipelines/${name}`, { stages: [{ name: 'due' }] })
  assert.deepEqual(problemOf(left), [409, 'in-use'])
  const file = Buffer.from(`name,price,pipeline,stage\nRoof,1,${name},${name}\n`)
  const { headers } = await ask('POST', '/imports?on=deal', file, { 'content-type': 'text/csv' })
  let { body } = await ask('GET', String(headers.location))
  for (; body.isRunning; await pause(10)) ({ body } = await ask('GET', String(headers.location)))
  assert.partialDeepStrictEqual(body, { stage: 'ready', inserted: 1, rejected: 0 })
})

testOnEachStore('pipelines and stages have titles in languages', async () => {
  const made = await add('upkeep', {
    title: 'Upkeep',
    titles: { de: ' Wartung ' },
    stages: [{ name: 'due', titles: { de: 'Steht an ', fr: 'À faire' } }, { name: 'offered' }],
  })
  assert.equal(made.status, 201, made.text)
  const [due, offered] = made.body.stages as unknown as readonly Record<string, unknown>[]
  assert.deepEqual(
    [made.body.titles, due?.titles, offered?.titles],
    [{ de: 'Wartung' }, { de: 'Steht an', fr: 'À faire' }, {}],
  )
  assert.deepEqual((await ask('GET', '/pipelines/sales')).body.titles, {})
  const more = await ask('PATCH', '/pipelines/upkeep', { titles: { es: 'Mantenimiento' } })
  assert.deepEqual(more.body.titles, { de: 'Wartung', es: 'Mantenimiento' })
  const fewer = await ask('PATCH', '/pipelines/upkeep', { titles: { de: null } })
  assert.partialDeepStrictEqual(fewer.body, { titles: { es: 'Mantenimiento' }, revision: 3 })
  const stages = [due, { ...offered, titles: { de: 'Angeboten' } }]
  const arranged = await ask('PATCH', '/pipelines/upkeep', { stages })
  assert.deepEqual(arranged.body.stages, stages)
  const { items = [] } = (await ask('GET', '/pipelines/upkeep/history?sort=revision')).body
  assert.deepEqual(
    items.slice(1).map((each) => (each as unknown as { readonly params: object }).params),
    [{ titles: { de: 'Wartung', es: 'Mantenimiento' } }, { titles: { es: 'Mantenimiento' } }, { stages }],
  )
  const title = 'x'.repeat(201)
  const refused = await ask('PATCH', '/pipelines/upkeep', {
    titles: { german: title, de: title },
    stages: [
      { name: 'due', titles: { fr: ' ' } },
      { name: 'offered', titles: 'Angeboten' },
    ],
  })
  assert.deepEqual(
    [refused.status, ...faultsOf(refused)],
    [422, ...['/titles/german malformed', '/titles/de too-long', '/stages/0/titles/fr blank', '/stages/1/titles type']],
  )
  assert.equal((await ask('DELETE', '/pipelines/upkeep')).status, 204)
})
