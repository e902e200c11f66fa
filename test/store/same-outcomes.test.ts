import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { deal as deals } from '../../src/model/deal/deal.ts'
import type { Intent } from '../../src/model/perform/intent.ts'
import { operationsOn } from '../../src/model/resources.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/port/store.ts'
import { type OwnDatabase, ownPostgres, ownSqlite } from '../support/database/own-database.ts'
import { intentTo, intentToUpdate } from '../support/deals/intents.ts'

let databases: readonly OwnDatabase[]
let stores: readonly Store[]
before(async () => {
  databases = [ownSqlite(), await ownPostgres()]
  stores = await Promise.all(
    databases.map(({ url }) => openStore({ databaseUrl: url, currency: 'EUR' }, (cause) => assert.fail(cause))),
  )
  for (const store of stores)
    await store.perform(intentTo('create', undefined, { name: 'Ana' }, { resource: 'customer' }))
})
after(async () => {
  for (const store of stores) await store.close()
  for (const database of databases) database.remove()
})

/** What is asked, of one of the deals that the story has made so far, or of none that there is. */
interface Step {
  readonly deal: number
  readonly action: string
  readonly params: unknown
  readonly attributes: boolean
  readonly command: number | undefined
  readonly guard: number | undefined
  readonly dryRun: boolean
}

const operation = fc.constantFrom(...operationsOn(deals)).chain(({ words, examples }) =>
  fc.record({
    action: fc.constantFrom(words.action, words.action, 'Nonsense'),
    params: fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...examples) },
      { weight: 1, arbitrary: fc.constantFrom({}, { amount: -1 }, { customerId: 999 }, { customerId: 1 }, 7) },
    ),
  }),
)

const wanted = fc.record(
  {
    name: fc.constantFrom('Roof', 'Tower', ''),
    price: fc.constantFrom(0.1, 99.95, 1.005),
    held: fc.boolean(),
    holdReason: fc.constantFrom('parts', null),
    stage: fc.constantFrom('lead', 'proposal'),
    customerId: fc.constantFrom(1, 999, null),
  },
  { requiredKeys: [] },
)

const step: fc.Arbitrary<Step> = fc
  .tuple(
    operation,
    wanted,
    fc.record({
      deal: fc.integer({ min: 0, max: 3 }),
      attributes: fc.boolean(),
      command: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
      guard: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined, freq: 8 }),
      dryRun: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    }),
  )
  .map(([asked, attributes, rest]) => ({
    ...rest,
    action: asked.action,
    params: rest.attributes && rest.deal % 2 === 0 ? attributes : asked.params,
    attributes: rest.attributes && rest.deal % 2 === 0,
  }))

/** A story on one store; ids are told by the order in which they came up, times not at all. */
async function tell(store: Store, story: string, steps: readonly Step[]): Promise<string[]> {
  const made: string[] = []
  const told: string[] = []
  for (const { deal, action, params, attributes, command, guard, dryRun } of steps) {
    const creates = action === 'CreateDeal'
    const id = creates ? undefined : (made[deal] ?? '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10')
    const asked: Parameters<typeof intentTo>[3] = {
      ...(command !== undefined && { command: `${story}-${command}` }),
      ...(guard !== undefined && { guard: { revisions: [guard], required: false } }),
      dryRun,
    }
    const intent: Intent =
      attributes && id !== undefined ? intentToUpdate(id, params, asked) : intentTo(action, id, params, asked)
    const outcome = await store.perform(intent)
    if (outcome.kind === 'applied' && !dryRun && !made.includes(String(outcome.thing.id)))
      made.push(String(outcome.thing.id))
    told.push(JSON.stringify(outcome))
  }
  for (const id of made) told.push(JSON.stringify([await store.find(deals, id), await store.event(id, 2)]))
  for (let n = 0; n <= 5; n++) told.push(JSON.stringify((await store.command(`${story}-${n}`)) ?? null))
  return told.map((text) => anonymous(text, made))
}

const anonymous = (text: string, deals: readonly string[]): string =>
  deals
    .reduce((rest, id, at) => rest.replaceAll(id, `deal ${at}`), text)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'a deal')

test('the same operations have the same outcomes on both stores', async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
  process.stdout.write(`seed ${seed}\n`)
  let stories = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const create = { deal: 0, attributes: false, command: undefined, guard: undefined, dryRun: false }
      const whole = [{ ...create, action: 'CreateDeal', params: { name: 'Roof', price: 10 } }, ...steps]
      const story = `story-${stories++}`
      const [here, there] = await Promise.all(stores.map((store) => tell(store, story, whole)))
      assert.deepEqual(there, here)
    }),
    { numRuns: Number(process.env.STORIES ?? 150), seed },
  )
})
