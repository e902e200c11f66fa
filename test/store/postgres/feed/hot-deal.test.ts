import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../../../support/database/postgres-database.ts'
import { openEventSource } from '../../../support/service/event-source.ts'
import { send } from '../../../support/service/send.ts'
import { spawnService } from '../../../support/service/service-process.ts'
import { type Received, runReceiver } from '../../../support/webhooks/receiver.ts'

// The full size is npm run test:long -- feed-order.
const SECONDS = Number(process.env.HOT_DEAL_SECONDS ?? 0.25)
const INSTANCES = (process.env.HOT_DEAL_INSTANCES ?? '2').split(',').map(Number)
const CLIENTS = 48

const DEALS = '/rest/v1/deals'

for (const count of INSTANCES) {
  test(`events of one deal come in order while ${CLIENTS} clients of ${count} instances change it`, async (t) => {
    const environment = {
      DATABASE_URL: await freshDatabase(),
      LOG_LEVEL: 'error',
      WEBHOOK_ALLOW_PRIVATE: 'true',
    }
    const instances = Array.from({ length: count }, () => spawnService(environment))
    const receiver = await runReceiver()
    t.after(async () => {
      for (const { process } of instances) process.kill('SIGTERM')
      await Promise.all(instances.map(({ ended }) => ended))
      await receiver.close()
    })
    const urls = await Promise.all(instances.map(({ ready }) => ready))
    const on = (n: number): string => urls[n % count] ?? ''
    const deal: string = JSON.parse((await send('POST', `${on(0)}${DEALS}/`, { name: 'Hot', price: 10 })).text).id
    assert.equal(
      (await send('POST', `${on(0)}/webhooks`, { url: receiver.url, types: ['deal.payment-recorded'] })).status,
      201,
    )
    const sources = await Promise.all(
      urls.map((url) => openEventSource(`${url}/events?deal=${deal}&type=deal.payment-recorded`)),
    )

    const end = performance.now() + SECONDS * 1000
    let written = 0
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      while (performance.now() < end) {
        const { status, text } = await send('POST', `${on(client)}${DEALS}/${deal}/payments`, { amount: 0.01 })
        assert.equal(status, 201, text)
        written++
      }
    })
    await Promise.all(clients)

    const inOrder = Array.from({ length: written }, (_, at) => at + 2)
    const paged = await revisionsInPages(on(0), deal, written)
    await Promise.all(sources.map((source) => source.received(written)))
    const streamed = sources.map(({ messages }) => messages.map(({ data }) => JSON.parse(data).data.revision as number))
    const isAll = (received: readonly Received[]): boolean =>
      received.length >= written && new Set(received.map(({ event }) => event.sequence)).size === written
    await receiver.until(isAll, 600_000)
    const delivered = [...new Set(receiver.received.map(({ event }) => event.data.revision))]
    for (const source of sources) source.close()
    t.diagnostic(
      `${count} instances: ${written} events; out of order: ${late(paged)} in pages, ` +
        `${streamed.map(late)} in streams, ${late(delivered)} in webhooks`,
    )
    assert.deepEqual(paged, inOrder)
    for (const revisions of streamed) assert.deepEqual(revisions, inOrder)
    assert.deepEqual(delivered, inOrder)
  })
}

async function revisionsInPages(url: string, deal: string, count: number): Promise<readonly number[]> {
  const revisions: number[] = []
  for (let after = ''; revisions.length < count; ) {
    const { text } = await send('GET', `${url}/events?deal=${deal}&type=deal.payment-recorded&maxpagesize=1000${after}`)
    for (const { sequence, data } of JSON.parse(text).items) {
      revisions.push(data.revision)
      after = `&after=${sequence}`
    }
  }
  return revisions
}

/** How many come behind one that they should come before. */
function late(revisions: readonly number[]): number {
  let highest = 0
  return revisions.filter((revision) => {
    const isLate = revision < highest
    highest = Math.max(highest, revision)
    return isLate
  }).length
}
