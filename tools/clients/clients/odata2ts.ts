import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { FetchClient } from '@odata2ts/http-client-fetch'
import type { ForeignClient, TriedService } from '../foreign-client.ts'
import { bundle, runTool } from '../run-tool.ts'

const bundled = '../generated/odata2ts/bundle.js'

async function open({ url, headers }: TriedService) {
  const { DealdeskService }: typeof import('../generated/odata2ts/DealdeskService.ts') = await import(bundled)
  return new DealdeskService(new FetchClient({ headers }), `${url}/odata`)
}

async function idOf(service: TriedService, reference: string): Promise<string> {
  const desk = await open(service)
  const { data } = await desk.Deals().query((query, deal) => query.filter(deal.reference.eq(reference)))
  return data.value[0]?.id ?? ''
}

export const client: ForeignClient = {
  packages: ['@odata2ts/odata2ts', '@odata2ts/odata-service'],
  door: '/odata',
  types: 'checked',
  async generate({ url, headers, folder }) {
    const model = await fetch(`${url}/odata/$metadata`, { headers: { ...headers } })
    writeFileSync(`${folder}/model.xml`, await model.text())
    await runTool('odata2ts', '--source', `${folder}/model.xml`, '--output', folder, '--emit-mode', 'ts')
    await bundle(`${folder}/DealdeskService.ts`, `${folder}/bundle.js`)
  },
  tries: {
    async read(service) {
      const { data } = await (await open(service)).Customers(1).query()
      const name: string = data.name
      assert.equal(name, 'Customer 1')
    },
    async filter(service) {
      const { data } = await (await open(service)).Deals().query((query, deal) => {
        query.filter(deal.price.ge(5000), deal.name.startsWith('Deal'), deal.stage.eq('lead'))
        query.orderBy(deal.price.asc()).top(1)
      })
      const name: string | undefined = data.value[0]?.name
      assert.equal(name, 'Deal 5')
    },
    async own(service) {
      const { data } = await (await open(service)).Deals().query((query, { own }) => {
        query.filter(own.props.choiceField.eq('a'), own.props.integerField.lt(4))
        query.orderBy(own.props.integerField.asc())
      })
      const numbers: readonly (number | null | undefined)[] = data.value.map((deal) => deal.own.integerField)
      assert.deepEqual(numbers, [1, 3])
    },
    async pages(service) {
      const { data } = await (await open(service)).Customers().query((query, { id }) => {
        query.orderBy(id.asc()).skip(8).top(8).count()
      })
      assert.deepEqual([data.value.length, data.value[0]?.id], [8, 9])
    },
    async related(service) {
      const { data } = await (await open(service)).Customers(2).query((query) => {
        query.expanding('deals', (deals, deal) => {
          deals.filter(deal.price.gt(1500)).orderBy(deal.price.desc()).top(1)
        })
      })
      const name: string | undefined = data.deals?.[0]?.name
      assert.equal(name, 'Deal 2')
    },
    async create(service) {
      const desk = await open(service)
      // Its types want every member of a complex parameter, and those that only the service sets of an entity.
      const unset = { textField: null, choiceField: null, choicesField: [], integerField: null, numberField: null }
      const others = { amountField: null, booleanField: null, dateField: null, instantField: null, userField: null }
      const texts = { linkField: null, urlField: null, emailField: null, phoneField: null }
      const own = { ...unset, ...others, ...texts, needed: 'x' }
      const { data } = await desk.Deals().Create({ name: 'By odata2ts', price: 80, own })
      const id: string = data.id
      assert.match(id, /-/)
    },
    async change(service) {
      const desk = await open(service)
      await desk.Customers(2).patch({ age: 59 })
      assert.equal((await desk.Customers(2).query()).data.age, 59)
    },
    upsert: { without: 'Its keys are those of the entity: it knows no alternate ones.' },
    async operation(service) {
      const { data } = await (await open(service)).Deals(await idOf(service, 'D-18')).Hold({ reason: 'credit check' })
      const held: boolean = data.held
      assert.equal(held, true)
    },
    async refusal(service) {
      const deal = (await open(service)).Deals(await idOf(service, 'D-4'))
      await assert.rejects(deal.Unhold({}), /not on hold/)
    },
    batch: { without: 'It has no batches.' },
  },
}
