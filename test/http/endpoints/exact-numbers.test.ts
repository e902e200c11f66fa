import assert from 'node:assert/strict'
import { after, before, suite } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import readWorkbook from 'read-excel-file/node'
import { representations } from '../../../src/representations/representations.ts'
import { testOnEachStore } from '../../support/rooms/each-store.ts'
import { openService, type TestService } from '../../support/service/running-service.ts'

// Numbers that a double does not hold, or that a program which knows fifteen digits changes: each has the digits that it
// was given with, wherever it is written.

let service: TestService
before(async () => {
  service = await openService()
  for (const kind of ['number', 'integer']) await made('/fields', { on: 'customer', name: kind, title: kind, kind })
})
after(() => service.close())

async function made(path: string, body: object): Promise<string> {
  const answer = await service.request('POST', path, { body })
  assert.equal(answer.status, 201, answer.text)
  return String(answer.body.id)
}

/** A list as text, without what separates thousands and cells. */
async function listed(query: string, format: string): Promise<string | undefined> {
  const answer = await fetch(`${service.url}/customers?${query}&format=${format}`)
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (answer.status === 406) return undefined
  assert.equal(answer.status, 200, String(bytes))
  if (format !== 'xlsx') return String(bytes).replaceAll(/(?<=\d),(?=\d{3})/g, '')
  const [sheet] = (await readWorkbook(bytes)) as unknown as readonly [
    { readonly data: readonly (readonly unknown[])[] },
  ]
  return sheet.data.map((row) => row.join()).join('\n')
}

suite('sums have every digit', () => {
  testOnEachStore('in every representation', async () => {
    const own = { integer: 9_007_199_254_740_991, number: 8_589_934_591.999999 }
    for (const _ of [1, 2, 3]) await made('/customers', { name: 'Sum', own })
    for (const { name } of representations) {
      const text = await listed('name=Sum&group=name&measure=sum.own.integer,sum.own.number', name)
      if (text === undefined) continue
      for (const sum of ['27021597764222973', '25769803775.999997']) assert.ok(text.includes(sum), `${name}: ${text}`)
    }
  })
})

suite('an export that is imported again changes nothing', () => {
  testOnEachStore('of numbers with sixteen digits', async () => {
    const own = { integer: -9_007_199_254_740_991, number: 8_589_934_591.999999 }
    const id = await made('/customers', { name: 'Exported', own })
    for (const format of ['xlsx', 'csv']) {
      const file = await fetch(`${service.url}/customers?id=${id}&format=${format}`)
      const type = String(file.headers.get('content-type'))
      const body = Buffer.from(await file.arrayBuffer())
      const sent = await service.request('POST', '/imports?on=customer', { body, headers: { 'content-type': type } })
      const done = await imported(String(sent.headers.location))
      assert.partialDeepStrictEqual(done, { updated: 0, unchanged: 1, rejected: 0 }, format)
    }
    assert.partialDeepStrictEqual((await service.request('GET', `/customers/${id}`)).body, { own, revision: 1 })
  })
})

/** Runs an import, and returns it as it is afterwards. */
async function imported(address: string) {
  const settled = async () => {
    for (;;) {
      const { body } = await service.request('GET', address)
      if (!body.isRunning) return body
      await pause(10)
    }
  }
  const ready = await settled()
  assert.equal(ready.stage, 'ready', JSON.stringify(ready))
  await service.request('POST', `${address}/runs`)
  return settled()
}
