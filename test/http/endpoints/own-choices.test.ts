import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { testOnEachStore } from '../../support/rooms/each-store.ts'
import { DEALS } from '../../support/service/making-deals.ts'
import { type Answered, openService, type TestService } from '../../support/service/running-service.ts'

// A service of its own: a change of the model holds for every test beside.

let service: TestService
before(async () => {
  service = await openService()
})
after(() => service.close())

const ask = (method: string, path: string, body?: object): Promise<Answered> =>
  service.request(method, path, { ...(body && { body }) })

testOnEachStore('a page of another order of the choices is outdated', async () => {
  const values = ['small', 'middle', 'large'].map((value) => ({ value, title: value }))
  const field = { on: 'deal', name: 'size', title: 'Size', kind: 'choice', options: { values } }
  const made = await ask('POST', '/fields', field)
  assert.equal(made.status, 201, made.text)
  for (const { value } of values) await ask('POST', DEALS, { name: value, price: 1, own: { size: value } })
  const first = await ask('GET', `${DEALS}?sort=own.size&maxpagesize=1`)
  const next = (first.body.links as unknown as { readonly next: string }).next
  assert.partialDeepStrictEqual((await ask('GET', next)).body.items, [{ name: 'middle' }])
  const turned = { options: { values: values.toReversed() } }
  assert.equal((await ask('PATCH', `/fields/${made.body.id}`, turned)).status, 200)
  const outdated = await ask('GET', next)
  assert.deepEqual([outdated.status, outdated.body.code], [400, 'cursor-outdated'])
  const anew = await ask('GET', `${DEALS}?sort=own.size&maxpagesize=1`)
  assert.partialDeepStrictEqual(anew.body.items, [{ name: 'large' }])
})

testOnEachStore('a private view is not shared with what the model no longer has', async () => {
  const field = { on: 'deal', name: 'branch', title: 'Branch', kind: 'text' }
  const made = await ask('POST', '/fields', field)
  const saved = { name: 'Retail', collection: 'deals', query: 'own.branch=retail' }
  const view = await ask('POST', '/views', saved)
  assert.equal(view.status, 201, view.text)
  assert.equal((await ask('PUT', `/fields/${made.body.id}/retired`)).status, 200)
  const share = (): Promise<Answered> => ask('PATCH', `/views/${view.body.id}`, { shared: true })
  const refused = await share()
  assert.deepEqual([refused.status, refused.body.errors[0]?.pointer], [422, '/shared'], refused.text)
  assert.equal((await ask('PATCH', `/views/${view.body.id}`, { name: 'Shops' })).status, 200)
  assert.equal((await ask('PUT', `/fields/${made.body.id}/restored`)).status, 200)
  assert.equal((await share()).status, 200)
})

testOnEachStore('a refused batch names what it would have made as the batch does', async () => {
  const field = { on: 'deal', name: 'code', title: 'Code', kind: 'text', unique: true }
  assert.equal((await ask('POST', '/fields', field)).status, 201)
  const creation = { action: 'CreateDeal', params: { name: 'Twin', price: 1, own: { code: 'a' } } }
  const { status, text } = await ask('POST', '/rest/v1/batch', { atomic: true, commands: [creation, creation] })
  assert.equal(status, 409, text)
  assert.match(text, /\$0/)
  assert.doesNotMatch(text, /[0-9a-f]{8}-[0-9a-f]{4}-7/, 'no id of a deal that does not exist')
})

testOnEachStore('the same set of choices is no change, in whichever order the list is by then', async () => {
  const values = ['red', 'green', 'blue'].map((value) => ({ value, title: value }))
  const field = { on: 'deal', name: 'colours', title: 'Colours', kind: 'choices', options: { values } }
  const made = await ask('POST', '/fields', field)
  assert.equal(made.status, 201, made.text)
  const deal = await ask('POST', DEALS, { name: 'Flag', price: 1, own: { colours: ['red', 'green'] } })
  const turned = { options: { values: values.toReversed() } }
  assert.equal((await ask('PATCH', `/fields/${made.body.id}`, turned)).status, 200)
  const same = await ask('PUT', `${DEALS}/${deal.body.id}`, { own: { colours: ['red', 'green'] } })
  assert.partialDeepStrictEqual(same.body, { revision: 1, own: { colours: ['green', 'red'] } }, same.text)
})

testOnEachStore('nobody sees spaces around a choice or a title', async () => {
  const choice = (value: string) => ({ value, title: ` ${value}`, titles: { de: `${value} ` } })
  const values = [choice(' small'), choice('large ')]
  const field = { on: 'deal', name: 'width', title: 'Width', titles: { de: ' Breite ' }, kind: 'choices' }
  const made = await ask('POST', '/fields', { ...field, options: { values } })
  const kept = (...words: readonly string[]) => ({
    titles: { de: 'Breite' },
    options: { values: words.map((value) => ({ value, title: value, titles: { de: value } })) },
  })
  assert.partialDeepStrictEqual(made.body, kept('small', 'large'), made.text)
  const more = [choice(' small'), choice('middle'), choice(' large')]
  const changed = await ask('PATCH', `/fields/${made.body.id}`, {
    titles: { de: 'Breite ' },
    options: { values: more },
  })
  assert.partialDeepStrictEqual(changed.body, kept('small', 'middle', 'large'), changed.text)
  const twins = await ask('POST', '/fields', {
    ...{ ...field, name: 'height' },
    options: { values: [choice('small'), choice('small ')] },
  })
  assert.deepEqual([twins.status, twins.body.errors[0]?.code], [422, 'repeated'], twins.text)
})

testOnEachStore('a link leads to things of the same resource as long as it is there', async () => {
  const field = { on: 'task', name: 'about', title: 'About', kind: 'link', options: { to: 'customer' } }
  const made = await ask('POST', '/fields', field)
  const changed = await ask('PATCH', `/fields/${made.body.id}`, { title: 'Concerns', options: { to: 'deal' } })
  const faults = changed.body.errors.map(({ pointer, code }) => [pointer, code])
  assert.deepEqual([changed.status, faults], [422, [['/options/to', 'set-at-creation']]], changed.text)
  const same = await ask('PATCH', `/fields/${made.body.id}`, { title: 'Concerns', options: { to: 'customer' } })
  assert.equal(same.status, 200, same.text)
})

testOnEachStore('a misspelt field in a path has the nearest name, in every dialect', async () => {
  const field = { on: 'deal', name: 'volume', title: 'Volume', kind: 'integer' }
  assert.equal((await ask('POST', '/fields', field)).status, 201)
  for (const [path, near] of [
    [`${DEALS}?own.volme=1`, 'own.volume'],
    [`${DEALS}?or=(own.volme.eq.1,price.eq.1)`, 'own.volume'],
    [`${DEALS}?own[volme]=1`, 'own.volume'],
    [`${DEALS}?own[volme][gte]=1`, 'own.volume'],
    [`${DEALS}?filter={"own":{"volme":1}}`, 'own.volume'],
    [`${DEALS}?$filter=own/volme eq 1`, 'own/volume'],
    [`${DEALS}?or=(customer.contry.eq.DE,price.eq.1)`, 'customer.country'],
    [`${DEALS}?$filter=customer/contry eq 'DE'`, 'customer/country'],
    ['/postgrest/deals?own->>volme=eq.1', 'own->>volume'],
    ['/postgrest/deals?select=own->>volme', 'own->>volume'],
  ] as const) {
    const { status, text } = await ask('GET', path.replaceAll(' ', '%20').replaceAll('"', '%22'))
    assert.equal(status, 400, path)
    assert.ok(text.includes(`did you mean ${near}?`), `${path}: ${text}`)
  }
})

testOnEachStore('events and earlier revisions have every value, whatever fields and texts look like', async () => {
  const names = ['id', 'own', 'type', 'value', 'task', 'revision', 'updatedAt', 'json']
  for (const name of names) {
    const made = await ask('POST', '/fields', { on: 'task', name, title: name, kind: 'text', options: { max: 500 } })
    assert.equal(made.status, 201, made.text)
  }
  const texts = [
    ...['{"id":"x","own":{"id":"y"}}', ',"own":{', '"own":{}}', '{"id":', '}}', ',"task":{"id":"x"}}', '\\'],
    ...['"', '\\"},"task":{"id":', '\u2028\n\t,"title":"z"'],
  ]
  const text = (nth: number): string => texts[nth % texts.length] ?? ''
  const ownAt = (nth: number): object =>
    Object.fromEntries(names.map((name, at) => [name, (nth + at) % 4 === 3 ? null : text(nth * 3 + at)]))
  const made = await ask('POST', '/rest/v1/tasks', { title: text(0), own: ownAt(0) })
  assert.equal(made.status, 201, made.text)
  const address = `/rest/v1/tasks/${made.body.id}`
  const states: object[] = [withoutLinks(made)]
  // Until a revision is stored whole again, and beyond; none of the values is set in one of them.
  for (let nth = 1; nth < 20; nth++) {
    const own = nth === 9 ? Object.fromEntries(names.map((name) => [name, null])) : ownAt(nth)
    const changed = await ask(
      'PATCH',
      address,
      nth % 3 === 1 ? { title: `${text(nth)}${nth}`, note: text(nth) } : { own },
    )
    assert.equal(changed.status, 200, changed.text)
    states.push(withoutLinks(changed))
  }
  const feed = await ask('GET', `/events?task=${made.body.id}&maxpagesize=100`)
  assert.deepEqual(taskOf(feed.body.items as readonly object[]), states)
  const lines = (await ask('GET', `/events?task=${made.body.id}&format=ndjson`)).text.trimEnd().split('\n')
  assert.deepEqual(taskOf(lines.map((line) => JSON.parse(line) as object)), states)
  assert.equal(feed.text.includes(`"items":[${lines.join(',')}]`), true, 'and each member once')
  for (const [at, state] of states.entries()) {
    assert.deepEqual(withoutLinks(await ask('GET', `${address}?revision=${at + 1}`)), state)
  }
})

const withoutLinks = ({ body: { links: _links, ...state } }: Answered): object => state

const taskOf = (events: readonly object[]): readonly unknown[] =>
  events.map((event) => (event as { readonly data: { readonly task: unknown } }).data.task)

/** Names that engines give to columns of their own, or that a table beside the things has. */
const columnNames = ['id', 'key', 'value', 'type', 'atom', 'parent', 'path', 'json', 'rowid', 'field', 'own', 'found']

testOnEachStore('fields are asked for alike, whatever the engine calls its columns', async () => {
  const choices = ['red', 'green', 'blue']
  const options = { values: choices.map((value) => ({ value, title: value })) }
  const kinds = { text: { searched: true }, choices: { options, searched: true }, number: {} } as const
  const values = {
    text: ['Ann', 'ban', null, 'annual'],
    choices: [['red', 'blue'], ['green'], null, choices],
    number: [1.5, -0.000001, null, 9e9],
  } as const
  type KindName = keyof typeof kinds
  const kindNames = Object.keys(kinds) as readonly KindName[]
  const named = columnNames.map((name, at) => [name, kindNames[at % kindNames.length] ?? 'text'] as const)
  const plain = kindNames.map((kind) => [`${kind}Plain`, kind] as const)
  const fields = [...named, ...plain, ['beside', 'choices'] as const]
  for (const [name, kind] of fields) {
    const made = await ask('POST', '/fields', { on: 'customer', name, title: name, kind, ...kinds[kind] })
    assert.equal(made.status, 201, made.text)
  }
  for (const nth of [0, 1, 2, 3]) {
    const own = Object.fromEntries(fields.map(([name, kind]) => [name, values[kind][nth]]))
    const made = await ask('POST', '/customers', { name: `Customer ${nth}`, own })
    assert.equal(made.status, 201, made.text)
  }
  const grouped = 'measure=count,min.id,max.id,min.name,sum.id,avg.id'
  const everywhere = [`group=FIELD&${grouped}`, `group=FIELD,own.beside&${grouped}`, 'FIELD.null=true']
  const texts = ['FIELD.contains=AN', 'FIELD.regex=n+', 'or=(FIELD.eq.ban,FIELD.eq.Ann)&sort=-FIELD']
  const sums = 'measure=count,sum.FIELD,avg.FIELD,min.FIELD,max.FIELD,min.id'
  const queries: Readonly<Record<KindName, readonly string[]>> = {
    text: [...everywhere, ...texts, `q=an&group=FIELD&${grouped}`],
    choices: [...everywhere, 'FIELD=red', 'FIELD.ne=red', `q=red&group=FIELD&${grouped}`],
    number: [...everywhere, 'FIELD.lt=1', 'sort=-FIELD', 'FIELD.ne=1.5', sums, `group=own.beside&${sums}`],
  }
  const asked = async (query: string, name: string): Promise<string> => {
    const answered = await ask('GET', `/customers?${query.replaceAll('FIELD', `own.${name}`)}`)
    assert.equal(answered.status, 200, `${query} of ${name}: ${answered.text}`)
    const items = answered.body.items as readonly (object & { readonly id?: number })[]
    return JSON.stringify(items.map((item) => item.id ?? item)).replaceAll(`own.${name}"`, 'FIELD"')
  }
  for (const [alike, kind] of plain) {
    for (const query of queries[kind]) {
      const expected = await asked(query, alike)
      for (const [name] of named.filter(([, of]) => of === kind)) {
        assert.equal(await asked(query, name), expected, `${query} of ${name}`)
      }
    }
  }
})
