import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Wave } from '../../src/imports/read/read-waves.ts'
import { resolveNames } from '../../src/imports/rows/resolve-names.ts'
import { languages } from '../../src/languages/language.ts'
import { tell } from '../../src/languages/tell.ts'
import { openStore } from '../../src/store/open.ts'
import { SERVICE } from '../../src/store/port/desk.ts'
import type { Store } from '../../src/store/port/store.ts'
import { importAllCustomers } from '../support/database/import-customers.ts'
import { type OwnDatabase, ownSqlite } from '../support/database/own-database.ts'
import { deal } from '../support/schema.ts'

suite('a customer is named', () => {
  let database: OwnDatabase
  let store: Store
  before(async () => {
    database = ownSqlite()
    store = await openStore({ databaseUrl: database.url, currency: 'EUR' }, (cause) => assert.fail(cause))
    await importAllCustomers(store, [
      [
        { name: 'Gerda Blum', email: 'Gerda.Blum@example.de' },
        { name: 'Max Twin', email: 'max1@example.de' },
        { name: 'Max Twin', email: 'max2@example.de' },
        { name: 'max2@example.de' },
      ],
    ])
  })
  after(async () => {
    await store.close()
    database.remove()
  })

  type Naming = Pick<Parameters<typeof resolveNames>[2], 'create' | 'badCells'> & { readonly dryRun?: boolean }

  /** The customer of a deal for each name, or the codes of its faults. */
  async function resolved(names: readonly string[], { dryRun = false, ...naming }: Naming = {}) {
    const rows = names.map((thingName, at) => ({
      values: { name: 'x', customerId: { thingName } },
      line: at + 2,
      row: () => 'x',
    }))
    async function* waves(): AsyncGenerator<Wave> {
      yield { after: 1, upto: rows.length + 1, position: 0, rows, rejected: [] }
    }
    const options = { ...naming, store, desk: store.as(SERVICE), actor: null, dryRun, people: [] }
    for await (const wave of resolveNames(waves(), deal, options)) {
      return {
        ids: wave.rows.map(({ values }) => values.customerId),
        faults: wave.rejected.flatMap(({ faults }) => faults),
        emptied: wave.emptied ?? [],
      }
    }
    throw new Error('no wave came')
  }

  test('by the exact name or an e-mail address, once however many rows name it', async () => {
    const { ids, faults } = await resolved([
      'Gerda Blum',
      'gerda.blum@example.de',
      'GERDA.BLUM@example.de',
      'Gerda Blum',
    ])
    assert.deepEqual([ids, faults], [[1, 1, 1, 1], []])
  })

  test('and not found by another case, by a number, or if there are several', async () => {
    const { ids, faults } = await resolved(['gerda blum', '1', 'Max Twin', 'max2@example.de', 'max1@example.de'])
    assert.deepEqual(ids, [2])
    assert.deepEqual(
      faults.map(({ code, with: facts, at }) => [code, facts?.ids ?? facts?.name, at.pointer]),
      [
        ['not-found', 'gerda blum', '/customerId'],
        ['not-found', '1', '/customerId'],
        ['several-found', [2, 3], '/customerId'],
        ['several-found', [4, 3], '/customerId'],
      ],
    )
    const german = languages.get('de')?.()
    assert.equal(tell(faults[0] ?? assert.fail(), german), '„gerda blum“ nicht gefunden')
    assert.match(tell(faults[2] ?? assert.fail(), german), /gibt es mehrmals, unter den Nummern 2, 3;/)
  })

  test('or the row goes without, and says so', async () => {
    const { ids, faults, emptied } = await resolved(['nobody', 'Gerda Blum'], { badCells: 'empty' })
    assert.deepEqual([ids, faults, emptied.map(({ line }) => line)], [[null, 1], [], [2]])
  })

  test('or created once if nobody has the name, but not by a check or a number', async () => {
    const create = 'missing' as const
    const count = async () => Number((await database.rows('SELECT count(*) AS n FROM customers'))[0]?.n)
    const before = await count()
    assert.deepEqual((await resolved(['New One', 'Max Twin'], { create, dryRun: true })).ids, [null])
    assert.equal(await count(), before)
    const { ids, faults } = await resolved(['New One', 'new@example.de', 'New One', '4711', 'x'.repeat(201)], {
      create,
    })
    assert.deepEqual(
      [ids, faults.map(({ code }) => code)],
      [
        [5, 6, 5],
        ['not-found', 'too-long'],
      ],
    )
    assert.deepEqual((await resolved(['New One', 'new@example.de'], { create })).ids, [5, 6])
    assert.equal(await count(), before + 2)
  })
})
