import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { alone } from '../../../../src/model/intent/batch.ts'
import type { Intent } from '../../../../src/model/intent/intent.ts'
import { performAlone, type Store } from '../../../../src/store/port/store.ts'
import { openPostgres } from '../../../../src/store/postgres/open.ts'
import { type OwnDatabase, ownPostgres } from '../../../support/database/own-database.ts'
import { intentTo } from '../../../support/deals/intents.ts'

// What the database forbids for a reason that no decision knows stays forbidden: trying again cannot help.

let database: OwnDatabase
let store: Store
before(async () => {
  database = await ownPostgres('ready')
  store = await openPostgres({ url: database.url, currency: 'EUR' })
})
after(() => store.close())

let planted: readonly string[] = []
const plant = async (statements: readonly string[], removal: readonly string[]): Promise<void> => {
  planted = removal
  for (const statement of statements) await database.rows(statement)
}
afterEach(async () => {
  for (const statement of planted) await database.rows(statement)
  planted = []
})

const newDeal = (name: string) => intentTo('create', undefined, { name, price: 1 })
const made = async (intent: Intent): Promise<string> => {
  const outcome = await performAlone(store, intent)
  assert.ok(outcome.kind === 'applied', JSON.stringify(outcome))
  return String(outcome.thing.id)
}

/** How an intent fails: alone, and in a batch. */
async function assertRemains(intents: readonly Intent[], told: RegExp, cause: RegExp): Promise<void> {
  for (const batch of [alone(intents[0] as Intent), { intents, atomic: false, dryRun: false, linked: true }]) {
    await assert.rejects(store.perform(batch), (error: Error) => {
      assert.equal(error.name, 'ConflictRemains')
      assert.match(error.message, told)
      assert.match(String(error.cause), cause)
      return true
    })
  }
}

test('a unique index that no decision knows fails a write at once, and no other', async () => {
  await plant(['CREATE UNIQUE INDEX planted ON deals (name)'], ['DROP INDEX planted'])
  await made(newDeal('Roof'))
  await assertRemains([newDeal('Roof'), newDeal('Hall')], /deal .*create/, /"planted"/)
  const [failed, ...others] = await Promise.allSettled(
    ['Roof', 'Porch', 'Door'].map((name) => performAlone(store, newDeal(name))),
  )
  assert.equal(failed?.status, 'rejected')
  assert.ok(others.every((each) => each.status === 'fulfilled' && each.value.kind === 'applied'))
})

test('a reference that no decision knows fails a removal at once, and tells the thing', async () => {
  const id = await made(intentTo('create', undefined, { name: 'Ann' }, { resource: 'customer' }))
  await plant(
    ['CREATE TABLE planted (customer bigint REFERENCES customers)', `INSERT INTO planted VALUES (${id})`],
    ['DROP TABLE planted'],
  )
  const deletion = intentTo('delete', undefined, {}, { resource: 'customer', target: Number(id) })
  await assertRemains([deletion, newDeal('Shed')], new RegExp(`customer ${id} delete`), /table "planted"/)
})

test('a row that does not take a change fails it at once', async () => {
  const id = await made(newDeal('Gate'))
  await plant(
    [
      'CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
      'CREATE TRIGGER planted BEFORE UPDATE ON deals FOR EACH ROW EXECUTE FUNCTION planted()',
    ],
    ['DROP FUNCTION planted CASCADE'],
  )
  const hold = intentTo('hold', id, { reason: 'x' }, { command: 'held once' })
  await assertRemains([hold], new RegExp(`deal "${id}" hold \\(held once\\)`), /BatchOutdated/)
})

test('a conflict that has gone meanwhile is not told', async () => {
  const id = await made(newDeal('Wall'))
  await plant(
    [
      'CREATE SEQUENCE planted_tries',
      `CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('planted_tries') > 2 THEN RETURN NEW; END IF;
        RETURN NULL;
      END $$`,
      'CREATE TRIGGER planted BEFORE UPDATE ON deals FOR EACH ROW EXECUTE FUNCTION planted()',
    ],
    ['DROP FUNCTION planted CASCADE', 'DROP SEQUENCE planted_tries'],
  )
  assert.equal(await made(intentTo('hold', id, { reason: 'x' })), id)
})
