import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { layoutOf } from '../../src/imports/columns/layout.ts'
import { rowReader } from '../../src/imports/columns/row-reader.ts'
import { buildSchema, NOTHING_ADDED } from '../../src/model/schema/build-schema.ts'
import { resourceNamed } from '../../src/model/schema/resources.ts'
import type { AddedField } from '../../src/model/source/added-field.ts'
import { type AddedKind, addedKinds } from '../../src/model/source/added-kinds.ts'
import { ownField } from '../../src/values/json/own.ts'
import { bearer, withRoles } from '../support/service/closed-service.ts'
import { openService, type TestService } from '../support/service/running-service.ts'
import { changeUser } from '../support/things/audited.ts'

// A field of each kind on deals, and others on customers and tasks, while the service runs: everything that is made of
// the schema has them at once, under `own`.

const choices = (...values: readonly string[]) => ({
  values: values.map((value) => ({ value, title: `The ${value}` })),
})

/** Of each kind: its options, a value as it is sent, how it is shown if that differs, and what a filter compares with. */
const kinds: {
  readonly [K in AddedKind]: {
    readonly options?: AddedField['options']
    readonly value: unknown
    readonly shown?: unknown
    readonly text: string
  }
} = {
  text: { value: 'Grüße, "own":{', text: 'Grüße, "own":{' },
  choice: { options: choices("it's?", 'b', 'a'), value: "it's?", text: "it's?" },
  choices: { options: choices('x', 'y"', 'w'), value: ['w', 'x'], shown: ['x', 'w'], text: 'w' },
  integer: { value: -5, text: '-5' },
  number: { value: -1.000005, text: '-1.000005' },
  amount: { value: 12.5, text: '12.5' },
  boolean: { value: false, text: 'false' },
  date: { value: '2027-01-31', text: '2027-01-31' },
  instant: { value: '2027-01-31T10:00:00Z', shown: '2027-01-31T10:00:00.000Z', text: '2027-01-31T11:00:00+01:00' },
  user: { value: 'editor', text: 'editor' },
  link: { options: { to: 'customer' }, value: 1, text: '1' },
  url: { value: 'https://example.com/a?b=c', text: 'https://example.com/a?b=c' },
  email: { value: 'ana@example.com', text: 'ana@example.com' },
  phone: { value: '+49 (0) 170-1234567', text: '+49 (0) 170-1234567' },
}

/** One is named like a built-in field of another kind. */
const nameOf = (kind: AddedKind): string => (kind === 'amount' ? 'revision' : `${kind}Field`)

const indexedKinds: readonly AddedKind[] = ['choice', 'integer', 'number', 'boolean', 'date', 'user', 'url']

const fields: readonly AddedField[] = [
  ...addedKinds.map(
    (kind): AddedField => ({
      ...{ on: 'deal', name: nameOf(kind), title: `Title of ${kind}`, kind },
      ...(kinds[kind].options && { options: kinds[kind].options }),
      searched: ['text', 'choices', 'email', 'phone', 'url'].includes(kind),
      // Answers are the same with an index and without.
      indexed: indexedKinds.includes(kind),
    }),
  ),
  { on: 'deal', name: 'erpId', title: 'ERP', kind: 'text', unique: true },
  // It has no thing that could say that it is ready.
  { on: 'task', name: 'slow', title: 'Slow', kind: 'text', unique: true, state: 'building' },
  { on: 'customer', name: 'region', title: 'Region', kind: 'text', required: true },
  { on: 'task', name: 'place', title: 'Place', kind: 'text' },
]
const schema = buildSchema({ ...NOTHING_ADDED, version: 1, fields })
const own = Object.fromEntries(addedKinds.map((kind) => [nameOf(kind), kinds[kind].value]))
const shownOwn = {
  ...Object.fromEntries(addedKinds.map((kind) => [nameOf(kind), kinds[kind].shown ?? kinds[kind].value])),
  erpId: null,
}
const unset = Object.fromEntries(Object.keys(shownOwn).map((name) => [name, null]))

const json = { 'content-type': 'application/json' }
const jsonapi = { 'content-type': 'application/vnd.api+json' }

/** A cell as people write it. */
const typed: { readonly [K in AddedKind]: string } = {
  ...{ text: 'Hi', choice: 'the B', choices: 'The y""; THE X', integer: '7', number: '-1.234,5', amount: '1.500,5 €' },
  ...{ boolean: 'ja', date: '31.12.2027', instant: '31 Jan 2027 11:00 +01:00', user: 'Edith', link: 'Eva' },
  ...{ url: 'https://x.example', email: 'b@x.example', phone: '030 1' },
}

for (const store of ['sqlite', 'postgres']) {
  describe(`fields that are added while the service runs, on ${store}`, () => {
    let service: TestService
    let early: string
    let deal: string

    // The harness holds exchanges against the document of the source, which knows no such field.
    async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const type = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }
      const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
      const answer = await fetch(service.url + path, {
        method,
        // One that rested may be closed at the other end when a busy machine comes to use it.
        headers: { authorization: auth, connection: 'close', ...(body !== undefined && type), ...headers },
        ...sent,
      })
      return { status: answer.status, headers: answer.headers, text: await answer.text() }
    }
    let auth = ''

    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into.
    type Shown = any
    async function shown(
      method: string,
      path: string,
      body?: unknown,
      headers?: Record<string, string>,
    ): Promise<Shown> {
      const { status, text } = await ask(method, path, body, headers)
      assert.ok(status < 300, `${method} ${path}: ${status} ${text}`)
      return JSON.parse(text)
    }

    const namesAt = async (path: string): Promise<readonly unknown[]> =>
      (await shown('GET', path)).items.map(({ name }: Shown) => name)

    before(async () => {
      process.env.TEST_STORE = store
      const { keys, ...open } = await withRoles(await openService())
      service = open
      auth = bearer(keys.admin).authorization
      await changeUser(service.store, 'editor', { fullName: 'Edith' })
      early = (await shown('POST', '/rest/v1/deals', { name: 'Early', price: 1 })).id
      const refused = await ask('POST', '/rest/v1/deals', { name: 'Roof', price: 2, own: {} })
      assert.equal(refused.status, 422)
      assert.equal((await shown('GET', `/rest/v1/deals/${early}`)).own, undefined)
      await service.store.schemas.adopt({ ...NOTHING_ADDED, version: 1, fields })
      assert.equal((await shown('POST', '/customers', { name: 'Eve', own: { region: 'Ost' } })).id, 1)
      deal = (await shown('POST', '/rest/v1/deals', { name: 'Roof', price: 2, own })).id
    })
    after(() => service.close())

    test('are shown with their values, and null in what was there before', async () => {
      assert.deepEqual((await shown('GET', `/rest/v1/deals/${deal}`)).own, shownOwn)
      assert.deepEqual((await shown('GET', `/rest/v1/deals/${early}`)).own, unset)
      const { items } = await shown('GET', '/rest/v1/deals')
      assert.deepEqual(
        items.map((item: Shown) => item.own),
        [unset, shownOwn],
      )
    })

    test('are checked, each where it was sent', async () => {
      const wrong = Object.fromEntries(addedKinds.map((kind) => [nameOf(kind), { not: 'a value' }]))
      const { status, text } = await ask('POST', '/rest/v1/deals', {
        ...{ name: 'Roof', price: 2, own: { ...wrong, erpIt: 'x', __proto__: 1 }, 'own.textField': 'x' },
      })
      assert.equal(status, 422)
      const faults = JSON.parse(text).errors.map(({ pointer, code, with: facts }: Shown) => [
        pointer,
        code,
        facts?.near,
      ])
      assert.deepEqual(
        faults.slice(0, addedKinds.length).map(([pointer]: Shown) => pointer),
        addedKinds.map((kind) => `/own/${nameOf(kind)}`),
      )
      assert.deepEqual(faults.slice(addedKinds.length), [
        ['/own/erpIt', 'unknown', 'erpId'],
        ['/own.textField', 'unknown', undefined],
      ])
      const missing = { userField: 'nobody', linkField: 999, revision: 1.234 }
      const refused = await ask('PATCH', `/rest/v1/deals/${early}`, { own: missing })
      assert.deepEqual(
        JSON.parse(refused.text).errors.map(({ pointer, code }: Shown) => `${pointer} ${code}`),
        ['/own/revision too-many-decimals', '/own/linkField not-found', '/own/userField not-found'],
      )
      for (const body of [{ own: 5 }, { own: null }, { own: [] }]) {
        assert.equal((await ask('PATCH', `/rest/v1/deals/${early}`, body)).status, 422, JSON.stringify(body))
      }
      const creation = await ask('POST', '/customers', { name: 'Ann' })
      assert.deepEqual([creation.status, JSON.parse(creation.text).errors[0].pointer], [422, '/own/region'])
      assert.equal((await ask('PATCH', '/customers/1', { own: { region: null } })).status, 422)
    })

    test('are changed alone, cleared, told and seen in the past', async () => {
      const { id } = await shown('POST', '/rest/v1/deals', { name: 'Past', price: 1, own: { textField: 'one' } })
      const self = `/rest/v1/deals/${id}`
      const changed = await shown('PATCH', self, { own: { integerField: 7, choicesField: ['x'] } })
      assert.deepEqual(changed.own, { ...unset, textField: 'one', integerField: 7, choicesField: ['x'] })
      const cleared = await shown('PUT', `${self}/set-fields`, { own: { textField: null, choicesField: [] } })
      assert.deepEqual(cleared.own, { ...unset, integerField: 7 })
      assert.equal((await shown('PUT', self, cleared)).revision, 3, 'what was read changes nothing')
      const { items } = await shown('GET', `${self}/history?sort=revision`)
      assert.deepEqual(
        items.map(({ params }: Shown) => params.own),
        [{ textField: 'one' }, { integerField: 7, choicesField: ['x'] }, { textField: null, choicesField: null }],
      )
      assert.deepEqual((await shown('GET', `${self}?revision=2`)).own, changed.own)
      assert.deepEqual((await shown('GET', `${self}?asOf=${changed.updatedAt}`)).own, changed.own)
      await service.database.settled()
      const events = (await shown('GET', `/events?deal=${id}`)).items
      assert.deepEqual(
        events.map(({ data }: Shown) => data.deal.own),
        [{ ...unset, textField: 'one' }, changed.own, cleared.own],
      )
      const { id: task } = await shown('POST', '/rest/v1/tasks', { title: 'Call', own: { place: 'Zug' } })
      assert.partialDeepStrictEqual((await shown('PATCH', `/rest/v1/tasks/${task}`, { own: { place: 'Bern' } })).own, {
        place: 'Bern',
      })
      const whole = await shown('PUT', '/customers/1', { name: 'Eva', own: { region: 'West' } })
      assert.deepEqual(whole.own, { region: 'West' })
      assert.equal((await ask('DELETE', self)).status, 204)
    })

    test('are told from those that are not set', async () => {
      for (const kind of addedKinds) {
        const name = ownField(nameOf(kind))
        assert.deepEqual(await namesAt(`/rest/v1/deals?${name}.null=true`), ['Early'], name)
        const other = encodeURIComponent(kinds[kind].text)
        assert.deepEqual(await namesAt(`/rest/v1/deals?${name}.ne=${other}`), ['Early'], name)
      }
    })

    test('are compared, sorted and continued by their kinds', async () => {
      const some: Shown[] = []
      for (const values of [
        { integerField: 3, choiceField: 'b', numberField: 0.5, booleanField: true },
        { integerField: 20, choiceField: 'a', numberField: -2, booleanField: true },
      ]) {
        some.push(await shown('POST', '/rest/v1/deals', { name: `More ${some.length}`, price: 1, own: values }))
      }
      const orders = {
        'own.integerField': ['Roof', 'More 0', 'More 1', 'Early'],
        '-own.integerField': ['More 1', 'More 0', 'Roof', 'Early'],
        'own.choiceField': ['Roof', 'More 0', 'More 1', 'Early'],
        'own.numberField': ['More 1', 'Roof', 'More 0', 'Early'],
        '-own.booleanField,own.numberField': ['More 1', 'More 0', 'Roof', 'Early'],
      }
      for (const [sort, names] of Object.entries(orders)) {
        const found: unknown[] = []
        for (let path = `/rest/v1/deals?sort=${sort}&limit=1`; path !== ''; ) {
          const { items, links } = await shown('GET', path)
          found.push(...items.map(({ name }: Shown) => name))
          path = links.next ?? ''
        }
        assert.deepEqual(found, names, sort)
      }
      const ranges = {
        'own.integerField.gte=3': ['More 0', 'More 1'],
        'own.numberField.lt=-1': ['Roof', 'More 1'],
        'own.choiceField.gt=b': ['More 1'],
        'own.dateField.lt=2027-02-01': ['Roof'],
        'own.revision.gte=12.5': ['Roof'],
        'own.textField.contains=GRUSSE': ['Roof'],
        'own.choicesField.in=x,y"': ['Roof'],
        'own.choicesField.regex=w': ['Roof'],
        'q=grusse': ['Roof'],
        'q=1701234567': ['Roof'],
        'q=example.com': ['Roof'],
      }
      for (const [query, names] of Object.entries(ranges))
        assert.deepEqual(await namesAt(`/rest/v1/deals?${query}`), names, query)
      for (const query of ['sort=own.choicesField', 'own.choicesField.gt=x', 'own.textFeld=x', 'own=x']) {
        assert.equal((await ask('GET', `/rest/v1/deals?${query}`)).status, 400, query)
      }
      for (const { id } of some) assert.equal((await ask('DELETE', `/rest/v1/deals/${id}`)).status, 204)
    })

    test('make groups, a set one for each of its values', async () => {
      for (const kind of addedKinds) {
        const name = ownField(nameOf(kind))
        const values = kind === 'choices' ? ['x', 'w'] : [kinds[kind].shown ?? kinds[kind].value]
        const { items } = await shown('GET', `/rest/v1/deals?group=${name}&measure=count,sum.own.numberField`)
        assert.deepEqual(items, [
          ...values.map((value) => ({ [name]: value, count: 1, 'sum.own.numberField': -1.000005 })),
          { [name]: null, count: 1, 'sum.own.numberField': null },
        ])
      }
    })

    test('of several values are asked for as OData asks for collections', async () => {
      const asked = async (expression: string, rest = '') =>
        ask('GET', `/odata/Deals?$select=own/integerField&$filter=${encodeURIComponent(expression)}${rest}`)
      for (const [expression, found] of Object.entries({
        "own/choicesField/any(c:c eq 'x')": 1,
        "own/choicesField/any( c : c eq 'y\"' or c in ('w') ) and own/integerField lt 0": 1,
        "not own/choicesField/any(c:c eq 'x') and name eq 'Roof'": 0,
      })) {
        const { text } = await asked(expression)
        assert.equal(JSON.parse(text).value?.length, found, `${expression}: ${text}`)
      }
      const { text } = await asked("own/choicesField/any(c:c eq 'x')", '&$orderby=own/integerField desc')
      assert.equal(JSON.parse(text)['@odata.context'].split('#')[1], 'Deals(own/integerField)')
      for (const expression of [
        "own/choicesField/any(c:c ne 'x')",
        "own/choicesField/any(c:c eq 'x' and c eq 'w')",
        "own/choicesField/any(c:name eq 'Roof')",
        "own/textField/any(c:c eq 'x')",
        "own/choicesField/any(c eq 'x')",
        'own/choicesField/any()',
      ]) {
        assert.equal((await asked(expression)).status, 400, expression)
      }
      const list = await shown('GET', '/rest/v1/deals?$select=own/integerField&$orderby=own/integerField&$top=1')
      assert.deepEqual(list.items, [{ own: { integerField: -5 } }])
    })

    test('are in every door', async () => {
      const rpc = { jsonrpc: '2.0', id: 1, method: 'deals.get', params: { id: deal } }
      assert.deepEqual((await shown('POST', '/rpc', rpc)).result.own, shownOwn)
      const { data } = await shown('GET', `/jsonapi/deals?filter[own.integerField]=-5&fields[deals]=own`)
      assert.deepEqual(data[0].attributes, { own: shownOwn })
      const filter = encodeURIComponent("own/integerField lt 0 and own/choicesField eq 'x'")
      const odata = await shown('GET', `/odata/Deals?$filter=${filter}&$select=own&$orderby=own/integerField desc`)
      assert.deepEqual(odata.value[0].own, shownOwn)
      assert.match((await ask('GET', '/odata/$metadata')).text, /ComplexType Name="DealOwn"/)
      const path =
        '/postgrest/deals?select=name,own->>integerField,own->choicesField&own->>integerField=lt.0&order=own->>integerField'
      assert.deepEqual(await shown('GET', path), [{ name: 'Roof', integerField: '-5', choicesField: ['x', 'w'] }])
      const names = addedKinds.map(nameOf).join(' ')
      const query = `{ deals(where: { own: { integerField: { lt: 0 } } }) { nodes { own { ${names} erpId } } } }`
      const graphql = await shown('POST', '/graphql', { query })
      assert.deepEqual(graphql.data.deals.nodes, [{ own: { ...shownOwn, linkField: '1' } }])
      const mcp = (method: string, params: object) =>
        ask(
          'POST',
          '/mcp',
          { jsonrpc: '2.0', id: 1, method, params },
          { accept: 'application/json, text/event-stream' },
        )
      assert.match((await mcp('tools/list', {})).text, /"own":\{"type":"object"/)
      assert.match(
        (await mcp('tools/call', { name: 'describe_fields', arguments: { on: 'deal' } })).text,
        /Title of link/,
      )
    })

    test('are changed through every door', async () => {
      const { id } = await shown('POST', '/rest/v1/deals', { name: 'Doors', price: 1 })
      const given = { choicesField: ['w'], linkField: 1, integerField: 9 }
      const changes: readonly (() => Promise<unknown>)[] = [
        () => shown('POST', '/rpc', { jsonrpc: '2.0', id: 1, method: 'deals.set-fields', params: { id, own: given } }),
        () =>
          shown('PATCH', `/jsonapi/deals/${id}`, { data: { type: 'deals', id, attributes: { own: given } } }, jsonapi),
        () => shown('PATCH', `/odata/Deals(${id})`, { own: given }, json),
        () =>
          shown('PATCH', `/postgrest/deals?id=eq.${id}`, { own: given }, { ...json, prefer: 'return=representation' }),
        () =>
          shown('POST', '/graphql', {
            query: `mutation { setDealFields(id: "${id}", own: { choicesField: ["w"], linkField: "1", integerField: 9 }) { replayed } }`,
          }),
      ]
      for (const change of changes) {
        await shown('PUT', `/rest/v1/deals/${id}/set-fields`, {
          own: { choicesField: null, linkField: null, integerField: null },
        })
        await change()
        assert.deepEqual((await shown('GET', `/rest/v1/deals/${id}`)).own, { ...unset, ...given })
      }
      const form = 'own.integerField=12&own.choicesField=x%3B+w&own.revision=1.5'
      const typed = { 'content-type': 'application/x-www-form-urlencoded' }
      assert.equal((await ask('POST', `/rest/v1/deals/${id}/field-settings`, form, typed)).status, 201)
      const { own: after } = await shown('GET', `/rest/v1/deals/${id}`)
      assert.deepEqual([after.integerField, after.choicesField, after.revision], [12, ['x', 'w'], 1.5])
      assert.equal((await ask('DELETE', `/rest/v1/deals/${id}`)).status, 204)
    })

    /** Imports a file and returns it as it is afterwards. */
    async function imported(on: string, file: string): Promise<Shown> {
      const { headers } = await ask('POST', `/imports?on=${on}`, file, { 'content-type': 'text/csv' })
      const address = String(headers.get('location'))
      const settled = async (): Promise<Shown> => {
        for (;;) {
          const found = await shown('GET', address)
          if (!found.isRunning) return found
          await setTimeout(10)
        }
      }
      const ready = await settled()
      if (ready.stage !== 'ready') return ready
      await ask('POST', `${address}/runs`)
      return settled()
    }

    test('are imported as they are exported', async () => {
      const { text } = await ask('GET', '/rest/v1/deals?format=csv&name=Roof')
      const again = await imported('deal', text)
      assert.partialDeepStrictEqual(again, { stage: 'done', unchanged: 1, updated: 0, rejected: 0 }, text)
      const cleared = Object.fromEntries(Object.keys(own).map((name) => [name, null]))
      await shown('PATCH', `/rest/v1/deals/${deal}`, { own: cleared })
      const restored = await imported('deal', text)
      assert.partialDeepStrictEqual(restored, { stage: 'done', updated: 1, rejected: 0 }, JSON.stringify(restored))
      assert.deepEqual((await shown('GET', `/rest/v1/deals/${deal}`)).own, shownOwn)
      const { own: sent } = await shown('GET', `/rest/v1/deals/${deal}`)
      const read = rowReader(layoutOf(resourceNamed(schema, 'deal'))).fromJson
      const line = read([JSON.stringify({ reference: 'R', own: sent })])
      assert.ok('values' in line, JSON.stringify(line))
      assert.partialDeepStrictEqual(line.values, { 'own.choicesField': 'w; x', 'own.numberField': -1_000_005 })
      assert.deepEqual(read(['{"reference":"R","own":{"textFeld":1},"own.textField":"x"}']), {
        faults: [
          { code: 'unknown', at: { pointer: '/own.textField' } },
          { code: 'unknown', with: { near: 'textField' }, at: { pointer: '/own/textFeld' } },
        ],
      })
    })

    test('are read from the files of people, by titles and by what people write', async () => {
      const head = ['Name', 'Price', ...addedKinds.map((kind) => `Title of ${kind}`), 'ERP']
      const row = ['Typed', '1', ...addedKinds.map((kind) => typed[kind]), 'T-1'].map((cell) => `"${cell}"`)
      const done = await imported('deal', `${head.join()}\n${row.join()}\n`)
      assert.partialDeepStrictEqual(done, { stage: 'done', inserted: 1, rejected: 0 }, JSON.stringify(done))
      const [made] = (await shown('GET', '/rest/v1/deals?name=Typed')).items
      const { urlField, textField, phoneField, emailField, ...others } = made.own
      assert.deepEqual(
        [urlField, textField, phoneField, emailField],
        ['https://x.example', 'Hi', '030 1', 'b@x.example'],
      )
      assert.deepEqual(others, {
        ...{ choiceField: 'b', choicesField: ['x', 'y"'], integerField: 7, numberField: -1234.5, revision: 1500.5 },
        ...{ booleanField: true, dateField: '2027-12-31', instantField: '2027-01-31T10:00:00.000Z' },
        ...{ userField: 'editor', linkField: 1, erpId: 'T-1' },
      })
      // The unique value names the thing of the second row.
      const more = 'name,price,own.erpId,own.userField,own.linkField\n'
      const refused = await imported('deal', `${more}Typed,2,T-1,editor,Eva\nNew,1,T-2,nobody,1\n`)
      assert.partialDeepStrictEqual(refused, { inserted: 0, updated: 1, rejected: 1 }, JSON.stringify(refused))
      assert.partialDeepStrictEqual(refused.faults, [{ column: 'own.userField', code: 'not-found', rows: [3] }])
      assert.equal((await ask('DELETE', `/rest/v1/deals/${made.id}`)).status, 204)
      const customers = await imported('customer', 'Name,Region\nZoe,Nord\nYan,\n')
      assert.partialDeepStrictEqual(customers, { inserted: 1, rejected: 1 }, JSON.stringify(customers))
      assert.partialDeepStrictEqual(customers.faults, [{ column: 'Region', code: 'required', rows: [3] }])
      const [zoe] = (await shown('GET', '/customers?own.region=Nord')).items
      assert.equal(zoe.name, 'Zoe')
      assert.equal((await ask('DELETE', `/customers/${zoe.id}`)).status, 204)
    })

    test('name one thing if they are unique', async () => {
      const by = '/rest/v1/deals/by/own.erpId/A%2F1'
      const made = await ask('PUT', by, { name: 'ERP', price: 1, own: { integerField: 1 } })
      assert.equal(made.status, 201, made.text)
      const { id } = JSON.parse(made.text)
      assert.equal((await shown('PUT', by, { own: { integerField: 2 } })).own.integerField, 2)
      assert.equal((await shown('GET', by)).id, id)
      const taken = await ask('PATCH', `/rest/v1/deals/${early}`, { own: { erpId: 'A/1' } })
      assert.deepEqual(
        [taken.status, JSON.parse(taken.text).field, JSON.parse(taken.text).other],
        [409, 'own.erpId', id],
      )
      const target = { deal: { 'own.erpId': 'A/1' }, action: 'SetDealFields', params: { own: { integerField: 3 } } }
      const { results } = await shown('POST', '/rest/v1/batch', { atomic: true, commands: [target] })
      assert.equal(results[0].deal.own.integerField, 3)
      const copies = Array.from({ length: 8 }, () =>
        ask('PUT', '/rest/v1/deals/by/own.erpId/B', { name: 'B', price: 1 }),
      )
      const statuses = (await Promise.all(copies)).map(({ status }) => status)
      assert.deepEqual(statuses.toSorted(), [...Array.from({ length: 7 }, () => 200), 201])
      assert.equal((await ask('GET', '/rest/v1/deals/by/own.textField/x')).status, 404)
      assert.equal((await ask('PUT', by, { own: { erpId: 'other' } })).status, 422)
      for (const value of ['A%2F1', 'B'])
        assert.equal((await ask('DELETE', `/rest/v1/deals/by/own.erpId/${value}`)).status, 204)
    })

    test('name nothing while their index is built', async () => {
      for (const [method, path] of [
        ['GET', ''],
        ['PUT', ''],
        ['PUT', '/complete'],
      ] as const) {
        const body = method === 'PUT' && path === '' ? { title: 'Call' } : undefined
        const { status, text } = await ask(method, `/rest/v1/tasks/by/own.slow/x${path}`, body)
        assert.deepEqual([status, JSON.parse(text).code, JSON.parse(text).field], [409, 'building', 'own.slow'], text)
      }
      assert.equal((await shown('POST', '/rest/v1/tasks', { title: 'Slow', own: { slow: 'y' } })).own.slow, 'y')
      const again = await ask('POST', '/rest/v1/tasks', { title: 'Slow', own: { slow: 'y' } })
      assert.equal(JSON.parse(again.text).code, 'not-unique', 'writes are checked')
    })

    test('keep what a link names', async () => {
      assert.equal((await ask('DELETE', '/customers/1')).status, 409)
      const { id } = await shown('POST', '/customers', { name: 'Free', own: { region: 'x' } })
      await shown('PATCH', `/rest/v1/deals/${early}`, { own: { linkField: id } })
      const held = await ask('DELETE', `/customers/${id}`)
      assert.equal(held.status, 409)
      assert.match(
        JSON.parse(held.text).detail,
        /^At least one (\w+)(?:(?:, | or )(?!\1\b)\w+)* refers to the customer/,
      )
      await shown('PATCH', `/rest/v1/deals/${early}`, { own: { linkField: null } })
      assert.equal((await ask('DELETE', `/customers/${id}`)).status, 204)
    })

    test('are not known any more when the schema before is taken up again, and come back with it', async () => {
      await service.store.schemas.adopt({ ...NOTHING_ADDED, version: 2, fields: [] })
      assert.equal((await ask('GET', '/rest/v1/deals?own.integerField=-5')).status, 400)
      const renamed = await shown('PATCH', `/rest/v1/deals/${deal}`, { name: 'Tower' })
      assert.equal(renamed.own, undefined)
      assert.equal((await shown('GET', '/rest/v1/deals')).items[1].own, undefined)
      assert.equal((await shown('GET', `/rest/v1/deals/${deal}?revision=1`)).own, undefined)
      await service.store.schemas.adopt({ ...NOTHING_ADDED, version: 3, fields })
      assert.deepEqual((await shown('GET', `/rest/v1/deals/${deal}`)).own, shownOwn)
      assert.deepEqual((await shown('GET', '/rest/v1/deals?own.integerField=-5')).items[0].own, shownOwn)
    })
  })
}
