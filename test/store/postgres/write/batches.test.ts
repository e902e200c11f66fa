import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import type { Intent } from '../../../../src/model/intent/intent.ts'
import { SERVICE } from '../../../../src/store/port/desk.ts'
import { type Outcome, performAlone, type Store } from '../../../../src/store/port/store.ts'
import { openPostgres } from '../../../../src/store/postgres/open.ts'
import { type BreakingProxy, breakingProxy } from '../../../support/database/breaking-proxy.ts'
import { type OwnDatabase, ownPostgres } from '../../../support/database/own-database.ts'
import { whileBack } from '../../../support/database/while-back.ts'
import { intentTo, newCommandId } from '../../../support/deals/intents.ts'
import { deal } from '../../../support/schema.ts'

let database: OwnDatabase
let proxy: BreakingProxy
let store: Store
let other: Store
before(async () => {
  database = await ownPostgres('ready')
  proxy = await breakingProxy(database.url)
  store = await openPostgres({ url: proxy.url, currency: 'EUR' })
  other = await openPostgres({ url: database.url, currency: 'EUR' })
})
after(async () => {
  await Promise.all([store.close(), other.close()])
  await proxy.close()
})

const together = (intents: readonly Intent[], on = store): Promise<Outcome[]> =>
  Promise.all(intents.map((intent) => performAlone(on, intent)))

const pay = (id: string, reference = 'usual', command?: string): Intent =>
  intentTo('record-payment', id, { amount: 1, reference }, command === undefined ? {} : { command })

async function newDeals(count: number): Promise<string[]> {
  const made = await together(
    Array.from({ length: count }, () => intentTo('create', undefined, { name: 'Roof', price: 1 })),
  )
  return made.map(idOf)
}

function idOf(outcome: Outcome): string {
  assert.ok(outcome.kind === 'applied', JSON.stringify(outcome))
  return String(outcome.thing.id)
}

const isApplied = ({ kind }: Outcome): boolean => kind === 'applied'

/** Each was paid so often, and each payment is an event, in order. */
async function assertPaid(deals: readonly string[], times: number): Promise<void> {
  for (const id of deals) {
    const shown = JSON.parse((await other.as(SERVICE).find(deal, id))?.json ?? '{}')
    assert.partialDeepStrictEqual(shown, { paid: times, revision: times + 1 })
    const events = await database.rows('SELECT revision FROM events WHERE subject = ? ORDER BY sequence', id)
    assert.deepEqual(
      events.map(({ revision }) => Number(revision)),
      Array.from({ length: times + 1 }, (_, at) => at + 1),
    )
  }
}

/** How many writes made that revision of the deals. */
async function writesOf(deals: readonly string[], revision: number): Promise<number> {
  const [row] = await database.rows(
    `SELECT count(DISTINCT write_id) AS n FROM events WHERE revision = ? AND subject = ANY (string_to_array(?, ','))`,
    revision,
    deals.join(),
  )
  return Number(row?.n)
}

test('what comes together is committed together, whichever deals it is about', async () => {
  const { commits, changes } = store.counts
  const deals = await newDeals(20)
  assert.ok((await together(deals.flatMap((id) => [pay(id), pay(id)]))).every(isApplied))
  assert.deepEqual([store.counts.commits - commits, store.counts.changes - changes], [2, 60])
  assert.equal(await writesOf(deals, 1), 1)
  assert.equal(await writesOf(deals, 3), 1)
  await assertPaid(deals, 2)
})

test('a refusal in a batch leaves its neighbours alone', async () => {
  const deals = await newDeals(4)
  const [first, wrong, missing, invalid, last] = await together([
    pay(deals[0] ?? ''),
    intentTo('unhold', deals[1] ?? '', {}, { command: newCommandId() }),
    pay('01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10'),
    intentTo('record-payment', deals[2] ?? '', { amount: -1 }),
    pay(deals[3] ?? ''),
  ])
  assert.deepEqual(
    [first, wrong, missing, invalid, last].map((each) => (each?.kind === 'refused' ? each.refusal.code : each?.kind)),
    ['applied', 'wrong-state', 'not-found', 'invalid', 'applied'],
  )
  await assertPaid([deals[0] ?? '', deals[3] ?? ''], 1)
  await assertPaid([deals[1] ?? '', deals[2] ?? ''], 0)
})

test('a command id that comes twice in a batch has one effect, also on two deals', async () => {
  const [one = '', another = ''] = await newDeals(2)
  const [same, reused] = [newCommandId(), newCommandId()]
  const [first, copy] = await together([pay(one, 'usual', same), pay(one, 'usual', same)])
  assert.ok(first?.kind === 'applied' && copy?.kind === 'applied')
  assert.deepEqual(copy, { ...first, replayed: true })
  const [kept, refused] = await together([pay(one, 'usual', reused), pay(another, 'usual', reused)])
  assert.equal(kept?.kind, 'applied')
  assert.ok(refused?.kind === 'refused' && refused.refusal.code === 'command-id-reused')
  const command = newCommandId()
  const copies = await together(
    Array.from({ length: 5 }, () => intentTo('create', undefined, { name: 'Once', price: 1 }, { command })),
  )
  assert.equal(new Set(copies.map(idOf)).size, 1)
  await assertPaid([one], 2)
  await assertPaid([another], 0)
})

test('a creation under a command id that is also the id of a deal makes a deal of its own', async () => {
  const [id = ''] = await newDeals(1)
  const [made, paid] = await together([
    intentTo('create', undefined, { name: 'Own', price: 1 }, { command: id }),
    pay(id),
  ])
  assert.ok(made !== undefined && paid !== undefined)
  assert.notEqual(idOf(made), id)
  assert.equal(idOf(paid), id)
  await assertPaid([id], 1)
})

for (const [holding, hold] of [
  ['another instance', 'SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0))'],
  ['another program', 'SELECT FROM deals WHERE id = $1 FOR UPDATE'],
] as const) {
  test(`a deal that ${holding} holds falls out of its batch and waits alone`, async (t) => {
    const deals = await newDeals(6)
    const holder = new pg.Client({ connectionString: database.url })
    t.after(() => holder.end())
    await holder.connect()
    await holder.query('BEGIN')
    await holder.query(hold, [deals[2]])
    let isWaiting = true
    const [waiting, others] = [
      performAlone(store, pay(deals[2] ?? '')).finally(() => {
        isWaiting = false
      }),
      together(deals.filter((_, at) => at !== 2).map((id) => pay(id))),
    ]
    assert.ok((await others).every(isApplied))
    assert.ok(isWaiting)
    // The next batch does not wait for it either.
    assert.ok((await together(deals.filter((_, at) => at !== 2).map((id) => pay(id)))).every(isApplied))
    assert.ok(isWaiting)
    await holder.query('COMMIT')
    assert.ok(isApplied(await waiting))
    await assertPaid([deals[2] ?? ''], 1)
    await assertPaid(
      deals.filter((_, at) => at !== 2),
      2,
    )
  })
}

test('a deal that was changed after it was read is read again, and its neighbours are written', async (t) => {
  const deals = await newDeals(3)
  const client = new pg.Client({ connectionString: database.url })
  t.after(() => client.end())
  await client.connect()
  // As if somebody changed the deal in between: a batch finds a revision that it did not read, once.
  await client.query(`CREATE TABLE moved (id text PRIMARY KEY);
    CREATE FUNCTION move_on() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO moved VALUES (OLD.id) ON CONFLICT DO NOTHING;
      IF FOUND THEN RETURN NULL; END IF;
      RETURN NEW;
    END $$`)
  await client.query(
    `CREATE TRIGGER move_on BEFORE UPDATE ON deals FOR EACH ROW WHEN (OLD.id = '${deals[1]}') EXECUTE FUNCTION move_on()`,
  )
  t.after(() => database.rows('DROP TRIGGER move_on ON deals'))
  assert.ok((await together(deals.map((id) => pay(id, 'usual', newCommandId())))).every(isApplied))
  await assertPaid(deals, 1)
  assert.equal(await writesOf(deals, 2), 2)
})

test('two instances on the same deals and commands, in opposite orders, do everything once', async (t) => {
  const deals = await newDeals(16)
  const rounds = 12
  const work = async (on: Store, ids: readonly string[]) => {
    const outcomes: Outcome[] = []
    for (let round = 0; round < rounds; round++) {
      const intents = ids.map((id) => pay(id, 'usual', `round ${round} of ${id}`))
      outcomes.push(...(await together([...intents, ...ids.map((id) => pay(id))], on)))
    }
    return outcomes
  }
  const outcomes = (await Promise.all([work(store, deals), work(other, deals.toReversed())])).flat()
  assert.ok(outcomes.every(isApplied))
  const replayed = outcomes.filter(({ replayed }) => replayed).length
  assert.equal(replayed, rounds * deals.length)
  // Each command once, and what came without one from both.
  await assertPaid(deals, rounds * 3)
  t.diagnostic(`${outcomes.length} payments, ${replayed} replayed`)
})

test('deals are made for customers who are removed meanwhile, without an error', async () => {
  const ofCustomer = { resource: 'customer' }
  const customers = (
    await together(Array.from({ length: 8 }, () => intentTo('create', undefined, { name: 'Ana' }, ofCustomer)))
  ).map((made) => Number(idOf(made)))
  assert.deepEqual(
    customers,
    customers.toSorted((a, b) => a - b),
  )
  const make = (customerId: number) => intentTo('create', undefined, { name: 'Roof', price: 1, customerId })
  const remove = (target: number) => intentTo('delete', undefined, {}, { ...ofCustomer, target })
  const [made, removed] = await Promise.all([
    together([...customers.map(make), ...customers.map(make)]),
    together(customers.toReversed().map(remove), other),
  ])
  const left = await database.rows('SELECT id FROM customers')
  assert.equal(left.length, removed.filter((each) => !isApplied(each)).length)
  for (const outcome of [...made, ...removed]) {
    if (outcome.kind === 'refused') assert.ok(['invalid', 'in-use'].includes(outcome.refusal.code))
  }
})

for (const [when, lose] of [
  ['before its commit', () => proxy.breakBefore('COMMIT')],
  ['behind its commit', () => proxy.breakBehind('the one that is lost')],
] as const) {
  test(
    `a batch of many whose connection is lost ${when} is done once`,
    whileBack(async () => {
      const deals = await newDeals(30)
      const broken = proxy.broken
      const name = `${when} ${broken}`
      const makes = Array.from({ length: 10 }, (_, n) =>
        intentTo('create', undefined, { name: `${name} ${n}`, price: 1 }),
      )
      lose()
      const outcomes = await together([...makes, ...deals.map((id) => pay(id, 'the one that is lost'))])
      assert.equal(proxy.broken, broken + 1)
      assert.ok(outcomes.every((each) => isApplied(each) && !each.replayed))
      await assertPaid(deals, 1)
      const made = await database.rows('SELECT id FROM deals WHERE name LIKE ?', `${name} %`)
      assert.deepEqual(new Set(made.map(({ id }) => id)), new Set(outcomes.slice(0, 10).map(idOf)))
    }),
  )
}
