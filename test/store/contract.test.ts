import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { inspect } from 'node:util'
import type { Refusal } from '../../src/model/declaration/refusal.ts'
import type { Key } from '../../src/model/declaration/resource.ts'
import type { Resource } from '../../src/model/declaration/schema.ts'
import type { Intent } from '../../src/model/intent/intent.ts'
import { NOTHING_ADDED } from '../../src/model/schema/build-schema.ts'
import { resourceNamed } from '../../src/model/schema/resources.ts'
import { type Collection, fieldOf } from '../../src/queries/collection.ts'
import { collectionOf, collectionsOf } from '../../src/queries/collections.ts'
import { parseQuery } from '../../src/queries/parse/parse-query.ts'
import type { Filter, Query } from '../../src/queries/query.ts'
import { withKey } from '../../src/queries/sort.ts'
import { countedStore } from '../../src/store/counted-store.ts'
import { openStore } from '../../src/store/open.ts'
import { SERVICE } from '../../src/store/port/desk.ts'
import { type Outcome, performAlone, type Store, StoreUnavailable } from '../../src/store/port/store.ts'
import { readRefusal } from '../../src/store/rows/command.ts'
import { columnName } from '../../src/store/sql/column-name.ts'
import { tracedStore } from '../../src/store/traced-store.ts'
import type { Caller } from '../../src/values/role.ts'
import { type OwnDatabase, ownPostgres, ownSqlite } from '../support/database/own-database.ts'
import { intentTo, intentToUpdate, newCommandId } from '../support/deals/intents.ts'
import { collections, customer, deal, view } from '../support/schema.ts'

/** Upserts at once; `npm run test:long -- upserts` does 5,000. */
const CLIENTS = Number(process.env.UPSERT_CLIENTS ?? 20)
const [EACH, REFERENCES] = CLIENTS === 20 ? [3, 5] : [50, 20]

type Asked = Parameters<typeof intentTo>[3]
type Row = Readonly<Record<string, unknown>>
type Shown = ReturnType<typeof JSON.parse>

interface Adapter {
  readonly name: string
  readonly databaseUrl: string
  /** The columns of a deal's row as the database holds them, and its document. */
  readonly dealRow: (id: string) => Promise<Row | undefined>
  readonly settled: OwnDatabase['settled']
  /** Makes a database for one test. */
  readonly makeOwn: () => Promise<OwnDatabase>
}

/** Every store that there is; they pass the same tests. */
const adapters: readonly Adapter[] = [
  await adapter('SQLite', async () => ownSqlite('ready')),
  await adapter('PostgreSQL', () => ownPostgres('ready')),
]

async function adapter(name: string, makeOwn: Adapter['makeOwn']): Promise<Adapter> {
  const database = await makeOwn()
  after(() => database.remove())
  const dealRow = async (id: string) => (await database.rows('SELECT * FROM deals WHERE id = ?', id))[0]
  return { name, databaseUrl: database.url, dealRow, settled: database.settled, makeOwn }
}

for (const { name, databaseUrl, dealRow, settled, makeOwn } of adapters) {
  describe(`the store on ${name}`, () => {
    let store: Store
    before(async () => {
      store = await open(databaseUrl)
    })
    after(() => store.close())

    const perform = (action: string, target?: string, params?: unknown, asked?: Asked) =>
      performAlone(store, intentTo(action, target, params, asked))
    const create = async (params: object = {}): Promise<string> =>
      String(applied(await perform('create', undefined, { name: 'Roof', price: 0.1, ...params })).thing.id)
    const makeCustomer = async (params: object, asked?: Asked): Promise<Applied> =>
      applied(await performAlone(store, customerIntent({ action: 'create', params }, undefined, asked)))
    const removeCustomer = (id: Key, asked?: Asked): Promise<Outcome> =>
      performAlone(store, customerIntent({ action: 'delete', params: {} }, id, asked))

    test('a created deal is read as it was answered', async () => {
      const { thing, event } = applied(await perform('create', undefined, { name: 'Roof', price: 129999.95 }))
      assert.deepEqual(await store.as(SERVICE).find(deal, thing.id), { ...thing, previousAt: null })
      assert.deepEqual(await store.as(SERVICE).event(deal, thing.id, 1), event)
      const shown = JSON.parse(thing.json)
      assert.equal(shown.price, 129999.95)
      assert.equal(shown.revision, 1)
      assert.equal(shown.updatedAt, thing.updatedAt)
      assert.deepEqual(Object.keys(shown), Object.keys(deal.kinds))
    })

    test('what is not there is not found', async () => {
      const nowhere = '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10'
      assert.equal(await store.as(SERVICE).find(deal, nowhere), undefined)
      assert.equal(await store.as(SERVICE).event(deal, nowhere, 1), undefined)
      assert.equal(await store.as(SERVICE).find(customer, 999_999), undefined)
      assert.equal(await store.as(SERVICE).command('no-such-command'), undefined)
      refused(await perform('hold', nowhere, { reason: 'x' }), 'not-found')
      refused(await perform('hold', "x' OR 1=1 --", { reason: 'x' }), 'not-found')
    })

    test('each operation takes the deal one revision further and leaves its event', async () => {
      const id = await create()
      const held = applied(await perform('hold', id, { reason: 'credit check' }, { actor: 'mila', form: 'noun' }))
      assert.equal(held.thing.revision, 2)
      const event = await store.as(SERVICE).event(deal, id, 2)
      assert.deepEqual(event, held.event)
      assert.equal(event?.doc, held.thing.json)
      assert.deepEqual(JSON.parse(event?.entry ?? ''), {
        operation: 'hold',
        params: { reason: 'credit check' },
        revision: 2,
        actor: 'mila',
        form: 'noun',
        type: 'deal.held',
        action: 'HoldDeal',
        at: held.thing.updatedAt,
      })
      assert.equal(await store.as(SERVICE).event(deal, id, 3), undefined)
    })

    test('a command is kept and gives its first outcome again, whatever happened since', async () => {
      const command = newCommandId()
      const first = applied(await perform('create', undefined, { name: 'Roof', price: 1 }, { command }))
      await perform('rename', String(first.thing.id), { newName: 'Tower' })
      await perform('delete', String(first.thing.id))
      const again = applied(await perform('CreateDeal', undefined, { price: 1, name: ' Roof' }, { command }))
      assert.deepEqual(again, { ...first, replayed: true })
      assert.deepEqual(await store.as(SERVICE).command(command), first.command)
      assert.equal(JSON.parse((await store.as(SERVICE).event(deal, first.thing.id, 1))?.entry ?? '').commandId, command)
    })

    test('a command to delete is replayed as the deleted deal', async () => {
      const id = await create()
      const command = newCommandId()
      const first = applied(await perform('delete', id, {}, { command }))
      assert.equal(first.thing.deletedAt, first.thing.updatedAt)
      await perform('restore', id)
      assert.deepEqual(applied(await perform('delete', id, {}, { command })), { ...first, replayed: true })
      assert.equal((await store.as(SERVICE).find(deal, id))?.deletedAt, null)
    })

    test('a refusal for the state is stored and given again, also when the state has changed', async () => {
      const id = await create()
      const command = newCommandId()
      const first = refused(await perform('unhold', id, {}, { command }), 'wrong-state')
      await perform('hold', id, { reason: 'x' })
      const again = await perform('unhold', id, {}, { command })
      assert.deepEqual(again, { kind: 'refused', refusal: first, replayed: true })
      const kept = await store.as(SERVICE).command(command)
      assert.equal(kept?.status, 'rejected')
      assert.deepEqual(kept?.refusal, first)
      assert.equal(kept?.revision, 1)
    })

    test('no other refusal is stored: the id stays free', async () => {
      const id = await create()
      const command = newCommandId()
      refused(await perform('hold', id, {}, { command }), 'invalid')
      refused(
        await perform('hold', id, { reason: 'x' }, { command, guard: { revisions: [9], required: false } }),
        'stale-revision',
      )
      refused(await perform('hold', '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10', { reason: 'x' }, { command }), 'not-found')
      assert.equal(await store.as(SERVICE).command(command), undefined)
      applied(await perform('hold', id, { reason: 'x' }, { command }))
    })

    test('a known id with other content is refused and changes nothing', async () => {
      const id = await create()
      const command = newCommandId()
      await perform('hold', id, { reason: 'x' }, { command })
      refused(await perform('hold', id, { reason: 'y' }, { command }), 'command-id-reused')
      assert.equal((await store.as(SERVICE).find(deal, id))?.revision, 2)
    })

    test('sixty copies of one command at once have one effect and equal answers', async () => {
      const id = await create()
      const command = newCommandId()
      const copies = Array.from({ length: 60 }, () => perform('record-payment', id, { amount: 0.1 }, { command }))
      const outcomes = (await Promise.all(copies)).map(applied)
      assert.equal(outcomes.filter(({ replayed }) => !replayed).length, 1)
      assert.equal(new Set(outcomes.map(({ thing }) => thing.json)).size, 1)
      assert.equal(await paid(id), 0.1)
    })

    test('eighty payments of 0.1 at once are exactly 8', async () => {
      const id = await create()
      const payments = Array.from({ length: 80 }, () => perform('record-payment', id, { amount: 0.1 }))
      const revisions = (await Promise.all(payments)).map((outcome) => applied(outcome).thing.revision)
      assert.deepEqual(
        revisions.toSorted((a, b) => a - b),
        Array.from({ length: 80 }, (_, index) => index + 2),
      )
      assert.equal(await paid(id), 8)
    })

    test('of twenty writers that build on one revision one wins', async () => {
      const id = await create()
      const guard = { revisions: [1], required: false }
      const writers = Array.from({ length: 20 }, (_, n) => perform('rename', id, { newName: `Name ${n}` }, { guard }))
      const outcomes = await Promise.all(writers)
      assert.equal(outcomes.filter(({ kind }) => kind === 'applied').length, 1)
      assert.equal((await store.as(SERVICE).find(deal, id))?.revision, 2)
    })

    test('an attribute update is all its steps or none', async () => {
      const id = await create()
      const wanted = { name: 'Tower', price: 99.95, stage: 'proposal', held: true, holdReason: 'parts' }
      const { thing, event } = applied(await performAlone(store, intentToUpdate(id, wanted)))
      assert.equal(thing.revision, 5)
      assert.equal(event?.operation, 'hold')
      const before = await store.as(SERVICE).find(deal, id)
      refused(await performAlone(store, intentToUpdate(id, { name: 'Other', price: 1 })), 'wrong-state')
      refused(await performAlone(store, intentToUpdate(id, { name: 'Other', stage: 'won' })), 'invalid')
      assert.deepEqual(await store.as(SERVICE).find(deal, id), before)
      assert.equal(await store.as(SERVICE).event(deal, id, 6), undefined)
      assert.equal(JSON.parse((await store.as(SERVICE).event(deal, id, 4))?.doc ?? '').held, false)
    })

    test('an update without a difference records nothing but its command', async () => {
      const id = await create()
      const command = newCommandId()
      const first = applied(await performAlone(store, intentToUpdate(id, { name: 'Roof' }, { command })))
      assert.equal(first.event, undefined)
      assert.equal(first.thing.revision, 1)
      await perform('rename', id, { newName: 'Tower' })
      const again = applied(await performAlone(store, intentToUpdate(id, { name: 'Roof' }, { command })))
      assert.deepEqual([again.thing, again.event], [first.thing, undefined])
      assert.equal((await store.as(SERVICE).find(deal, id))?.revision, 2)
    })

    test('a dry run answers what would result and writes nothing', async () => {
      const id = await create()
      const before = await store.as(SERVICE).find(deal, id)
      const command = newCommandId()
      const would = applied(await perform('hold', id, { reason: 'x' }, { command, dryRun: true }))
      assert.equal(JSON.parse(would.thing.json).held, true)
      assert.equal(would.event?.operation, 'hold')
      const made = applied(await perform('create', undefined, { name: 'Ghost', price: 1 }, { dryRun: true }))
      refused(await perform('unhold', id, {}, { command, dryRun: true }), 'wrong-state')
      assert.deepEqual(await store.as(SERVICE).find(deal, id), before)
      assert.equal(await store.as(SERVICE).find(deal, made.thing.id), undefined)
      assert.equal(await store.as(SERVICE).event(deal, id, 2), undefined)
      assert.equal(await store.as(SERVICE).command(command), undefined)
    })

    test('a customer is saved, kept, replaced and removed', async () => {
      const { thing: saved, event: creation } = await makeCustomer({ name: 'Ana' })
      const { id } = saved
      assert.deepEqual(await store.as(SERVICE).find(customer, id), { ...saved, previousAt: null })
      assert.deepEqual(await store.as(SERVICE).event(customer, id, 1), creation)
      const patch = (attributes: object, asked?: Asked) =>
        performAlone(store, customerIntent({ attributes }, id, asked))
      const kept = applied(await patch({ name: 'Ana' }))
      assert.deepEqual([kept.thing.revision, kept.event], [1, undefined])
      const older = applied(await patch({ age: 41 }))
      assert.equal(older.thing.revision, 2)
      assert.equal(JSON.parse(older.thing.json).age, 41)
      assert.equal(older.event?.doc, older.thing.json)
      const replace = (asked?: Asked) =>
        performAlone(store, customerIntent({ attributes: { name: 'Ana' }, whole: true }, id, asked))
      assert.equal(JSON.parse(applied(await replace()).thing.json).age, null)
      refused(await replace({ guard: { revisions: [1], required: false } }), 'stale-revision')
      assert.deepEqual(applied(await removeCustomer(id)).removed, true)
      assert.equal(await store.as(SERVICE).find(customer, id), undefined)
      refused(await patch({ age: 42 }), 'not-found')
    })

    test('the id of a removed customer is not given again', async () => {
      const make = async () => (await makeCustomer({ name: 'Ben' })).thing.id
      const first = await make()
      applied(await removeCustomer(first))
      assert.ok((await make()) > first)
    })

    test('a dry run of a customer writes nothing', async () => {
      const made = await makeCustomer({ name: 'Cleo' }, { dryRun: true })
      assert.equal(await store.as(SERVICE).find(customer, made.thing.id), undefined)
    })

    test('a customer that a deal names, be it a deleted one, is not removed', async () => {
      const { thing: dora } = await makeCustomer({ name: 'Dora' })
      const id = await create({ customerId: dora.id })
      await perform('delete', id)
      refused(await removeCustomer(dora.id), 'in-use')
      assert.ok(await store.as(SERVICE).find(customer, dora.id))
      refused(await perform('create', undefined, { name: 'x', price: 1, customerId: 999_999 }), 'invalid')
    })

    test('a reference names one deal, a deleted one too, until the deal gives it up', async () => {
      const reference = `A "${newCommandId()}" ü`
      const first = await create({ reference })
      assert.equal(await store.as(SERVICE).idBy(deal, 'reference', reference), first)
      const asCreation = { name: 'Roof', price: 1, reference }
      const notUnique = { code: 'not-unique', resource: 'deal', field: 'reference', value: reference, other: first }
      assert.deepEqual(
        refused(await perform('create', undefined, asCreation, { command: 'taken' }), 'not-unique'),
        notUnique,
      )
      assert.equal(await store.as(SERVICE).command('taken'), undefined)
      assert.deepEqual(
        refused(await perform('create', undefined, asCreation, { dryRun: true }), 'not-unique'),
        notUnique,
      )
      const second = await create({ reference: reference.toUpperCase() })
      refused(await perform('set-fields', second, { reference }), 'not-unique')
      refused(await performAlone(store, intentToUpdate(second, { name: 'Gate', reference })), 'not-unique')
      // The same value again, nothing, and the value of another resource are no conflict.
      applied(await perform('set-fields', first, { reference }))
      applied(await perform('set-fields', first))
      await makeCustomer({ name: 'Ana', reference })
      applied(await perform('delete', first))
      refused(await perform('set-fields', second, { reference }), 'not-unique')
      applied(await perform('restore', first))
      applied(await perform('set-fields', first, { reference: null }))
      applied(await perform('set-fields', second, { reference }))
      assert.equal(await store.as(SERVICE).idBy(deal, 'reference', reference), second)
    })

    test('however many instances write at once, a reference goes to one, and a swap is one commit', async () => {
      const other = await open(databaseUrl)
      after(() => other.close())
      const reference = newCommandId()
      const creation = intentTo('create', undefined, { name: 'Roof', price: 1, reference })
      const bystander = intentTo('create', undefined, { name: 'Gate', price: 1 })
      const outcomes = await Promise.all(
        Array.from({ length: 60 }, (_, nth) =>
          performAlone(nth % 2 === 0 ? store : other, nth % 3 === 0 ? bystander : creation),
        ),
      )
      const made = outcomes.flatMap((each) =>
        each.kind === 'applied' && each.thing.json.includes(reference) ? [each] : [],
      )
      assert.equal(made.length, 1)
      assert.equal(outcomes.filter(({ kind }) => kind === 'applied').length, 21)
      for (const each of outcomes) if (each.kind === 'refused') refused(each, 'not-unique')

      const [one, two] = [await create({ reference: `${reference} 1` }), await create({ reference: `${reference} 2` })]
      const set = (id: string, value: string | null) => intentTo('set-fields', id, { reference: value })
      const intents = [set(one, null), set(two, `${reference} 1`), set(one, `${reference} 2`)]
      assert.ok((await store.perform({ intents, atomic: true, dryRun: false, linked: true })).isKept)
      assert.equal(await store.as(SERVICE).idBy(deal, 'reference', `${reference} 1`), two)
      assert.equal(await store.as(SERVICE).idBy(deal, 'reference', `${reference} 2`), one)
      const conflict = [set(one, null), set(two, reference)]
      assert.equal(
        (await store.perform({ intents: conflict, atomic: true, dryRun: false, linked: true })).isKept,
        false,
      )
    })

    test('an upsert creates a thing or changes it, and a value names a thing in every batch', async () => {
      const reference = newCommandId()
      const by = { reference }
      const upsert = (attributes: object, asked: Asked = {}): Intent => ({
        ...intentTo('', undefined, {}, { target: by, ...asked }),
        change: { attributes, makes: true },
      })
      const key = newCommandId()
      const made = applied(await performAlone(store, upsert({ name: 'Roof', price: 1 }, { command: key })))
      assert.deepEqual([made.made, made.replayed, made.thing.revision], [true, false, 1])
      assert.equal(JSON.parse(made.thing.json).reference, reference)
      const changed = applied(await performAlone(store, upsert({ price: 2, held: true, holdReason: 'credit' })))
      assert.deepEqual([changed.made ?? false, changed.thing.id, changed.thing.revision], [false, made.thing.id, 3])
      applied(await performAlone(store, intentTo('unhold', undefined, {}, { target: by })))
      // A value that the thing gives up named it when the command was decided.
      const renamed = {
        ...intentTo('set-fields', undefined, { reference: `${reference} 2` }, { target: by, command: newCommandId() }),
      }
      applied(await performAlone(store, renamed))
      assert.equal(applied(await performAlone(store, renamed)).replayed, true)
      const again = applied(await performAlone(store, upsert({ name: 'Roof', price: 1 }, { command: key })))
      assert.deepEqual([again.made, again.replayed, again.thing.id], [true, true, made.thing.id])
      refused(await performAlone(store, intentTo('hold', undefined, { reason: 'x' }, { target: by })), 'not-found')
      refused(await performAlone(store, upsert({ price: 1, reference: 'another' })), 'invalid')
      const draft = applied(await performAlone(store, upsert({ name: 'Roof', price: 1 }, { dryRun: true })))
      assert.equal(draft.made, true)
      const intents = [upsert({ name: 'Gate', price: 1 }), intentTo('hold', undefined, { reason: 'x' }, { target: by })]
      const both = await store.perform({ intents, atomic: true, dryRun: false, linked: true })
      assert.deepEqual(
        both.outcomes.map((each) => each.kind === 'applied' && [each.made ?? false, each.thing.revision]),
        [
          [true, 1],
          [false, 2],
        ],
      )
      applied(await perform('delete', String(await store.as(SERVICE).idBy(deal, 'reference', reference))))
      refused(await performAlone(store, upsert({ price: 3 })), 'deleted')
    })

    test('of many upserts of few references at once each reference makes one thing', async () => {
      const other = await open(databaseUrl)
      after(() => other.close())
      const mark = newCommandId()
      const upsert = (nth: number, text: string): Intent => ({
        ...intentTo('', undefined, {}, { resource: 'customer', target: { reference: `${mark} ${nth % REFERENCES}` } }),
        change: { attributes: { name: text }, makes: true },
      })
      const one = async (client: number): Promise<readonly Applied[]> => {
        const mine: Applied[] = []
        for (let nth = 0; nth < EACH; nth++) {
          const name = `Ana ${client} ${nth}`
          const done = applied(await performAlone(client % 2 === 0 ? store : other, upsert(client + nth, name)))
          assert.partialDeepStrictEqual(JSON.parse(done.thing.json), {
            name,
            reference: `${mark} ${(client + nth) % REFERENCES}`,
          })
          mine.push(done)
        }
        return mine
      }
      const all = (await Promise.all(Array.from({ length: CLIENTS }, (_, client) => one(client)))).flat()
      assert.equal(new Set(all.map(({ thing }) => thing.id)).size, REFERENCES)
      assert.equal(all.filter(({ made }) => made).length, REFERENCES)
      // No change is lost or done twice: each made its own revision.
      assert.equal(new Set(all.map(({ thing }) => `${thing.id} ${thing.revision}`)).size, CLIENTS * EACH)
      const revisions = Map.groupBy(all, ({ thing }) => thing.id)
      for (const those of revisions.values()) {
        assert.equal(Math.max(...those.map(({ thing }) => Number(thing.revision))), those.length)
      }
    })

    test('the document of a deal and its columns say the same', async () => {
      const id = await create({
        price: 1e12,
        owner: 'Mila',
        description: 'a "b"\n\t😀 \\',
        completionDate: '2028-02-29',
      })
      await perform('record-payment', id, { amount: 0.29 })
      await perform('hold', id, { reason: 'ß' })
      await agree(id)
      await perform('cancel', id, { amercement: 1.15, reason: 'x' })
      await perform('archive', id)
      await agree(id)
      await perform('delete', id)
      await agree(id)
    })

    test('a total too long for a double is kept and shown to the last digit', async () => {
      const id = await create({ currency: 'KWD' })
      const payments = Array.from({ length: 8 }, () => perform('record-payment', id, { amount: 1e12 }))
      await Promise.all(payments)
      await perform('record-payment', id, { amount: 999_999_999_999.999 })
      assert.match((await store.as(SERVICE).find(deal, id))?.json ?? '', /"paid":8999999999999\.999,/)
      assert.equal((await dealRow(id))?.paid_thousandths, 8_999_999_999_999_999)
    })

    test('an intent that makes the decision throw undoes none of its neighbours', async () => {
      const id = await create()
      const broken = { ...intentTo('hold', id, { reason: 'x' }), guard: { revisions: 7 } } as unknown as Intent
      const outcomes = await Promise.allSettled([
        perform('record-payment', id, { amount: 1 }),
        performAlone(store, broken),
        perform('record-payment', id, { amount: 2 }),
      ])
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled'],
      )
      assert.ok(outcomes[1]?.status === 'rejected' && !(outcomes[1].reason instanceof StoreUnavailable))
      assert.equal(await paid(id), 3)
      applied(await perform('record-payment', id, { amount: 4 }))
    })

    test('more writes than may wait are told to come back, the others are done', async () => {
      const id = await create()
      const dry = { dryRun: true } as const
      const flood = Array.from({ length: 10_200 }, () => perform('record-payment', id, { amount: 1 }, dry))
      const outcomes = await Promise.allSettled(flood)
      const shed = outcomes.filter((outcome) => outcome.status === 'rejected')
      assert.ok(shed.length > 0)
      assert.ok(shed.every(({ reason }) => reason instanceof StoreUnavailable && reason.retryAfter > 0))
      assert.ok(outcomes.length - shed.length >= 10_000)
      applied(await perform('record-payment', id, { amount: 1 }))
    })

    test('nulls stand where a sort places them, on every page in either direction', async () => {
      const company = 'Places of nulls'
      for (const [at, age] of [30, null, 20, 30, null, 40].entries()) {
        const params = { name: `N${at}`, company, age, children: at % 3 === 0 ? null : at % 3 }
        applied(await performAlone(store, customerIntent({ action: 'CreateCustomer', params })))
      }
      const sizes = ['age', 'children'].map((name) => fieldOf(collections.customers, name))
      const places = [undefined, true] as const
      const ways = [true, false].flatMap((descending) => places.map((nullsFirst) => ({ descending, nullsFirst })))
      for (const one of ways) {
        for (const other of ways) {
          const terms = [one, other].map(({ descending, nullsFirst }, at) => ({
            field: sizes[at] ?? assert.fail(),
            descending,
            ...(nullsFirst && { nullsFirst }),
          }))
          await leadsThereAndBack(company, withKey(collections.customers, terms))
        }
      }
    })

    test('a long page as texts is the same as its parts, whichever way it is read', async () => {
      const names = Array.from({ length: 150 }, (_, nth) => `Página ${nth} 😀`)
      for (const name of names) await create({ name, owner: 'long page' })
      await settled()
      for (const [list, sort] of [
        ['deals', 'id'],
        ['deals', '-name'],
        ['events', '-sequence'],
      ] as const) {
        const search = list === 'deals' ? 'owner=long%20page&count=exact' : 'type=deal.created'
        const parsed = parseQuery(collections[list], `${search}&sort=${sort}&limit=140`)
        assert.ok('query' in parsed)
        const { page: _page, ...query } = parsed.query
        const short = await store.as(SERVICE).page(collections[list], [], { ...query, size: 5 })
        const after = { ...query, after: short.last ?? [] }
        const long = await store.as(SERVICE).textPage(collections[list], [], after)
        assert.equal(long.items.length, 140)
        const parts = [await store.as(SERVICE).page(collections[list], [], { ...after, size: 70 })]
        parts.push(
          await store.as(SERVICE).page(collections[list], [], { ...query, after: parts[0]?.last ?? [], size: 70 }),
        )
        assert.deepEqual(
          [...long.items],
          parts.flatMap(({ items }) => items),
        )
        assert.deepEqual([long.first, long.last, long.total], [parts[0]?.first, parts[1]?.last, parts[1]?.total])
        assert.deepEqual([long.hasLess, long.hasMore], [true, parts[1]?.hasMore])
        const back = await store
          .as(SERVICE)
          .textPage(collections[list], [], { ...query, size: 139, before: long.last ?? [] })
        assert.deepEqual([...back.items], [...long.items].slice(0, -1))
      }
    })

    test('a search in the order of a field that its filter fixes finds all, however many rows it passes', async () => {
      const make = (nth: number) =>
        customerIntent({
          action: 'CreateCustomer',
          params: { name: `Fixed ${nth}`, company: nth < 300 ? 'Passed' : 'Fixed', country: nth < 300 ? null : 'PT' },
        })
      const intents = Array.from({ length: 320 }, (_, nth) => make(nth))
      assert.ok((await store.perform({ intents, atomic: true, dryRun: false, linked: true })).isKept)
      const search = encodeURIComponent('{"name":{"regex":"d (3..|x)$"}}')
      for (const fixed of ['company=Fixed&sort=company', 'country=PT&sort=-country', 'phone.null=true&sort=phone,id']) {
        const parsed = parseQuery(collections.customers, `${fixed}&filter=${search}&limit=100`)
        assert.ok('query' in parsed, inspect(parsed))
        for (const count of [false, true]) {
          const { items } = await store.as(SERVICE).page(collections.customers, [], { ...parsed.query, count })
          assert.equal(items.length, 20, fixed)
        }
      }
    })

    for (const search of ['company=Unsorted', 'company=Unsorted&q=line']) {
      test(`a stream of ${search} has the order of the pages, whether an index has it or not`, async () => {
        for (const [at, email] of ['c@x.example', null, 'a@x.example', 'b@x.example', 'a@x.example'].entries()) {
          const params = { name: `Line ${at}`, company: 'Unsorted', email, age: at % 2 }
          applied(await performAlone(store, customerIntent({ action: 'CreateCustomer', params })))
        }
        for (const sort of ['id', 'name', 'email', '-email,name', 'age,-email', '-updatedAt']) {
          const parsed = parseQuery(collections.customers, `${search}&sort=${sort}&limit=100`)
          assert.ok('query' in parsed)
          const read = async (query: Query) => {
            const batches = await Array.fromAsync(store.as(SERVICE).stream(collections.customers, [], query))
            return Buffer.concat(batches).toString().split('\n').filter(Boolean)
          }
          const { page: _page, ...query } = parsed.query
          const { items } = await store.as(SERVICE).page(collections.customers, [], query)
          assert.ok(items.length >= 5)
          assert.deepEqual(await read(query), items, sort)
          const first = await store.as(SERVICE).page(collections.customers, [], { ...query, size: 2 })
          assert.deepEqual(await read({ ...query, after: first.last ?? [] }), items.slice(2), `${sort} from a row on`)
        }
      })
    }

    async function leadsThereAndBack(company: string, sort: Query['sort']): Promise<void> {
      const parsed = parseQuery(collections.customers, `company=${encodeURIComponent(company)}&limit=2`, { sort })
      assert.ok('query' in parsed)
      const { page: _page, ...query } = parsed.query
      const read = (place: Pick<Query, 'after' | 'before'>) =>
        store.as(SERVICE).page(collections.customers, [], { ...query, ...place })
      const whole = await store.as(SERVICE).page(collections.customers, [], { ...query, size: 10 })
      const inOrder = whole.items.map((json): Row => JSON.parse(json))
      assert.deepEqual(
        inOrder,
        inOrder.toSorted((a, b) => compareBy(sort, a, b)),
      )
      let found = await read({})
      const there = [found.items]
      while (found.hasMore && found.last) {
        found = await read({ after: found.last })
        there.push(found.items)
      }
      assert.deepEqual(there.flat(), whole.items)
      const back = [found.items]
      while (found.hasLess && found.first) {
        found = await read({ before: found.first })
        back.unshift(found.items)
      }
      assert.deepEqual(back, there)
    }

    test('what somebody keeps to themselves is not there for others', async () => {
      const owner: Caller = { name: 'mila', role: 'editor' }
      const command = newCommandId()
      const ofView = (change: Intent['change'], target?: Key, asked: Asked = {}): Promise<Outcome> =>
        performAlone(store, {
          ...intentTo('', undefined, {}, { caller: owner, ...asked }),
          resource: view.name,
          change,
          ...(target && { target }),
        })
      const given = { name: 'Mine', collection: 'deals' }
      const made = applied(await ofView({ action: 'create', params: given }, undefined, { command }))
      const { id } = made.thing
      const views = collectionOf(view)
      const all = parseQuery(views, 'q=mine')
      const groups = parseQuery(views, 'q=mine&group=collection&measure=count')
      assert.ok('query' in all && 'query' in groups)
      const itself = { name: view.name, kind: 'one', of: view, field: 'id' } as const
      const seenBy = async (caller: Caller | undefined): Promise<readonly boolean[]> => {
        const desk = store.as(caller)
        const streamed = await Array.fromAsync(desk.stream(views, [], all.query))
        return [
          (await desk.find(view, id)) !== undefined,
          (await desk.event(view, id, 1)) !== undefined,
          (await desk.command(command)) !== undefined,
          'thing' in (await desk.past(view, id, { revision: 1 })),
          (await desk.page(views, [], all.query)).items.length === 1,
          (await desk.textPage(views, [], all.query)).items.length === 1,
          (await desk.page(views, [], groups.query)).items.length === 1,
          streamed.length === 1,
          (await desk.related(itself, [id], 1)).get(String(id))?.length === 1,
        ]
      }
      const everything = Array.from({ length: 9 }, () => true)
      const nothing = everything.map(() => false)
      const others: readonly Caller[] = [
        { name: 'ben', role: 'editor' },
        { name: '', role: 'editor' },
      ]
      for (const caller of [SERVICE, owner, { name: 'ben', role: 'admin' } as const])
        assert.deepEqual(await seenBy(caller), everything)
      for (const caller of others) assert.deepEqual(await seenBy(caller), nothing)
      assert.equal((await store.as(owner).shared.page(views, [], all.query)).items.length, 0)
      applied(await ofView({ attributes: { shared: true } }, id))
      // A command tells of the thing as it was left then.
      for (const caller of others) assert.deepEqual(await seenBy(caller), everything.with(2, false))
    })

    test('another schema is adopted while intents are under way: they and all that is older stay', async (t) => {
      const own = await makeOwn()
      const untold = { applied() {}, refused() {} }
      const adopting = countedStore(
        tracedStore(await open(own.url), name, (_part, run) => run()),
        untold,
      )
      t.after(async () => {
        await adopting.close()
        own.remove()
      })
      const ask = async (...asked: Parameters<typeof intentTo>): Promise<Applied> =>
        applied(await performAlone(adopting, intentTo(...asked)))
      const make = async (params: object = {}): Promise<string> =>
        String((await ask('create', undefined, { name: 'Roof', price: 1, ...params })).thing.id)
      const ofTask = async (action: string, params: object, id?: Key): Promise<Key> =>
        (await ask(action, undefined, params, { resource: 'task', ...(id !== undefined && { target: id }) })).thing.id
      const [older, olderTask] = [await make(), await ofTask('create', { title: 'Call', dueOn: '2027-04-30' })]
      refused(
        await performAlone(adopting, intentTo('create', undefined, { name: 'Roof', price: 1, own: { region: 'x' } })),
        'invalid',
      )

      const fields = [
        { on: 'deal', name: 'region', title: 'Region', kind: 'text' },
        { on: 'task', name: 'place', title: 'Place', kind: 'text' },
      ] as const
      const underWay = Array.from({ length: 200 }, () => make())
      await adopting.schemas.adopt({ ...NOTHING_ADDED, version: 1, fields })
      const regions = ['North', 'Süd', 'East']
      const [north = '', south = '', east = ''] = await Promise.all(regions.map((region) => make({ own: { region } })))
      assert.equal(new Set(await Promise.all(underWay)).size, 200)
      const desk = adopting.as(SERVICE)
      const { schema } = desk
      assert.equal(schema.version, 1)
      assert.ok(adopting.schemas.current === schema && adopting.as({ name: 'ann', role: 'editor' }).schema === schema)

      const { deals, events, history } = collectionsOf(schema)
      const shown = async (collection: Collection, search: string, scope: Filter = []): Promise<readonly Shown[]> => {
        const parsed = parseQuery(collection, search)
        assert.ok('query' in parsed, inspect(parsed))
        return (await desk.page(collection, scope, parsed.query)).items.map((item) => JSON.parse(item))
      }
      const asLeft = async (resource: Resource, id: Key, revision: number): Promise<readonly Shown[]> => {
        const [thing, event] = [await desk.find(resource, id), await desk.event(resource, id, revision)]
        assert.equal(event?.doc, thing?.json)
        return [JSON.parse(thing?.json ?? ''), event]
      }
      const inSchema = resourceNamed(schema, 'deal')
      assert.equal((await asLeft(inSchema, north, 1))[0].own.region, 'North')
      await ask('rename', older, { newName: 'Tower' })
      const [changed] = await asLeft(inSchema, older, 2)
      assert.deepEqual([changed.name, changed.own], ['Tower', { region: null }])
      // The second change is told by what it changed.
      for (const [at, place] of ['Zug', 'Bern'].entries()) {
        await ofTask('change', { own: { place } }, olderTask)
        assert.equal((await asLeft(resourceNamed(schema, 'task'), olderTask, at + 2))[0].own.place, place)
      }
      await own.settled()
      assert.equal((await shown(events, `deal=${north}`))[0].data.deal.own.region, 'North')
      assert.deepEqual(
        (await shown(events, `task=${olderTask}`)).map(({ data }) => data.task.own.place),
        [null, 'Zug', 'Bern'],
      )
      const [entry] = await shown(history, '', [{ field: fieldOf(history, 'deal'), operator: 'eq', values: [north] }])
      assert.equal(entry.params.own.region, 'North')

      const idsOf = async (search: string) => (await shown(deals, search)).map(({ id }) => id)
      assert.deepEqual(await idsOf('own.region=North'), [north])
      assert.deepEqual(await idsOf('own.region.contains=S%C3%9CD'), [south])
      assert.deepEqual(await idsOf('own.region.null=false&sort=own.region'), [east, north, south])
      assert.deepEqual(await idsOf('sort=-own.region&limit=3'), [south, north, east])
      assert.deepEqual(await idsOf(`own.region.null=true&id=${older}`), [older])
      assert.equal((await idsOf('own.region.null=true&limit=1000')).length, 201)
      const intents = [intentTo('create', undefined, { name: 'Roof', price: 1, own: { region: 'West' } })]
      assert.ok((await adopting.perform({ intents, atomic: true, dryRun: false, linked: true })).isKept)
      assert.equal((await idsOf('own.region=West')).length, 1)

      // One intent makes the decision throw, and the others are decided anew: each by the schema that it came to.
      const another = intentTo('create', undefined, { name: 'Roof', price: 1, own: { region: 'South' } })
      const broken = { ...intentTo('hold', older, { reason: 'x' }), guard: { revisions: 7 } } as unknown as Intent
      const [inTurn] = await Promise.all([
        performAlone(adopting, another),
        adopting.schemas.adopt({ ...NOTHING_ADDED, version: 2, fields: fields.slice(1) }),
        assert.rejects(performAlone(adopting, broken)),
      ])
      applied(inTurn)
      refused(await performAlone(adopting, another), 'invalid')
      await adopting.schemas.adopt({ ...NOTHING_ADDED, version: 3, fields })

      for (const version of [3, 1])
        await assert.rejects(adopting.schemas.adopt({ ...NOTHING_ADDED, version, fields: [] }), /3/)
      assert.equal(adopting.schemas.current.version, 3)
      assert.equal((await asLeft(inSchema, await make({ own: { region: 'South' } }), 1))[0].own.region, 'South')
    })

    test('closing waits for what was asked before, and refuses what comes after', async () => {
      const id = await create()
      const other = await open(databaseUrl)
      const payments = Array.from({ length: 500 }, () =>
        performAlone(other, intentTo('record-payment', id, { amount: 0.01 })),
      )
      // What waits for another schema was asked before as well.
      const adopting = other.schemas.adopt({ ...NOTHING_ADDED, version: 1, fields: [] })
      payments.push(performAlone(other, intentTo('record-payment', id, { amount: 1 })))
      await other.close()
      await adopting
      assert.ok((await Promise.all(payments)).every(({ kind }) => kind === 'applied'))
      assert.equal(await paid(id), 6)
      await assert.rejects(performAlone(other, intentTo('record-payment', id, { amount: 1 })), StoreUnavailable)
    })

    const paid = async (id: string): Promise<number> =>
      JSON.parse((await store.as(SERVICE).find(deal, id))?.json ?? '{}').paid

    async function agree(id: string): Promise<void> {
      const row = await dealRow(id)
      const shown = JSON.parse(String(row?.doc)) as Row
      assert.equal(row?.doc, (await store.as(SERVICE).find(deal, id))?.json)
      for (const [field, kind] of Object.entries(deal.kinds)) {
        const column = row?.[columnName(field, kind)]
        const value = shown[field]
        if (kind.name === 'amount') assert.equal(column, Math.round(Number(value) * 1000), field)
        else if (kind.name === 'boolean') assert.equal(Boolean(column), value, field)
        else assert.equal(column, value, field)
      }
    }
  })
}

function compareBy(sort: Query['sort'], a: Row, b: Row): number {
  for (const { field, descending, nullsFirst = false } of sort) {
    const [one, other] = [a[field.name], b[field.name]]
    if (one === other) continue
    if (one === null || other === null) return (one === null) === nullsFirst ? -1 : 1
    return descending ? Number(other) - Number(one) : Number(one) - Number(other)
  }
  return 0
}

function open(databaseUrl: string): Promise<Store> {
  return openStore({ databaseUrl, currency: 'EUR' }, (cause) => assert.fail(cause))
}

test('a refusal that an earlier release kept has its sentence as it was', () => {
  const said = { code: 'wrong-state', operation: 'unhold', reason: 'the deal is not on hold', allowed: ['hold'] }
  const thing = { id: '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10', held: false }
  const read = { ...said, reason: { code: 'kept', with: { text: said.reason } }, resource: 'deal', thing }
  assert.deepEqual(readRefusal(JSON.stringify({ ...said, resource: 'deal', thing })), read)
  assert.deepEqual(readRefusal(JSON.stringify({ ...said, deal: thing })), read)
  assert.deepEqual(readRefusal(JSON.stringify(read)), read)
})

type Applied = Extract<Outcome, { kind: 'applied' }>

function applied(outcome: Outcome): Applied {
  assert.equal(outcome.kind, 'applied', JSON.stringify(outcome))
  return outcome as Applied
}

function refused(outcome: Outcome, code: Refusal['code']): Refusal {
  assert.equal(outcome.kind, 'refused', JSON.stringify(outcome))
  const { refusal } = outcome as Extract<Outcome, { kind: 'refused' }>
  assert.equal(refusal.code, code)
  return refusal
}

/** An intent about a customer; without an id, to make one. */
function customerIntent(change: Intent['change'], id?: Key, asked: Asked = {}): Intent {
  const about = { resource: 'customer', ...(id !== undefined && { target: id }), ...asked }
  return { ...intentTo('', undefined, {}, about), change }
}
