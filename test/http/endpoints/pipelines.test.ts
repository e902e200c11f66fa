import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { NOTHING_ADDED } from '../../../src/model/build/build-schema.ts'
import { pipelines, RENEWALS } from '../../support/deals/pipelines.ts'
import { testOnEachStore as test } from '../../support/rooms/each-store.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'

let service: TestService
let version = 0
const adopt = (all = pipelines) => service.store.schemas.adopt({ ...NOTHING_ADDED, version: ++version, pipelines: all })
before(async () => {
  service = await runService()
  await adopt()
})
after(() => service.close())

interface Listed {
  readonly items: readonly Record<string, unknown>[]
  readonly links: { readonly next?: string }
}

const ask = (method: string, path: string, body?: object, headers = {}) =>
  service.request(method, path, { headers, ...(body && { body }) })
const place = ({ pipeline, stage }: Record<string, unknown>) => `${pipeline}/${stage}`
const list = async (query: string) =>
  ((await ask('GET', `${DEALS}?${query}`)).body.items as Record<string, unknown>[]).map(place)

test('a deal begins in the first stage of its pipeline, or of the default one', async () => {
  assert.equal(place(await openDeal(service)), 'sales/lead')
  assert.equal(place(await openDeal(service, { pipeline: 'renewals' })), 'renewals/due')
  assert.equal(place(await openDeal(service, { stage: 'contract' })), 'sales/contract')
  for (const wrong of [{ pipeline: 'renewals', stage: 'lead' }, { stage: 'due' }]) {
    const refused = await ask('POST', DEALS, { name: 'Roof', price: 1, ...wrong })
    assert.equal(refused.status, 422)
    assert.partialDeepStrictEqual(refused.body.errors, [{ pointer: '/stage', code: 'not-one-of' }])
  }
  const unknown = await ask('POST', DEALS, { name: 'Roof', price: 1, pipeline: 'nowhere' })
  assert.deepEqual([unknown.status, unknown.body.errors?.map(({ pointer }) => pointer)], [422, ['/pipeline']])
})

test('a repeated creation is the same, whichever pipeline is the default by then', async () => {
  const headers = { 'idempotency-key': 'roof-of-the-hall' }
  const send = () => ask('POST', DEALS, { name: 'Roof', price: 1 }, headers)
  const first = await send()
  await adopt(pipelines.map((each) => ({ ...each, default: !each.default })))
  const again = await send()
  assert.deepEqual([again.status, again.body.id, place(again.body)], [201, first.body.id, 'sales/lead'])
  assert.equal(place(await openDeal(service)), 'renewals/due')
  await adopt()
})

test('a move takes a stage, a pipeline or both, and so does an attribute update', async () => {
  const { id } = await openDeal(service, { stage: 'contract' })
  const move = (params: object) => ask('PUT', `${DEALS}/${id}/move`, params)
  assert.equal(place((await move({ pipeline: 'renewals' })).body), 'renewals/contract', 'the stage of that name')
  assert.equal(place((await move({ stage: 'due' })).body), 'renewals/due')
  assert.equal(place((await move({ pipeline: 'sales' })).body), 'sales/lead', 'the first stage')
  assert.equal(place((await move({ pipeline: 'renewals', stage: 'contract' })).body), 'renewals/contract')
  assert.equal((await move({})).status, 422)
  assert.equal((await move({ stage: 'lead' })).status, 422, 'a stage of another pipeline')
  const patch = (body: object) =>
    ask('PATCH', `${DEALS}/${id}`, body, { 'content-type': 'application/merge-patch+json' })
  assert.equal(place((await patch({ stage: 'due' })).body), 'renewals/due')
  const beside = await patch({ pipeline: 'sales', stage: 'due' })
  assert.deepEqual(
    [beside.status, beside.body.errors?.[0]?.pointer],
    [422, '/stage'],
    'the stage stays, its pipeline does not',
  )
  assert.equal(place((await patch({ pipeline: 'sales' })).body), 'sales/lead')
  const { items } = (await ask('GET', `${DEALS}/${id}/history?sort=-revision`)).body as unknown as Listed
  assert.deepEqual([items[0]?.operation, items[0]?.params], ['move', { pipeline: 'sales' }])
  assert.equal(place((await ask('GET', `${DEALS}/${id}?revision=3`)).body), 'renewals/due')
})

test('a stage is entered only with the fields that it requires, in every form', async () => {
  const { id } = await openDeal(service, { pipeline: 'renewals', owner: 'ana' })
  const refused = await ask('PUT', `${DEALS}/${id}/move`, { stage: 'proposal' })
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.fields],
    [409, 'stage-requires', ['completionDate']],
  )
  const update = await ask('PUT', `${DEALS}/${id}`, { name: 'Roof', price: 1, stage: 'proposal', owner: null })
  assert.deepEqual([update.status, update.body.fields], [409, ['owner', 'completionDate']])
  const creation = { name: 'Roof', price: 1, pipeline: 'renewals', stage: 'proposal' }
  assert.equal((await ask('POST', DEALS, creation)).body.code, 'stage-requires')
  const entered = await ask('PUT', `${DEALS}/${id}`, { stage: 'proposal', completionDate: '2027-01-31' })
  assert.deepEqual([entered.status, place(entered.body)], [200, 'renewals/proposal'], 'judged after the whole change')
  const left = await ask('PUT', `${DEALS}/${id}/assign`, { owner: null })
  assert.equal(left.status, 200, 'asked of entering only')
  const key = { 'idempotency-key': 'gate-1' }
  const { id: other } = await openDeal(service, { pipeline: 'renewals' })
  const send = () => ask('PUT', `${DEALS}/${other}/move`, { stage: 'proposal' }, key)
  assert.equal((await send()).status, 409)
  await ask('PUT', `${DEALS}/${other}`, { owner: 'ana', completionDate: '2027-01-31' })
  assert.deepEqual(
    [(await send()).status, (await send()).body.code],
    [409, 'stage-requires'],
    'stored like wrong-state',
  )
})

test('a closing stage or pipeline is not entered', async () => {
  const { id } = await openDeal(service, { pipeline: 'renewals' })
  const [due, ...others] = RENEWALS.stages
  assert.ok(due)
  await adopt(
    pipelines.map((each) => (each === RENEWALS ? { ...each, stages: [{ ...due, closing: true }, ...others] } : each)),
  )
  const { id: elsewhere } = await openDeal(service)
  const into = await ask('PUT', `${DEALS}/${elsewhere}/move`, { pipeline: 'renewals', stage: 'due' })
  assert.deepEqual([into.status, into.body.code], [409, 'closing'])
  assert.equal((await ask('PUT', `${DEALS}/${id}/rename`, { newName: 'Stays' })).status, 200)
  await adopt(pipelines.map((each) => (each === RENEWALS ? { ...each, closing: true } : each)))
  assert.equal((await ask('PUT', `${DEALS}/${elsewhere}/move`, { pipeline: 'renewals' })).body.code, 'closing')
  assert.equal((await ask('PUT', `${DEALS}/${id}/move`, { pipeline: 'sales' })).status, 200)
  await adopt()
})

test('stages sort by pipeline and place, and a range compares places in the own pipeline', async () => {
  const owner = 'by-place'
  const places = [
    'renewals/contract',
    'sales/proposal',
    'renewals/due',
    'sales/contract',
    'sales/lead',
    'renewals/contract',
  ]
  for (const each of places) {
    const [pipeline, stage] = each.split('/')
    await openDeal(service, { pipeline, stage, owner })
  }
  const sorted = [
    'sales/lead',
    'sales/proposal',
    'sales/contract',
    'renewals/due',
    'renewals/contract',
    'renewals/contract',
  ]
  assert.deepEqual(await list(`owner=${owner}&sort=stage`), sorted)
  assert.deepEqual(await list(`owner=${owner}&sort=-stage`), sorted.toReversed())
  assert.deepEqual(
    await list(`owner=${owner}&stage=contract&sort=stage`),
    sorted.filter((each) => each.endsWith('contract')),
  )
  assert.deepEqual(await list(`owner=${owner}&stage.gte=proposal&sort=stage`), ['sales/proposal', 'sales/contract'])
  assert.deepEqual(await list(`owner=${owner}&stage.lt=proposal&sort=stage`), [
    ...['sales/lead', 'renewals/due', 'renewals/contract', 'renewals/contract'],
  ])
  assert.deepEqual(await list(`owner=${owner}&stage.gt=due&sort=stage`), ['renewals/contract', 'renewals/contract'])
  const groups = async (group: string) =>
    ((await ask('GET', `${DEALS}?owner=${owner}&group=${group}`)).body.items as Record<string, unknown>[]).map(
      ({ pipeline = '', stage, count }) => `${pipeline} ${stage} ${count}`,
    )
  assert.deepEqual((await groups('stage')).toSorted(), [' contract 3', ' due 1', ' lead 1', ' proposal 1'])
  assert.deepEqual((await groups('pipeline,stage')).toSorted(), [
    ...['renewals contract 2', 'renewals due 1', 'sales contract 1', 'sales lead 1', 'sales proposal 1'],
  ])

  // Pages of one order, forwards and back; a cursor of another order is refused.
  const read: string[] = []
  let next: string | undefined = `${DEALS}?owner=${owner}&stage.in=contract,due,lead&sort=stage&maxpagesize=2`
  let second: string | undefined
  while (next !== undefined) {
    const page = (await ask('GET', next)).body as unknown as Listed
    read.push(...page.items.map(place))
    next = page.links.next
    second ??= next
  }
  assert.deepEqual(
    read,
    sorted.filter((each) => !each.endsWith('proposal')),
  )
  await adopt(pipelines.map((each) => ({ ...each, position: -each.position })))
  const outdated = await ask('GET', String(second))
  assert.deepEqual([outdated.status, outdated.body.code], [400, 'cursor-outdated'])
  assert.deepEqual((await list(`owner=${owner}&sort=stage`))[0], 'renewals/due')
  await adopt()
})

test('the board has a column for each stage of each pipeline, or of one', async () => {
  const columns = async (query: string) =>
    ((await ask('GET', `/board${query}`)).body.columns as Record<string, unknown>[]).map(place)
  const of = (name: string) =>
    pipelines.find((each) => each.name === name)?.stages.map((each) => `${name}/${each.name}`) ?? []
  assert.deepEqual(await columns(''), [...of('sales'), ...of('renewals')])
  assert.deepEqual(await columns('?pipeline=renewals'), of('renewals'))
})

test('reports are about one pipeline, or about all', async () => {
  await openDeal(service, { pipeline: 'renewals', owner: 'report' })
  for (const name of ['pipeline', 'forecast', 'won-and-lost', 'time-in-stage']) {
    const report = await ask('GET', `/reports/${name}?pipeline=renewals`)
    assert.deepEqual([report.status, report.body.pipeline], [200, 'renewals'])
    for (const { href } of report.body.questions as { href: string }[])
      if (!href.startsWith('/targets')) assert.match(href, /pipeline=renewals/)
  }
  assert.equal((await ask('GET', '/reports/pipeline?pipeline=nowhere')).status, 400)
})
