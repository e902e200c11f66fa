import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { type FormRequest, requestsFor } from '../../support/deals/form-requests.ts'
import { after, allSteps, blank, wayTo } from '../../support/deals/ways.ts'
import { DEALS, makeDeal, openDeal } from '../../support/service/making-deals.ts'
import { roomService } from '../../support/service/room-service.ts'
import type { TestService } from '../../support/service/running-service.ts'

let service: TestService
before(async () => {
  service = await roomService()
})

const minimal = { prefer: 'return=minimal' }

const send = ({ method, body }: FormRequest, path: string, headers = {}) =>
  service.request(method, path, { body, headers })

suite('with Prefer: return=minimal', () => {
  for (const step of allSteps) {
    const { operation, params } = step
    test(`${operation.name} ${JSON.stringify(params)} answers without a body and with its headers`, async () => {
      const isNew = operation.to === 'nothing'
      const way = wayTo((deal) => after(isNew ? blank() : deal, step) !== undefined)
      assert.ok(way)
      const count = requestsFor(operation, params, '').length
      for (let index = 0; index < count; index++) {
        const id: string = isNew ? '' : await makeDeal(service, way)
        const request: FormRequest | undefined = requestsFor(operation, params, id)[index]
        assert.ok(request)
        const answer = await send(request, request.path, minimal)
        const isCreation = request.reply === 'created' || request.reply === 'entry' || request.reply === 'command'
        assert.equal(answer.status, isCreation ? 201 : 204, `${request.form} ${answer.text}`)
        assert.equal(answer.text, '')
        assert.equal(answer.headers['preference-applied'], 'return=minimal')
        if (request.reply === 'created' || request.reply === 'entry') {
          const made = await service.request('GET', String(answer.headers.location))
          assert.equal(made.headers.etag, answer.headers.etag)
          const named = request.reply === 'created' ? answer.headers.location : undefined
          assert.equal(answer.headers['content-location'], named)
        }
        if (request.reply === 'deal' && operation.name !== 'delete') {
          const made = await service.request('GET', `${DEALS}/${id}`)
          assert.equal(made.headers.etag, answer.headers.etag)
        }
      }
    })
  }

  test('a replayed command and a customer answer 204', async () => {
    const deal = await openDeal(service)
    const command = { body: { deal: deal.id, action: 'hold', params: { reason: 'x' } }, headers: minimal }
    assert.equal((await service.request('PUT', '/rest/commands/minimal', command)).status, 201)
    assert.equal((await service.request('PUT', '/rest/commands/minimal', command)).status, 204)
    const created = await service.request('POST', '/customers', { body: { name: 'Ana' }, headers: minimal })
    assert.equal(created.status, 201)
    const path = String(created.headers.location)
    for (const [method, body] of [
      ['PUT', { name: 'B' }],
      ['PATCH', { age: 9 }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await service.request(method, path, { body, headers: minimal })
      assert.equal(answer.status, 204, method)
      assert.equal(answer.headers['preference-applied'], 'return=minimal')
    }
  })

  test('other preferences are left aside', async () => {
    const twice = 'return=representation, return=minimal'
    for (const prefer of ['return=representation', 'respond-async', 'minimal', 'x=return=minimal', twice]) {
      const answer = await service.request('POST', DEALS, { body: { name: 'x', price: 1 }, headers: { prefer } })
      assert.notEqual(answer.text, '', prefer)
      assert.equal(answer.headers['preference-applied'], undefined)
    }
    for (const prefer of ['respond-async, return=minimal; x=1', 'Return="minimal", return=representation']) {
      const answer = await service.request('POST', DEALS, { body: { name: 'x', price: 1 }, headers: { prefer } })
      assert.equal(answer.text, '', prefer)
    }
  })
})
