import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fill, manyCustomers } from '../../support/database/filled.ts'
import { collections } from '../../support/schema.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'

let service: TestService
before(async () => {
  service = await runService()
  await fill(service.database, collections.customers, manyCustomers(1, 20_000))
})
after(() => service.close())

test('lines end when the client goes away', async () => {
  const control = new AbortController()
  const response = await fetch(`${service.url}/customers.ndjson`, { signal: control.signal })
  const reader = response.body?.getReader()
  await reader?.read()
  control.abort()
  await assert.rejects(async () => {
    for (;;) await reader?.read()
  })
  assert.equal((await service.request('GET', '/customers/1')).status, 200)
})

test('reads are answered while a regular expression looks at every customer', async () => {
  let scanned = false
  const scan = service.request('GET', '/customers?name.regex=(z%2B)%2B%24&count=exact').then((answer) => {
    scanned = true
    return answer
  })
  let answeredMeanwhile = 0
  while (!scanned && answeredMeanwhile < 5000) {
    assert.equal((await service.request('GET', '/customers/1')).status, 200)
    if (!scanned) answeredMeanwhile++
  }
  assert.equal((await scan).status, 200)
  // Were they held up, at most one would come through.
  assert.ok(answeredMeanwhile > 5, `only ${answeredMeanwhile} reads were answered meanwhile`)
})
