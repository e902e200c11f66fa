import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'

let service: TestService
before(async () => {
  service = await runService()
})
after(() => service.close())

suite('the page of commands', () => {
  test('names what each of a hundred is about, latest first', async () => {
    for (let nth = 0; nth < 100; nth++) {
      const { id } = await openDeal(service, { name: `Deal number ${nth}` })
      const body = { action: 'hold', params: { reason: 'x' } }
      await service.request('PUT', `${DEALS}/${id}/commands/z${100 - nth}`, { body })
    }
    const headers = { accept: 'text/html' }
    const { status, text } = await service.request('GET', '/rest/commands?maxpagesize=1000&sort=-decidedAt', {
      headers,
    })
    assert.equal(status, 200, text)
    for (let nth = 0; nth < 100; nth++) assert.match(text, new RegExp(`>Deal number ${nth}<`))
    const first = (await service.request('GET', '/rest/commands', { headers })).text
    assert.ok(first.indexOf('>Deal number 99<') > 0)
    assert.ok(first.indexOf('>Deal number 99<') < first.indexOf('>Deal number 98<'))
  })
})
