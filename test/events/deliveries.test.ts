import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, suite } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { readRetryAfter } from '../../src/events/retry-after.ts'
import { test, testOnEachStore } from '../support/rooms/each-store.ts'
import { quickPace } from '../support/webhooks/quick-pace.ts'
import { answering, ok, type Received, type Receiver, runReceiver } from '../support/webhooks/receiver.ts'
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

const headersOf = ({ headers }: Received) => headers as Record<string, string>
const verify = (secret: string, received: Received) => new Webhook(secret).verify(received.body, headersOf(received))

/** Something happens, and another receiver that always fails has got every try of it. */
async function wholeSchedule(): Promise<void> {
  const other = await runReceiver()
  other.answer = answering(500)
  const { id } = await service.subscribe(other.url)
  await service.createDeal()
  await service.settled(id, ({ status }) => status === 'failed')
  await service.unsubscribe(id)
  await other.close()
}

suite('a delivery', () => {
  test('is the CloudEvent of the feed, signed as Standard Webhooks asks', async () => {
    const { id, secret } = await service.subscribe(receiver.url)
    assert.match(secret, /^whsec_[A-Za-z0-9+/]+=*$/)
    const deal = await service.createDeal('Größe ☃')
    await receiver.until((received) => received.length === 1)
    const [received] = receiver.received as [Received]
    const page = (await (await service.send('GET', `/events?deal=${deal}`)).json()) as { items: unknown[] }
    assert.deepEqual(JSON.parse(received.body), page.items[0])
    assert.deepEqual(verify(secret, received), page.items[0])
    assert.match(received.headers['content-type'] ?? '', /^application\/cloudevents\+json/)
    const altered = { ...received, body: received.body.replace('Größe', 'Grösse') }
    assert.throws(() => verify(secret, altered), /signature/i)
    const old = { ...headersOf(received), 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 600) }
    assert.throws(() => new Webhook(secret).verify(received.body, old), /too old/i)
    assert.throws(() =>
      new Webhook(`whsec_${Buffer.from('another').toString('base64')}`).verify(received.body, headersOf(received)),
    )
    const {
      status,
      attempts,
      responseStatus,
      answer,
      id: message,
    } = await service.settled(id, (each) => each.status !== 'pending')
    assert.deepEqual(
      { status, attempts, responseStatus, answer },
      { status: 'delivered', attempts: 1, responseStatus: 200, answer: 'thanks' },
    )
    assert.equal(received.headers['webhook-id'], message)
    assert.deepEqual(await service.deliveries(id, '?fields=id,number'), [{ id: message, number: 1 }])
    const lines = await (await service.send('GET', `/webhooks/${id}/deliveries.csv?fields=id`)).text()
    assert.deepEqual(lines.trim().split(/\r?\n/), ['id', message])
    await service.unsubscribe(id)
  })

  testOnEachStore('is tried again with the same id and a new signature until it is taken', async () => {
    const { id, secret } = await service.subscribe(receiver.url)
    receiver.answer = answering(500)
    await service.createDeal()
    await receiver.until((received) => received.length >= 3)
    receiver.answer = ok
    const delivered = await service.settled(id, ({ status }) => status === 'delivered')
    assert.equal(delivered.attempts, receiver.received.length)
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
    assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1)
    for (const received of receiver.received) verify(secret, received)
    const [first = 0, second = 0, third = 0] = receiver.received.map(({ at }) => at)
    assert.ok(second - first >= 20 && third - second >= 100, `pauses of ${second - first} and ${third - second} ms`)
    await service.unsubscribe(id)
  })

  test('is given up at the end of its schedule', async () => {
    const { id } = await service.subscribe(receiver.url)
    receiver.answer = answering(503)
    await service.createDeal()
    const { attempts, error, responseStatus, nextTryAt } = await service.settled(
      id,
      ({ status }) => status === 'failed',
    )
    const tries = quickPace.pauses.length + 1
    assert.deepEqual(
      { attempts, error, responseStatus, nextTryAt },
      { attempts: tries, error: 'answered 503', responseStatus: 503, nextTryAt: null },
    )
    assert.equal(receiver.received.length, tries)
    await service.unsubscribe(id)
  })

  const asking: readonly [number, string, (now: number) => string, number, number][] = [
    [429, 'an hour', () => '3600', 3600, 3600],
    [503, 'days', () => '999999', 86_400, 86_400],
    [503, '400 digits', () => '9'.repeat(400), 86_400, 86_400],
    // A date has no milliseconds.
    [503, 'a date', (now) => new Date(now + 7_200_000).toUTCString(), 7199, 7200],
  ]
  for (const [status, said, textAt, least, most] of asking) {
    test(`that is answered ${status} with Retry-After, ${said}, is not tried again before`, async () => {
      const { id } = await service.subscribe(receiver.url)
      const before = Date.now()
      receiver.answer = answering(status, { 'retry-after': textAt(before) })
      await service.createDeal()
      const { nextTryAt, attempts } = await service.settled(id, ({ attempts }) => attempts > 0)
      const passed = Date.now() - before
      const pause = Date.parse(nextTryAt ?? '') - before
      assert.equal(attempts, 1)
      assert.ok(pause >= least * 1000 && pause <= most * 1000 + passed, `${pause} ms`)
      await service.unsubscribe(id)
    })
  }

  test('waits for a Retry-After in each format of a date, in GMT wherever the service runs', (t) => {
    const { TZ } = process.env
    t.after(() => {
      if (TZ === undefined) delete process.env.TZ
      else process.env.TZ = TZ
    })
    process.env.TZ = 'America/New_York'
    const now = Date.UTC(2026, 10, 6, 8, 49, 7)
    for (const text of [
      'Fri, 06 Nov 2026 08:49:37 GMT',
      'Friday, 06-Nov-26 08:49:37 GMT',
      'Fri Nov  6 08:49:37 2026',
    ]) {
      assert.equal(readRetryAfter(text, now), 30_000, text)
    }
  })

  testOnEachStore('that is answered with 410 ends the webhook and what was left of it', async () => {
    const { id } = await service.subscribe(receiver.url)
    // The second try has its answer once another delivery waits, so that the schedule does not end before.
    const isWaiting = Promise.withResolvers<void>()
    receiver.answer = (response) => {
      receiver.answer = (response) => void isWaiting.promise.then(() => answering(410)(response))
      answering(500)(response)
    }
    const deal = await service.createDeal()
    await service.addNote(deal, 'waits')
    await receiver.until((received) => received.length >= 2)
    while ((await service.deliveries(id)).length < 2) await wait(10)
    isWaiting.resolve()
    await service.settled(id, ({ status }) => status === 'cancelled')
    const { status, endedBecause } = (await (await service.send('GET', `/webhooks/${id}`)).json()) as Record<
      string,
      unknown
    >
    assert.deepEqual([status, endedBecause], ['ended', 'the receiver answered 410'])
    const count = receiver.received.length
    await wholeSchedule()
    assert.equal(receiver.received.length, count)
    assert.deepEqual(
      (await service.deliveries(id)).map((each) => each.status),
      ['cancelled', 'cancelled'],
    )
    const again = await service.send('POST', `/webhooks/${id}/deliveries/1/redeliveries`)
    assert.equal(again.status, 409)
    await service.unsubscribe(id)
  })

  test('is of the types that were asked for', async () => {
    const { id } = await service.subscribe(receiver.url, ['deal.held', 'deal.unheld'])
    const deal = await service.createDeal()
    await service.addNote(deal, 'not this')
    await service.send('PUT', `/rest/v1/deals/${deal}/hold`, { reason: 'x' })
    await service.send('PUT', `/rest/v1/deals/${deal}/unhold`, {})
    await receiver.until((received) => received.length === 2)
    assert.deepEqual(
      receiver.received.map(({ event }) => event.type),
      ['deal.held', 'deal.unheld'],
    )
    await service.unsubscribe(id)
  })

  testOnEachStore('can be repeated by hand', async () => {
    const { id } = await service.subscribe(receiver.url)
    await service.createDeal()
    await service.settled(id, ({ status }) => status === 'delivered')
    const again = await service.send('POST', `/webhooks/${id}/deliveries/1/redeliveries`)
    assert.equal(again.status, 202)
    await service.settled(id, ({ attempts, status }) => attempts === 2 && status === 'delivered')
    const [first, second] = receiver.received
    assert.equal(second?.headers['webhook-id'], first?.headers['webhook-id'])
    assert.equal((await service.send('POST', `/webhooks/${id}/deliveries/9/redeliveries`)).status, 404)
    await service.unsubscribe(id)
  })

  test('is signed with both secrets while one replaces the other', async () => {
    const { id, secret } = await service.subscribe(receiver.url)
    const rotated = await service.send('POST', `/webhooks/${id}/rotations`, { overlap: 60 })
    assert.equal(rotated.status, 200)
    const { secret: next } = (await rotated.json()) as { secret: string }
    assert.notEqual(next, secret)
    await service.createDeal()
    await receiver.until((received) => received.length === 1)
    for (const each of [secret, next]) verify(each, receiver.received[0] as Received)
    const { secret: last } = (await (
      await service.send('POST', `/webhooks/${id}/rotations`, { overlap: 0 })
    ).json()) as { secret: string }
    await service.createDeal()
    await receiver.until((received) => received.length === 2)
    verify(last, receiver.received[1] as Received)
    assert.throws(() => verify(next, receiver.received[1] as Received))
    await service.unsubscribe(id)
  })

  test('of a removed webhook is not made, nor tried again', async () => {
    const { id } = await service.subscribe(receiver.url)
    receiver.answer = answering(500)
    await service.createDeal()
    await receiver.until((received) => received.length >= 1)
    assert.equal((await service.send('DELETE', `/webhooks/${id}`)).status, 204)
    // A try that was under way may still come in; from then on none does.
    await wholeSchedule()
    const count = receiver.received.length
    await wholeSchedule()
    assert.equal(receiver.received.length, count)
    assert.equal((await service.send('GET', `/webhooks/${id}`)).status, 404)
    assert.equal((await service.send('GET', `/webhooks/${id}/deliveries`)).status, 404)
  })
})

/** Nothing is given up before the end of a test. */
const notGivenUp = { ...quickPace, pauses: Array.from({ length: 1000 }, () => 100) }

suite('deliveries', () => {
  testOnEachStore('follow the order of their deal, and a deal that fails holds back no other', async (t) => {
    const own = await runWebhookService(undefined, notGivenUp)
    t.after(() => own.close())
    const [bad, good] = [await own.createDeal('bad'), await own.createDeal('good')]
    await own.subscribe(receiver.url)
    let isMended = false
    receiver.answer = (response, { event }) => (event.subject === bad && !isMended ? answering(500) : ok)(response)
    for (let n = 0; n < 10; n++) {
      await own.addNote(bad, `${n}`)
      await own.addNote(good, `${n}`)
    }
    const revisions = (deal: string) =>
      receiver.received.filter(({ event }) => event.subject === deal).map(({ event }) => event.data.revision)
    await receiver.until(() => new Set(revisions(good)).size === 10)
    assert.deepEqual(
      revisions(good),
      Array.from({ length: 10 }, (_, at) => at + 2),
    )
    assert.deepEqual([...new Set(revisions(bad))], [2])
    isMended = true
    await receiver.until(() => new Set(revisions(bad)).size === 10)
    const seen = revisions(bad)
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
    )
  })

  test('of one deal follow each other as the receiver answers, not at the next look', async (t) => {
    // The next look of the deliveries is after the end of the test, and the store never looks for events.
    t.mock.method(globalThis, 'setInterval', () => setTimeout(() => {}, 0))
    const own = await runWebhookService(undefined, { ...quickPace, poll: 86_400_000 })
    t.after(() => own.close())
    await own.subscribe(receiver.url)
    const deal = await own.createDeal()
    for (let n = 1; n < 60; n++) await own.addNote(deal, `${n}`)
    await receiver.until((received) => received.length === 60)
    assert.deepEqual(
      receiver.received.map(({ event }) => event.data.revision),
      Array.from({ length: 60 }, (_, at) => at + 1),
    )
  })

  testOnEachStore('are tried again when they would have been, though the clock went back a day', async () => {
    const own = await runWebhookService(undefined, { ...quickPace, pauses: [60_000] })
    receiver.answer = answering(500)
    const { id } = await own.subscribe(receiver.url)
    const deal = await own.createDeal()
    await own.addNote(deal, 'waits for the first')
    while ((await own.deliveries(id))[0]?.attempts !== 1) await wait(10)
    // As if that had been tomorrow, and its pause a tenth of a second.
    const [tried, next] = [0, 100].map((later) => new Date(Date.now() + 86_400_000 + later).toISOString())
    await own.database.rows(
      'UPDATE deliveries SET created_at = ?, last_try_at = ?, next_try_at = ? WHERE number = 1',
      ...[tried ?? '', tried ?? '', next ?? ''],
    )
    receiver.answer = ok
    const restarted = await own.restart()
    await receiver.until((received) => received.length === 3)
    await restarted.close()
  })

  test('to a dead receiver delay no other', async (t) => {
    const dead = await runReceiver()
    t.after(() => dead.close())
    dead.answer = () => {}
    // Nothing that is sent to the dead one is given up before the end of the test.
    const own = await runWebhookService(undefined, { ...quickPace, timeout: 60_000, lease: 120_000 })
    t.after(() => own.close())
    await Promise.all(Array.from({ length: 5 }, () => own.subscribe(dead.url)))
    await own.subscribe(receiver.url)
    const deals = await Promise.all(Array.from({ length: 15 }, (_, n) => own.createDeal(`deal ${n}`)))
    await receiver.until((received) => received.length === deals.length)
    await dead.until((received) => received.length >= 5)
  })

  test('to a receiver that failed once go on beside however many dead ones', async (t) => {
    const dead = await runReceiver()
    t.after(() => dead.close())
    dead.answer = answering(500)
    // The dead ones fail once, and have nothing due before the end of the test.
    const own = await runWebhookService(undefined, { ...quickPace, pauses: [600_000] })
    t.after(() => own.close())
    await Promise.all(Array.from({ length: 16 }, () => own.subscribe(dead.url)))
    await own.createDeal()
    await dead.until((received) => received.length === 16)
    receiver.answer = answering(500)
    const { id } = await own.subscribe(receiver.url)
    await own.createDeal()
    await own.settled(id, ({ attempts }) => attempts === 1)
    receiver.answer = ok
    await own.createDeal()
    await receiver.until((received) => received.length === 2)
  })

  testOnEachStore('go on after a restart', async () => {
    const own = await runWebhookService(undefined, notGivenUp)
    receiver.answer = answering(500)
    await own.subscribe(receiver.url)
    const deal = await own.createDeal()
    await receiver.until((received) => received.length >= 1)
    await own.addNote(deal, 'before the end')
    const restarted = await own.restart()
    receiver.answer = ok
    await receiver.until((received) => received.some(({ event }) => event.type === 'deal.note-added'))
    await restarted.close()
  })

  testOnEachStore('that are old are trimmed, and those of removed webhooks', async () => {
    const pace = { ...quickPace, keep: 150, trimEvery: 20 }
    const own = await runWebhookService({ WEBHOOK_ALLOW_PRIVATE: 'true' }, pace)
    const { id } = await own.subscribe(receiver.url)
    await own.createDeal()
    await receiver.until((received) => received.length === 1)
    while ((await own.deliveries(id)).length > 0) await wait(10)
    await own.close()
  })
})
