import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { answering, ok, type Receiver, runReceiver } from '../../support/webhooks/receiver.ts'
import { runWebhookService, type WebhookService } from '../../support/webhooks/webhook-service.ts'

// What the pages of webhooks say about receivers that fail.

let service: WebhookService
let receiver: Receiver
before(async () => {
  service = await runWebhookService()
  receiver = await runReceiver()
})
after(async () => {
  await service.close()
  await receiver.close()
})

const form = (path: string, fields: { readonly [name: string]: string } = {}): Promise<Response> =>
  fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { accept: 'text/html' },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })

const page = async (path: string): Promise<string> =>
  (await fetch(`${service.url}${path}`, { headers: { accept: 'text/html' } })).text()

async function until(path: string, said: RegExp): Promise<string> {
  for (;;) {
    const text = await page(path)
    if (said.test(text)) return text
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('a double click on Subscribe makes one webhook, and shows its secret', async () => {
  const [, seed = ''] = /name="_seed" value="([^"]+)"/.exec(await page('/webhooks')) ?? []
  const subscribe = async (path: string) => {
    const answer = await form('/webhooks', { url: `${receiver.url}/${path}`, 'types.rate.created': 'on', _seed: seed })
    const [, secret] = /<code>(whsec_[^<]+)</.exec(await answer.text()) ?? []
    return { status: answer.status, webhook: String(answer.headers.get('location')), secret }
  }
  const [first, second] = await Promise.all([subscribe('one'), subscribe('one')])
  assert.equal(first.status, 201)
  assert.ok(first.secret)
  assert.deepEqual(second, first)
  assert.notEqual((await subscribe('two')).webhook, first.webhook, 'the form with another address makes another')
  // A secret that is no longer the form's own is not shown again.
  assert.equal((await form(`${first.webhook}/rotations`, { overlap: '0' })).status, 200)
  const later = await subscribe('one')
  assert.notEqual(later.webhook, first.webhook)
  for (const { webhook } of [first, later]) assert.equal((await form(`${webhook}/removals`)).status, 303)
})

testOnEachStore(
  'a receiver that fails is said to fail, with the last error and each try, until it answers',
  async () => {
    const subscribed = await form('/webhooks', {
      url: receiver.url,
      'types.deal.created': 'on',
      'types.deal.held': 'on',
    })
    assert.equal(subscribed.status, 201)
    const webhook = String(subscribed.headers.get('location'))
    const { types } = (await (await fetch(`${service.url}${webhook}`)).json()) as { types: unknown }
    assert.deepEqual(types, ['deal.created', 'deal.held'])
    assert.match(await page('/webhooks'), /Nothing sent yet/)
    receiver.answer = answering(500)
    const made = await service.send('POST', '/rest/v1/deals', { name: 'Roof', price: 1, completionDate: '2027-01-31' })
    assert.equal(made.status, 201)
    const failing = await until('/webhooks', /Failing/)
    assert.match(failing, /Failing.*Since .*the receiver answered 500/s)
    const tried = await until(`${webhook}/deliveries/1`, /Try 2/)
    assert.match(tried, /status 500/)
    assert.match(tried, /webhook-signature: v1,\*\*\*/)
    assert.match(tried, /webhook-id: msg_/)
    assert.match(tried, /deal\.created/)

    const failed = await form(`${webhook}/tests`)
    assert.equal(failed.status, 200)
    assert.match(await failed.text(), /Test event.*status 500/s)
    receiver.answer = ok
    const tested = await (await form(`${webhook}/tests`)).text()
    assert.match(tested, /thanks/)
    assert.match(tested, /webhook\.test/)
    assert.doesNotMatch(tested, /v1,[^*]/)
    assert.doesNotMatch(tested, /whsec_/)
    await form(`${webhook}/deliveries/1/redeliveries`)
    assert.match(await until('/webhooks', /Delivering/), /Last delivered/)
    // The test event has arrived; the delivery is tried again besides.
    await until(webhook, /Delivered/)
  },
)

test('a test event answers programs with what was sent and came back', async () => {
  const { id } = await service.subscribe(receiver.url)
  const count = receiver.received.length
  const dry = await service.send('POST', `/webhooks/${id}/tests?dry-run=true`, {})
  assert.equal(dry.status, 204)
  assert.equal(receiver.received.length, count)
  const guarded = await service.send('POST', `/webhooks/${id}/tests`, {}, { 'if-match': '"1"' })
  assert.equal(guarded.status, 412)
  const sent = await service.send('POST', `/webhooks/${id}/tests`, {})
  assert.equal(sent.status, 200)
  const { responseStatus, answer, error } = (await sent.json()) as Record<string, unknown>
  assert.deepEqual([responseStatus, answer, error], [200, 'thanks', null])
  assert.equal(receiver.received.at(-1)?.event.type, 'webhook.test')
  assert.equal((await service.send('POST', '/webhooks/nothing/tests', {})).status, 404)
})
