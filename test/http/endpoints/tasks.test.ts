import assert from 'node:assert/strict'
import { before, suite } from 'node:test'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { openDeal } from '../../support/service/making-deals.ts'
import { roomService } from '../../support/service/room-service.ts'
import type { Answered, Shown, TestService } from '../../support/service/running-service.ts'

// What is special to tasks. What they share with every resource is in test/http/forms/every-resource.test.ts.

let service: TestService
before(async () => {
  service = await roomService()
})

const TASKS = '/rest/v1/tasks'

async function made(path: string, body: object): Promise<Shown> {
  const answer = await service.request('POST', path, { body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const task = (fields: object = {}): Promise<Shown> => made(TASKS, { title: 'Call Ana Ruiz', ...fields })
const shown = async (path: string): Promise<Shown> => (await service.request('GET', path)).body
const idsAt = async (path: string): Promise<readonly unknown[]> =>
  (await shown(path)).items?.map((item) => (item as Shown).id) ?? []

async function historyOf(id: unknown): Promise<readonly object[]> {
  const { items = [] } = await shown(`${TASKS}/${id}/history`)
  return items as readonly object[]
}

suite('a task is about a deal or a customer', () => {
  const isRefused = ({ status, body }: Answered, pointer: string): void => {
    assert.equal(status, 422, JSON.stringify(body))
    assert.deepEqual(
      (body.errors as readonly Shown[]).map((each) => each.pointer),
      [pointer],
    )
  }

  test('and never about both', async () => {
    const { id: customerId } = await made('/customers', { name: 'Ana Ruiz' })
    const { id: dealId } = await openDeal(service)
    isRefused(await service.request('POST', TASKS, { body: { title: 'Both', dealId, customerId } }), '/dealId')
    const { id } = await task({ customerId })
    isRefused(await service.request('PATCH', `${TASKS}/${id}`, { body: { dealId } }), '/dealId')
    const moved = await service.request('PATCH', `${TASKS}/${id}`, { body: { dealId, customerId: null } })
    assert.deepEqual([moved.status, moved.body.dealId, moved.body.customerId], [200, dealId, null])
    isRefused(await service.request('PUT', `${TASKS}/${id}/change`, { body: { customerId } }), '/customerId')
  })

  test('whose own address lists it', async () => {
    const { id: customerId } = await made('/customers', { name: 'Bo' })
    const { id: dealId } = await openDeal(service)
    const [first, second] = [await task({ dealId }), await task({ dealId, title: 'Send the offer' })]
    const third = await task({ customerId })
    assert.deepEqual(await idsAt(`/rest/v1/deals/${dealId}/tasks`), [first.id, second.id])
    assert.deepEqual(await idsAt(`/rest/v1/deals/${dealId}/tasks?q=offer`), [second.id])
    assert.deepEqual(await idsAt(`/customers/${customerId}/tasks`), [third.id])
    assert.equal((await service.request('GET', '/customers/999999/tasks')).body.code, 'customer-not-found')
  })

  testOnEachStore('whose deletion unlinks it, with an event and a revision', async () => {
    const { id: customerId } = await made('/customers', { name: 'Cy' })
    const [open, done] = [await task({ customerId }), await task({ customerId })]
    await service.request('PUT', `${TASKS}/${done.id}/finish`)
    const tried = await service.request('DELETE', `/customers/${customerId}?dry-run=true`)
    assert.equal(tried.status, 200, tried.text)
    assert.equal((await shown(`${TASKS}/${open.id}`)).customerId, customerId)
    const command = `/rest/commands/without-${customerId}`
    const deleted = await service.request('PUT', command, { body: { customer: customerId, action: 'DeleteCustomer' } })
    assert.equal(deleted.status, 201, deleted.text)
    for (const [{ id }, revision] of [
      [open, 2],
      [done, 3],
    ] as const) {
      assert.partialDeepStrictEqual(await shown(`${TASKS}/${id}`), { customerId: null, revision })
      assert.partialDeepStrictEqual((await historyOf(id)).at(-1), {
        ...{ operation: 'change', params: { customerId: null }, revision, form: 'command' },
        commandId: `without-${customerId}`,
      })
    }
    await service.database.settled()
    const { items = [] } = await shown(`/events?commandId=without-${customerId}`)
    assert.deepEqual(
      items.map((item) => (item as Shown).type),
      ['task.changed', 'task.changed', 'customer.deleted'],
    )
  })
})

suite('attributes of a task', () => {
  test('finish and reopen it', async () => {
    const { id } = await task()
    const self = `${TASKS}/${id}`
    const finished = await service.request('PATCH', self, { body: { status: 'done', note: 'She agreed' } })
    assert.deepEqual([finished.body.status, finished.body.note, finished.body.revision], ['done', 'She agreed', 3])
    const reopened = await service.request('PUT', self, { body: { status: 'open' } })
    assert.deepEqual([reopened.body.status, reopened.body.note], ['open', 'She agreed'])
    assert.deepEqual(
      (await historyOf(id)).map((entry) => (entry as Shown).type),
      ['task.created', 'task.changed', 'task.finished', 'task.reopened'],
    )
  })

  test('under one key are one content, with the status', async () => {
    const { id } = await task()
    const headers = { 'idempotency-key': `"finish-${id}"` }
    const sent = (body: object) => service.request('PATCH', `${TASKS}/${id}`, { body, headers })
    assert.equal((await sent({ status: 'done' })).status, 200)
    assert.equal((await sent({ status: 'done' })).headers['idempotent-replayed'], 'true')
    assert.equal((await sent({ status: 'open' })).body.code, 'idempotency-key-reused')
  })
})

testOnEachStore('a change that changes nothing makes no entry, in whatever form', async () => {
  const { id } = await task()
  const self = `${TASKS}/${id}`
  for (const [method, path] of [
    ['POST', `${self}/changes`],
    ['PUT', `${self}/change`],
    ['PUT', `${self}/changed`],
  ] as const) {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const send = () => service.request(method, path, { body: { title: 'Call Ana Ruiz' }, headers })
    const answer = await send()
    assert.deepEqual([answer.status, answer.body.revision], [200, 1], answer.text)
    const again = await send()
    assert.deepEqual([again.status, again.headers['idempotent-replayed'], again.body], [200, 'true', answer.body])
  }
  assert.equal((await historyOf(id)).length, 1)
})

testOnEachStore('tasks are searched, grouped and seen as they were', async () => {
  const { id } = await task({ title: 'Zürich fair', note: 'Bring the Prospekt', assignee: 'Mila Sanz' })
  await task({ title: 'Zurich hotel', assignee: 'Mila Sanz' })
  await service.request('PUT', `${TASKS}/${id}/finish`)
  assert.deepEqual(await idsAt(`${TASKS}?q=zurich prospekt`.replaceAll(' ', '+')), [id])
  const { items = [] } = await shown(`${TASKS}?q=zurich&group=status&measure=count`)
  assert.deepEqual(items as readonly unknown[], [
    { status: 'open', count: 1 },
    { status: 'done', count: 1 },
  ])
  assert.equal((await shown(`${TASKS}/${id}?revision=1`)).status, 'open')
  const { items: found = [] } = await shown('/search?q=zurich+fair')
  assert.partialDeepStrictEqual(found, [{ type: 'task', id, name: 'Zürich fair', href: `${TASKS}/${id}` }])
})

testOnEachStore('a customer is deleted while its tasks change: each task keeps every change', async () => {
  const { id: customerId } = await made('/customers', { name: 'Di' })
  const tasks = await Promise.all(Array.from({ length: 5 }, () => task({ customerId })))
  const notes = (id: unknown) =>
    Array.from({ length: 4 }, (_, n) => service.request('PATCH', `${TASKS}/${id}`, { body: { note: `${n}` } }))
  const answers = await Promise.all([
    ...tasks.flatMap(({ id }) => notes(id)),
    service.request('DELETE', `/customers/${customerId}`),
    ...tasks.flatMap(({ id }) => notes(id)),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status).filter((status) => status !== 200),
    [204],
  )
  for (const { id } of tasks) {
    const { revision, customerId: left } = await shown(`${TASKS}/${id}`)
    assert.equal(left, null)
    const revisions = (await historyOf(id)).map((entry) => (entry as Shown).revision)
    assert.deepEqual(
      revisions,
      Array.from({ length: Number(revision) }, (_, at) => at + 1),
    )
  }
})
