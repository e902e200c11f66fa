import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Key } from '../../src/model/declaration/resource.ts'
import type { IntentBatch } from '../../src/model/intent/batch.ts'
import type { Intent } from '../../src/model/intent/intent.ts'
import { openStore } from '../../src/store/open.ts'
import { SERVICE } from '../../src/store/port/desk.ts'
import { type BatchOutcome, performAlone, type Store } from '../../src/store/port/store.ts'
import { type OwnDatabase, ownPostgres, ownSqlite } from '../support/database/own-database.ts'
import { intentTo, newCommandId } from '../support/deals/intents.ts'
import { customer, deal, task } from '../support/schema.ts'

const databases: readonly (readonly [string, OwnDatabase])[] = [
  ['SQLite', ownSqlite('ready')],
  ['PostgreSQL', await ownPostgres('ready')],
]

for (const [name, database] of databases) {
  describe(`batches on ${name}`, () => {
    let store: Store
    before(async () => {
      store = await openStore({ databaseUrl: database.url, currency: 'EUR' }, (cause) => assert.fail(cause))
    })
    after(async () => {
      await store.close()
      await database.remove()
    })

    const together = (intents: IntentBatch['intents'], options: Partial<IntentBatch> = {}): Promise<BatchOutcome> =>
      store.perform({ intents, atomic: true, dryRun: false, linked: true, ...options })
    const made = async (intent: Intent): Promise<Key> => idIn(await together([intent]), 0)
    const feed = () => database.rows('SELECT type FROM events ORDER BY sequence')
    const revisionOf = async (id: Key): Promise<number | undefined> =>
      (await store.as(SERVICE).find(deal, id))?.revision

    test('all take effect in one commit, each on what those before it left', async () => {
      const { commits } = store.counts
      const outcome = await together([
        toCustomer('create', undefined, { name: 'Ann' }),
        newDeal({ customerId: '$0' }),
        intentTo('hold', '$1', { reason: 'credit check' }),
        intentTo('unhold', '$1'),
        toTask('create', undefined, { title: 'Call', dealId: '$1' }),
        toTask('finish', '$4'),
        intentTo('move', '$1', { stage: 'proposal' }, { guard: { required: true, revisions: [3] } }),
      ])
      assert.deepEqual(kindsIn(outcome), Array(7).fill('applied'))
      assert.equal(store.counts.commits, commits + 1)
      const id = idIn(outcome, 1)
      const found = await store.as(SERVICE).find(deal, id)
      assert.equal(found?.revision, 4)
      const shown = JSON.parse(found?.json ?? '')
      assert.deepEqual([shown.customerId, shown.stage, shown.held], [idIn(outcome, 0), 'proposal', false])
      assert.equal((await store.as(SERVICE).find(task, idIn(outcome, 4)))?.revision, 2)
      const types = (await feed()).slice(-7).map(({ type }) => type)
      assert.deepEqual(types, [
        ...['customer.created', 'deal.created', 'deal.held', 'deal.unheld', 'task.created', 'task.finished'],
        'deal.moved',
      ])
    })

    test('a thing keeps when its previous state began, also if that was written together with it', async () => {
      const outcome = await together([newDeal(), intentTo('hold', '$0', { reason: 'credit check' })])
      const id = idIn(outcome, 0)
      const desk = store.as(SERVICE)
      const previous = async (revision: number) => (await desk.event(deal, id, revision - 1))?.at
      assert.equal((await desk.find(deal, id))?.previousAt, await previous(2))
      await together([intentTo('unhold', String(id)), intentTo('hold', String(id), { reason: 'late' })])
      assert.equal((await desk.find(deal, id))?.previousAt, await previous(4))
      // Whatever waits for a deal is written in one turn.
      await Promise.all(
        ['Hall', 'Porch', 'Roof'].map((newName) => performAlone(store, intentTo('rename', String(id), { newName }))),
      )
      assert.equal((await desk.find(deal, id))?.previousAt, await previous(7))
    })

    test('one refusal undoes an atomic batch, and every refusal is told', async () => {
      const id = await made(newDeal())
      const [first, second] = [newCommandId(), newCommandId()]
      const outcome = await together([
        intentTo('hold', String(id), { reason: 'x' }, { command: first }),
        intentTo('complete', String(id), {}, { command: second }),
        newDeal({ name: '' }),
        intentTo('hold', '$2', { reason: 'x' }),
        newDeal({ customerId: '$3' }),
        'refused',
        intentTo('hold', '$5', { reason: 'x' }),
        intentTo('rename', String(id), { newName: 'Porch' }, { guard: { required: false, revisions: [9] } }),
      ])
      assert.equal(outcome.isKept, false)
      assert.deepEqual(kindsIn(outcome), [
        'applied',
        'wrong-state',
        'invalid',
        'not-tried 2',
        'not-tried 3',
        'not-tried 5',
        'not-tried 5',
        'stale-revision',
      ])
      assert.equal(await revisionOf(id), 1)
      assert.equal(await store.as(SERVICE).command(first), undefined)
      assert.equal(await store.as(SERVICE).command(second), undefined)
    })

    test('otherwise each is for itself, and a refusal under an id is stored', async () => {
      const id = String(await made(newDeal()))
      const command = newCommandId()
      const intents = [
        intentTo('hold', id, { reason: 'x' }),
        intentTo('complete', id, {}, { command }),
        intentTo('hold', '$1', { reason: 'y' }),
        intentTo('unhold', id),
      ]
      const outcome = await together(intents, { atomic: false })
      assert.equal(outcome.isKept, true)
      assert.deepEqual(kindsIn(outcome), ['applied', 'wrong-state', 'not-tried 1', 'applied'])
      assert.equal(await revisionOf(id), 3)
      assert.equal((await store.as(SERVICE).command(command))?.status, 'rejected')
    })

    test('a dry run decides everything and leaves nothing', async () => {
      const events = (await feed()).length
      const intents = [
        toCustomer('create', undefined, { name: 'Ann' }),
        newDeal({ customerId: '$0' }),
        intentTo('hold', '$1', { reason: 'x' }, { command: 'dry' }),
        intentTo('complete', '$1'),
        toCustomer('delete', '$0'),
      ]
      for (const atomic of [true, false]) {
        const outcome = await together(intents, { atomic, dryRun: true })
        assert.equal(outcome.isKept, false)
        assert.deepEqual(kindsIn(outcome), ['applied', 'applied', 'applied', 'wrong-state', 'in-use'])
      }
      assert.equal((await feed()).length, events)
      assert.equal(await store.as(SERVICE).command('dry'), undefined)
    })

    test('known ids replay, and lead to the things that they made', async () => {
      const ids = [newCommandId(), newCommandId()]
      const intents = [
        newDeal({}, ids[0]),
        intentTo('hold', '$0', { reason: 'x' }, { command: ids[1] ?? '' }),
        intentTo('hold', '$0', { reason: 'x' }, { command: ids[1] ?? '' }),
      ]
      const first = await together(intents)
      assert.deepEqual(replaysIn(first), [false, false, true])
      const again = await together([...intents, intentTo('unhold', '$0')])
      assert.deepEqual(replaysIn(again), [true, true, true, false])
      assert.equal(idIn(again, 3), idIn(first, 0))
      assert.equal(await revisionOf(idIn(first, 0)), 3)
      const other = await together([newDeal({ name: 'Other' }, ids[0])])
      assert.deepEqual(kindsIn(other), ['command-id-reused'])
    })

    test('a known id of another resource is refused, also beside a thing that a value names', async () => {
      const [id, reference] = [newCommandId(), newCommandId()]
      await made(newDeal({}, id))
      const outcome = await together(
        [
          { ...toCustomer('change', { reference }, { name: 'Ann' }) },
          { ...toCustomer('create', undefined, { name: 'Ben' }), command: { id, by: 'id' } },
          toCustomer('create', undefined, { name: 'Cem', reference }),
        ],
        { atomic: false },
      )
      assert.deepEqual(kindsIn(outcome), ['not-found', 'command-id-reused', 'applied'])
    })

    test('a creation that a batch has twice is done once', async () => {
      const [first, second] = [newCommandId(), newCommandId()]
      const outcome = await together(
        [
          newDeal({}, first),
          newDeal({}, first),
          newDeal({ name: 'Other' }, first),
          intentTo('hold', '$1', { reason: 'x' }),
          newDeal({ name: '' }, second),
          intentTo('create', undefined, { name: 'Ann' }, { resource: 'customer', command: second }),
          newDeal({}, second),
        ],
        { atomic: false },
      )
      assert.deepEqual(kindsIn(outcome), [
        ...['applied', 'applied', 'command-id-reused', 'applied', 'invalid', 'applied', 'command-id-reused'],
      ])
      assert.deepEqual(replaysIn(outcome).slice(0, 2), [false, true])
      assert.equal(idIn(outcome, 1), idIn(outcome, 0))
      assert.equal(await revisionOf(idIn(outcome, 0)), 2)
      assert.equal(typeof idIn(outcome, 5), 'number')
    })

    test('a reference names an earlier command, about a thing of the right kind', async () => {
      const outcome = await together(
        [
          intentTo('hold', '$0', { reason: 'x' }),
          intentTo('hold', '$7', { reason: 'x' }),
          toCustomer('create', undefined, { name: 'Ann' }),
          intentTo('hold', '$2', { reason: 'x' }),
          newDeal({ name: '$2' }),
        ],
        { atomic: false },
      )
      assert.deepEqual(kindsIn(outcome), ['invalid', 'invalid', 'applied', 'invalid', 'applied'])
    })

    test('a removal sees what the batch did before it, and parts what refers to the thing', async () => {
      const first = await together([
        toCustomer('create', undefined, { name: 'Ann' }),
        toCustomer('create', undefined, { name: 'Ben' }),
        newDeal({ customerId: '$0' }),
        toTask('create', undefined, { title: 'Call', customerId: '$0' }),
      ])
      const [ann, ben, roof, call] = [0, 1, 2, 3].map((index) => idIn(first, index))
      const inUse = await together([toCustomer('delete', ann), intentTo('hold', String(roof), { reason: 'x' })])
      assert.deepEqual(kindsIn(inUse), ['in-use', 'applied'])
      const outcome = await together([
        intentTo('change-customer', String(roof), { customerId: ben }),
        toTask('change', call, { title: 'Call soon' }),
        toTask('create', undefined, { title: 'Write', customerId: ann }),
        toCustomer('delete', ann),
        toTask('finish', call),
        toTask('delete', '$2'),
        newDeal({ customerId: ben }),
      ])
      assert.deepEqual(kindsIn(outcome), Array(7).fill('applied'))
      assert.equal(await store.as(SERVICE).find(customer, ann ?? 0), undefined)
      assert.equal(await store.as(SERVICE).find(task, idIn(outcome, 2)), undefined)
      const left = await store.as(SERVICE).find(task, call ?? '')
      assert.equal(left?.revision, 4)
      assert.equal(JSON.parse(left?.json ?? '').customerId, null)
    })

    test('what a batch makes and removes leaves only its events', async () => {
      const outcome = await together([toTask('create', undefined, { title: 'Call' }), toTask('delete', '$0')])
      assert.deepEqual(kindsIn(outcome), ['applied', 'applied'])
      assert.equal(await store.as(SERVICE).find(task, idIn(outcome, 0)), undefined)
      assert.equal((await store.as(SERVICE).event(task, idIn(outcome, 0), 2))?.operation, 'delete')
    })

    test('batches on the same things wait for each other', async () => {
      const ids = await Promise.all(Array.from({ length: 20 }, () => made(newDeal())))
      const holding = (order: readonly Key[]) =>
        together(order.map((id) => intentTo('record-payment', String(id), { amount: 1 })))
      const outcomes = await Promise.all([
        ...Array.from({ length: 5 }, (_, at) => holding(at % 2 === 0 ? ids : ids.toReversed())),
        ...ids.map((id) => performAlone(store, intentTo('record-payment', String(id), { amount: 1 }))),
      ])
      assert.equal(outcomes.length, 25)
      for (const id of ids) assert.equal(await revisionOf(id), 7)
    })

    describe('with changes of the model', () => {
      const added = (kind: string, name: string, options: object = {}): Intent =>
        intentTo('create', undefined, { on: 'deal', name, title: name, kind, options }, { resource: 'field' })
      const changed = (resource: string, id: Key, params: object): Intent => ({
        ...intentTo('change', undefined, params, { resource }),
        target: id,
      })
      const own = (id: Key, values: object): Intent => intentTo('set-fields', String(id), { own: values })
      const kindsOf = async (intents: readonly Intent[], options: Partial<IntentBatch> = {}) =>
        kindsIn(await together(intents, { linked: false, ...options }))

      test('a link that the batch sets or clears is known to a removal', async () => {
        await made(added('link', 'chore', { to: 'task' }))
        const [chore, roof] = [await made(toTask('create', undefined, { title: 'Call' })), await made(newDeal())]
        const removal = toTask('delete', chore)
        assert.deepEqual(await kindsOf([own(roof, { chore }), removal]), ['applied', 'in-use'])
        await made(own(roof, { chore }))
        assert.deepEqual(await kindsOf([own(roof, { chore: null }), removal]), ['applied', 'applied'])
      })

      test('a link field that the batch adds leads to things, and holds them', async () => {
        const [errand, roof] = [await made(toTask('create', undefined, { title: 'Call' })), await made(newDeal())]
        const adding = [added('link', 'errand', { to: 'task' }), own(roof, { errand })]
        assert.deepEqual(await kindsOf([...adding, toTask('delete', errand)]), ['applied', 'applied', 'in-use'])
        assert.deepEqual(await kindsOf(adding), ['applied', 'applied'])
      })

      test('a choice that the batch adds and sets is not removed', async () => {
        const values = (...all: string[]) => ({ options: { values: all.map((value) => ({ value, title: value })) } })
        const colour = await made(added('choice', 'colour', values('red', 'blue').options))
        const kinds = await kindsOf([
          changed('field', colour, values('red', 'blue', 'green')),
          own(await made(newDeal()), { colour: 'green' }),
          changed('field', colour, values('red', 'blue')),
        ])
        assert.deepEqual(kinds, ['applied', 'applied', 'in-use'])
      })

      test('what a stage that the batch adds requires of a customer is found', async () => {
        const stages = [{ name: 'due', title: 'Due', likelihood: 10, requires: ['customer.phone'] }]
        const pipeline = { name: 'renewals', title: 'Renewals', stages }
        const ann = await made(toCustomer('create', undefined, { name: 'Ann', phone: '+49 30 1' }))
        const kinds = await kindsOf([
          intentTo('create', undefined, pipeline, { resource: 'pipeline' }),
          newDeal({ customerId: ann, pipeline: 'renewals' }),
        ])
        assert.deepEqual(kinds, ['applied', 'applied'])
      })

      test('a view that the batch shares holds what it names, and one that is shared no longer does not', async () => {
        const region = await made(added('text', 'region'))
        const retiring: Intent = { ...intentTo('retire', undefined, {}, { resource: 'field' }), target: region }
        const query = { name: 'North', collection: 'deals', query: 'own.region=north', shared: true }
        const view = intentTo('create', undefined, query, { resource: 'view' })
        assert.deepEqual(await kindsOf([view, retiring]), ['applied', 'in-use'])
        const shared = await made(view)
        assert.deepEqual(await kindsOf([changed('view', shared, { shared: false }), retiring]), ['applied', 'applied'])
      })

      test('a dry run leaves nothing for the next model, which has the same version', async () => {
        const ann = await made(toCustomer('create', undefined, { name: 'Ann' }))
        for (const field of ['agent', 'lender', 'buyer']) {
          const links = added('link', field, { to: 'customer' })
          const dry = await kindsOf([links, toCustomer('delete', ann)], { dryRun: true })
          assert.deepEqual(dry, ['applied', 'applied'])
        }
      })
    })
  })
}

const newDeal = (params: object = {}, command?: string): Intent =>
  intentTo('create', undefined, { name: 'Roof', price: 1, ...params }, command === undefined ? {} : { command })

const toCustomer = (action: string, target: unknown, params: object = {}): Intent => ({
  ...intentTo(action, undefined, params, { resource: 'customer' }),
  ...(target !== undefined && { target }),
})

const toTask = (action: string, target: unknown, params: object = {}): Intent => ({
  ...intentTo(action, undefined, params, { resource: 'task' }),
  ...(target !== undefined && { target }),
})

const kindsIn = ({ outcomes }: BatchOutcome): readonly string[] =>
  outcomes.map((outcome) => {
    if (outcome.kind === 'not-tried') return `not-tried ${outcome.because}`
    return outcome.kind === 'refused' ? outcome.refusal.code : outcome.kind
  })

const replaysIn = ({ outcomes }: BatchOutcome): readonly boolean[] =>
  outcomes.map((outcome) => outcome.kind === 'applied' && outcome.replayed)

function idIn({ outcomes }: BatchOutcome, index: number): Key {
  const outcome = outcomes[index]
  if (outcome?.kind !== 'applied') assert.fail(`command ${index} was not applied: ${JSON.stringify(outcome)}`)
  return outcome.thing.id
}
