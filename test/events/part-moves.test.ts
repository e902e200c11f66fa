import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startMoves } from '../../src/events/part-moves.ts'
import type { Intent } from '../../src/model/perform/intent.ts'
import { openStore } from '../../src/store/open.ts'
import { type Outcome, performAlone, type Store, StoreUnavailable } from '../../src/store/port/store.ts'
import { type OwnDatabase, ownDatabases } from '../support/database/own-database.ts'
import { intentTo } from '../support/deals/intents.ts'

// Deals leave a pipeline that is being removed. The store alone moves none: each test starts the moves itself.

const fatal = (cause: unknown): never => {
  throw cause
}

const asked = (resource: string, action: string, params: object, target?: unknown): Intent => ({
  ...intentTo('hold', '', {}),
  ...{ resource, actor: 'mila', target, change: { action, params } },
})

/** Faults of the moves fail the test that waits for them. */
const faults: unknown[] = []
const onFault = (cause: unknown): void => {
  // A store that is too busy is asked again.
  if (!(cause instanceof StoreUnavailable)) faults.push(cause)
}
const going = async (): Promise<void> => {
  assert.deepEqual(faults, [])
  await pause(5)
}

const codeOf = (outcome: Outcome): string => (outcome.kind === 'applied' ? 'applied' : outcome.refusal.code)

/** More than are moved in one commit. */
const DEALS = 120

const stages = [{ name: 'due' }, { name: 'proposal' }, { name: 'signed', requires: ['owner'] }]

for (const [engine, ownDatabase] of ownDatabases) {
  describe(`moves out of what is removed, on ${engine}`, () => {
    let database: OwnDatabase
    let one: Store
    let other: Store
    const open = () => openStore({ databaseUrl: database.url, currency: 'EUR' }, fatal)
    const done = (intent: Intent, store = one) => performAlone(store, intent)
    const change = (name: string, action: string, params: object) => done(asked('pipeline', action, params, { name }))
    const places = (pipeline: string) =>
      database.rows(
        `SELECT stage, count(*) AS n FROM deals WHERE pipeline = '${pipeline}' GROUP BY stage ORDER BY stage`,
      )
    const pipelineIn = (store: Store, name: string) =>
      store.schemas.current.pipelines.find((each) => each.name === name)
    const inStage = async (stage: string) => (await places('renewals')).find((row) => row.stage === stage)?.n ?? 0

    before(async () => {
      database = await ownDatabase()
      ;[one, other] = [await open(), await open()]
      await done(asked('pipeline', 'CreatePipeline', { name: 'renewals', title: 'Renewals', stages }))
      const intents = Array.from({ length: DEALS }, (_, nth) =>
        asked('deal', 'CreateDeal', {
          ...{ name: `Deal ${nth}`, price: 1, pipeline: 'renewals' },
          stage: nth % 2 === 0 ? 'due' : 'proposal',
        }),
      )
      const { outcomes } = await one.perform({ intents, atomic: true, dryRun: false, linked: false })
      const [first, second, third] = outcomes.map((each) => (each.kind === 'applied' ? each.thing.id : ''))
      for (const [id, operation, params] of [
        [first, 'delete', {}],
        [second, 'hold', { reason: 'credit check' }],
        [third, 'cancel', { reason: 'Too expensive' }],
        [third, 'archive', {}],
      ] as const)
        assert.equal(codeOf(await done(asked('deal', operation, params, id))), 'applied', operation)
    })
    after(async () => {
      await Promise.all([one.close(), other.close()])
      database.remove()
    })

    test('need to be told where to, and close the stage to others at once', async () => {
      const fewer = { stages: stages.filter(({ name }) => name !== 'due') }
      const refused = await change('renewals', 'ChangePipeline', fewer)
      assert.deepEqual(refused, {
        kind: 'refused',
        replayed: false,
        refusal: {
          ...{ code: 'in-use', resource: 'pipeline', id: pipelineIn(one, 'renewals')?.id },
          ...{ count: DEALS / 2, part: 'due' },
        },
      })
      for (const moveTo of [{ due: 'due' }, { due: 'lead' }, { due: 'signed', lead: 'signed' }])
        assert.equal(codeOf(await change('renewals', 'ChangePipeline', { ...fewer, moveTo })), 'invalid')
      const begun = await change('renewals', 'ChangePipeline', { ...fewer, moveTo: { due: 'signed' } })
      assert.equal(codeOf(begun), 'applied')
      assert.deepEqual(
        pipelineIn(one, 'renewals')?.stages.map(({ name, closing }) => [name, closing]),
        [
          ['due', true],
          ['proposal', false],
          ['signed', false],
        ],
      )
      const entering = { name: 'Late', price: 1, pipeline: 'renewals', stage: 'due' }
      assert.equal(codeOf(await done(asked('deal', 'CreateDeal', entering))), 'closing')
      const { stage: _closing, ...first } = entering
      assert.equal(codeOf(await done(asked('deal', 'CreateDeal', first), other)), 'applied')
      assert.equal(await inStage('due'), DEALS / 2, 'nothing has moved yet')
    })

    test('go on after an end in between, and the stage goes when it is empty', async () => {
      const first = startMoves(one, onFault)
      while (Number(await inStage('signed')) === 0) await going()
      await first.close()
      const again = startMoves(other, onFault)
      while (pipelineIn(other, 'renewals')?.stages.some(({ name }) => name === 'due')) await going()
      await again.close()
      // Without asking for an owner, which the stage requires.
      assert.deepEqual(
        (await places('renewals')).map(({ stage, n }) => [stage, Number(n)]),
        [
          ['proposal', DEALS / 2 + 1],
          ['signed', DEALS / 2],
        ],
      )
      assert.equal(pipelineIn(other, 'renewals')?.moveTo, null)
    })

    test('are done once by two instances, by the one who asked, to deleted, archived and held deals too', async () => {
      while (one.schemas.current.version < other.schemas.current.version) await pause(5)
      assert.equal(codeOf(await change('renewals', 'DeletePipeline', {})), 'in-use')
      assert.equal(codeOf(await change('renewals', 'DeletePipeline', { moveTo: 'renewals' })), 'invalid')
      assert.equal(codeOf(await change('renewals', 'DeletePipeline', { moveTo: 'elsewhere' })), 'invalid')
      assert.equal(codeOf(await change('sales', 'DeletePipeline', { moveTo: 'renewals' })), 'in-use')
      const begun = await change('renewals', 'DeletePipeline', { moveTo: 'sales' })
      assert.ok(begun.kind === 'applied' && !begun.removed)
      assert.partialDeepStrictEqual(JSON.parse(begun.thing.json), { closing: true, successor: 'sales' })
      assert.match(String(begun.event?.entry), /"type":"pipeline.changed"/)
      const entering = asked('deal', 'CreateDeal', { name: 'Late', price: 1, pipeline: 'renewals' })
      assert.equal(codeOf(await done(entering, other)), 'closing')
      assert.equal(codeOf(await change('renewals', 'ChangePipeline', { default: true })), 'invalid')
      assert.equal(codeOf(await change('renewals', 'DeletePipeline', {})), 'applied', 'it goes on')
      const working = [startMoves(one, onFault), startMoves(other, onFault)]
      while ([one, other].some((store) => pipelineIn(store, 'renewals') !== undefined)) await going()
      await Promise.all(working.map((each) => each.close()))
      assert.deepEqual(
        (await places('sales')).map(({ stage, n }) => [stage, Number(n)]),
        [
          ['lead', DEALS / 2],
          ['proposal', DEALS / 2 + 1],
        ],
      )
      const moves = await database.rows(
        `SELECT actor, count(*) AS n, count(DISTINCT subject) AS things FROM events
          WHERE type = 'deal.moved' AND params LIKE '%"pipeline":"sales"%' GROUP BY actor`,
      )
      assert.deepEqual(
        moves.map(({ actor, n, things }) => [actor, Number(n), Number(things)]),
        [['mila', DEALS + 1, DEALS + 1]],
      )
      const states = await database.rows(
        `SELECT count(*) AS n FROM deals WHERE pipeline = 'sales' AND (deleted_at IS NOT NULL OR hold_reason IS NOT NULL OR status = 'cancelled')`,
      )
      assert.equal(Number(states[0]?.n), 3)
      const last = await database.rows(`SELECT type, actor FROM events WHERE type = 'pipeline.deleted'`)
      assert.deepEqual(
        last.map(({ actor }) => actor),
        ['mila'],
      )
    })
  })
}
