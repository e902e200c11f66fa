import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { isUuid } from '../../src/values/kinds/uuid.ts'
import { type OwnDatabase, ownDatabases } from '../support/database/own-database.ts'
import { openEventSource } from '../support/service/event-source.ts'
import { type Desk, lines, openDesk } from '../support/service/running-command.ts'
import { runService, type TestService } from '../support/service/running-service.ts'

interface Event {
  readonly type: string
  readonly subject: string
  readonly data: object
}

for (const [name, make] of ownDatabases) {
  suite(`imports into ${name}`, () => {
    let database: OwnDatabase
    let service: TestService
    let desk: Desk
    before(async () => {
      database = await make()
      service = await runService({ DATABASE_URL: database.url })
      desk = openDesk({ DATABASE_URL: database.url })
      const rows = ['1,Ana,Ruiz e Hijos,+34 91 1', '2,Bo,,', '3,Cy,Cy & Co,']
      const file = desk.write('c.csv', lines('id,name,company,phone', ...rows))
      const changed = desk.write('d.ndjson', lines('{"id":1,"name":"Ana","phone":null}', '{"id":2,"name":"Bo"}'))
      for (const each of [file, file, changed]) assert.equal((await desk.run(['import', 'customers', each])).code, 0)
      const made = await service.request('POST', '/customers', { body: { name: 'Di' } })
      assert.equal(made.status, 201)
      await database.settled()
    })
    after(async () => {
      await desk[Symbol.asyncDispose]()
      await service.close()
      database.remove()
    })

    const events = async (query = ''): Promise<readonly Event[]> => {
      const { status, body } = await service.request('GET', `/events?${query}`)
      assert.equal(status, 200, query)
      return body.items as readonly Event[]
    }
    const typesOf = async (query: string): Promise<readonly string[]> => (await events(query)).map(({ type }) => type)

    test('tell a live list of customers to be read again, once each', async () => {
      const source = await openEventSource(`${service.url}/customers?country=DE`, { 'last-event-id': '0'.repeat(16) })
      await source.received(2)
      assert.deepEqual(
        source.messages.map(({ type, data }) => `${type} ${data}`),
        ['reset {}', 'reset {}'],
      )
      source.close()
    })

    test('are one event each, with the counts, where anything changed', async () => {
      const [first, second, ...rest] = await events()
      const counts = (inserted: number, updated: number, unchanged: number) => ({ inserted, updated, unchanged })
      for (const [event, params] of [
        [first, counts(3, 0, 0)],
        [second, counts(0, 1, 1)],
      ] as const) {
        const data = { operation: 'import', params, revision: 1, actor: null, form: 'import', counts: params }
        assert.deepEqual([event?.type, event?.data], ['customers.imported', data])
        assert.ok(isUuid(event?.subject))
      }
      assert.notEqual(first?.subject, second?.subject)
      assert.deepEqual(
        rest.map(({ type, subject }) => [type, subject]),
        [['customer.created', '4']],
      )
    })

    test('are found by their type, and are about no customer', async () => {
      const both = ['customers.imported', 'customers.imported']
      for (const query of ['type=customers.imported', 'operation=import', 'form=import', 'customer.null=true']) {
        assert.deepEqual(await typesOf(query), both, query)
      }
      assert.deepEqual(await typesOf('customer=1'), [])
      assert.deepEqual(await typesOf('customer!=4'), both)
      for (const query of ['customer=4', 'customer.gte=1', 'customer.regex=.', 'customer.null=false']) {
        assert.deepEqual(await typesOf(query), ['customer.created'], query)
      }
      assert.deepEqual((await service.request('GET', '/customers/1/history')).body.items, [])
    })

    test('are shown to people, in other formats, and offered to webhooks', async () => {
      const html = { headers: { accept: 'text/html' } }
      const table = await service.request('GET', '/events?fields=subject,data', html)
      assert.equal(table.status, 200)
      assert.deepEqual(table.text.match(/[^"]+\/history\/\d+(?=")/g), ['/customers/4/history/1'])
      for (const path of ['/events', '/events?type=customers.imported', '/']) {
        const { status, text } = await service.request('GET', path, html)
        assert.equal(status, 200, path)
        assert.match(text, /href="\/customers">Customers<\/a>/, path)
        assert.match(text, /Imported customers: 3 new, 0 changed/, path)
      }
      for (const format of ['csv', 'xml', 'ndjson']) {
        assert.equal((await service.request('GET', `/events?format=${format}`)).status, 200, format)
      }
      const body = { url: 'https://example.com/hooks', types: ['customers.imported'] }
      assert.equal((await service.request('POST', '/webhooks', { body })).status, 201)
    })

    test('read files as the browser does, are listed, and are undone', async () => {
      const file = desk.write('d.csv', lines('Titel;Betrag;Kunde', 'Dach;1.500;Neu GmbH', 'Tor;2.000;'))
      const unsaid = await desk.run(['import', 'deals', file, '--create', 'missing'])
      assert.notEqual(unsaid.code, 0)
      assert.match(unsaid.stderr, /"Betrag" can be read in more than one way: say --decimal ',' or --decimal '\.'/)
      const unnamed = await desk.run(['import', 'customers', desk.write('n.csv', lines('name,age', 'Odd,x'))])
      assert.equal(unnamed.code, 1)
      const rows = lines('reference;Titel;Betrag;Kunde', 'C-1;Dach;1.500;Neu GmbH', 'C-2;Tor;2.000;')
      const options = ['--decimal', ',', '--create', 'missing', '--bad-cells', 'empty']
      const done = await desk.run(['import', 'deals', desk.write('e.csv', rows), ...options])
      assert.equal(done.code, 0, done.stderr)
      const { body } = await service.request('GET', '/imports?sort=-createdAt')
      const [made] = body.items as readonly { readonly [name: string]: unknown }[]
      assert.deepEqual(
        [made?.name, made?.resource, made?.stage, made?.inserted, made?.owner],
        ['e.csv', 'deals', 'done', 2, null],
      )
      const undone = await service.request('POST', `/imports/${made?.id}/undoings`)
      assert.equal(undone.status, 200, undone.text)
      await database.settled()
      const [event] = await events('type=import.undone')
      const data = event?.data as {
        readonly import: { readonly removed: { readonly [on: string]: readonly unknown[] } }
      }
      const { deal = [], customer = [] } = data.import.removed
      assert.deepEqual([event?.subject, deal.length, customer.length], [made?.id, 2, 1])
    })
  })
}
