import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { inspect } from 'node:util'
import type { Intent } from '../../src/model/intent/intent.ts'
import { parseQuery } from '../../src/queries/parse/parse-query.ts'
import { openMaintenance, openStore } from '../../src/store/open.ts'
import { SERVICE, type StoredEvent } from '../../src/store/port/desk.ts'
import { performAlone, type Store } from '../../src/store/port/store.ts'
import { type OwnDatabase, ownDatabases } from '../support/database/own-database.ts'
import { intentTo, intentToUpdate } from '../support/deals/intents.ts'
import { collections, deal } from '../support/schema.ts'

/** Texts that look like what is around them. */
const texts = [
  'plain',
  'a "quote" and a \\',
  'two\nlines',
  'ü 日本 😀',
  '{"id":"x","held":null}',
  ',"held":true,"x":null}',
]
const text = (nth: number): string => texts[nth % texts.length] ?? ''

for (const [name, make] of ownDatabases) {
  describe(`the events that ${name} keeps`, () => {
    let database: OwnDatabase
    let store: Store
    const open = () => openStore({ databaseUrl: database.url, currency: 'EUR' }, (cause) => assert.fail(cause))
    before(async () => {
      database = await make()
      store = await open()
    })
    after(async () => {
      await store.close()
      database.remove()
    })

    const perform = async (intent: Intent) => {
      const outcome = await performAlone(store, intent)
      assert.ok(outcome.kind === 'applied' && outcome.event !== undefined, JSON.stringify(outcome))
      return { id: String(outcome.thing.id), event: outcome.event }
    }
    const create = () => perform(intentTo('create', undefined, { name: text(1), price: 0.1, description: text(4) }))

    /** Changes a deal again and again, an update of its attributes in several steps among it. */
    const change = (id: string, nth: number) => {
      const asked = {
        actor: nth % 3 === 0 ? null : 'mila "the" \\ ü',
        ...(nth % 5 === 0 && { command: `${id}-${nth}` }),
      }
      const stage = nth % 8 === 2 ? 'proposal' : 'lead'
      const steps = {
        name: text(nth),
        price: nth + 0.5,
        stage,
        description: text(nth + 3),
        owner: nth % 8 ? 'ü' : null,
      }
      const intents = [
        intentTo('hold', id, { reason: text(nth) }, asked),
        intentTo('unhold', id, {}, asked),
        intentToUpdate(id, steps, asked),
        intentTo('add-note', id, { text: text(nth) }, asked),
      ]
      return perform(intents[nth % intents.length] as Intent)
    }

    const feed = async (subject: string): Promise<readonly string[]> => {
      await database.settled()
      const parsed = parseQuery(collections.events, `deal=${subject}`)
      assert.ok('query' in parsed, inspect(parsed))
      const { items } = await store.as(SERVICE).page(collections.events, [], { ...parsed.query, size: 1000 })
      const lines: string[] = []
      for await (const batch of store.as(SERVICE).stream(collections.events, [], parsed.query))
        lines.push(new TextDecoder().decode(batch))
      assert.equal(lines.join(''), `${items.join('\n')}\n`)
      return items
    }

    /** What is kept of a deal's states: the revisions of whole ones, and the others. */
    const kept = async (id: string) => {
      const rows = await database.rows('SELECT revision, doc FROM events WHERE subject = ? ORDER BY revision', id)
      const isWhole = ({ doc }: (typeof rows)[number]) => String(doc).startsWith('{"id":')
      return {
        whole: rows.filter(isWhole).map(({ revision }) => Number(revision)),
        changes: rows.filter((row) => !isWhole(row)).map(({ doc }) => String(doc)),
      }
    }

    test('each tells the whole deal as it was answered, whatever is kept of it', async () => {
      const { id, event } = await create()
      const told = new Map([[1, event]])
      for (let nth = 0; nth < 40; nth++) {
        const { event } = await change(id, nth)
        told.set(event.revision, event)
      }
      const items = await feed(id)
      assert.ok(items.length > told.size, 'an update of attributes is several events')
      for (const [revision, event] of told) await assertTold(id, revision, event, items[revision - 1] ?? '')
      for (const [at, item] of items.entries()) {
        const { revision, deal: state } = JSON.parse(item).data
        assert.deepEqual([revision, state.revision], [at + 1, at + 1])
      }
    })

    async function assertTold(id: string, revision: number, event: StoredEvent, item: string) {
      assert.deepEqual(await store.as(SERVICE).event(deal, id, revision), event)
      assert.ok(item.endsWith(`,"deal":${event.doc}}}`), item)
      const past = await store.as(SERVICE).past(deal, id, { revision })
      assert.ok('thing' in past)
      assert.equal(past.thing.json, event.doc)
    }

    test('many large ones are told while others have their turn', async () => {
      const { id } = await create()
      const descriptions = Array.from({ length: 60 }, (_, nth) => `${nth} ${'lorem ipsum '.repeat(700)}`)
      for (const description of descriptions) await perform(intentTo('describe', id, { description }))
      await database.settled()
      const parsed = parseQuery(collections.events, `deal=${id}&type=deal.described&limit=1000`)
      assert.ok('query' in parsed)
      let isRead = false
      const reading = store
        .as(SERVICE)
        .page(collections.events, [], parsed.query)
        .finally(() => {
          isRead = true
        })
      let turns = 0
      for (; !isRead; turns++) await nextTurn()
      const told = (await reading).items.map((json) => JSON.parse(json).data.deal.description as string)
      assert.deepEqual(told, descriptions)
      assert.ok(turns > 3, `${turns} turns`)
      const lines = Buffer.concat(
        await Array.fromAsync(store.as(SERVICE).stream(collections.events, [], parsed.query)),
      ).toString()
      assert.equal(lines, `${(await reading).items.join('\n')}\n`)
    })

    test('one keeps what it changed, every sixteenth the whole deal', async () => {
      const { id } = await create()
      for (let nth = 0; nth < 32; nth++) {
        await perform(nth % 2 === 0 ? intentTo('hold', id, { reason: 'credit check' }) : intentTo('unhold', id))
      }
      const { whole, changes } = await kept(id)
      assert.deepEqual(whole, [1, 16, 32])
      assert.deepEqual(
        [...new Set(changes)],
        ['"held":true,"holdReason":"credit check"', '"held":false,"holdReason":null'],
      )
    })

    test('the first after a start keeps the whole deal: another release may have had other members', async () => {
      const { id } = await create()
      await perform(intentTo('hold', id, { reason: 'credit check' }))
      await store.close()
      store = await open()
      await perform(intentTo('unhold', id))
      await perform(intentTo('add-note', id, { text: 'Called.' }))
      assert.deepEqual(await kept(id), { whole: [1, 3], changes: ['"held":true,"holdReason":"credit check"', ''] })
    })

    test('what an earlier release kept is told as it was', async () => {
      const { id } = await create()
      const { event } = await perform(intentTo('hold', id, { reason: text(1) }, { actor: 'mila', command: `c-${id}` }))
      const [item = ''] = (await feed(id)).slice(-1)
      const [, body = ''] = /"data":\{(.*),"deal":/.exec(item) ?? []
      await database.rows(
        'UPDATE events SET params = ?, doc = ? WHERE subject = ? AND revision = 2',
        body,
        event.doc,
        id,
      )
      assert.deepEqual(await store.as(SERVICE).event(deal, id, 2), event)
      assert.deepEqual((await feed(id)).slice(-1), [item])
      await assertTold(id, 3, (await perform(intentTo('unhold', id))).event, (await feed(id)).at(-1) ?? '')
    })

    test('the state at the boundary is whole when the events before it were trimmed', async () => {
      const { id } = await create()
      for (let nth = 0; nth < 6; nth++) await change(id, nth)
      const { event } = await perform(intentTo('add-note', id, { text: 'Called.' }))
      const maintenance = await openMaintenance({ databaseUrl: database.url }, { mustExist: true })
      await database.settled()
      const all = { commands: '9999-01-01T00:00:00.000Z', events: '9999-01-01T00:00:00.000Z' }
      for await (const _ of maintenance.trim(all));
      // A note lasts as long as its deal.
      assert.deepEqual(await kept(id), { whole: [1, 9, event.revision], changes: [] })
      assert.deepEqual(await store.as(SERVICE).event(deal, id, event.revision), event)
      const later = await perform(intentTo('rename', id, { newName: 'Roof' }))
      await assertTold(id, later.event.revision, later.event, (await feed(id)).at(-1) ?? '')
    })

    test('the first after a start keeps the whole deal also where a clock ahead of this one changed it', async () => {
      const { id } = await create()
      const { event } = await perform(intentTo('hold', id, { reason: 'credit check' }))
      const ahead = new Date(Date.now() + 3_600_000).toISOString()
      await database.rows('UPDATE events SET at = ? WHERE subject = ? AND revision = 2', ahead, id)
      const doc = event.doc.replace(`"updatedAt":"${event.at}"`, `"updatedAt":"${ahead}"`)
      await database.rows('UPDATE deals SET updated_at = ?, doc = ? WHERE id = ?', ahead, doc, id)
      // The last event is not the latest one.
      await create()
      await store.close()
      store = await open()
      await perform(intentTo('unhold', id))
      assert.deepEqual(await kept(id), { whole: [1, 3], changes: ['"held":true,"holdReason":"credit check"'] })
    })
  })
}
