import '../../../support/database/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { POLL } from '../../../../src/store/postgres/feed/event-notices.ts'
import { insertEvent } from '../../../support/database/insert-event.ts'
import { openEventSource } from '../../../support/service/event-source.ts'
import { type FeedService, runFeedService } from '../../../support/service/feed-service.ts'

const WRITERS = 4
const EVENTS = 12

let first: FeedService
let second: FeedService
before(async () => {
  first = await runFeedService()
  second = await runFeedService({ DATABASE_URL: first.database.url })
})
after(() => Promise.all([first.close(), second.close()]))

/** Writes events whose commits come behind that of a later event, and takes some of them back. */
async function writeLate(writer: number): Promise<void> {
  const deal = await first.createDeal()
  const client = new pg.Client({ connectionString: first.database.url })
  await client.connect()
  for (let revision = 1; revision <= EVENTS; revision++) {
    await client.query('BEGIN')
    await insertEvent(client, `writer ${writer}`, revision)
    await first.addNote(deal, `before ${revision} of ${writer}`)
    await client.query(revision % 4 === 0 ? 'ROLLBACK' : 'COMMIT')
  }
  await client.end()
}

async function writeThrough(service: FeedService): Promise<void> {
  const deal = await service.createDeal()
  for (let n = 1; n < EVENTS; n++) await service.addNote(deal, `note ${n}`)
}

test('readers on two instances see every event once and in order while writers commit late', async () => {
  const sources = await Promise.all([first, second].map(({ url }) => openEventSource(`${url}/events`)))
  const late = Array.from({ length: WRITERS }, (_, writer) => writeLate(writer))
  await Promise.all([...late, writeThrough(first), writeThrough(second)])
  await first.createDeal('last')
  const written = WRITERS * (EVENTS * 0.75 + EVENTS + 1) + 2 * EVENTS + 1
  await Promise.all(sources.map((source) => source.received(written)))
  const rows = await first.database.rows('SELECT sequence FROM events ORDER BY sequence')
  const all = rows.map(({ sequence }) => sequence)
  assert.equal(all.length, written)
  for (const source of sources) {
    assert.deepEqual(
      source.messages.map(({ lastEventId }) => lastEventId),
      all,
    )
    source.close()
  }
})

test('an event of one instance reaches a reader on another by word, not at the next look', {
  timeout: 300_000,
}, async (t) => {
  const deal = await first.createDeal()
  await first.database.settled()
  const source = await openEventSource(`${second.url}/events?deal=${deal}`)
  // Who looks without a word does so every half second: from here on, never.
  const { setTimeout: real } = globalThis
  const never = (act: (...given: unknown[]) => void, wait?: number, ...given: unknown[]) =>
    real(act, wait === POLL ? 2 ** 31 - 1 : wait, ...given)
  t.mock.method(globalThis, 'setTimeout', never)
  for (let n = 1; n <= 8; n++) {
    await first.addNote(deal, `note ${n}`)
    await source.received(n)
  }
  source.close()
})
