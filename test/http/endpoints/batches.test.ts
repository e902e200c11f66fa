import assert from 'node:assert/strict'
import { before } from 'node:test'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { operations, repeatable } from '../../support/schema.ts'
import { bearer, type ClosedService } from '../../support/service/closed-service.ts'
import { closedRoomService } from '../../support/service/room-service.ts'
import type { Answered, Shown } from '../../support/service/running-service.ts'
import { saidFaults } from '../../support/service/said-faults.ts'

let service: ClosedService
before(async () => {
  service = await closedRoomService()
})

interface Result {
  readonly index: number
  readonly status: string
  readonly problem: Shown
  readonly command: Shown
  readonly deal: Shown
  readonly customer: Shown
  readonly task: Shown
}

const send = (body: unknown, query = '', headers: object = {}): Promise<Answered> =>
  service.request('POST', `/rest/v1/batch${query}`, { body, headers: { ...bearer(service.keys.admin), ...headers } })
const resultsOf = ({ body }: Answered): readonly Result[] => (body.results ?? []) as readonly Result[]
const statuses = (answer: Answered): readonly string[] =>
  resultsOf(answer).map(({ status, problem }) => problem?.code ?? status)
const read = async (path: string): Promise<Answered> =>
  service.request('GET', path, { headers: bearer(service.keys.admin) })

const newDeal = (params: object = {}) => ({ action: 'CreateDeal', params: { name: 'Roof', price: 1, ...params } })

async function made(): Promise<string> {
  const [result] = resultsOf(await send({ commands: [newDeal()] })) as [Result]
  return result.deal.id
}

testOnEachStore('an atomic batch answers with the things and commands in order', async () => {
  const answer = await send({
    atomic: true,
    commands: [
      { action: 'CreateCustomer', params: { name: 'Ann' } },
      { id: 'batch-roof', ...newDeal({ customerId: '$0' }) },
      { deal: '$1', action: 'hold', params: { reason: 'credit check' }, revision: 1 },
      { action: 'CreateTask', params: { title: 'Call', dealId: '$1' } },
    ],
  })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(statuses(answer), Array(4).fill('applied'))
  const [customer, roof, held, task] = resultsOf(answer) as [Result, Result, Result, Result]
  const { id } = roof.deal
  assert.equal(roof.deal.customerId, customer.customer.id)
  assert.equal(roof.command.id, 'batch-roof')
  assert.deepEqual([held.deal.id, held.deal.revision], [id, 2])
  assert.equal(task.task.dealId, id)
  const entry = (await read(`/rest/v1/deals/${id}/history`)).body.items?.[1] as Shown
  assert.deepEqual([entry.form, entry.actor], ['batch', 'admin-key'])
})

testOnEachStore('what a batch makes is listed in the order of its commands', async () => {
  const titles = Array.from({ length: 40 }, (_, at) => `Step ${at}`)
  await send({ commands: titles.map((title) => ({ action: 'CreateTask', params: { title, note: 'in order' } })) })
  const listed = await read('/rest/v1/tasks?note=in+order&fields=title')
  assert.deepEqual(
    listed.body.items,
    titles.map((title) => ({ title })),
  )
})

testOnEachStore('a refused atomic batch is 409 with every refusal, and leaves nothing', async () => {
  const id = await made()
  const answer = await send({
    atomic: true,
    commands: [
      { id: 'never', deal: id, action: 'HoldDeal', params: { reason: 'x' } },
      { deal: id, action: 'CompleteDeal' },
      { deal: id, action: 'HoldDeal', params: { reason: '' } },
      { deal: '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10', action: 'HoldDeal', params: { reason: 'x' } },
      newDeal({ prise: 1 }),
      { deal: '$4', action: 'DeleteDeal' },
      { deal: id, action: 'RenameDeal', params: { newName: 'Porch' }, revision: 7 },
      { deal: id, action: 'HoldDeel' },
      { deal: id, acton: 'HoldDeal' },
      'HoldDeal',
      { deal: id, action: 'ArchiveDeal', id: 'a/b', revision: 0 },
    ],
  })
  assert.equal(answer.status, 409)
  assert.equal(answer.body.code, 'batch-refused')
  assert.match(answer.body.detail, /^9 of 11 commands are not possible/)
  const refused = resultsOf(answer).map(({ index, status, problem }) => [index, problem?.code ?? status])
  assert.deepEqual(refused, [
    [1, 'wrong-state'],
    [2, 'invalid-body'],
    [3, 'deal-not-found'],
    [4, 'invalid-body'],
    [5, 'not-tried'],
    [6, 'stale-revision'],
    [7, 'unknown-action'],
    [8, 'invalid-body'],
    [9, 'invalid-body'],
    [10, 'invalid-body'],
  ])
  const pointers = answer.body.errors.map(({ pointer }) => pointer)
  for (const pointer of ['/commands/2/params/reason', '/commands/4/params/prise', '/commands/8/acton']) {
    assert.ok(pointers.includes(pointer), `${pointer} in ${pointers}`)
  }
  assert.ok(pointers.includes('/commands/10/id') && pointers.includes('/commands/10/revision'))
  assert.equal((await read(`/rest/v1/deals/${id}`)).body.revision, 1)
  assert.equal((await read('/rest/commands/never')).status, 404)
})

testOnEachStore('otherwise each command answers for itself', async () => {
  const id = await made()
  const answer = await send({
    commands: [
      { deal: id, action: 'HoldDeal', params: { reason: 'x' } },
      { id: 'stored-refusal', deal: id, action: 'CompleteDeal' },
      { deal: id, action: 'UnholdDeal' },
    ],
  })
  assert.equal(answer.status, 200)
  assert.deepEqual(statuses(answer), ['applied', 'wrong-state', 'applied'])
  assert.equal((await read('/rest/commands/stored-refusal')).body.status, 'rejected')
})

testOnEachStore('a dry run shows what would result, without the ids of things that do not exist', async () => {
  const id = await made()
  const commands = [
    { action: 'CreateCustomer', params: { name: 'Ann' } },
    newDeal({ customerId: '$0' }),
    { id: 'dry-hold', deal: '$1', action: 'HoldDeal', params: { reason: 'x' } },
    { deal: id, action: 'HoldDeal', params: { reason: 'x' } },
  ]
  for (const atomic of [true, false]) {
    const answer = await send({ atomic, commands }, '?dry-run=true')
    assert.deepEqual([answer.status, answer.headers['dry-run']], [200, 'true'])
    const [, roof, held, known] = resultsOf(answer) as [Result, Result, Result, Result]
    assert.ok(!('id' in roof.deal) && !('customerId' in roof.deal))
    assert.deepEqual([held.deal.held, held.deal.revision], [true, 2])
    assert.ok(!('id' in held.deal) && !('command' in held))
    assert.deepEqual([known.deal.id, known.deal.revision], [id, 2])
  }
  const refused = await send({ commands: [newDeal(), { deal: '$0', action: 'ArchiveDeal' }] }, '?dry-run=true')
  const [, archived] = resultsOf(refused) as [Result, Result]
  assert.ok(!('id' in (archived.problem.deal as object)))
  assert.equal((await read(`/rest/v1/deals/${id}`)).body.revision, 1)
})

test('a refusal of a dry run names things that do not exist as the batch does', async () => {
  const customer = { action: 'CreateCustomer', params: { name: 'Ann' } }
  const gone = [customer, { customer: '$0', action: 'DeleteCustomer' }]
  const dealGone = [newDeal(), { deal: '$0', action: 'DeleteDeal' }]
  const cases: readonly (readonly [readonly object[], RegExp])[] = [
    [[...dealGone, { deal: '$0', action: 'AddDealNote', params: { text: 'x' } }], /^The deal \$0 was deleted at /],
    [[...gone, { customer: '$0', action: 'ChangeCustomer', params: { age: 1 } }], /^There is no customer "\$0"\.$/],
    [[...gone, newDeal({ customerId: '$0' })], /^customerId names customer \$0, which does not exist$/],
    [
      [newDeal(), { deal: '$0', action: 'HoldDeal', params: { id: 'x', reason: 'x' } }],
      /is not the addressed deal, \$0$/,
    ],
    [
      [customer, newDeal({ customerId: '$0' }), { customer: '$0', action: 'DeleteCustomer' }],
      /refers to the customer \$0\.$/,
    ],
  ]
  for (const [commands, detail] of cases) {
    const results = resultsOf(await send({ commands }, '?dry-run=true'))
    assert.match(String(results.at(-1)?.problem.detail), detail)
    for (const each of results.at(-1)?.problem.errors ?? []) assert.doesNotMatch(each.detail, /[\da-f]{8}-| \d+/)
  }
})

test('what is no object is told as in every other form', async () => {
  const id = await made()
  const detail = 'what was sent must be a JSON object'
  const { body } = await service.request('PUT', `/rest/v1/deals/${id}/hold`, {
    body: [],
    headers: bearer(service.keys.admin),
  })
  assert.equal(body.detail, detail)
  for (const [command, pointer] of [
    [5, '/commands/0'],
    [{ deal: id, action: 'hold', params: [] }, '/commands/0/params'],
  ]) {
    const [result] = resultsOf(await send({ atomic: true, commands: [command] })) as [Result]
    assert.equal(result.problem.detail, detail)
    assert.deepEqual(saidFaults(result.problem.errors), [{ pointer, detail: 'must be a JSON object' }])
  }
})

test('a revision of what is yet to be made is refused without a header that was not sent', async () => {
  const [result] = resultsOf(await send({ commands: [{ ...newDeal(), revision: 1 }] })) as [Result]
  assert.deepEqual([result.problem.status, result.problem.code], [412, 'precondition-failed'])
  assert.equal(result.problem.detail, 'The request names a state, but there is none yet.')
})

testOnEachStore('a repeat of which a part was refused for its state is a repeat as a whole', async () => {
  const commands = [
    newDeal(),
    { deal: '$0', action: 'ArchiveDeal' },
    { deal: '$1', action: 'HoldDeal', params: { reason: 'x' } },
  ]
  const key = { 'idempotency-key': 'partly' }
  const first = await send({ commands }, '', key)
  const again = await send({ commands }, '', key)
  assert.deepEqual([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']], [undefined, 'true'])
  assert.deepEqual(statuses(again), statuses(first))
})

testOnEachStore('under a key command n has the id key.n, and a repeat gives the same answer', async () => {
  const body = { atomic: true, commands: [newDeal(), { deal: '$0', action: 'HoldDeal', params: { reason: 'x' } }] }
  const key = { 'idempotency-key': '"monthly"' }
  const first = await send(body, '', key)
  const again = await send(body, '', key)
  assert.deepEqual([first.status, first.headers['idempotent-replayed']], [200, undefined])
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [200, 'true'])
  assert.equal(again.text, first.text)
  assert.equal((await read('/rest/commands/monthly.1')).body.action, 'HoldDeal')
  const other = await send({ commands: [newDeal({ name: 'Other' })] }, '', key)
  assert.deepEqual(statuses(other), ['idempotency-key-reused'])
})

test('each command needs its own role', async () => {
  const creation = { action: 'CreateCustomer', params: { name: 'Ann' } }
  const [made] = resultsOf(await send({ commands: [creation] })) as [Result]
  const { id } = made.customer
  const commands = [
    { customer: id, action: 'DeleteCustomer' },
    { customer: id, action: 'ChangeCustomer', params: { age: 40 } },
  ]
  const editor = bearer(service.keys.editor)
  assert.deepEqual(statuses(await send({ commands }, '', editor)), ['forbidden', 'applied'])
  assert.deepEqual(statuses(await send({ atomic: true, commands }, '', editor)), ['forbidden'])
  assert.equal((await send({ commands }, '', bearer(service.keys.reader))).status, 403)
})

testOnEachStore('every operation of every resource can be asked for', async () => {
  for (const resource of repeatable) {
    const creation = operations.find(({ on, to }) => on === resource && to === 'nothing')
    const others = operations.filter(({ on, to }) => on === resource && to !== 'nothing')
    const commands = others.flatMap(({ words, examples: [params] }) => [
      { action: creation?.words.action, params: creation?.examples[0] },
      { [resource.name]: '$0', action: words.action, params },
    ])
    const answer = await send({ commands }, '?dry-run=true')
    assert.equal(answer.status, 200, answer.text)
    for (const { problem } of resultsOf(answer)) {
      assert.ok(['wrong-state', 'invalid-body', undefined].includes(problem?.code), JSON.stringify(problem))
    }
  }
})

test('what is no batch is told so', async () => {
  const faults: readonly (readonly [unknown, string])[] = [
    [{}, '/commands'],
    [{ commands: {} }, '/commands'],
    [{ commands: [], atomc: true }, '/atomc'],
    [{ commands: [], atomic: 'yes' }, '/atomic'],
    [{ commands: Array(1001).fill({}) }, '/commands'],
    [[], ''],
  ]
  for (const [body, pointer] of faults) {
    const answer = await send(body)
    assert.equal(answer.status, 422, answer.text)
    assert.equal(answer.body.errors[0]?.pointer, pointer)
  }
  assert.equal((await send({ commands: [] })).text, '{"results":[]}')
  for (const header of ['If-Match', 'If-None-Match', 'If-Unmodified-Since']) {
    const guarded = await send({ commands: [] }, '', { [header]: '"1"' })
    assert.deepEqual(
      [guarded.status, saidFaults(guarded.body.errors)],
      [400, [{ header, detail: 'is for one thing; here each command may have its `revision`' }]],
    )
  }
  assert.equal((await send({ commands: [newDeal()] }, '', { prefer: 'return=minimal' })).status, 204)
  const refused = await send({ commands: [newDeal({ name: '' })] }, '', { prefer: 'return=minimal' })
  assert.equal(refused.status, 200)
})
