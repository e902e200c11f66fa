import assert from 'node:assert/strict'
import { after, before, suite } from 'node:test'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { bearer, type ClosedService, runClosedService } from '../../support/service/closed-service.ts'
import { openDeal } from '../../support/service/making-deals.ts'
import { type Answered, runService, type Shown, type TestService } from '../../support/service/running-service.ts'

let service: TestService
before(async () => {
  service = await runService()
})
after(() => service.close())

let commands = 0
const newCommand = (): string => `/rest/commands/customer-${++commands}`

async function created(name = 'Ana Ruiz'): Promise<Shown> {
  const answer = await service.request('POST', '/customers', { body: { name } })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

async function shown(path: string): Promise<Shown> {
  return (await service.request('GET', path)).body
}

interface Told {
  readonly type: string
  readonly subject: string
  readonly data: { readonly [name: string]: unknown }
}

async function events(query: string): Promise<readonly Told[]> {
  await service.database.settled()
  return (await shown(`/events?${query}`)).items as readonly Told[]
}

async function operationsOf(id: unknown): Promise<readonly unknown[]> {
  const items = (await shown(`/customers/${id}/history`)).items as readonly { operation: string; form: string }[]
  return items.map(({ operation, form }) => [operation, form])
}

suite('an operation on a customer', () => {
  test('is asked for in every form that fits', async () => {
    const made = await service.request('PUT', newCommand(), {
      body: { action: 'CreateCustomer', params: { name: 'Ana Ruiz', age: 41 } },
    })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.headers.location, undefined)
    const { customer: id } = made.body
    assert.equal(made.body.links.customer, `/customers/${id}`)
    const changes: readonly (readonly [string, string, object])[] = [
      ['PUT', newCommand(), { customer: id, action: 'ChangeCustomer', params: { age: 42 } }],
      ['PUT', newCommand(), { customer: id, action: 'change', params: { age: 43 } }],
      ['POST', '/command/ChangeCustomer/', { id, age: 44 }],
      ['PATCH', `/customers/${id}`, { age: 45 }],
      ['PUT', `/customers/${id}`, { name: 'Ana Ruiz', age: 46 }],
      ['POST', `/customers/${id}/edits`, { age: 47 }],
    ]
    for (const [at, [method, path, body]] of changes.entries()) {
      const answer = await service.request(method, path, { body })
      assert.ok([200, 201].includes(answer.status), answer.text)
      const { age, revision } = await shown(`/customers/${id}`)
      assert.deepEqual([age, revision], [42 + at, 2 + at], path)
    }
    assert.deepEqual(
      (await operationsOf(id)).map((entry) => (entry as readonly string[])[0]),
      ['create', ...changes.map(() => 'change')],
    )
    const gone = await service.request('POST', '/command/DeleteCustomer', { body: { id } })
    assert.equal(gone.status, 200, gone.text)
    assert.equal((await service.request('GET', `/customers/${id}`)).status, 404)
  })

  test('is a note in every form, and its notes are a list', async () => {
    const { id } = await created()
    const asked: readonly (readonly [string, string, object])[] = [
      ['POST', `/customers/${id}/notes`, { text: 'One' }],
      ['PUT', `/customers/${id}/add-note`, { text: 'Two', kind: 'call', happenedAt: '2026-01-05T10:00:00+01:00' }],
      ['POST', `/customers/${id}:add-note`, { text: 'Three', kind: 'mail' }],
      ['PUT', `/customers/${id}/note-added`, { text: 'Four', kind: 'meeting' }],
      ['PUT', newCommand(), { customer: id, action: 'AddCustomerNote', params: { text: 'Five' } }],
      ['POST', '/command/AddCustomerNote', { id, text: 'Six' }],
    ]
    for (const [method, path, body] of asked) {
      const answer = await service.request(method, path, { body })
      assert.ok([200, 201].includes(answer.status), `${path}: ${answer.text}`)
    }
    const { items } = await shown(`/customers/${id}/notes`)
    const notes = items as readonly { revision: number; at: string; type: string; params: Record<string, string> }[]
    assert.deepEqual(
      notes.map(({ revision, params: { text, kind } }) => [revision, text, kind]),
      [
        ...[[2, 'One', 'note'] as const, [3, 'Two', 'call'] as const, [4, 'Three', 'mail'] as const],
        ...[[5, 'Four', 'meeting'] as const, [6, 'Five', 'note'] as const, [7, 'Six', 'note'] as const],
      ],
    )
    assert.equal(notes[0]?.params.happenedAt, notes[0]?.at)
    assert.equal(notes[1]?.params.happenedAt, '2026-01-05T09:00:00.000Z')
    assert.equal((await shown(`/customers/${id}/notes/3`)).type, 'customer.note-added')
    assert.equal((await shown(`/customers/${id}`)).revision, 7)
    assert.equal((await events(`customer=${id}&type=customer.note-added`)).length, 6)
    const late = new Date(Date.now() + 3 * 86_400_000).toISOString()
    const refused = await service.request('POST', `/customers/${id}/notes`, { body: { text: 'x', happenedAt: late } })
    assert.equal(refused.status, 422)
  })

  test('is created by the command endpoint, which points to it', async () => {
    const made = await service.request('POST', '/command/CreateCustomer/', { body: { name: 'Bo' } })
    assert.deepEqual([made.status, made.text], [200, ''])
    const [, address = ''] = /^<([^>]+)>; rel="related"$/.exec(String(made.headers.link)) ?? []
    assert.equal((await shown(address)).name, 'Bo')
  })

  testOnEachStore('is decided once under a command id, and GET’s own body is a repeat', async () => {
    const command = newCommand()
    const body = { action: 'CreateCustomer', params: { name: 'Once' } }
    const first = await service.request('PUT', command, { body })
    const again = await service.request('PUT', command, { body })
    assert.deepEqual([first.status, again.status, again.headers['idempotent-replayed']], [201, 200, 'true'])
    assert.equal(again.body.customer, first.body.customer)
    const read = await shown(command)
    assert.partialDeepStrictEqual(read, { ...body, status: 'applied', revision: 1 })
    const repeated = await service.request('PUT', command, { body: read })
    assert.deepEqual([repeated.status, repeated.headers['idempotent-replayed']], [200, 'true'])
    const other = await service.request('PUT', command, { body: { ...body, params: { name: 'Twice' } } })
    assert.deepEqual([other.status, other.body.code], [409, 'command-id-reused'])
    assert.equal((await shown('/customers?name=Once&count=exact')).total, 1)
  })

  test('is repeated by its key in whatever way it was sent', async () => {
    const { id } = await created()
    const at = `/customers/${id}`
    const writes: readonly (readonly [string, string, object | undefined])[] = [
      ['POST', '/customers', { name: 'Keyed' }],
      ['PATCH', at, { age: 50 }],
      ['PUT', at, { name: 'Keyed', age: 51 }],
      ['POST', `${at}/edits`, { age: 52 }],
      ['POST', '/command/ChangeCustomer', { id, age: 53 }],
      ['DELETE', at, undefined],
    ]
    for (const [method, path, body] of writes) {
      const headers = { 'idempotency-key': `"key-${++commands}"` }
      const ask = () => service.request(method, path, { body, headers })
      const [first, again] = [await ask(), await ask()]
      assert.ok(first.status < 300, first.text)
      assert.deepEqual([again.status, again.text], [first.status, first.text], path)
      assert.equal(again.headers['idempotent-replayed'], 'true', path)
      for (const more of [{ name: 'Another' }, { nickname: 'Key' }]) {
        const other = await service.request(method === 'DELETE' ? 'PATCH' : method, path, {
          body: { ...body, ...more },
          headers,
        })
        assert.deepEqual([other.status, other.body.code], [422, 'idempotency-key-reused'], path)
      }
    }
    assert.equal((await shown('/customers?name=Keyed&count=exact')).total, 1)
  })

  testOnEachStore('that would leave a deal without its customer is refused, and the refusal is stored', async () => {
    const { id } = await created()
    const deal = await openDeal(service, { customerId: id })
    const command = newCommand()
    const ask = () => service.request('PUT', command, { body: { customer: id, action: 'DeleteCustomer' } })
    const first = await ask()
    assert.deepEqual([first.status, first.body.code], [409, 'customer-in-use'])
    await service.request('PUT', `/rest/v1/deals/${deal.id}/change-customer`, { body: { customerId: null } })
    const again = await ask()
    assert.deepEqual([again.status, again.body.code], [409, 'customer-in-use'])
    assert.equal(again.headers['idempotent-replayed'], 'true')
    const kept = await shown(command)
    assert.partialDeepStrictEqual(kept, { customer: id, status: 'rejected', problem: { code: 'customer-in-use' } })
    assert.equal((await service.request('GET', `/customers/${id}`)).status, 200)
    assert.equal((await service.request('DELETE', `/customers/${id}`)).status, 204)
  })

  testOnEachStore('that changes nothing is answered and records nothing', async () => {
    const { id } = await created('Same')
    const before = await service.request('GET', `/customers/${id}`)
    for (const [method, path, body] of [
      ['PATCH', `/customers/${id}`, { name: 'Same' }],
      ['PUT', `/customers/${id}`, { name: 'Same' }],
      ['POST', '/command/ChangeCustomer', { id, name: 'Same' }],
    ] as const) {
      for (const headers of [{}, { 'idempotency-key': `same-${++commands}` }]) {
        const ask = () => service.request(method, path, { body, headers })
        for (const answer of [await ask(), await ask()]) assert.equal(answer.status, 200, answer.text)
      }
    }
    const command = newCommand()
    const ask = () =>
      service.request('PUT', command, { body: { customer: id, action: 'ChangeCustomer', params: { name: 'Same' } } })
    const [first, again] = [await ask(), await ask()]
    assert.deepEqual([first.status, again.status, first.body.revision], [201, 200, 1])
    const now = await service.request('GET', `/customers/${id}`)
    assert.deepEqual([now.text, now.headers.etag], [before.text, before.headers.etag])
    assert.deepEqual(await operationsOf(id), [['create', 'resource']])
    assert.equal((await events(`customer=${id}`)).length, 1)
  })

  testOnEachStore('is told as an event with the customer after it; a deletion has the id alone', async () => {
    const customer = await created('Told')
    const { links: _, ...stored } = customer
    const id = Number(customer.id)
    await service.request('PATCH', `/customers/${id}`, { body: { age: 30, name: 'Told' } })
    await service.request('DELETE', `/customers/${id}`)
    const [first, second, third, ...more] = await events(`customer=${id}`)
    assert.deepEqual(more, [])
    assert.deepEqual(
      [first, second, third].map((event) => [event?.type, event?.subject, event?.data.operation]),
      [
        ['customer.created', String(id), 'create'],
        ['customer.changed', String(id), 'change'],
        ['customer.deleted', String(id), 'delete'],
      ],
    )
    assert.deepEqual(first?.data.customer, stored)
    assert.deepEqual(second?.data.params, { age: 30 })
    assert.partialDeepStrictEqual(second?.data.customer, { id, age: 30, revision: 2 })
    assert.deepEqual([third?.data.customer, third?.data.params], [{ id }, {}])
    assert.deepEqual(await events(`customer=${id}&type=customer.changed`), [second])
  })

  test('is not told of a customer that was there before there were events', async () => {
    const at = '2026-01-01T00:00:00.000Z'
    const fields = { email: null, age: null, children: null, country: null, company: null, phone: null }
    const kept = { id: 900_000, name: 'Early', ...fields }
    const doc = JSON.stringify({ ...kept, createdAt: at, updatedAt: at, revision: 1 })
    await service.database.insert('customers', [{ ...kept, created_at: at, updated_at: at, revision: 1, doc }])
    assert.deepEqual(await operationsOf(kept.id), [])
    const changed = await service.request('PATCH', `/customers/${kept.id}`, { body: { age: 9 } })
    assert.equal(changed.body.revision, 2)
    assert.deepEqual(await operationsOf(kept.id), [['change', 'attribute-update']])
  })

  testOnEachStore('only tries when it is told to', async () => {
    const { id } = await created('Tried')
    for (const [method, path, body] of [
      ['PUT', `${newCommand()}?dry-run=true`, { customer: id, action: 'ChangeCustomer', params: { age: 3 } }],
      ['POST', '/command/DeleteCustomer?dry-run=true', { id }],
      ['DELETE', `/customers/${id}?dry-run=true`, undefined],
    ] as const) {
      const answer = await service.request(method, path, { body })
      assert.deepEqual([answer.status, answer.headers['dry-run']], [200, 'true'], answer.text)
    }
    assert.equal((await shown(`/customers/${id}`)).revision, 1)
    assert.deepEqual(await operationsOf(id), [['create', 'resource']])
  })
})

suite('an editor', () => {
  let closed: ClosedService
  before(async () => {
    closed = await runClosedService()
  })
  after(() => closed.close())

  test('makes and changes customers in every form, and deletes them in none', async () => {
    const ask = (method: string, path: string, body?: object, key: 'editor' | 'admin' = 'editor'): Promise<Answered> =>
      closed.request(method, path, { body, headers: bearer(closed.keys[key]) })
    const made = await ask('PUT', '/rest/commands/make', { action: 'CreateCustomer', params: { name: 'Ana' } })
    assert.equal(made.status, 201, made.text)
    const id = made.body.customer
    assert.equal((await ask('POST', '/command/ChangeCustomer/', { id, age: 5 })).status, 200)
    const deletions: readonly (readonly [string, string, object?])[] = [
      ['DELETE', `/customers/${id}`],
      ['POST', `/customers/${id}/deletions`],
      ['PUT', '/rest/commands/drop', { customer: id, action: 'DeleteCustomer' }],
      ['PUT', '/rest/commands/drop', { customer: id, action: 'delete' }],
      ['POST', '/command/DeleteCustomer/', { id }],
    ]
    for (const [method, path, body] of deletions) {
      const answer = await ask(method, path, body)
      assert.equal(answer.status, 403, `${method} ${path} ${answer.text}`)
    }
    assert.equal((await ask('GET', `/customers/${id}`)).body.revision, 2)
    const dropped = await ask('PUT', '/rest/commands/drop', { customer: id, action: 'DeleteCustomer' }, 'admin')
    assert.equal(dropped.status, 201, dropped.text)
  })
})
