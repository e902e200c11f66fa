import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Intent } from '../../src/model/intent/intent.ts'
import { fillIndexes } from '../../src/store/fill-indexes.ts'
import { openStore } from '../../src/store/open.ts'
import { type Outcome, performAlone, type Store } from '../../src/store/port/store.ts'
import { type OwnDatabase, ownDatabases } from '../support/database/own-database.ts'
import { intentTo } from '../support/deals/intents.ts'

// The model is stored as things. Two instances on one database: each decides by the model that is stored.

const fatal = (cause: Error): never => {
  throw cause
}

const asked = (resource: string, action: string, params: object, target?: string): Intent => ({
  ...intentTo('hold', '', {}),
  resource,
  ...(target === undefined ? { target: undefined } : { target }),
  change: { action, params },
})

const aField = (name: string, more: object = {}): Intent =>
  asked('field', 'CreateField', { on: 'deal', name, title: name, kind: 'integer', ...more })

function codeOf(outcome: Outcome): string {
  return outcome.kind === 'applied' ? 'applied' : outcome.refusal.code
}

for (const [engine, ownDatabase] of ownDatabases) {
  describe(`the stored model on ${engine}`, () => {
    let database: OwnDatabase
    let one: Store
    let other: Store
    const open = () => openStore({ databaseUrl: database.url, currency: 'EUR' }, fatal)
    const versions = (): readonly number[] => [one, other].map(({ schemas }) => schemas.current.version)
    const names = ({ schemas }: Store): readonly string[] => schemas.current.fields.map(({ name }) => name)
    const stored = async () => Number((await database.rows('SELECT version FROM model'))[0]?.version ?? 0)

    before(async () => {
      database = await ownDatabase()
      ;[one, other] = [await open(), await open()]
    })
    after(async () => {
      await Promise.all([one.close(), other.close()])
      database.remove()
    })

    test('is the one of the source at first', async () => {
      assert.deepEqual(versions(), [0, 0])
      assert.equal(await stored(), 0)
    })

    test('holds at once where it is changed, and soon elsewhere', async () => {
      assert.equal(codeOf(await performAlone(one, aField('first'))), 'applied')
      assert.deepEqual([one.schemas.current.version, names(one), await stored()], [1, ['first'], 1])
      while (other.schemas.current.version === 0) await pause(10)
      assert.deepEqual(names(other), ['first'])
    })

    test('decides a write of an instance that did not know it yet', async () => {
      assert.equal(codeOf(await performAlone(one, aField('second'))), 'applied')
      // At once: it is decided anew by the stored model, which has the name.
      assert.equal(codeOf(await performAlone(other, aField('SECOND'.toLowerCase()))), 'name-taken')
      assert.equal(codeOf(await performAlone(one, aField('third'))), 'applied')
      const made = asked('deal', 'CreateDeal', { name: 'Roof', price: 1 })
      assert.equal(codeOf(await performAlone(other, made)), 'applied')
      assert.deepEqual(versions(), [3, 3])
    })

    test('is not changed by a dry run, a refusal or a batch that is undone', async () => {
      const was = await stored()
      await performAlone(one, { ...aField('tried'), dryRun: true })
      await performAlone(one, aField('gte'))
      const intents = [aField('fourth'), aField('fourth')]
      const { outcomes, isKept } = await one.perform({ intents, atomic: true, dryRun: false, linked: false })
      assert.deepEqual([isKept, outcomes.map((each) => codeOf(each as Outcome))], [false, ['applied', 'name-taken']])
      assert.deepEqual([await stored(), names(one).length], [was, 3])
      assert.equal(codeOf(await performAlone(one, aField('fourth'))), 'applied')
    })

    test('has each name once, however many instances add it', async () => {
      const many = Array.from({ length: 20 }, (_, at) => performAlone(at % 2 === 0 ? one : other, aField(`n${at % 5}`)))
      const codes = (await Promise.all(many)).map(codeOf)
      assert.equal(codes.filter((code) => code === 'applied').length, 5)
      assert.equal(codes.filter((code) => code === 'name-taken').length, 15)
      const rows = await database.rows(`SELECT name FROM fields WHERE name LIKE 'n_'`)
      assert.equal(rows.length, 5)
    })

    test('leaves what is retired out, keeps its name, and takes it back', async () => {
      const [{ id } = { id: '' }] = one.schemas.current.fields
      assert.equal(codeOf(await performAlone(one, asked('field', 'RetireField', {}, id))), 'applied')
      assert.equal(codeOf(await performAlone(one, asked('field', 'ChangeField', { title: 'T' }, id))), 'wrong-state')
      assert.equal(codeOf(await performAlone(other, aField('first'))), 'name-taken')
      assert.equal(codeOf(await performAlone(other, asked('field', 'RestoreField', {}, id))), 'applied')
      assert.equal(other.schemas.current.fields[0]?.retiredAt, null)
    })

    test('is there when a store opens, with what it was when it closed', async () => {
      const again = await open()
      assert.deepEqual(again.schemas.current.fields, other.schemas.current.fields)
      assert.equal(again.schemas.current.version, await stored())
      await again.close()
    })

    test('has its indexes filled in steps, by any instance, from where another one ended', async () => {
      assert.equal(codeOf(await performAlone(one, aField('code'))), 'applied')
      for (const code of [1, 2, 3, 4, 5])
        await performAlone(one, asked('deal', 'CreateDeal', { name: 'Roof', price: 1, own: { code } }))
      const id = String(one.schemas.current.fields.find(({ name }) => name === 'code')?.id)
      assert.equal(codeOf(await performAlone(one, asked('field', 'ChangeField', { unique: true }, id))), 'applied')
      while (other.schemas.current.version < one.schemas.current.version) await pause(10)
      const known = async () => (await database.rows("SELECT value FROM deals_own WHERE field = 'code'")).length
      // What is written meanwhile is there at once, and checked.
      await performAlone(one, asked('deal', 'CreateDeal', { name: 'Roof', price: 1, own: { code: 6 } }))
      assert.equal(await known(), 1)
      const again = asked('deal', 'CreateDeal', { name: 'Roof', price: 1, own: { code: 6 } })
      assert.equal(codeOf(await performAlone(other, again)), 'not-unique')
      const total = Number((await database.rows('SELECT count(*) AS total FROM deals'))[0]?.total)
      const steps: string[] = []
      for (const store of [one, other, one]) steps.push(await store.indexes.fillIndex('deal', 'code', 2, 2))
      assert.deepEqual(steps, ['more', 'more', 'more'])
      const before = await known()
      assert.ok(before < total, 'not yet all')
      while (steps.at(-1) === 'more') steps.push(await other.indexes.fillIndex('deal', 'code', 2, 2))
      assert.deepEqual([steps.length, steps.at(-1)], [Math.floor(total / 2) + 1, 'done'])
      assert.equal(await known(), 6)
      assert.deepEqual(await one.indexes.repeats('deal', 'code'), [])
      // Another revision of the field begins anew.
      assert.equal(await one.indexes.fillIndex('deal', 'code', 3, total + 1), 'done')
      const builder = fillIndexes(other, (cause) => assert.ifError(cause))
      const state = () => other.schemas.current.fields.find(({ name }) => name === 'code')?.state
      while (state() === 'building') await pause(10)
      await builder.close()
      assert.equal(state(), 'ready')
    })
  })
}
