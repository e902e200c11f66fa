import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'
import { saidFaults } from '../../support/service/said-faults.ts'

let service: TestService
before(async () => {
  service = await runService()
})
after(() => service.close())

suite('a problem', () => {
  test('lists at most 50 faults and says how many more there are', async () => {
    const deal = await openDeal(service)
    for (const [method, path, length] of [
      // As many as fit into a body.
      ['POST', `${DEALS}/`, 90_000],
      ['PUT', `${DEALS}/${deal.id}`, 2000],
      ['PUT', `${DEALS}/${deal.id}/hold`, 2000],
      ['PUT', `${DEALS}/${deal.id}/commands/many`, 2000],
      ['POST', '/customers', 2000],
      ['POST', '/webhooks', 2000],
    ] as const) {
      const body = `{${Array.from({ length }, (_, n) => `"k${n}":1`).join()}}`
      const answer = await service.request(method, path, { body })
      assert.equal(answer.status, 422, path)
      assert.ok(answer.body.errors.length <= 50)
      assert.ok(answer.body.detail.length < 1000)
      const [, more] = /; and (\d+) more$/.exec(answer.body.detail) ?? []
      assert.ok(Math.abs(length - Number(more)) < 60, `${path}: ${more} more`)
      assert.ok(answer.text.length < 20_000)
    }
  })

  test('tells of a form with very many fields that it has so many', async () => {
    const fields = Array.from({ length: 90_000 }, (_, n) => `m${n}=1`).join('&')
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { status, body } = await service.request('POST', `${DEALS}/`, { body: fields, headers })
    assert.deepEqual([status, body.code, body.detail], [400, 'malformed-body', 'The form has more than 2000 fields.'])
  })

  test('stays short whatever was sent', async () => {
    const long = 'x'.repeat(500_000)
    for (const body of [`{"${long}":1}`, `{"name":"a","price":1,"stage":"${long}"}`, `{"action":"${long}"}`]) {
      const answer = await service.request('POST', `${DEALS}/`, { body })
      assert.equal(answer.status, 422)
      assert.ok(answer.text.length < 4000, String(answer.text.length))
    }
    const terms = Array.from({ length: 300 }, (_, n) => `k${n}=1`).join('&')
    const query = await service.request('GET', `/customers?${terms}`)
    assert.equal(query.status, 400)
    assert.ok(query.body.detail.length < 1000)
  })

  test('shows control characters instead of sending them', async () => {
    const hostile = '/customers?%1b%5B31mRED=1'
    const json = await service.request('GET', hostile)
    assert.match(json.body.detail, /^\\u001b\[31mRED /)
    assert.equal((json.body.errors[0] as { parameter?: string }).parameter, '\\u001b[31mRED')
    for (const format of ['xml', 'html']) {
      const { text } = await service.request('GET', `${hostile}&format=${format}`)
      assert.ok(text.includes('\\u001b[31mRED'), format)
    }
    const body = await service.request('POST', '/customers', { body: '{"name":"x","\\u202ea\\u0007":1,"\\ud800":1}' })
    assert.deepEqual(
      body.body.errors.map(({ pointer }) => pointer),
      ['/\\u202ea\\u0007', '/\\ud800'],
    )
  })
})

suite('a body', () => {
  test('with a repeated member is not read, however it is spelled and wherever it stands', async () => {
    const deal = await openDeal(service)
    for (const [body, pointer] of [
      ['{"amount":1,"amount":1000}', '/amount'],
      ['{"amount":1,"\\u0061mount":1000}', '/amount'],
    ] as const) {
      const answer = await service.request('PUT', `${DEALS}/${deal.id}/record-payment`, { body })
      assert.equal(answer.status, 400)
      assert.equal(answer.body.code, 'malformed-body')
      assert.deepEqual(saidFaults(answer.body.errors), [{ pointer, detail: 'is given twice' }])
    }
    const nested = '{"action":"hold","params":{"reason":"x","reason":"y"}}'
    const answer = await service.request('PUT', `${DEALS}/${deal.id}/commands/twice`, { body: nested })
    assert.equal(answer.status, 400)
    assert.equal(answer.body.errors[0]?.pointer, '/params/reason')
    assert.equal((await service.request('GET', `${DEALS}/${deal.id}`)).body.revision, 1)
  })

  test('counts with all its digits', async () => {
    for (const price of ['999999999999.9900001', '0.1000000000000000055', '1e-400']) {
      const answer = await service.request('POST', `${DEALS}/`, { body: `{"name":"x","price":${price}}` })
      assert.equal(answer.status, 422, price)
      assert.equal(answer.body.errors[0]?.pointer, '/price')
    }
    for (const [price, kept] of [
      ['1e3', '1000'],
      ['12.340000000000000000', '12.34'],
      ['0.1', '0.1'],
    ] as const) {
      const answer = await service.request('POST', `${DEALS}/`, { body: `{"name":"x","price":${price}}` })
      assert.equal(answer.status, 201, answer.text)
      assert.ok(answer.text.includes(`"price":${kept},`))
    }
  })

  test('names a deal in either case and is answered in lower case', async () => {
    const deal = await openDeal(service)
    const upper = deal.id.toUpperCase()
    const action = { action: 'HoldDeal', params: { reason: 'x' } }
    const command = await service.request('PUT', '/rest/commands/upper', { body: { deal: upper, ...action } })
    assert.equal(command.status, 201, command.text)
    assert.equal(command.body.deal, deal.id)
    const again = await service.request('PUT', '/rest/commands/upper', { body: { deal: deal.id, ...action } })
    assert.equal(again.status, 200)
    const posted = await service.request('POST', '/command/HoldDeal/', { body: { id: upper, reason: 'y' } })
    assert.equal(posted.status, 200, posted.text)
    for (const [path, body] of [
      ['hold', { id: upper, reason: 'z' }],
      ['', { id: upper, ...action }],
      ['', { id: upper, name: 'Other' }],
      ['commands/beside', { id: upper, deal: upper, ...action }],
    ] as const) {
      const answer = await service.request('PUT', `${DEALS}/${deal.id}/${path}`.replace(/\/$/, ''), { body })
      assert.ok(answer.status < 300, answer.text)
    }
  })

  test('keeps texts exactly as they were sent and trims names', async () => {
    const sent = '  indented\n  code\n'
    const deal = await openDeal(service, { name: sent, description: sent, owner: sent })
    assert.partialDeepStrictEqual(deal, { name: sent.trim(), description: sent, owner: sent.trim() })
    const note = await service.request('POST', `${DEALS}/${deal.id}/notes`, { body: { text: sent } })
    assert.partialDeepStrictEqual(note.body.params, { text: sent, kind: 'note' })
    for (const text of ['\u200b', ' ', '\u0007', '\ud800']) {
      const answer = await service.request('POST', `${DEALS}/${deal.id}/notes`, { body: { text } })
      assert.equal(answer.status, 422, JSON.stringify(text))
    }
  })
})
