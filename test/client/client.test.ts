import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type Client, connect, DealdeskProblem, etagOf, type Form, type NamedQueries } from '../../src/client.ts'
import { formNames } from '../../src/http/forms/forms.ts'
import { namedQueries } from '../../src/queries/named-queries.ts'
import { schema } from '../support/schema.ts'
import { tour } from '../support/service/client-tour.ts'
import { runService, type TestService } from '../support/service/running-service.ts'

const forms = formNames.filter((name): name is Form => name !== 'resource')
let service: TestService
let client: Client

before(async () => {
  service = await runService()
  client = connect(service.url)
  await client.customers.create({ name: 'Ana Ruiz', age: 41 })
})
after(() => service.close())

suite('the client', () => {
  test('asks every named query', async () => {
    for (const { name, parameter } of namedQueries(schema)) {
      const items = client.query(name as keyof NamedQueries, parameter.example as string)
      for await (const item of items) assert.ok(item, name)
    }
    // @ts-expect-error the compiler knows their names
    await assert.rejects(Array.fromAsync(client.query('deals-by-nothing', 1)), { code: 'not-found' })
  })

  test('asks named queries with values that end like a format', async () => {
    for (const owner of ['acme', 'acme.json', 'acme.csv']) {
      await client.deals.create({ name: `of ${owner}`, price: 1, owner })
    }
    for (const owner of ['acme', 'acme.json', 'acme.csv']) {
      const found = await Array.fromAsync(client.query('deals-by-owner', owner), ({ name }) => name)
      assert.deepEqual(found, [`of ${owner}`])
    }
  })

  test('refuses a filter without values, which would leave everything', async () => {
    for (const asked of [{ 'customerId.in': [] }, { status: [] }]) {
      await assert.rejects(client.deals.list(asked).page(), TypeError)
      await assert.rejects(Array.fromAsync(client.deals.list(asked)), TypeError)
    }
    assert.ok((await client.deals.list({ sort: [], fields: [] }).page()).items)
  })

  test('is one module of less than 6.5 kB that imports nothing', () => {
    const code = stripTypeScriptTypes(readFileSync(new URL('../../src/client.ts', import.meta.url), 'utf8'))
    assert.doesNotMatch(code, /\bimport\b/)
    const size = gzipSync(code, { level: 9 }).length
    assert.ok(size < 6500, `${size} bytes`)
  })

  test('gives the same results in every form', async () => {
    const results = await Promise.all(forms.map((form) => tour(client, form)))
    for (const [at, form] of forms.entries()) assert.deepEqual(results[at], results[0], form)
  })

  test('asks in the form that was chosen', async () => {
    const { id } = await client.deals.create({ name: 'A', price: 1 })
    for (const form of forms) await client.deals.hold(id, { reason: form }, { form })
    const used: string[] = []
    for await (const entry of client.deals.history(id, { operation: 'hold' })) used.push(entry.form)
    assert.deepEqual(used, forms)
  })

  test('has the form of the whole client where a call names none', async () => {
    const noun = connect(service.url, { form: 'noun' })
    const { id } = await noun.deals.create({ name: 'A', price: 1 })
    const { revision } = await noun.deals.hold(id, { reason: 'x' })
    assert.equal(revision, 2)
    const { items } = await noun.deals.history(id, { sort: '-revision', maxpagesize: 1 }).page()
    assert.equal(items[0]?.form, 'noun')
  })

  test('sends many commands at once, typed by their actions', async () => {
    const commands = [
      { action: 'CreateCustomer', params: { name: 'Ann' } },
      { action: 'CreateDeal', params: { name: 'A', price: 1, customerId: '$0' } },
      { deal: '$1', action: 'HoldDeal', params: { reason: 'x' } },
    ] as const
    const results = await client.batch(commands, { atomic: true })
    assert.deepEqual(
      results.map(({ status }) => status),
      ['applied', 'applied', 'applied'],
    )
    assert.deepEqual([results[2]?.deal?.held, results[1]?.deal?.customerId], [true, results[0]?.customer?.id])
    // @ts-expect-error the compiler knows the parameters of each action
    const refused = client.batch([...commands, { deal: '$1', action: 'HoldDeal', params: { reson: 'x' } }], {
      atomic: true,
    })
    await assert.rejects(refused, { status: 409, code: 'batch-refused' })
  })

  test('tells refusals as typed problems', async () => {
    const { id } = await client.deals.create({ name: 'A', price: 1 })
    // @ts-expect-error the compiler knows that a hold has a reason
    const problem = await client.deals.hold(id, {}).catch((cause) => cause)
    assert.ok(problem instanceof DealdeskProblem)
    assert.deepEqual(
      [problem.code, problem.status, problem.errors],
      ['invalid-body', 422, [{ pointer: '/reason', code: 'required', detail: 'is required' }]],
    )
  })

  test('guards a change with what was read', async () => {
    const seen = await client.deals.create({ name: 'A', price: 1 })
    assert.match(etagOf(seen) ?? '', /^"1-/)
    await client.deals.rename(seen.id, { newName: 'B' }, { ifMatch: seen })
    const stale = await client.deals.rename(seen.id, { newName: 'C' }, { ifMatch: seen }).catch((cause) => cause)
    assert.equal(stale.code, 'stale-revision')
    const { items } = await client.deals.list({ 'id.eq': seen.id }).page()
    await assert.rejects(client.deals.delete(seen.id, {}, { ifMatch: items[0] ?? {} }), TypeError)
  })

  test('only tries when it is told to', async () => {
    const { id } = await client.deals.create({ name: 'A', price: 1 })
    for (const form of forms) {
      const would = await client.deals.hold(id, { reason: 'x' }, { form, dryRun: true })
      assert.equal(would.held, true)
    }
    assert.equal((await client.deals.get(id)).revision, 1)
  })

  test('updates attributes', async () => {
    const { id } = await client.deals.create({ name: 'A', price: 1 })
    const { price, held, revision } = await client.deals.update(id, { price: 2.5, held: true, holdReason: 'x' })
    assert.deepEqual([price, held, revision], [2.5, true, 3])
  })

  test('decides a command once, whoever repeats it', async () => {
    const { id } = await client.deals.create({ name: 'A', price: 1 })
    for (const form of forms.filter((name) => name !== 'attribute-update'))
      await client.deals.recordPayment(id, { amount: 1 }, { form, commandId: `once-${id}` })
    assert.equal((await client.deals.get(id)).paid, 1)
    assert.equal((await client.commands.get(`once-${id}`)).status, 'applied')
  })

  test('keeps tasks, rates, targets and views', async () => {
    const task = await client.tasks.create({ title: 'Call Bo', dueOn: '2027-01-31' })
    assert.equal((await client.tasks.finish(task.id)).status, 'done')
    assert.equal((await client.tasks.reopen(task.id)).status, 'open')
    assert.equal(
      (await client.tasks.patch(task.id, { note: 'soon' }, { ifMatch: await client.tasks.get(task.id) })).note,
      'soon',
    )
    const rate = await client.rates.create({ currency: 'USD', perUnit: 1.0837, since: '2026-11-01' })
    assert.equal((await client.rates.list({ currency: 'USD' }).page()).items[0]?.id, rate.id)
    const quarter = { from: '2027-01-01', to: '2027-03-31' }
    const target = await client.targets.create({ user: 'mila', ...quarter, amount: 120_000, currency: 'EUR' })
    assert.equal((await client.targets.patch(target.id, { amount: 130_000 })).amount, 130_000)
    assert.equal((await client.targets.list({ user: 'mila' }).page()).items[0]?.from, '2027-01-01')
    const view = await client.views.create({ name: 'Calls', collection: 'tasks', query: 'title.starts=Call' })
    const found = await Array.fromAsync(client.views.items<{ readonly id: string }>(view.id, { status: 'open' }))
    assert.deepEqual(
      found.map(({ id }) => id),
      [task.id],
    )
    const done = await Array.fromAsync(client.tasks.history(task.id), ({ operation }) => operation)
    assert.deepEqual(done, ['create', 'finish', 'reopen', 'change'])
    await client.views.delete(view.id)
    await assert.rejects(client.views.get(view.id), { code: 'view-not-found' })
  })

  test('creates or changes what a reference names, and knows it by that in every form', async () => {
    const by = { reference: 'A/0004.json' }
    const made = await client.deals.upsert(by, { name: 'Roof', price: 1 })
    assert.deepEqual([made.reference, made.revision], [by.reference, 1])
    const { id, name, price } = await client.deals.upsert(by, { price: 2 })
    assert.deepEqual([id, name, price], [made.id, 'Roof', 2])
    for (const form of forms) {
      const { holdReason } = await client.deals.hold(by, { reason: `by ${form}` }, { form })
      assert.equal(holdReason, `by ${form}`)
    }
    assert.equal((await client.deals.get(by)).id, id)
    assert.equal(await client.deals.delete(by), undefined)
    await assert.rejects(client.deals.upsert(by, { price: 3 }), { status: 410 })

    const customer = await client.customers.upsert(by, { name: 'Ann' })
    assert.equal((await client.customers.patch(by, { age: 40 })).id, customer.id)
    await client.customers.delete(by)
    await assert.rejects(client.customers.get(by), { status: 404 })
    const task = await client.tasks.upsert(by, { title: 'Call' })
    const { id: finished, status } = await client.tasks.finish(by)
    assert.deepEqual([finished, status], [task.id, 'done'])
  })

  test('keeps customers', async () => {
    const { customers } = client
    const made = await customers.create({ name: 'Bo Lund', children: 2 })
    const patched = await customers.patch(made.id, { age: 30 }, { ifMatch: made })
    assert.deepEqual([patched.age, patched.children], [30, 2])
    const replaced = await customers.replace(made.id, { name: 'Bo Lund' })
    assert.equal(replaced.children, null)
    await customers.delete(made.id)
    const gone = await customers.get(made.id).catch((cause) => cause)
    assert.equal(gone.code, 'customer-not-found')
  })

  test('decides a write to a customer once, and only tries when it is told to', async () => {
    const { customers } = client
    const commandId = crypto.randomUUID()
    const made = await customers.create({ name: 'Cy', company: 'Cy & Co' }, { commandId })
    assert.equal((await customers.create({ name: 'Cy', company: 'Cy & Co' }, { commandId })).id, made.id)
    assert.equal((await client.commands.get(commandId)).customer, made.id)
    const would = await customers.patch(made.id, { age: 50 }, { dryRun: true })
    assert.deepEqual([would.age, (await customers.get(made.id)).age], [50, null])
    await customers.patch(made.id, { age: 51 }, { ifMatch: made })
    const stale = await customers.delete(made.id, { ifMatch: made }).catch((cause) => cause)
    assert.equal(stale.code, 'stale-revision')
    const { items } = await customers.history(made.id).page()
    assert.deepEqual(
      items.map(({ operation, params, commandId: under }) => [operation, params.age, under === commandId]),
      [
        ['create', null, true],
        ['change', 51, false],
      ],
    )
  })

  test('goes through a list page by page', async () => {
    for (let n = 0; n < 7; n++) await client.customers.create({ name: `Paged ${n}`, age: 90 })
    const names: string[] = []
    for await (const { name } of client.customers.list({ age: 90, sort: '-name', maxpagesize: 2 })) names.push(name)
    assert.deepEqual(
      names,
      [6, 5, 4, 3, 2, 1, 0].map((n) => `Paged ${n}`),
    )
    const listed = await client.customers.list({ 'age.in': '90,91', count: 'exact' }).page()
    assert.equal(listed.total, (await client.customers.list({ 'age.in': [90, 91], count: 'exact' }).page()).total)
    assert.deepEqual((await client.customers.list({ 'name.in': ['Ann, Bo'] }).page()).items, [])
    const { total, hasMore } = await client.customers.list({ 'age.in': '90', count: 'exact', maxpagesize: 2 }).page()
    assert.deepEqual([total, hasMore], [7, true])
  })

  test('asks named queries, and an empty one is an empty list', async () => {
    const found: string[] = []
    for await (const { name } of client.query('customers-by-age', 41)) found.push(name)
    assert.deepEqual(found, ['Ana Ruiz'])
    for await (const _ of client.query('customers-by-age', 149)) assert.fail('nobody is 149')
  })

  test('knows what can be done now', async () => {
    const { id } = await client.deals.create({ name: 'A', price: 1 })
    const actions = await client.deals.actions(id)
    assert.deepEqual(actions.find(({ operation }) => operation === 'unhold')?.allowed, false)
  })
})

/** Something that is not the service answers. */
async function answering<T>(listener: RequestListener, run: (client: Client) => Promise<T>): Promise<T> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  try {
    return await run(connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Stands between the client and the service, and fails as networks and busy services do. */
async function between(
  fail: (count: number) => 'cut-before' | 'cut-after' | 'cut-within' | number | undefined,
  run: (client: Client) => Promise<void>,
) {
  let count = 0
  const listener: RequestListener = async (request, response) => {
    const how = fail(++count)
    if (how === 'cut-before') return void request.socket.destroy()
    if (typeof how === 'number') return void response.writeHead(how, { 'retry-after': '0' }).end()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers as Record<string, string>
    const { method = 'GET', url = '/' } = request
    const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
    // What is passed on must be as it came, and fetch would unpack it.
    const plain = { ...headers, 'accept-encoding': 'identity' }
    const answer = await fetch(service.url + url, { method, headers: plain, ...body })
    if (how === 'cut-after') return void request.socket.destroy()
    response.writeHead(
      answer.status,
      Object.fromEntries([...answer.headers].filter(([name]) => name !== 'transfer-encoding')),
    )
    const content = Buffer.from(await answer.arrayBuffer())
    if (how === 'cut-within') return void response.write(content.subarray(0, 9), () => request.socket.destroy())
    response.end(content)
  }
  await answering((request, response) => void listener(request, response), run)
}

test('the events of the service are heard, from now on or behind one that was seen', async () => {
  const past = await client.pastEvents({ sort: '-sequence', maxpagesize: 1 }).page()
  const { id } = await client.deals.create({ name: 'A', price: 1 })
  await client.deals.hold(id, { reason: 'x' }, { form: 'command' })
  const heard: unknown[] = []
  for await (const { type, subject, data } of client.events({ after: past.items[0]?.sequence ?? '', deal: id })) {
    heard.push([type, subject, data.revision])
    if (heard.length === 1) await client.deals.unhold(id)
    if (heard.length === 3) break
  }
  assert.deepEqual(heard, [
    ['deal.created', id, 1],
    ['deal.held', id, 2],
    ['deal.unheld', id, 3],
  ])
})

test('an empty place is before all events', async () => {
  const { id } = await client.deals.create({ name: 'A', price: 1 })
  for await (const { subject, type } of client.events({ after: '', deal: id })) {
    assert.deepEqual([subject, type], [id, 'deal.created'])
    break
  }
})

test('the events of customers are heard with the customer', async () => {
  const past = await client.pastEvents({ sort: '-sequence', maxpagesize: 1 }).page()
  const { id } = await client.customers.create({ name: 'Heard' })
  await client.customers.patch(id, { age: 20 })
  await client.customers.delete(id)
  const heard: unknown[] = []
  for await (const event of client.events({ after: past.items[0]?.sequence ?? '', customer: id })) {
    if (event.type === 'customer.changed') heard.push(event.data.customer.age)
    else heard.push([event.type, event.subject])
    if (event.type === 'customer.deleted') break
  }
  assert.deepEqual(heard, [['customer.created', String(id)], 20, ['customer.deleted', String(id)]])
})

suite('what fails in passing', () => {
  const odd = (count: number) => count % 2 === 1
  for (const [name, fail] of [
    ['a connection that is cut before', (n: number) => (odd(n) ? 'cut-before' : undefined)],
    ['an answer that is lost', (n: number) => (odd(n) ? 'cut-after' : undefined)],
    ['an answer that breaks off', (n: number) => (odd(n) ? 'cut-within' : undefined)],
    ['500', (n: number) => (odd(n) ? 500 : undefined)],
    ['503', (n: number) => (odd(n) ? 503 : undefined)],
    ['429', (n: number) => (odd(n) ? 429 : undefined)],
  ] as const) {
    test(`${name} is overcome, and done once`, async () => {
      for (const form of forms) {
        const { id } = await client.deals.create({ name: 'A', price: 1 })
        await between(fail, async (shaky) => {
          const { paid, revision } = await shaky.deals.recordPayment(id, { amount: 5 }, { form })
          assert.deepEqual([paid, revision], [5, 2], form)
        })
      }
    })
  }

  test('is given up after a while', async () => {
    let asked = 0
    const down = (n: number) => {
      asked = n
      return 503
    }
    await between(down, async (shaky) => {
      const problem = await shaky.deals.get('x').catch((cause) => cause)
      assert.deepEqual([problem.code, problem.status, asked], ['unknown', 503, 5])
    })
  })

  test('is overcome for customers too, and done once', async () => {
    await between(
      (n) => (odd(n) ? 'cut-after' : undefined),
      async (shaky) => {
        const { id } = await shaky.customers.create({ name: 'Once only', age: 77 })
        await shaky.customers.patch(id, { age: 78 })
        const { revision } = await shaky.customers.replace(id, { name: 'Once only', age: 79 })
        assert.equal(revision, 3)
        await shaky.customers.delete(id)
      },
    )
    const { items } = await client.customers.list({ 'age.in': [77, 78, 79] }).page()
    assert.deepEqual(items, [])
  })

  test('is overcome in a list that breaks off', async () => {
    await between(
      (n) => (odd(n) ? 'cut-within' : undefined),
      async (shaky) => {
        const items = await Array.fromAsync(shaky.customers.list({ name: 'Ana Ruiz' }))
        assert.equal(items.length, 1)
      },
    )
  })

  test('is never repeated without a key', async () => {
    for (const form of forms) {
      await assert.rejects(client.deals.create({ name: 'A', price: 1 }, { commandId: '', form }), TypeError)
    }
    await assert.rejects(async () => client.customers.create({ name: 'A' }, { commandId: '' }), TypeError)
  })

  test('waits until the date that it was told', async () => {
    const asked: number[] = []
    const until = Math.ceil(Date.now() / 1000) * 1000 + 1000
    const answers: RequestListener = (_, response) => {
      asked.push(Date.now())
      if (asked.length > 1) return void response.end('{"items":[]}')
      response.writeHead(503, { 'retry-after': new Date(until).toUTCString() }).end()
    }
    await answering(answers, (slow) => slow.search('x'))
    assert.equal(asked.length, 2)
    assert.ok((asked[1] ?? 0) >= until)
  })

  test('waits no longer than its caller does', async () => {
    await between(
      () => 503,
      async (shaky) => {
        const signal = AbortSignal.timeout(50)
        await assert.rejects(shaky.deals.get('x', { signal }), { name: 'TimeoutError' })
      },
    )
  })
})

test('a stream of events is taken up where it broke', async () => {
  const asked: (string | undefined)[] = []
  const hadBoth = Promise.withResolvers<void>()
  const event = (n: number) => `id: ${n}\ndata: {"sequence":"${n}"}\n\n`
  const server = createServer((request, response) => {
    const last = request.headers['last-event-id'] as string | undefined
    asked.push(last)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (last === undefined) {
      response.write('retry: 5\nid: 0\n\n: hello\n\n')
      // In two chunks, and broken when both events were seen.
      response.write(event(1).slice(0, 9), () => response.write(event(1).slice(9) + event(2)))
      void hadBoth.promise.then(() => response.destroy())
    } else response.write(event(Number(last) + 1))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const seen: string[] = []
  for await (const { sequence } of connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).events()) {
    seen.push(sequence)
    if (seen.length === 2) hadBoth.resolve()
    if (seen.length === 3) break
  }
  server.closeAllConnections()
  server.close()
  assert.deepEqual(
    [seen, asked],
    [
      ['1', '2', '3'],
      [undefined, '2'],
    ],
  )
})

test('events are heard again from a service that was away', async () => {
  const event = (n: number) => `retry: 5\nid: ${n}\ndata: {"sequence":"${n}"}\n\n`
  const asked: (string | undefined)[] = []
  const lost: unknown[] = []
  const seen: string[] = []
  const listener: RequestListener = (request, response) => {
    const last = request.headers['last-event-id'] as string | undefined
    asked.push(last)
    if (asked.length > 1 && asked.length < 9) return void request.socket.destroy()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(event(Number(last ?? 0) + 1), () => asked.length === 1 && request.socket.destroy())
  }
  await answering(listener, async (client) => {
    for await (const { sequence } of client.events({ onLost: (cause) => lost.push(cause) })) {
      seen.push(sequence)
      if (seen.length === 2) break
    }
  })
  assert.deepEqual(seen, ['1', '2'])
  assert.deepEqual(asked, [undefined, ...Array(8).fill('1')])
  assert.ok(lost.length >= 2, 'the stream, and at least one try')
})

test('events that are refused later on end with the refusal', async () => {
  let asked = 0
  const listener: RequestListener = (_, response) => {
    if (++asked > 1) return void response.writeHead(401).end()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('retry: 5\n\n', () => response.destroy())
  }
  const heard = answering(listener, async (client) => Array.fromAsync(client.events()))
  await assert.rejects(heard, { name: 'DealdeskProblem', status: 401 })
})

test('a refusal by something else has its status, whatever its content', async () => {
  for (const content of ['<oops', 'null', '"no"', '']) {
    const listener: RequestListener = (_, response) =>
      void response.writeHead(404, { 'content-type': 'application/json' }).end(content)
    const refused = answering(listener, (client) => client.deals.get('x'))
    await assert.rejects(refused, { name: 'DealdeskProblem', status: 404, code: 'unknown' }, content)
  }
})
