import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Key } from '../../src/model/declaration/resource.ts'
import type { Resource } from '../../src/model/declaration/schema.ts'
import { collectionNamed } from '../../src/queries/collections.ts'
import { parseQuery } from '../../src/queries/parse/parse-query.ts'
import { openMaintenance, openStore } from '../../src/store/open.ts'
import { SERVICE } from '../../src/store/port/desk.ts'
import type { Maintenance, TrimmedBefore } from '../../src/store/port/maintenance.ts'
import { performAlone, type Store } from '../../src/store/port/store.ts'
import { type OwnDatabase, ownDatabases } from '../support/database/own-database.ts'
import { intentTo } from '../support/deals/intents.ts'
import { collections, customer, deal, schema } from '../support/schema.ts'
import { addWebhook, performAudited } from '../support/things/audited.ts'

for (const [name, make] of ownDatabases) {
  describe(`trimming ${name}`, () => {
    let database: OwnDatabase
    let store: Store
    let maintenance: Maintenance
    before(async () => {
      database = await make()
      maintenance = await openMaintenance({ databaseUrl: database.url }, { mustExist: false })
      store = await openStore({ databaseUrl: database.url, currency: 'EUR' }, (cause) => assert.fail(cause))
    })
    after(async () => {
      await store.close()
      database.remove()
    })

    const perform = async (
      action: string,
      target?: Key,
      params: object = {},
      asked?: Parameters<typeof intentTo>[3],
    ) => {
      const outcome = await performAlone(store, {
        ...intentTo(action, undefined, params, asked),
        ...(target !== undefined && { target }),
      })
      assert.ok(outcome.kind === 'applied', JSON.stringify(outcome))
      return outcome
    }
    const create = async (): Promise<string> =>
      String((await perform('create', undefined, { name: 'Roof', price: 1 })).thing.id)
    const feed = async (): Promise<readonly { sequence: string; subject: string; data: { revision: number } }[]> => {
      await database.settled()
      const parsed = parseQuery(collectionNamed(schema, 'events'), '')
      assert.ok('query' in parsed)
      return (await store.as(SERVICE).page(collections.events, [], { ...parsed.query, size: 1000 })).items.map((item) =>
        JSON.parse(item),
      )
    }
    const trim = async (asked: Partial<TrimmedBefore>): Promise<{ events: number; commands: number }> => {
      const sums = { events: 0, commands: 0 }
      for await (const { events, commands } of maintenance.trim({ events: undefined, commands: undefined, ...asked })) {
        sums.events += events
        sums.commands += commands
      }
      return sums
    }
    /** An instant between what was done before and what comes after. */
    const now = async (): Promise<string> => {
      await database.settled()
      await pause(5)
      const instant = new Date().toISOString()
      await pause(5)
      return instant
    }
    const revisionsOf = async (id: Key, upTo: number, on: Resource = deal): Promise<readonly number[]> => {
      const kept: number[] = []
      for (let revision = 1; revision <= upTo; revision++)
        if (await store.as(SERVICE).event(on, id, revision)) kept.push(revision)
      return kept
    }

    test('a live deal keeps its creation and its state at the boundary, and tells what is missing', async () => {
      const id = await create()
      for (let turn = 0; turn < 3; turn++) {
        await perform('hold', id, { reason: `reason ${turn}` })
        await perform('unhold', id)
      }
      const boundary = await now()
      await perform('hold', id, { reason: 'later' })
      await perform('unhold', id)
      assert.deepEqual(await trim({ events: boundary }), { events: 5, commands: 0 })
      assert.deepEqual(await revisionsOf(id, 9), [1, 7, 8, 9])
      assert.equal(await store.as(SERVICE).trimmed.of(id), 5)
      assert.deepEqual(
        (await feed()).map(({ data }) => data.revision),
        [8, 9],
      )
      const [first] = await feed()
      assert.ok(first !== undefined && String(await store.as(SERVICE).trimmed.upTo()) < first.sequence)
      const past = await store.as(SERVICE).past(deal, id, { asOf: boundary })
      assert.ok('thing' in past && past.thing.revision === 7)
      assert.ok('missing' in (await store.as(SERVICE).past(deal, id, { revision: 4 })))
      assert.deepEqual(await trim({ events: boundary }), { events: 0, commands: 0 })
    })

    test('later trimming replaces the state at the boundary', async () => {
      const id = await create()
      await perform('hold', id, { reason: 'x' })
      await trim({ events: await now() })
      assert.deepEqual(await revisionsOf(id, 2), [1, 2])
      await perform('unhold', id)
      await perform('hold', id, { reason: 'y' })
      await trim({ events: await now() })
      assert.deepEqual(await revisionsOf(id, 4), [1, 4])
      assert.equal(await store.as(SERVICE).trimmed.of(id), 2)
      assert.deepEqual(await feed(), [])
    })

    test('notes stay with their thing, in their list and no longer in the feed', async () => {
      const id = await create()
      await perform('hold', id, { reason: 'x' })
      const { event } = await perform('add-note', id, { text: 'Called.', kind: 'call' })
      await perform('unhold', id)
      await perform('add-note', id, { text: 'Wrote.' })
      await perform('describe', id, { description: 'A roof' })
      await trim({ events: await now() })
      await perform('describe', id, { description: 'A new roof' })
      await trim({ events: await now() })
      assert.deepEqual(await revisionsOf(id, 7), [1, 3, 5, 7])
      assert.deepEqual(await feed(), [])
      // Its state is whole, although the events that it was made of are gone.
      assert.deepEqual(await store.as(SERVICE).event(deal, id, 3), event)
      assert.ok('thing' in (await store.as(SERVICE).past(deal, id, { revision: 3 })))
      assert.ok('missing' in (await store.as(SERVICE).past(deal, id, { revision: 4 })))
      assert.equal(await store.as(SERVICE).trimmed.of(id), 3)
      await perform('delete', id)
      await Array.fromAsync(maintenance.purge(await now(), { dryRun: false }))
      assert.deepEqual(await revisionsOf(id, 7), [])
    })

    test('of a removed customer the notes go with it', async () => {
      const of = { resource: 'customer' }
      const { id } = (await perform('create', undefined, { name: 'Ann' }, of)).thing
      await perform('add-note', id, { text: 'Called.' }, of)
      await trim({ events: await now() })
      assert.deepEqual(await revisionsOf(id, 2, customer), [1, 2])
      await perform('delete', id, {}, of)
      await trim({ events: await now() })
      assert.deepEqual(await revisionsOf(id, 3, customer), [3])
    })

    test('when something was last noted of customers and their deals', async () => {
      const of = { resource: 'customer' }
      const ids: Key[] = []
      for (const name of ['Ann', 'Bo', 'Cy']) ids.push((await perform('create', undefined, { name }, of)).thing.id)
      const [ann = 0, bo = 0] = ids
      const noted = (at: string) => ({ text: 'Called.', happenedAt: at })
      await perform('add-note', ann, noted('2026-01-05T09:00:00.000Z'), of)
      await perform('add-note', ann, noted('2026-01-03T09:00:00.000Z'), of)
      const { id } = (await perform('create', undefined, { name: 'Roof', price: 1, customerId: bo })).thing
      await perform('add-note', id, noted('2026-01-07T09:00:00.000Z'))
      await perform('add-note', bo, noted('2026-01-06T09:00:00.000Z'), of)
      assert.deepEqual(
        [...(await store.as(SERVICE).lastNoted(customer, ids))].toSorted(),
        [
          [String(ann), '2026-01-05T09:00:00.000Z'],
          [String(bo), '2026-01-07T09:00:00.000Z'],
        ].toSorted(),
      )
    })

    test('an event of a clock that was ahead holds up nothing, where older ones follow it', async () => {
      await trim({ events: await now() })
      const ids = [await create(), await create(), await create()]
      const boundary = await now()
      const ahead = async (id: string | undefined): Promise<void> =>
        void (await database.rows(`UPDATE events SET at = '2999-01-01T00:00:00.000Z' WHERE subject = ?`, id ?? ''))
      await ahead(ids[1])
      const last = await create()
      await ahead(last)
      await trim({ events: boundary })
      assert.deepEqual(
        (await feed()).map(({ subject }) => subject),
        [last],
      )
    })

    test('more events than fit into one commit are trimmed in several', async () => {
      const id = await create()
      for (let turn = 0; turn < 30; turn++) {
        await Promise.all(
          Array.from({ length: 20 }, () => perform('describe', id, { description: 'note' }).then(() => create())),
        )
      }
      const { events } = await trim({ events: await now() })
      assert.ok(events >= 599, `${events}`)
      assert.deepEqual(await revisionsOf(id, 601), [1, 601])
      assert.equal(await store.as(SERVICE).trimmed.of(id), 599)
    })

    test('who trims at the same time waits, so that nothing counts twice and the boundary only moves on', async () => {
      const id = await create()
      for (let turn = 0; turn < 30; turn++) {
        await Promise.all(Array.from({ length: 50 }, () => perform('describe', id, { description: 'note' })))
      }
      const before = await now()
      const trimmed = await Promise.all([1, 2, 3].map(() => trim({ events: before })))
      assert.equal(
        trimmed.reduce((sum, { events }) => sum + events, 0),
        await store.as(SERVICE).trimmed.of(id),
      )
      assert.deepEqual(await revisionsOf(id, 1501), [1, 1501])
      assert.equal(await store.as(SERVICE).trimmed.of(id), 1499)
      assert.deepEqual(await feed(), [])
      assert.equal((await database.rows('SELECT * FROM trimmed_feed')).length, 1)
    })

    test('a purge leaves nothing of a deal that lost entries, nor of its tasks', async () => {
      const id = await create()
      const of = { resource: 'task' }
      const task = String((await perform('create', undefined, { title: 'Call', dealId: id }, of)).thing.id)
      for (const title of ['Call them', 'Call us', 'Call me']) await perform('change', task, { title }, of)
      for (let turn = 0; turn < 3; turn++) await perform('describe', id, { description: 'note' })
      await trim({ events: await now() })
      assert.deepEqual([await store.as(SERVICE).trimmed.of(id), await store.as(SERVICE).trimmed.of(task)], [2, 2])
      await perform('delete', id)
      await Array.fromAsync(maintenance.purge(await now(), { dryRun: false }))
      assert.deepEqual([await store.as(SERVICE).trimmed.of(id), await store.as(SERVICE).trimmed.of(task)], [0, 0])
    })

    test('of a removed customer the event of its removal stays, so that its tags do not come again', async () => {
      const made = await perform('create', undefined, { name: 'Ann' }, { resource: 'customer' })
      const { id } = made.thing
      await perform('change', id, { name: 'Anna' }, { resource: 'customer' })
      await perform('delete', id, {}, { resource: 'customer' })
      await trim({ events: await now() })
      assert.equal(await store.as(SERVICE).find(customer, id), undefined)
      assert.deepEqual(await revisionsOf(id, 3, customer), [3])
      assert.equal(await store.as(SERVICE).trimmed.of(id), 0)
    })

    test('commands go by their age, and their ids can be used anew', async () => {
      const id = await create()
      const command = `kept-${name}`
      await perform('hold', id, { reason: 'x' }, { command })
      await trim({ commands: await now() })
      assert.equal(await store.as(SERVICE).command(command), undefined)
      await perform('unhold', id, {}, { command })
      assert.equal((await store.as(SERVICE).command(command))?.action, 'UnholdDeal')
    })

    test('what an active webhook is still to get stays', async () => {
      await trim({ events: await now() })
      const id = crypto.randomUUID()
      await addWebhook(store, id)
      await create()
      assert.equal((await feed()).length, 1)
      assert.equal((await trim({ events: await now() })).events, 0)
      assert.equal((await feed()).length, 1)
      const claimed = await store.webhooks.claim({ lease: 1000, most: 10, ofEach: 10, of: {}, behind: '' }, [])
      assert.equal(claimed.deliveries.length, 1)
      assert.equal((await trim({ events: await now() })).events, 0)
      await performAudited(store, ['webhook', 'remove'], { target: id })
      await trim({ events: await now() })
      assert.deepEqual(await feed(), [], 'what was to be sent to one that is gone keeps nothing')
    })
  })
}
