import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startMoves } from '../../src/events/part-moves.ts'
import type { Intent } from '../../src/model/intent/intent.ts'
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

const choicesOf = (...values: readonly string[]) => ({ values: values.map((value) => ({ value, title: value })) })

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

for (const [engine, ownDatabase] of ownDatabases) {
  describe(`choices that are replaced, on ${engine}`, () => {
    let database: OwnDatabase
    let one: Store
    let other: Store
    const open = () => openStore({ databaseUrl: database.url, currency: 'EUR' }, fatal)
    const done = (intent: Intent, store = one) => performAlone(store, intent)
    const fieldIn = (store: Store, name: string) => store.schemas.current.fields.find((each) => each.name === name)
    const valuesIn = (store: Store, name: string) =>
      fieldIn(store, name)?.options?.values?.map(({ value, closing = false }) => `${value}${closing ? ' closing' : ''}`)
    const change = (name: string, params: object, store = one) =>
      done(asked('field', 'change', params, fieldIn(store, name)?.id), store)
    const settled = async (store: Store, name: string) => {
      while (fieldIn(store, name)?.options?.values?.some(({ closing }) => closing)) await going()
    }
    const owns = async (table: string) => {
      const rows = await database.rows(`SELECT own, count(*) AS n FROM ${table} GROUP BY own ORDER BY own`)
      return rows.map(({ own, n }) => [own, Number(n)])
    }
    const makeOf = (resource: string, action: string, owns: readonly object[]) => {
      const given = (nth: number) => (resource === 'deal' ? { name: `Deal ${nth}`, price: 1 } : { name: `Name ${nth}` })
      const intents = owns.map((own, nth) => asked(resource, action, { ...given(nth), own }))
      return one.perform({ intents, atomic: true, dryRun: false, linked: false })
    }

    before(async () => {
      database = await ownDatabase()
      ;[one, other] = [await open(), await open()]
      const described = { title: 'T', options: choicesOf('retail', 'health', 'other', 'unused') }
      for (const field of [
        { on: 'deal', name: 'branch', kind: 'choice' },
        { on: 'customer', name: 'tags', kind: 'choices' },
        { on: 'customer', name: 'level', kind: 'choice', indexed: true },
      ])
        assert.equal(codeOf(await done(asked('field', 'create', { ...field, ...described }))), 'applied')
      const { outcomes } = await makeOf(
        'deal',
        'CreateDeal',
        Array.from({ length: DEALS }, (_, nth) => ({ branch: nth % 2 === 0 ? 'retail' : 'health' })),
      )
      const [first, , third] = outcomes.map((each) => (each.kind === 'applied' ? each.thing.id : ''))
      for (const [id, operation, params] of [
        [first, 'delete', {}],
        [third, 'cancel', { reason: 'Too expensive' }],
        [third, 'archive', {}],
      ] as const)
        assert.equal(codeOf(await done(asked('deal', operation, params, id))), 'applied', operation)
      const sets = [['retail'], ['health', 'retail'], ['retail', 'other'], ['retail', 'health', 'other'], ['other']]
      const { isKept } = await makeOf(
        'customer',
        'CreateCustomer',
        sets.map((tags) => ({ tags, level: 'retail' })),
      )
      assert.ok(isKept)
    })
    after(async () => {
      await Promise.all([one.close(), other.close()])
      database.remove()
    })

    test('need another for those that things have, and one that nothing has is left out', async () => {
      const { id } = fieldIn(one, 'branch') ?? {}
      assert.deepEqual(await change('branch', { options: choicesOf('health', 'other') }), {
        kind: 'refused',
        replayed: false,
        refusal: { code: 'in-use', resource: 'field', id, part: 'retail', count: DEALS / 2 },
      })
      const tags = await change('tags', { options: choicesOf('health', 'other', 'unused') })
      assert.partialDeepStrictEqual(tags, { refusal: { code: 'in-use', part: 'retail', count: 4 } })
      const level = await change('level', { options: choicesOf('health') })
      assert.partialDeepStrictEqual(level, { refusal: { code: 'in-use', part: 'retail', count: 5 } })
      assert.equal(codeOf(await change('branch', { options: choicesOf('retail', 'health', 'other') })), 'applied')
      assert.deepEqual(valuesIn(one, 'branch'), ['retail', 'health', 'other'])
    })

    test('are named in full, or refused at their place', async () => {
      const fewer = { options: choicesOf('health', 'other') }
      for (const [params, pointer, code] of [
        [{ ...fewer, replaceBy: { retail: 'nothing' } }, '/replaceBy/retail', 'not-one-of'],
        [{ ...fewer, replaceBy: { retail: 'retail' } }, '/replaceBy/retail', 'not-one-of'],
        [
          { options: choicesOf('other'), replaceBy: { retail: 'health', health: 'other' } },
          '/replaceBy/retail',
          'not-one-of',
        ],
        [{ ...fewer, replaceBy: { nothing: 'health', retail: 'health' } }, '/replaceBy/nothing', 'unknown'],
        [{ ...fewer, replaceBy: { health: 'other', retail: 'health' } }, '/replaceBy/health', 'contradicts'],
        [{ replaceBy: { retail: 'health' } }, '/replaceBy', 'goes-with'],
        [{ ...fewer, replaceBy: ['health'] }, '/replaceBy', 'type'],
        [{ ...fewer, replaceBy: { retail: 7 } }, '/replaceBy/retail', 'not-one-of'],
      ] as const) {
        const outcome = await change('branch', params)
        assert.ok(outcome.kind === 'refused' && outcome.refusal.code === 'invalid', JSON.stringify(params))
        assert.deepEqual(
          outcome.refusal.faults.map((fault) => [fault.at.pointer, fault.code]),
          [[pointer, code]],
        )
      }
      const half = { options: choicesOf('other'), replaceBy: { retail: 'other' } }
      assert.partialDeepStrictEqual(await change('branch', half), { refusal: { part: 'health', count: DEALS / 2 } })
    })

    test('are closed to writes at once, and found until they have moved', async () => {
      const begun = await change('branch', { options: choicesOf('health', 'other'), replaceBy: { retail: 'health' } })
      assert.equal(codeOf(begun), 'applied')
      assert.deepEqual(valuesIn(one, 'branch'), ['retail closing', 'health', 'other'])
      for (const store of [one, other]) {
        const late = asked('deal', 'CreateDeal', { name: 'Late', price: 1, own: { branch: 'retail' } })
        assert.equal(codeOf(await done(late, store)), 'invalid')
      }
      const again = await change('branch', { options: choicesOf('retail', 'health', 'other') })
      assert.equal(codeOf(again), 'applied')
      assert.deepEqual(valuesIn(one, 'branch'), ['retail closing', 'health', 'other'], 'it stays closing')
      const groups = await owns('deals')
      assert.deepEqual(groups, [
        ['{"branch":"health"}', DEALS / 2],
        ['{"branch":"retail"}', DEALS / 2],
      ])
    })

    test('move things, deleted and archived ones too, on another instance after an end in between', async () => {
      const first = startMoves(one, onFault)
      while (Number((await owns('deals')).find(([own]) => own === '{"branch":"health"}')?.[1]) === DEALS / 2)
        await going()
      await first.close()
      const again = [startMoves(other, onFault), startMoves(one, onFault)]
      await Promise.all([settled(one, 'branch'), settled(other, 'branch')])
      await Promise.all(again.map((each) => each.close()))
      assert.deepEqual(await owns('deals'), [['{"branch":"health"}', DEALS]])
      assert.deepEqual([valuesIn(one, 'branch'), fieldIn(one, 'branch')?.replaceBy], [['health', 'other'], null])
      const told = await database.rows(
        `SELECT actor, type, count(*) AS n, count(DISTINCT subject) AS things FROM events
          WHERE form = 'service' AND resource = 'deal' GROUP BY actor, type`,
      )
      assert.deepEqual(
        told.map(({ actor, type, n, things }) => [actor, type, Number(n), Number(things)]),
        [['mila', 'deal.fields-set', DEALS / 2, DEALS / 2]],
      )
    })

    test('stay in their order in a set, without a repetition; several at once, with an index too', async () => {
      const working = startMoves(one, onFault)
      const tags = { options: choicesOf('health', 'unused'), replaceBy: { retail: 'health', other: 'unused' } }
      assert.equal(codeOf(await change('tags', tags)), 'applied')
      assert.equal(
        codeOf(await change('level', { options: choicesOf('other'), replaceBy: { retail: 'other' } })),
        'applied',
      )
      await settled(one, 'tags')
      await settled(one, 'level')
      await working.close()
      assert.deepEqual(await owns('customers'), [
        ['{"level":"other","tags":"health"}', 2],
        ['{"level":"other","tags":"health; unused"}', 2],
        ['{"level":"other","tags":"unused"}', 1],
      ])
      assert.deepEqual([valuesIn(one, 'tags'), valuesIn(one, 'level')], [['health', 'unused'], ['other']])
      const indexed = await database.rows(`SELECT field, value, count(*) AS n FROM customers_own GROUP BY field, value`)
      assert.deepEqual(
        indexed.map(({ field, value, n }) => [field, value, Number(n)]),
        [['level', 'other', 5]],
      )
    })

    test('wait while their field is retired', async () => {
      const options = choicesOf('other')
      assert.equal(codeOf(await change('branch', { options, replaceBy: { health: 'other' } })), 'applied')
      const { id } = fieldIn(one, 'branch') ?? {}
      assert.equal(codeOf(await done(asked('field', 'retire', {}, id))), 'applied')
      const working = startMoves(one, onFault)
      assert.equal(codeOf(await done(asked('field', 'restore', {}, id))), 'applied')
      await settled(one, 'branch')
      await working.close()
      assert.deepEqual(await owns('deals'), [['{"branch":"other"}', DEALS]])
    })

    test('are refused together with the conditions that name them, which stay also if things have another', async () => {
      const view = { name: 'Others', collection: 'deals', query: 'own.branch=other', shared: true }
      assert.equal(codeOf(await done(asked('view', 'create', view))), 'applied')
      const options = choicesOf('new')
      const usedBy = [{ on: 'view', name: 'Others' }]
      const both = await change('branch', { options })
      assert.partialDeepStrictEqual(both, { refusal: { code: 'in-use', part: 'other', count: DEALS, usedBy } })
      const named = await change('branch', { options, replaceBy: { other: 'new' } })
      assert.partialDeepStrictEqual(named, { refusal: { code: 'in-use', usedBy } })
    })
  })
}
