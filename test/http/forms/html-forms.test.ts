import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import type { Json } from '../../../src/values/json/json.ts'
import { after, allSteps, wayTo } from '../../support/deals/ways.ts'
import { DEALS, makeDeal, openDeal, storedDeal } from '../../support/service/making-deals.ts'
import { roomService } from '../../support/service/room-service.ts'
import type { TestService } from '../../support/service/running-service.ts'
import { saidFaults } from '../../support/service/said-faults.ts'

let service: TestService
before(async () => {
  service = await roomService()
})

const asPage = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

/** As a browser sends it: every value a text, nothing for null, CRLF for line breaks. */
const fieldsOf = (params: { readonly [name: string]: Json }): URLSearchParams =>
  new URLSearchParams(
    Object.entries(params).map(([name, value]): [string, string] => [name, value === null ? '' : String(value)]),
  )

suite('an HTML form', () => {
  for (const step of allSteps.filter(({ operation }) => operation.to !== 'nothing')) {
    const { operation, params } = step
    test(`does ${operation.name} ${JSON.stringify(params)} at its noun address`, async () => {
      const way = wayTo((deal) => after(deal, step) !== undefined)
      assert.ok(way)
      const id = await makeDeal(service, way)
      const body = fieldsOf(params)
      const answer = await service.request('POST', `${DEALS}/${id}/${operation.words.noun}`, { body, headers: asPage })
      assert.equal(answer.status, 303, answer.text)
      assert.equal(answer.headers.location, `${DEALS}/${id}`)
      const revision = way.deal.revision + 1
      const entry = await service.request('GET', `${DEALS}/${id}/history/${revision}`)
      const expected = after(way.deal, step)?.params
      assert.partialDeepStrictEqual(entry.body, { operation: operation.name, form: 'noun', params: expected })
    })
  }

  test('is not needed to see what a write made: its answer has the screen of the thing', async () => {
    const { id } = await openDeal(service)
    const headers = { accept: 'text/html' }
    const body = { reason: 'credit check' }
    const held = await service.request('PUT', `${DEALS}/${id}/hold`, { body, headers })
    assert.equal(held.status, 200, held.text)
    assert.equal(held.headers['content-location'], `${DEALS}/${id}`)
    assert.match(held.text, new RegExp(`data-watch="${id}"`))
    const renamed = { body: { newName: 'Fifty espresso machines' }, headers }
    const tried = await service.request('PUT', `${DEALS}/${id}/rename?dry-run=true`, renamed)
    assert.equal(tried.status, 200, tried.text)
    assert.doesNotMatch(tried.text, /data-watch|<form[^>]* method="post"[^>]*deals/)
  })

  test('loses no field that nothing takes, whatever its name', async () => {
    const field = { on: 'customer', name: 'size', title: 'Size', kind: 'text', 'options/mx': '5' }
    for (const [path, body, pointer] of [
      ['/customers', { name: 'Ana', 'own/size': 'large' }, '/own~1size'],
      ['/fields', field, '/options/mx'],
      [
        '/pipelines',
        { name: 'way', title: 'Way', 'stages/0/name': 'due', 'stages/0/likelihod': '5' },
        '/stages/0/likelihod',
      ],
    ] as const) {
      const refused = await service.request('POST', path, { body: fieldsOf(body) })
      const faults = refused.body.errors.map((fault) => [fault.pointer, fault.code])
      assert.deepEqual([refused.status, faults], [422, [[pointer, 'unknown']]], refused.text)
    }
  })

  test('of a page sets a reference and removes it; the details have it only if it is set', async () => {
    const { id } = await openDeal(service)
    const path = `${DEALS}/${id}`
    const seen = async () => {
      const { text } = await service.request('GET', path, { headers: asPage })
      const [facts = ''] = /<div id="facts"[\s\S]*?<\/section>/.exec(text) ?? []
      const [, given] =
        /<form[^>]* id="op-set-fields-form"[\s\S]*?name="reference"[^>]* value="([^"]*)"/.exec(facts) ?? []
      assert.equal(text.match(/id="op-set-fields-form"/g)?.length, 1)
      return { isFact: facts.includes('<dt>Reference</dt>'), given }
    }
    assert.deepEqual(await seen(), { isFact: false, given: undefined })
    for (const [reference, expected] of [
      ['A-77', { isFact: true, given: 'A-77' }],
      ['', { isFact: false, given: undefined }],
    ] as const) {
      const body = new URLSearchParams({ reference })
      const answer = await service.request('POST', `${path}/field-settings`, { body, headers: asPage })
      assert.equal(answer.status, 303, answer.text)
      assert.deepEqual(await seen(), expected)
    }
    assert.equal((await storedDeal(service, id)).reference, null)
  })

  test('of a page has amounts in the region of its reader; without one they are as programs write them', async () => {
    const { id } = await openDeal(service)
    const change = (newPrice: string, region?: string) => {
      const body = new URLSearchParams({ newPrice, reason: 'x', ...(region !== undefined && { _region: region }) })
      return service.request('POST', `${DEALS}/${id}/price-changes`, { body })
    }
    const price = async () => (await storedDeal(service, id)).price
    for (const [text, region, value] of [
      ['1.500', 'de-DE', 1500],
      ['12.500,50', 'de-DE', 12_500.5],
      ['1.500', 'en-GB', 1.5],
      ['1.5', undefined, 1.5],
    ] as const) {
      assert.ok((await change(text, region)).status < 400)
      assert.equal(await price(), value, `${text} in ${region}`)
    }
    const { status, body } = await change('12.50', 'de-DE')
    assert.equal(status, 422)
    assert.deepEqual(body.errors, [
      {
        pointer: '/newPrice',
        code: 'unclear-amount',
        with: { first: '12,50', second: '1.250' },
        detail: 'can mean 12,50 or 1.250; write it as one of them',
      },
    ])
    const much = await change('viel', 'de-DE')
    assert.equal(much.body.errors?.[0]?.detail, 'must be an amount such as 99.50')
    assert.equal((await change('12,50')).status, 422, 'as programs write')
    assert.equal((await change('12', 'nowhere at all')).body.code, 'invalid-parameter')
    assert.equal(await price(), 1.5)
    const page = await service.request('GET', `${DEALS}/${id}`, { headers: { ...asPage, 'accept-language': 'de-DE' } })
    assert.match(page.text, /name="_region" value="de-DE"/)
    assert.match(page.text, /name="newPrice" type="text" inputmode="decimal"[^>]* value="1,5"/)
  })

  test('creates a deal from typed texts, with empty fields absent', async () => {
    const body = new URLSearchParams({
      name: ' Roof ',
      price: '129999.95',
      currency: '',
      customerId: '1',
      owner: '',
      description: 'First line\r\nsecond line',
      stage: 'qualified',
      completionDate: '2027-05-31',
    })
    const answer = await service.request('POST', `${DEALS}/`, { body, headers: asPage })
    assert.equal(answer.status, 303)
    const id = String(answer.headers.location).split('/').at(-1) ?? ''
    assert.partialDeepStrictEqual(await storedDeal(service, id), {
      name: 'Roof',
      price: 129999.95,
      currency: 'EUR',
      customerId: 1,
      owner: null,
      description: 'First line\nsecond line',
      stage: 'qualified',
      completionDate: '2027-05-31',
    })
  })

  test('answers like JSON when a page is not preferred', async () => {
    const deal = await openDeal(service)
    const answer = await service.request('POST', `${DEALS}/${deal.id}/notes`, {
      body: new URLSearchParams({ text: 'x' }),
    })
    assert.equal(answer.status, 201)
    assert.equal(answer.body.operation, 'add-note')
    const json = await service.request('POST', `${DEALS}/${deal.id}/notes`, { body: { text: 'x' }, headers: asPage })
    assert.equal(json.status, 201, 'only a form is sent on to the deal')
    const command = await service.request('POST', '/command/HoldDeal/', {
      body: new URLSearchParams({ id: deal.id, reason: 'x' }),
    })
    assert.equal(command.status, 200)
  })

  test('names a customer to a command by the number it writes', async () => {
    const { body: customer } = await service.request('POST', '/customers', { body: { name: 'Ada' } })
    const send = (id: string) =>
      service.request('POST', '/command/ChangeCustomer/', { body: new URLSearchParams({ id, age: '30' }) })
    assert.equal((await send(String(customer.id))).status, 200)
    assert.equal((await service.request('GET', `/customers/${customer.id}`)).body.age, 30)
    assert.equal((await send('nobody')).status, 404)
  })

  test('states its revision in _revision', async () => {
    const deal = await openDeal(service)
    const path = `${DEALS}/${deal.id}/notes`
    const send = (_revision: string) =>
      service.request('POST', path, { body: new URLSearchParams({ text: 'x', _revision }), headers: asPage })
    assert.equal((await send('1')).status, 303)
    const stale = await send('1')
    assert.equal(stale.status, 412)
    assert.match(String(stale.headers['content-type']), /^text\/html/)
    assert.equal((await send('first')).status, 400)
    assert.equal((await send('')).status, 303, 'an empty field is absent')
  })

  test('is sent once under its _command', async () => {
    const deal = await openDeal(service)
    const body = new URLSearchParams({ amount: '10.50', _command: 'pay-once' })
    for (const replayed of [undefined, 'true']) {
      const answer = await service.request('POST', `${DEALS}/${deal.id}/payments`, { body, headers: asPage })
      assert.equal(answer.status, 303)
      assert.equal(answer.headers.location, `${DEALS}/${deal.id}`)
      assert.equal(answer.headers['idempotent-replayed'], replayed)
    }
    assert.equal((await storedDeal(service, deal.id)).paid, 10.5)
    const other = new URLSearchParams({ amount: '11', _command: 'pay-once' })
    assert.equal((await service.request('POST', `${DEALS}/${deal.id}/payments`, { body: other })).status, 422)
    const bad = new URLSearchParams({ amount: '11', _command: 'not an id' })
    const refused = await service.request('POST', `${DEALS}/${deal.id}/payments`, { body: bad })
    const detail = 'must be 1 to 128 of A-Z a-z 0-9 . _ ~ -'
    assert.deepEqual([refused.status, saidFaults(refused.body.errors)], [400, [{ parameter: '_command', detail }]])
  })

  test('on the page of customers makes one, however often it is sent', async () => {
    const { text } = await service.request('GET', '/customers', { headers: asPage })
    const _command = /name="_command" value="([^"]+)"/.exec(text)?.[1]
    assert.ok(_command)
    const body = new URLSearchParams({ name: 'Once', _command })
    const send = async () => (await service.request('POST', '/customers', { body, headers: asPage })).headers.location
    assert.equal(await send(), await send())
  })

  test('says what is wrong with its texts', async () => {
    const deal = await openDeal(service)
    const post = (noun: string, fields: string[][]) =>
      service.request('POST', `${DEALS}/${deal.id}/${noun}`, { body: new URLSearchParams(fields) })
    for (const amount of ['1e2', '0x10', '10,5', '1.005', 'ten', '']) {
      const answer = await post('payments', [['amount', amount]])
      assert.equal(answer.status, 422, amount)
      assert.deepEqual(
        answer.body.errors.map(({ pointer }) => pointer),
        ['/amount'],
      )
    }
    assert.equal(
      (
        await post('payments', [
          ['amount', '1'],
          ['amount', '2'],
        ])
      ).status,
      400,
    )
    assert.deepEqual(
      saidFaults(
        (
          await post('holds', [
            ['reason', 'x'],
            ['other', 'y'],
          ])
        ).body.errors,
      ),
      [{ pointer: '/other', detail: 'is not known here' }],
    )
    assert.equal((await post('holds', [['reason', ' ']])).status, 422)
    assert.equal((await storedDeal(service, deal.id)).revision, 1)
  })

  test('removes what its field was emptied of, and nothing whose field it does not have', async () => {
    const made = {
      name: 'Kept',
      price: 1,
      owner: 'Ana',
      description: 'long',
      completionDate: '2027-01-31',
      customerId: 1,
    }
    const { body: deal } = await service.request('POST', DEALS, { body: made })
    const emptied = [
      ['assignments', 'owner', ''],
      ['descriptions', 'description', ''],
      ['completion-date-changes', 'newDate', 'whyChanged=later'],
      ['customer-changes', 'customerId', ''],
    ] as const
    for (const [noun, field, rest] of emptied) {
      const body = new URLSearchParams(rest)
      const without = await service.request('POST', `${DEALS}/${deal.id}/${noun}`, { body })
      assert.equal(without.status, 422, noun)
      assert.deepEqual(saidFaults(without.body.errors), [{ pointer: `/${field}`, detail: 'is required' }])
    }
    assert.partialDeepStrictEqual(await storedDeal(service, deal.id), made)
    for (const [noun, field, rest] of emptied) {
      const body = new URLSearchParams(`${rest}&${field}=`)
      assert.equal((await service.request('POST', `${DEALS}/${deal.id}/${noun}`, { body })).status, 201, noun)
    }
    const nothing = { owner: null, description: '', completionDate: null, customerId: null }
    assert.partialDeepStrictEqual(await storedDeal(service, deal.id), nothing)
    const twice = new URLSearchParams('owner=&owner=Ana')
    const answer = await service.request('POST', `${DEALS}/${deal.id}/assignments`, { body: twice })
    assert.equal(answer.status, 400)
  })

  test('leaves what cannot be empty as it is: a move without a pipeline stays in its own', async () => {
    const { id } = await openDeal(service)
    const body = new URLSearchParams({ stage: 'proposal', pipeline: '' })
    const answer = await service.request('POST', `${DEALS}/${id}/moves`, { body, headers: asPage })
    assert.equal(answer.status, 303, answer.text)
    assert.partialDeepStrictEqual(await storedDeal(service, id), { stage: 'proposal', pipeline: 'sales' })
  })

  test('is not for PUT, PATCH, DELETE or a command', async () => {
    const deal = await openDeal(service)
    const body = new URLSearchParams({ reason: 'x' })
    for (const [method, path] of [
      ['PUT', `${DEALS}/${deal.id}/hold`],
      ['PUT', `${DEALS}/${deal.id}`],
      ['PATCH', `${DEALS}/${deal.id}`],
      ['DELETE', `${DEALS}/${deal.id}`],
      ['PUT', '/rest/commands/form'],
    ] as const) {
      assert.equal((await service.request(method, path, { body })).status, 415, `${method} ${path}`)
    }
  })
})
