import assert from 'node:assert/strict'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ForeignClient, TriedService } from '../foreign-client.ts'
import { bundleForBrowsers, runProgram, runTool } from '../run-tool.ts'

const root = join(import.meta.dirname, '../../..')
const installed = join(import.meta.dirname, '../node_modules/dealdesk-client')

interface Own {
  readonly deal: {
    readonly choiceField: 'a' | 'b' | 'c' | null
    readonly integerField: number | null
    readonly needed: string
  }
}

async function open({ url, key }: TriedService) {
  const { connect } = await import('dealdesk-client')
  return connect<Own>(url, { auth: { key } })
}

/** Our own client, as it is published: built, checked, installed and bundled. */
export const client: ForeignClient = {
  packages: ['dealdesk-client'],
  door: 'REST',
  types: 'checked',
  async generate({ folder }) {
    await runProgram(join(root, 'tools/client-package/build.ts'))
    rmSync(installed, { recursive: true, force: true })
    mkdirSync(installed, { recursive: true })
    cpSync(join(root, 'dist/client-package'), installed, { recursive: true })
    await runTool('publint', installed, '--strict')
    await runTool('attw', '--pack', installed, '--profile', 'esm-only')
    await bundleForBrowsers(join(installed, 'client.js'), `${folder}/bundle.js`)
  },
  tries: {
    async read(service) {
      const { customers } = await open(service)
      assert.equal((await customers.get(1)).name, 'Customer 1')
    },
    async filter(service) {
      const { deals } = await open(service)
      const page = await deals.list({ 'price.gte': 5000, 'name.starts': 'Deal', stage: 'lead', sort: 'price' }).page()
      assert.equal(page.items[0]?.name, 'Deal 5')
    },
    async own(service) {
      const { deals } = await open(service)
      const { items } = await deals.list({ 'own.choiceField': 'a', 'own.integerField.lt': 4 }).page()
      const choices = items.map(({ own }): 'a' | 'b' | 'c' | null => own.choiceField)
      assert.deepEqual(choices, ['a', 'a'])
    },
    async pages(service) {
      const { customers } = await open(service)
      const names = new Set<string>()
      for await (const { name } of customers.list({ maxpagesize: 8, sort: 'name' })) names.add(name)
      assert.ok(names.size >= 20)
    },
    async related(service) {
      const { deals } = await open(service)
      const { items } = await deals.list({ expand: 'customer', 'price.lte': 1000, reference: 'D-1' }).page()
      assert.equal(items[0]?.customer?.name, 'Customer 1')
    },
    async create(service) {
      const { deals } = await open(service)
      const { id } = await deals.create({ name: 'By the client', price: 60, own: { needed: 'x' } })
      assert.match(id, /-/)
    },
    async change(service) {
      const { customers } = await open(service)
      assert.equal((await customers.patch(2, { age: 54 })).age, 54)
    },
    async upsert(service) {
      const { deals } = await open(service)
      const by = { reference: 'DC-1' }
      const made = await deals.upsert(by, { name: 'Upserted', price: 5, own: { needed: 'x' } })
      const again = await deals.upsert(by, { price: 6 })
      assert.deepEqual([again.id, again.price], [made.id, 6])
    },
    async operation(service) {
      const { deals } = await open(service)
      assert.equal((await deals.hold({ reference: 'D-10' }, { reason: 'credit check' })).held, true)
    },
    async refusal(service) {
      const { deals } = await open(service)
      await assert.rejects(deals.unhold({ reference: 'D-11' }), { name: 'DealdeskProblem', code: 'wrong-state' })
    },
    async batch(service) {
      const { batch } = await open(service)
      const [result] = await batch([{ action: 'CreateCustomer', params: { name: 'In a batch' } }])
      assert.equal(result?.status, 'applied')
    },
  },
}
