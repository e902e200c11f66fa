import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { IntentBatch } from '../../src/model/intent/batch.ts'
import type { Intent } from '../../src/model/intent/intent.ts'
import { openStore } from '../../src/store/open.ts'
import { type BatchOutcome, performAlone, type Store } from '../../src/store/port/store.ts'
import { type OwnDatabase, ownDatabases } from '../support/database/own-database.ts'
import { intentTo, newCommandId } from '../support/deals/intents.ts'

// A thing that a value names is the same thing as by its id: whatever is refused of the one is refused of the other.

const asked = (resource: string, action: string, params: object, target?: unknown, command?: string): Intent => ({
  ...intentTo(action, undefined, params, command === undefined ? {} : { command }),
  resource,
  ...(target !== undefined && { target }),
})

const upsertion = (resource: string, target: object, attributes: object): Intent => ({
  ...asked(resource, '', {}, target),
  change: { attributes, makes: true },
})

const told = ({ outcomes }: BatchOutcome): readonly string[] =>
  outcomes.map((outcome) =>
    outcome.kind === 'applied'
      ? String(outcome.thing.id)
      : outcome.kind === 'refused'
        ? outcome.refusal.code
        : outcome.kind,
  )

for (const [name, ownDatabase] of ownDatabases) {
  describe(`targets named by values, on ${name}`, () => {
    let database: OwnDatabase
    let store: Store
    const fields = new Map<string, string>()
    before(async () => {
      database = await ownDatabase()
      store = await openStore({ databaseUrl: database.url, currency: 'EUR' }, (cause) => assert.fail(String(cause)))
      for (const [field, params] of Object.entries({
        taskLink: { on: 'deal', kind: 'link', options: { to: 'task' } },
        dealLink: { on: 'task', kind: 'link', options: { to: 'deal' } },
        customerLink: { on: 'task', kind: 'link', options: { to: 'customer' } },
        code: { on: 'deal', kind: 'text', unique: true },
        taskCode: { on: 'task', kind: 'text', unique: true },
        customerCode: { on: 'customer', kind: 'text', unique: true },
      })) {
        fields.set(field, await made(asked('field', 'create', { ...params, name: field, title: field })))
      }
    })
    after(async () => {
      await store.close()
      database.remove()
    })

    const alone = async (intent: Intent): Promise<string> => {
      const outcome = await performAlone(store, intent)
      return outcome.kind === 'applied' ? String(outcome.thing.id) : outcome.refusal.code
    }
    const made = async (intent: Intent): Promise<string> => {
      const outcome = await performAlone(store, intent)
      assert.ok(outcome.kind === 'applied', JSON.stringify(outcome))
      return String(outcome.thing.id)
    }
    const together = async (intents: readonly Intent[], options: Partial<IntentBatch> = {}) =>
      told(await store.perform({ intents, atomic: false, dryRun: false, linked: true, ...options }))
    const newTask = (reference: string) =>
      made(asked('task', 'create', { title: 'Call', reference, own: { taskCode: reference } }))
    const newCustomer = (reference: string, own: object = {}) =>
      made(asked('customer', 'create', { name: 'Ann', reference, own }))
    const newDeal = (params: object = {}) => made(asked('deal', 'create', { name: 'Roof', price: 1, ...params }))

    test('a linked thing is not deleted, whichever value names it', async () => {
      for (const batched of [false, true]) {
        const at = `linked ${batched}`
        const [task, customer] = [await newTask(at), await newCustomer(at, { customerCode: at })]
        const deal = await newDeal({ reference: at, own: { taskLink: task, code: at } })
        await made(
          asked('task', 'create', { title: 'Holder', own: { dealLink: deal, customerLink: Number(customer) } }),
        )
        for (const [resource, ...targets] of [
          ['task', { reference: at }, { 'own.taskCode': at }],
          ['deal', { reference: at }, { 'own.code': at }],
          ['customer', { reference: at }, { 'own.customerCode': at }],
        ] as const) {
          for (const target of targets) {
            const deletion = asked(resource, 'delete', {}, target)
            assert.equal(batched ? (await together([deletion]))[0] : await alone(deletion), 'in-use', resource)
          }
        }
      }
    })

    test('a customer in use is not deleted, whichever value names it', async () => {
      const customer = await newCustomer('in use', { customerCode: 'in use' })
      await newDeal({ customerId: Number(customer) })
      for (const target of [Number(customer), { reference: 'in use' }, { 'own.customerCode': 'in use' }]) {
        assert.equal(await alone(asked('customer', 'delete', {}, target)), 'in-use')
        assert.deepEqual(await together([asked('customer', 'delete', {}, target)]), ['in-use'])
      }
    })

    test('a value that an earlier command gave or took leads where it left it', async () => {
      const [first, second] = [await newCustomer('first'), await newCustomer('second')]
      await newDeal({ customerId: Number(first) })
      assert.deepEqual(
        await together([
          asked('customer', 'change', { reference: 'moved' }, { reference: 'first' }),
          asked('customer', 'delete', {}, { reference: 'moved' }),
          asked('customer', 'change', { reference: 'first' }, Number(second)),
          asked('customer', 'delete', {}, { reference: 'first' }),
          asked('customer', 'delete', {}, { reference: 'first' }),
        ]),
        [first, 'in-use', second, second, 'not-found'],
      )
    })

    test('a thing that others refer to is removed by a value that it has since the same batch', async () => {
      const customer = await newCustomer('followed')
      const task = await alone(asked('task', 'create', { title: 'Call', customerId: Number(customer) }))
      assert.deepEqual(
        await together([
          asked('customer', 'change', { reference: 'renamed' }, Number(customer)),
          asked('customer', 'delete', {}, { reference: 'renamed' }),
          asked('task', 'delete', {}, task),
        ]),
        [customer, customer, task],
      )
    })

    for (const [what, before] of [
      ['deleted', asked('customer', 'delete', {}, { reference: 'again' })],
      ['renamed', asked('customer', 'change', { reference: 'other' }, { reference: 'again' })],
      ['unnamed', asked('customer', 'change', { reference: null }, { reference: 'again' })],
    ] as const) {
      test(`an upsert makes the thing anew that the same batch has ${what}`, async () => {
        const old = await newCustomer('again')
        const upsert = upsertion('customer', { reference: 'again' }, { name: 'New' })
        const rename = asked('customer', 'change', { name: 'Newer' }, '$1')
        const deal = asked('deal', 'create', { name: 'Roof', price: 1, customerId: '$1' })
        const outcomes = await together([before, upsert, rename, deal])
        assert.equal(outcomes[0], old)
        assert.notEqual(outcomes[1], old)
        assert.equal(outcomes[2], outcomes[1])
        assert.match(outcomes[3] ?? '', /^0/)
        const [row] = await database.rows('SELECT name FROM customers WHERE reference = ?', 'again')
        assert.equal(row?.name, 'Newer')
        await alone(asked('customer', 'change', { reference: null }, { reference: 'again' }))
        await alone(asked('customer', 'change', { reference: null }, { reference: 'other' }))
      })
    }

    test('many upserts each make anew what was deleted before them', async () => {
      const references = Array.from({ length: 40 }, (_, n) => `many ${n}`)
      for (const reference of references) await newCustomer(reference)
      const outcomes = await together(
        references.flatMap((reference) => [
          asked('customer', 'delete', {}, { reference }),
          upsertion('customer', { reference }, { name: 'New' }),
        ]),
      )
      assert.equal(new Set(outcomes).size, 80)
      assert.ok(outcomes.every((each) => /^\d+$/.test(each)))
    })

    test('a command is replayed although the value that named its thing has gone', async () => {
      const own = { code: 'gone' }
      const deal = await newDeal({ own, reference: 'gone' })
      const byCode = asked('deal', 'rename', { newName: 'A' }, { 'own.code': 'gone' }, newCommandId())
      const byReference = asked('deal', 'rename', { newName: 'B' }, { reference: 'gone' }, newCommandId())
      const command = { id: newCommandId(), by: 'id', sentAs: 'the same' } as const
      const upserted: Intent = { ...upsertion('deal', { 'own.code': 'gone' }, { name: 'E' }), command }
      for (const intent of [byCode, byReference, upserted]) assert.equal(await alone(intent), deal)
      await made(asked('deal', 'set-fields', { reference: 'elsewhere' }, deal))
      const further = await newDeal({ reference: 'gone' })
      const isReplayed = async () => {
        for (const intent of [byCode, byReference, upserted]) {
          const outcome = await performAlone(store, intent)
          assert.partialDeepStrictEqual(outcome, { kind: 'applied', replayed: true })
          const noted = asked('deal', 'rename', { newName: 'C' }, '$0')
          assert.deepEqual(await together([intent, noted]), [deal, deal])
        }
        assert.equal(await alone(asked('deal', 'rename', { newName: 'D' }, { reference: 'gone' })), further)
      }
      await isReplayed()
      await alone(asked('field', 'change', { unique: false }, fields.get('code')))
      await isReplayed()
      await alone(asked('field', 'retire', {}, fields.get('code')))
      await isReplayed()
    })

    test('an upsert is replayed although its value names nothing, or another thing, by now', async () => {
      for (const [resource, attributes] of [
        ['customer', { name: 'Ann' }],
        ['task', { title: 'Call' }],
      ] as const) {
        const upsert = upsertion(resource, { reference: 'upserted' }, attributes)
        const intent = { ...upsert, command: { id: newCommandId(), by: 'id' as const } }
        const first = await alone(intent)
        const isReplayed = async () => {
          assert.partialDeepStrictEqual(await performAlone(store, intent), { kind: 'applied', replayed: true })
          assert.deepEqual(await together([intent, asked(resource, 'change', attributes, '$0')]), [first, first])
        }
        await isReplayed()
        await made(asked(resource, 'change', { reference: null }, { reference: 'upserted' }))
        await isReplayed()
        const second = await made(asked(resource, 'create', { ...attributes, reference: 'upserted' }))
        await isReplayed()
        assert.equal(await alone(upsertion(resource, { reference: 'upserted' }, attributes)), second)
      }
    })
  })
}
