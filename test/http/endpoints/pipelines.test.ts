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
  assert.deepEqual(problemOf(await add('renewals')), [409, 'not-unique'])
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
  const kept = await ask('DELETE', '/pipelines/tenders')
  assert.deepEqual(problemOf(kept), [409, 'in-use'])
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
    [{ stages: [{ ...stage, requires: ['customer.email'] }] }, ['/stages/0/requires/0 unknown']],
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
  assert.deepEqual(faultsOf(await ask('DELETE', '/pipelines/old?moveTo=nowhere')), ['/moveTo not-one-of'])
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
