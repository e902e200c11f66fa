import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, suite, test } from 'node:test'
import { quickPace } from '../support/webhooks/quick-pace.ts'
import { answering, ok, type Receiver, runReceiver } from '../support/webhooks/receiver.ts'
import { runWebhookService, type WebhookService } from '../support/webhooks/webhook-service.ts'

let service: WebhookService
let receiver: Receiver
before(async () => {
  service = await runWebhookService()
})
after(() => service.close())
beforeEach(async () => {
  receiver = await runReceiver()
})
afterEach(() => receiver.close())

suite('a delivery', () => {
  for (const [status, text] of [
    [429, '0'],
    [429, 'soon'],
    [500, '3600'],
  ] as const) {
    test(`that is answered ${status} with Retry-After ${text} is tried again as the schedule says`, async () => {
      const { id } = await service.subscribe(receiver.url)
      receiver.answer = answering(status, { 'retry-after': text })
      await service.createDeal()
      await receiver.until((received) => received.length > 1)
      await service.unsubscribe(id)
    })
  }

  test('to a receiver that hangs fails in time', async (t) => {
    const timeout = 300
    const own = await runWebhookService(undefined, { ...quickPace, timeout })
    t.after(() => own.close())
    const { id } = await own.subscribe(receiver.url)
    receiver.answer = () => {}
    await own.createDeal()
    const { error, duration } = await own.settled(id, ({ attempts }) => attempts > 0)
    assert.equal(error, 'no answer in time')
    assert.ok((duration ?? 0) >= timeout - 10, `it took ${duration} ms`)
  })

  test('to a receiver that answers slowly, but in time, is delivered once', async () => {
    const { id } = await service.subscribe(receiver.url)
    let held = 0
    receiver.answer = async (response) => {
      receiver.answer = ok
      const since = performance.now()
      // The service is busy with something else meanwhile.
      await service.createDeal()
      held = performance.now() - since
      response.end('at last')
    }
    await service.createDeal()
    const { attempts, answer, duration } = await service.settled(id, ({ status }) => status === 'delivered')
    assert.deepEqual({ attempts, answer }, { attempts: 1, answer: 'at last' })
    assert.ok((duration ?? 0) >= Math.floor(held), `${duration} ms of ${held}`)
    // The delivery of the deal that was created meanwhile, and no other.
    await receiver.until((received) => received.length >= 2)
    assert.equal(receiver.received.length, 2)
    await service.unsubscribe(id)
  })

  test('that is answered by a switch of protocols has failed', async () => {
    const { id } = await service.subscribe(receiver.url)
    receiver.answer = (response) => void response.writeHead(101, { connection: 'upgrade', upgrade: 'websocket' }).end()
    await service.createDeal()
    const { responseStatus, error } = await service.settled(id, ({ attempts }) => attempts > 0)
    assert.deepEqual({ responseStatus, error }, { responseStatus: 101, error: 'answered 101' })
    await service.unsubscribe(id)
  })

  test('is delivered once the status says so, though the answer never ends', async (t) => {
    // The status has as long as the rest of the answer is waited for; whoever missed it asks again.
    const own = await runWebhookService(undefined, { ...quickPace, timeout: 3000 })
    t.after(() => own.close())
    const { id } = await own.subscribe(receiver.url)
    receiver.answer = (response) => void response.writeHead(200).write('and so on')
    await own.createDeal()
    const { status, attempts, answer } = await own.settled(id, (each) => each.status !== 'pending')
    assert.deepEqual({ status, answer }, { status: 'delivered', answer: 'and so on' })
    assert.equal(receiver.received.length, attempts, 'nothing is sent again')
  })

  test('follows no redirect', async () => {
    const trap = await runReceiver()
    const { id } = await service.subscribe(receiver.url)
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answer = answering(status, { location: trap.url })
      const deal = await service.createDeal()
      await receiver.until((received) => received.some(({ event }) => event.subject === deal))
    }
    const { error } = await service.settled(id, ({ attempts }) => attempts > 0)
    assert.equal(error, 'redirects are not followed')
    assert.equal(trap.connections, 0)
    await trap.close()
    await service.unsubscribe(id)
  })

  test('keeps the start of an answer of many megabytes, and reads little more', async () => {
    const { id } = await service.subscribe(receiver.url)
    let written = 0
    receiver.answer = (response) => {
      const more = (): void => {
        while (written < 50e6 && !response.destroyed) {
          written += 65_536
          if (!response.write('☃'.repeat(21_845))) return void response.once('drain', more)
        }
        response.end()
      }
      more()
    }
    await service.createDeal()
    const { attempts, answer } = await service.settled(id, ({ status }) => status === 'delivered')
    assert.equal(attempts, 1)
    assert.equal(answer, '☃'.repeat(341))
    assert.ok(written < 20e6, `${written} bytes were written`)
    await service.unsubscribe(id)
  })
})
