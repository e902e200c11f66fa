import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { Client, type CombinedError, fetchExchange } from '@urql/core'
import { mutationName } from '../../src/doors/kit/declaring.ts'
import { buildSchema, NOTHING_ADDED } from '../../src/model/schema/build-schema.ts'
import type { AddedField } from '../../src/model/source/added-field.ts'
import { collectionOf } from '../../src/queries/collections.ts'
import { pascalCase } from '../../src/values/letter-case.ts'
import { schema as model, operations, resources } from '../support/schema.ts'
import { bearer, type ClosedService, runClosedService } from '../support/service/closed-service.ts'
import type { Answered } from '../support/service/running-service.ts'
import { saidFaults } from '../support/service/said-faults.ts'
import { watchedDesk } from '../support/things/watched-desk.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a test selects is known to it alone.
type Selected = any

let service: ClosedService
let client: Client

before(async () => {
  service = await runClosedService()
  client = clientOf(service.keys.admin)
})
after(() => service.close())

const clientOf = (key: string): Client =>
  new Client({
    url: `${service.url}/graphql`,
    exchanges: [fetchExchange],
    fetchOptions: { headers: bearer(key) },
    preferGetMethod: false,
  })

async function query(text: string, variables: Record<string, unknown> = {}, by = client): Promise<Selected> {
  const { data, error } = await by.query(text, variables).toPromise()
  assert.equal(error, undefined, String(error?.message))
  return data
}

async function mutate(text: string, variables: Record<string, unknown> = {}, by = client): Promise<Selected> {
  const { data, error } = await by.mutation(text, variables).toPromise()
  assert.equal(error, undefined, String(error?.message))
  return data
}

/** The problem of the first error. */
async function refused(text: string, variables: Record<string, unknown> = {}, by = client): Promise<Selected> {
  const asked = text.startsWith('mutation') ? by.mutation(text, variables) : by.query(text, variables)
  const { error } = await asked.toPromise()
  assert.ok(error, 'it was not refused')
  return problemOf(error)
}

const problemOf = ({ graphQLErrors: [first] }: CombinedError): Selected => first?.extensions

const post = (body: unknown, headers: { readonly [name: string]: string } = {}): Promise<Answered> =>
  service.request('POST', '/graphql', { body, headers: { ...bearer(service.keys.admin), ...headers } })

const create = async (name: string, price = 100): Promise<{ readonly id: string; readonly revision: number }> => {
  const { createDeal } = await mutate(
    'mutation ($name: String!, $price: Decimal!) { createDeal(name: $name, price: $price) { deal { id revision } } }',
    { name, price },
  )
  return createDeal.deal
}

const hold =
  'mutation ($id: ID!, $reason: String!, $expectedRevision: Int, $commandId: String, $dryRun: Boolean) { holdDeal(id: $id, reason: $reason, expectedRevision: $expectedRevision, commandId: $commandId, dryRun: $dryRun) { deal { id held revision } replayed } }'

test('a client lists to the end, reads, creates, changes, deletes and is refused with the reason', async () => {
  const names = ['Alpha roof', 'Beta roof', 'Gamma roof', 'Delta shed']
  for (const name of names) await create(name)
  const seen: string[] = []
  const pages =
    'query ($after: String) { deals(first: 2, after: $after, where: { name: { contains: "roof" } }, orderBy: "name") { totalCount edges { cursor node { name } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }'
  for (let after: string | null = null, more = true; more; ) {
    const { deals } = await query(pages, { after })
    assert.equal(deals.totalCount, 3)
    assert.equal(deals.pageInfo.hasPreviousPage, after !== null)
    assert.equal(deals.pageInfo.startCursor, deals.edges[0].cursor)
    seen.push(...deals.edges.map(({ node }: Selected) => node.name))
    after = deals.pageInfo.endCursor
    more = deals.pageInfo.hasNextPage
  }
  assert.deepEqual(seen, names.slice(0, 3))

  const { id, revision } = await create('Bridge')
  const { holdDeal } = await mutate(hold, { id, reason: 'credit check', expectedRevision: revision })
  assert.deepEqual(holdDeal, { deal: { id, held: true, revision: 2 }, replayed: false })
  assert.deepEqual((await query('query ($id: ID!) { deal(id: $id) { held holdReason } }', { id })).deal, {
    held: true,
    holdReason: 'credit check',
  })
  const { search } = await query('{ search(q: "bridge") { type id name match } }')
  assert.deepEqual(search[0], { type: 'deal', id, name: 'Bridge', match: 'exact' })

  const stale = await refused(hold, { id, reason: 'again', expectedRevision: revision })
  assert.partialDeepStrictEqual(stale, { code: 'stale-revision', status: 412, revision: 2 })
  const wrong = await refused('mutation ($id: ID!) { completeDeal(id: $id) { deal { id } } }', { id })
  assert.partialDeepStrictEqual(wrong, { code: 'wrong-state', status: 409, operation: 'complete' })
  assert.match(wrong.type, /wrong-state/)
  assert.match(wrong.instance, /^urn:/)
  const fine = await refused('mutation { createDeal(name: "Roof", price: 1.2345) { deal { id } } }')
  assert.deepEqual(saidFaults(fine.errors), [
    { pointer: '/price', detail: 'must have at most as many decimals as its currency' },
  ])

  const { deleteDeal } = await mutate('mutation ($id: ID!) { deleteDeal(id: $id) { deal { deletedAt } } }', { id })
  assert.ok(deleteDeal.deal.deletedAt)
  assert.equal((await refused('query ($id: ID!) { deal(id: $id) { id } }', { id })).code, 'deal-deleted')
  assert.equal((await refused(`{ deal(id: "${randomUUID()}") { id } }`)).code, 'deal-not-found')
})

test('a customer is created, changed on its revision and deleted for good', async () => {
  const { createCustomer } = await mutate(
    'mutation { createCustomer(name: "Ana Ruiz", age: 41, country: "ES") { customer { id revision } } }',
  )
  const { id, revision } = createCustomer.customer
  assert.equal(typeof id, 'string')
  const change =
    'mutation ($id: ID!, $revision: Int) { changeCustomer(id: $id, age: 42, expectedRevision: $revision) { customer { age revision } } }'
  const { changeCustomer } = await mutate(change, { id, revision })
  assert.deepEqual(changeCustomer.customer, { age: 42, revision: 2 })
  assert.equal((await refused(change, { id, revision })).code, 'stale-revision')
  const { createDeal } = await mutate(
    'mutation ($id: ID) { createDeal(name: "Oven", price: 5, customerId: $id) { deal { id customerId customer { id name } } } }',
    { id },
  )
  assert.partialDeepStrictEqual(createDeal.deal, { customerId: id, customer: { id, name: 'Ana Ruiz' } })
  const remove = 'mutation ($id: ID!) { deleteCustomer(id: $id) { customer { id } } }'
  assert.equal((await refused(remove, { id })).code, 'customer-in-use')
  const free = await mutate('mutation { createCustomer(name: "Nobody") { customer { id } } }')
  assert.deepEqual(await mutate(remove, { id: free.createCustomer.customer.id }), {
    deleteCustomer: { customer: null },
  })
})

test('what only a dry run makes is a draft without an id', async () => {
  const made = await mutate(
    'mutation { createDeal(name: "Roof", price: 1, dryRun: true) { deal { id name } draft { name } } createCustomer(name: "Ana", dryRun: true) { customer { id } draft { name age } } }',
  )
  assert.deepEqual(made, {
    createDeal: { deal: null, draft: { name: 'Roof' } },
    createCustomer: { customer: null, draft: { name: 'Ana', age: null } },
  })
  const { text } = await post({ query: '{ __type(name: "Deal") { fields { name type { kind } } } }' })
  const id = JSON.parse(text).data.__type.fields.find(({ name }: { name: string }) => name === 'id')
  assert.equal(id.type.kind, 'NON_NULL')
})

test('filters are those of JSON, those of related things below their name', async () => {
  const made = await mutate(
    'mutation { de: createCustomer(name: "Filter Kunz", age: 66, country: "DE") { customer { id } } fr: createCustomer(name: "Filter Petit", age: 20, country: "FR") { customer { id } } }',
  )
  const [de, fr] = [made.de.customer.id, made.fr.customer.id]
  for (const [customerId, price] of [
    [de, 10.5],
    [fr, 20.25],
  ] as const) {
    await mutate(
      'mutation ($customerId: ID, $price: Decimal!) { createDeal(name: "Filtered", price: $price, customerId: $customerId) { deal { id } } }',
      { customerId, price },
    )
  }
  const prices = async (where: string): Promise<readonly number[]> => {
    const { deals } = await query(
      `{ deals(where: { name: { eq: "Filtered" }, ${where} }, orderBy: "price") { nodes { price } } }`,
    )
    return deals.nodes.map(({ price }: Selected) => price)
  }
  assert.deepEqual(await prices('price: { gt: 10.5 }'), [20.25])
  assert.deepEqual(await prices('status: { in: [open, "cancelled"] }'), [10.5, 20.25])
  assert.deepEqual(await prices('customer: { country: { eq: "DE" } }'), [10.5])
  assert.deepEqual(
    await prices('customer: { or: [{ age: { gte: 65 } }, { not: { country: { in: ["DE", "FR"] } } }] }'),
    [10.5],
  )
  assert.deepEqual(await prices(`not: { customerId: { eq: "${de}" } }`), [20.25])
  assert.deepEqual(
    await prices('or: [{ price: { lt: 11 } }, { customer: { name: { starts: "filter p" } } }]'),
    [10.5, 20.25],
  )
  assert.deepEqual(await prices('customerId: { null: true }'), [])
  assert.deepEqual(await prices('customerId: { gt: -5 }'), [10.5, 20.25])
  assert.deepEqual(await prices(`customerId: { in: ["-1", ${fr}, "9007199254740991"] }`), [20.25])
  for (const id of ['9007199254740993', '-99999999999999999999']) {
    const { detail } = await refused(`{ deals(where: { customerId: { gt: ${id} } }) { nodes { id } } }`)
    assert.match(detail, /^where at \/customerId\/gt must be between -9007199254740992 and 9007199254740992$/)
  }
  assert.match((await refused('{ deals(where: { customerId: { gt: "x" } }) { nodes { id } } }')).detail, /a number/)
  const bad = await refused('{ deals(where: { completionDate: { gte: "soon" } }, orderBy: "prise") { nodes { id } } }')
  assert.equal(bad.code, 'invalid-parameter')
  assert.deepEqual(
    bad.errors.map(({ pointer }: Selected) => pointer),
    ['/where/completionDate/gte', '/orderBy'],
  )
  assert.match(
    (await refused('{ deals(orderBy: "prise") { nodes { id } } }')).detail,
    /^orderBy .*did you mean price\?/,
  )
})

test('a fault in the filter of an added field points to it', async () => {
  const field = { on: 'deal', name: 'since', title: 'Since', kind: 'date' }
  const headers = bearer(service.keys.admin)
  const made = await service.request('POST', '/fields', { body: field, headers })
  assert.equal(made.status, 201)
  for (const [where, pointer] of [
    ['{ own: { since: { gte: "soon" } } }', '/where/own/since/gte'],
    ['{ not: { own: { since: { in: ["soon"] } } } }', '/where/not/own/since/in'],
  ]) {
    const { errors } = await refused(`{ deals(where: ${where}) { nodes { id } } }`)
    assert.deepEqual(
      errors.map((each: Selected) => each.pointer),
      [pointer],
    )
  }
  assert.equal((await service.request('PUT', `/fields/${made.body.id}/retire`, { headers })).status, 200)
})

test('pages go backwards, and end at the end', async () => {
  for (const name of ['Back 1', 'Back 2', 'Back 3', 'Back 4', 'Back 5']) await create(name)
  const list = async (args: string): Promise<Selected> =>
    (
      await query(
        `{ deals(${args}, where: { name: { starts: "Back" } }, orderBy: "completionDate,name") { nodes { name } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
      )
    ).deals
  const namesIn = ({ nodes }: Selected) => nodes.map(({ name }: Selected) => name.slice(5)).join('')
  const end = await list('last: 2')
  assert.equal(namesIn(end), '45')
  assert.deepEqual([end.pageInfo.hasPreviousPage, end.pageInfo.hasNextPage], [true, false])
  const before = await list(`last: 2, before: "${end.pageInfo.startCursor}"`)
  assert.equal(namesIn(before), '23')
  const start = await list(`last: 2, before: "${before.pageInfo.startCursor}"`)
  assert.equal(namesIn(start), '1')
  assert.deepEqual([start.pageInfo.hasPreviousPage, start.pageInfo.hasNextPage], [false, true])
  for (const args of ['first: 1, last: 1', 'first: 1, before: "x"', 'last: 1, after: "x"', 'first: -1', 'after: "x"']) {
    assert.equal((await refused(`{ deals(${args}) { nodes { id } } }`)).code, 'invalid-parameter', args)
  }
})

test('none of a list may be wanted: its total and what is around the place', async () => {
  const made = await mutate('mutation { createCustomer(name: "None Kunz") { customer { id } } }')
  const { id } = made.createCustomer.customer
  for (const name of ['None 1', 'None 2', 'None 3']) {
    await mutate(`mutation { createDeal(name: "${name}", price: 1, customerId: "${id}") { deal { id } } }`)
  }
  const list = async (args: string, name = 'None'): Promise<Selected> =>
    (
      await query(
        `{ deals(${args}, where: { name: { starts: "${name}" } }, orderBy: "name") { totalCount edges { cursor } nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
      )
    ).deals
  const cursors = (await list('first: 3')).edges.map(({ cursor }: Selected) => cursor)
  const none = (hasPreviousPage: boolean, hasNextPage: boolean, totalCount = 3) => ({
    ...{ totalCount, edges: [], nodes: [] },
    pageInfo: { hasNextPage, hasPreviousPage, startCursor: null, endCursor: null },
  })
  assert.deepEqual(await list('first: 0'), none(false, true))
  assert.deepEqual(await list(`first: 0, after: "${cursors[0]}"`), none(true, true))
  assert.deepEqual(await list(`first: 0, after: "${cursors[2]}"`), none(true, false))
  assert.deepEqual(await list('last: 0'), none(true, false))
  assert.deepEqual(await list(`last: 0, before: "${cursors[1]}"`), none(true, true))
  assert.deepEqual(await list(`last: 0, before: "${cursors[0]}"`), none(false, true))
  for (const args of ['first: 0', 'last: 0']) assert.deepEqual(await list(args, 'Nowhere'), none(false, false, 0))
  const { customer } = await query(
    `{ customer(id: "${id}") { deals(first: 0) { totalCount edges { cursor } nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`,
  )
  assert.deepEqual(customer.deals, none(false, true))
  for (const name of ['first', 'last']) {
    const { detail } = await refused(`{ deals(${name}: -1) { nodes { id } } }`)
    assert.match(detail, new RegExp(`^${name} must be an integer from 0`))
  }
  assert.match((await refused(`{ customer(id: "${id}") { deals(first: -1) { totalCount } } }`)).detail, /from 0/)
})

test('every edge has a cursor of its own, whatever the sort', async () => {
  for (const price of [1, 2.5, 3.125]) {
    await mutate(`mutation { createDeal(name: "Edge", price: ${price}, currency: "KWD") { deal { id } } }`)
  }
  for (const orderBy of ['id', '-price', 'owner,price', 'stage,-createdAt', 'held,paid', 'name']) {
    const list = `deals(first: 3, where: { name: { eq: "Edge" } }, orderBy: "${orderBy}"`
    const { deals } = await query(`{ ${list}) { edges { cursor node { id } } } }`)
    const [first, second] = deals.edges
    const next = await query(`{ ${list}, after: "${first.cursor}") { nodes { id } } }`)
    assert.equal(next.deals.nodes[0].id, second.node.id, orderBy)
  }
})

test('the smallest rates have cursors too', async () => {
  for (const perUnit of ['0.00000001', '0.0000007', '0.5']) {
    await mutate(`mutation { createRate(currency: "IRR", perUnit: ${perUnit}, since: "2026-11-01") { rate { id } } }`)
  }
  const list = 'rates(first: 1, where: { currency: { eq: "IRR" } }, orderBy: "perUnit"'
  const found: number[] = []
  for (let after = ''; ; ) {
    const { rates } = await query(`{ ${list}${after}) { nodes { perUnit } pageInfo { hasNextPage endCursor } } }`)
    found.push(...rates.nodes.map(({ perUnit }: Selected) => perUnit))
    if (!rates.pageInfo.hasNextPage) break
    after = `, after: "${rates.pageInfo.endCursor}"`
  }
  assert.deepEqual(found, [0.00000001, 0.0000007, 0.5])
})

test('aggregates are exact, and refused across currencies', async () => {
  for (const [price, stage] of [
    [0.1, 'lead'],
    [0.2, 'lead'],
    [7, 'proposal'],
  ] as const) {
    await mutate(`mutation { createDeal(name: "Sum", price: ${price}, stage: "${stage}") { deal { id } } }`)
  }
  const { dealAggregates } = await query(
    'query ($deep: Boolean = false) { dealAggregates(group: ["stage", "currency", "createdAt.year"], where: { name: { eq: "Sum" } }, orderBy: "-sum.price") { totalCount hasMore nodes { key { stage currency createdAt_year } ...Measured } } } fragment Measured on DealAggregate { count sum { price } avg { price } max { createdAt @include(if: $deep) price } counts { owner } }',
  )
  const year = String(new Date().getUTCFullYear())
  assert.deepEqual(dealAggregates, {
    totalCount: 2,
    hasMore: false,
    nodes: [
      {
        key: { stage: 'proposal', currency: 'EUR', createdAt_year: year },
        count: 1,
        sum: { price: 7 },
        avg: { price: 7 },
        max: { price: 7 },
        counts: { owner: 0 },
      },
      {
        key: { stage: 'lead', currency: 'EUR', createdAt_year: year },
        count: 2,
        sum: { price: 0.3 },
        avg: { price: 0.15 },
        max: { price: 0.2 },
        counts: { owner: 0 },
      },
    ],
  })
  assert.match((await refused('{ dealAggregates { nodes { sum { price } } } }')).detail, /across currencies/)
  const large = Array.from(
    { length: 11 },
    (_, at) => `a${at}: createDeal(name: "Large", price: 999999999999.999, currency: "KWD") { replayed }`,
  )
  await mutate(`mutation { ${large.join(' ')} }`)
  const exact = await post({
    query: '{ dealAggregates(where: { name: { eq: "Large" }, currency: { eq: "KWD" } }) { nodes { sum { price } } } }',
  })
  assert.equal(exact.text, '{"data":{"dealAggregates":{"nodes":[{"sum":{"price":10999999999999.989}}]}}}')
  const whole = await query('{ customerAggregates { nodes { count avg { age } } } }')
  assert.equal(whole.customerAggregates.nodes.length, 1)
})

test('related things of a page are one statement more, however many there are', async () => {
  const { createCustomer } = await mutate('mutation { createCustomer(name: "Batch") { customer { id } } }')
  const { id } = createCustomer.customer
  const many = Array.from(
    { length: 20 },
    (_, at) => `d${at}: createDeal(name: "Batched", price: 1, customerId: "${id}") { deal { id } }`,
  )
  await mutate(`mutation { ${many.join(' ')} }`)
  const { store } = service
  const { as } = store
  const asked: string[] = []
  store.as = (caller) => {
    const desk = as(caller)
    return watchedDesk(desk, {
      related(relation, keys, most) {
        asked.push(`${relation.name} of ${keys.length}`)
        return desk.related(relation, keys, most)
      },
      textPage(...args) {
        asked.push('page')
        return desk.textPage(...args)
      },
    })
  }
  try {
    const { deals } = await query(
      '{ deals(first: 20, where: { name: { eq: "Batched" } }) { nodes { tasks { nodes { id } } customer { name deals(first: 3) { nodes { customer { id } } pageInfo { hasNextPage } } } } } }',
    )
    assert.equal(deals.nodes.length, 20)
    assert.equal(deals.nodes[0].customer.deals.nodes.length, 3)
    assert.equal(deals.nodes[0].customer.deals.pageInfo.hasNextPage, true)
    assert.deepEqual(asked, ['page', 'tasks of 20', 'customer of 1', 'deals of 1', 'customer of 1'])
  } finally {
    store.as = as
  }
  const { customer } = await query(
    `{ customer(id: "${id}") { deals(first: 2) { totalCount pageInfo { endCursor } nodes { id } } } }`,
  )
  assert.equal(customer.deals.totalCount, 20)
  const on = await query(
    `{ deals(where: { customerId: { eq: "${id}" } }, orderBy: "-id", after: "${customer.deals.pageInfo.endCursor}") { totalCount nodes { id } } }`,
  )
  assert.equal(on.deals.nodes.length, 18)
})

suite('the schema', () => {
  test('is sound, has every resource and operation, and is printed the same each time', async () => {
    const { printSchema, buildSchema: readSchema, validateSchema } = await import('graphql')
    const { graphqlSchema } = await import('../../src/doors/graphql/schema/schema.ts')
    const schema = graphqlSchema(model)
    assert.deepEqual(validateSchema(schema), [])
    const text = printSchema(schema)
    assert.equal(printSchema(readSchema(text)), text)
    const reads = Object.keys(schema.getQueryType()?.getFields() ?? {})
    assert.deepEqual(reads, [...resources.flatMap(({ name, plural }) => [name, plural, `${name}Aggregates`]), 'search'])
    assert.deepEqual(Object.keys(schema.getMutationType()?.getFields() ?? {}), [
      ...operations.map(mutationName),
      ...resources.flatMap(({ name, uniques }) => (uniques.length > 0 ? [`upsert${pascalCase(name)}`] : [])),
    ])
    assert.match(text, /\n {2}holdDeal\(\n {4}id: ID!\n {4}reason: String!\n/)
  })

  test('has choices that can be arranged as texts, so that documents stay valid whatever an admin adds', async () => {
    const { printSchema, validateSchema } = await import('graphql')
    const { graphqlSchema } = await import('../../src/doors/graphql/schema/schema.ts')
    const schemaWith = (values: readonly string[], pipelines: readonly string[] = []): string => {
      const branch: AddedField = {
        ...{ on: 'deal', name: 'branch', title: 'Branch', kind: 'choice' },
        options: { values: values.map((value) => ({ value, title: value })) },
      }
      const [sales] = NOTHING_ADDED.pipelines
      assert.ok(sales)
      const added = pipelines.map((name) => ({ ...sales, name, title: name, default: false }))
      const schema = graphqlSchema(
        buildSchema({
          ...{ ...NOTHING_ADDED, version: 1, fields: [branch] },
          pipelines: [sales, ...added],
        }),
      )
      assert.deepEqual(validateSchema(schema), [])
      return printSchema(schema)
    }
    const first = schemaWith(['north', 'south'])
    assert.match(first, /\n {2}stage: String\n/)
    assert.match(first, /\n {2}status: DealStatus\n/)
    // Also one with the values of an enumeration.
    for (const values of [
      ['deep blue', 'true'],
      ['open', 'completed', 'cancelled'],
    ])
      assert.equal(schemaWith(values, ['late-renewals']), first)
  })

  test('offers the filters of related things that there are', async () => {
    const { isInputObjectType } = await import('graphql')
    const { graphqlSchema } = await import('../../src/doors/graphql/schema/schema.ts')
    const schema = graphqlSchema(model)
    for (const resource of resources) {
      const { fields, relations } = collectionOf(resource)
      for (const { name, of } of [...relations.values()].filter(({ kind }) => kind === 'one')) {
        const type = schema.getType(`${pascalCase(of.name)}RelatedFilter`)
        assert.ok(isInputObjectType(type))
        const offered = Object.keys(type.getFields()).filter((each) => !['and', 'or', 'not'].includes(each))
        const known = [...fields.keys()].filter((each) => each.startsWith(`${name}.`))
        assert.deepEqual(
          offered.map((each) => `${name}.${each}`),
          known,
        )
      }
    }
  })

  test('is told to tools', async () => {
    const { buildClientSchema, getIntrospectionQuery, printSchema } = await import('graphql')
    const { graphqlSchema } = await import('../../src/doors/graphql/schema/schema.ts')
    const schema = graphqlSchema(model)
    const { status, text } = await post({
      query: getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true }),
    })
    assert.equal(status, 200)
    assert.equal(printSchema(buildClientSchema(JSON.parse(text).data)), printSchema(schema))
  })
})

test('what refers to a thing is a connection too, and goes on behind its cursors', async () => {
  const { createCustomer } = await mutate('mutation { createCustomer(name: "Of many") { customer { id } } }')
  const { id } = createCustomer.customer
  const names = ['One', 'Two', 'Three', 'Four', 'Five']
  for (const name of names) {
    await mutate(
      'mutation ($name: String!, $id: ID) { createDeal(name: $name, price: 1, customerId: $id) { deal { id } } }',
      { name, id },
    )
  }
  const pages =
    'query ($id: ID!, $after: String) { customer(id: $id) { deals(first: 2, after: $after) { totalCount edges { node { name } } pageInfo { hasNextPage hasPreviousPage endCursor } } } }'
  const seen: string[] = []
  for (let after: string | null = null, more = true; more; ) {
    const { customer } = await query(pages, { id, after })
    const { deals } = customer as Selected
    assert.deepEqual([deals.totalCount, deals.pageInfo.hasPreviousPage], [5, after !== null])
    seen.push(...deals.edges.map(({ node }: Selected) => node.name))
    after = deals.pageInfo.endCursor
    more = deals.pageInfo.hasNextPage
  }
  assert.deepEqual(seen, names.toReversed())
  const bad = await refused('query ($id: ID!) { customer(id: $id) { deals(after: "x") { nodes { id } } } }', { id })
  assert.equal(bad.code, 'invalid-parameter')
})

suite('over HTTP', () => {
  const own = 'application/graphql-response+json'

  test('what is refused before it is executed has the status of its problem, as its page says', async () => {
    const missing = await post({ query: 'mutation { createDeal(name: "x") { deal { id } } }' })
    assert.equal(missing.status, 422, missing.text)
    assert.equal((await post({ query: '{ deals { nope } }' })).status, 400)
    const page = await service.request('GET', '/docs/doors/graphql')
    assert.match(page.text, /what is refused before has the status of its problem/)
  })

  test('GET reads and never changes', async () => {
    const admin = bearer(service.keys.admin)
    const asked = (parameters: Record<string, string>, headers = {}) =>
      service.request('GET', `/graphql?${new URLSearchParams(parameters)}`, { headers: { ...admin, ...headers } })
    const read = await asked({
      query: 'query Few($n: Int) { deals(first: $n) { nodes { id } } }',
      variables: '{"n":1}',
      operationName: 'Few',
    })
    assert.equal(read.status, 200)
    assert.equal(read.headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(JSON.parse(read.text).data.deals.nodes.length, 1)
    const changed = await asked({ query: 'mutation { createCustomer(name: "No") { customer { id } } }' })
    assert.equal(changed.status, 405)
    assert.equal(changed.headers.allow, 'POST')
    assert.equal(JSON.parse(changed.text).errors[0].extensions.code, 'method-not-allowed')
    for (const bad of [{}, { query: '{', variables: '[' }, { query: '{ __typename }', variables: '[]' }] as Record<
      string,
      string
    >[]) {
      assert.equal((await asked(bad)).status, 400)
    }
    assert.equal((await service.request('HEAD', '/graphql?query=%7B__typename%7D', { headers: admin })).status, 200)
  })

  test('the client chooses the type, which decides the status', async () => {
    const wrong = { query: '{ nothing }' }
    for (const [accept, status, type] of [
      [own, 400, own],
      ['application/json', 200, 'application/json'],
      ['*/*', 400, 'application/json'],
      [`${own}, application/json`, 400, own],
      [`${own};q=0.5, application/json`, 200, 'application/json'],
    ] as const) {
      const answer = await post(wrong, { accept })
      assert.equal(answer.status, status, accept)
      assert.equal(answer.headers['content-type'], `${type}; charset=utf-8`)
      const { errors, data } = JSON.parse(answer.text)
      assert.equal(data, undefined)
      assert.partialDeepStrictEqual(errors[0], {
        locations: [{ line: 1, column: 3 }],
        extensions: { code: 'invalid-document', status: 400 },
      })
    }
    assert.equal((await post(wrong, { accept: 'text/html' })).status, 406)
    for (const accept of [own, 'application/json']) {
      assert.equal((await post({ query: `{ deal(id: "${randomUUID()}") { id } }` }, { accept })).status, 200)
      assert.equal((await post('{', { accept })).status, 400)
      assert.equal((await post({ query: 7 }, { accept })).status, 400)
      assert.equal((await post({ query: '{ __typename }', variables: [] }, { accept })).status, 400)
    }
  })

  test('who does not get in is told so in the protocol', async () => {
    const nobody = await service.request('POST', '/graphql', { body: { query: '{ __typename }' } })
    assert.equal(nobody.status, 401)
    assert.equal(JSON.parse(nobody.text).errors[0].extensions.code, 'unauthorized')
    assert.equal((await post('query=x', { 'content-type': 'application/x-www-form-urlencoded' })).status, 415)
    const below = await service.request('GET', '/graphql/deals', { headers: bearer(service.keys.admin) })
    assert.equal(below.status, 404)
    assert.ok(JSON.parse(below.text).errors[0].message)
  })

  test('an operation is chosen by its name, variables are checked', async () => {
    const document = 'query A { a: __typename } query B($n: Int!) { b: __typename deals(first: $n) { nodes { id } } }'
    const chosen = async (operationName?: string, variables?: object) =>
      JSON.parse((await post({ query: document, operationName, variables })).text)
    assert.deepEqual((await chosen('A')).data, { a: 'Query' })
    for (const answer of [await chosen(), await chosen('C'), await chosen('B'), await chosen('B', { n: 'x' })]) {
      assert.equal(answer.data, undefined)
      assert.equal(answer.errors[0].extensions.code, 'invalid-document')
    }
    const { id } = await create('Words')
    const told = async (mutation: string, variables = {}) => {
      const { text } = await post({ query: `mutation M($id: ID!) { ${mutation} { deal { id } } }`, variables })
      return JSON.parse(text).errors[0].extensions
    }
    const words = await told(`holdDeal(id: $id, raison: "x")`, { id })
    assert.deepEqual(saidFaults(words.errors), [
      { pointer: '/reason', detail: 'is required' },
      { pointer: '/raison', detail: 'is not known here, did you mean reason?' },
    ])
    const both = await told(`changeDealPrice(id: $id, newPrice: -1)`, { id })
    assert.deepEqual(
      both.errors.map(({ pointer }: { readonly pointer: string }) => pointer),
      ['/newPrice', '/reason'],
    )
    assert.equal((await told(`holdDeal(id: $id)`, { id: randomUUID() })).code, 'deal-not-found')
    assert.equal((await told(`holdDeal(id: $id, expectedRevision: 9)`, { id })).code, 'stale-revision')
    await post({ query: `mutation { deleteDeal(id: "${id}") { replayed } }` })
    assert.equal((await told(`holdDeal(id: $id)`, { id })).code, 'deal-deleted')
  })

  test('members that it does not know are refused', async () => {
    const query = '{ __typename }'
    for (const sent of [
      { query, dryRun: true },
      { query, extensions: { dryRun: true } },
    ]) {
      const { status, text } = await post(sent)
      assert.deepEqual([status, JSON.parse(text).errors[0].extensions.code], [400, 'malformed-body'])
    }
    assert.equal((await post({ query, extensions: { persistedQuery: { version: 1 } } })).status, 200)
  })
})

suite('too much is refused before anything is read', () => {
  const repeated = (count: number, part: (at: number) => string): string =>
    Array.from({ length: count }, (_, at) => part(at)).join(' ')
  const nested = (levels: number): string =>
    levels === 0 ? 'id' : `customer { deals { nodes { ${nested(levels - 1)} } } }`
  const fragments = repeated(
    12,
    (at) =>
      `fragment F${at} on Customer { a: deals(first: 2) { nodes { customer { ...F${at + 1} } } } b: deals(first: 2) { nodes { customer { ...F${at + 1} } } } }`,
  )
  const attacks: { readonly [name: string]: string } = {
    depth: `{ deals { nodes { ${nested(4)} } } }`,
    'depth by fragments': `{ customers { nodes { ...F0 } } } ${fragments} fragment F12 on Customer { id }`,
    'nested pages': '{ customers(first: 300) { nodes { deals(first: 50) { nodes { id } } } } }',
    'many pages': `{ ${repeated(11, (at) => `a${at}: deals(first: 1000) { nodes { id } }`)} }`,
    'aliases of lists that count': `{ ${repeated(11, (at) => `a${at}: deals { totalCount }`)} }`,
    'aliases of searches': `{ ${repeated(11, (at) => `a${at}: search(q: "a") { id }`)} }`,
    'aliases of filters that search': `{ ${repeated(11, (at) => `a${at}: deals(first: 1, where: { or: [{ name: { regex: "(a+)+" } }] }) { nodes { id } }`)} }`,
    'aliases of values': `{ deals(first: 1000) { nodes { ${repeated(300, (at) => `a${at}: description`)} } } }`,
    'a thousand fields': `{ ${repeated(1001, (at) => `a${at}: __typename`)} }`,
    'the same field again and again': `{ ${repeated(80, () => 'deals(first: 1) { nodes { id } }')} }`,
    'fragments without end': `{ __typename } ${repeated(51, (at) => `fragment H${at} on Deal { id }`)}`,
    'fragments that double': `{ deal(id: "1") { ...G0 } } ${repeated(30, (at) => `fragment G${at} on Deal { ...G${at + 1} ...G${at + 1} }`)} fragment G30 on Deal { id }`,
    directives: `{ deals { nodes { id ${repeated(60, () => '@include(if: true)')} } } }`,
    tokens: `{ deals(where: { name: { in: [${repeated(10_001, () => '"a"')}] } }) { nodes { id } } }`,
    characters: `{ __typename } # ${'x'.repeat(100_001)}`,
    'deep braces': `${'{ a '.repeat(4000)}${'}'.repeat(4000)}`,
    'deep lists': `{ deals(where: ${'['.repeat(9000)}${']'.repeat(9000)}) { nodes { id } } }`,
    'aliases of schemas': `{ ${repeated(11, (at) => `a${at}: __schema { types { name } }`)} }`,
    'aliases in an introspection': '{ __schema { a: types { name } b: types { name } } }',
  }
  for (const [name, document] of Object.entries(attacks)) {
    test(name, async () => {
      const { store } = service
      const { as } = store
      const stop = () => assert.fail('it was read')
      store.as = (caller) => watchedDesk(as(caller), { page: stop, textPage: stop, related: stop })
      try {
        const { status, text } = await post({ query: document })
        assert.equal(status, 400)
        assert.equal(JSON.parse(text).errors[0].extensions.code, 'query-too-large', text.slice(0, 300))
      } finally {
        store.as = as
      }
    })
  }

  test('texts that would make an answer too long', async () => {
    const made = repeated(90, (at) => `a${at}: createDeal(name: "Long", price: 1, description: $text) { replayed }`)
    await mutate(`mutation ($text: String) { ${made} }`, { text: 'x'.repeat(9900) })
    const long = `{ deals(first: 90, where: { name: { eq: "Long" } }) { nodes { ${repeated(20, (at) => `a${at}: description`)} } } }`
    assert.match((await refused(long)).detail, /more than 16,000,000 characters/)
  })

  test('also by variables', async () => {
    const text = 'query ($n: Int) { customers(first: $n) { nodes { deals { nodes { id } } } } }'
    assert.ok(await query(text, { n: 10 }))
    assert.match((await refused(text, { n: 1000 })).detail, /may read 51,000 things; 10,000 are allowed/)
  })

  test('an introspection that goes in circles, and fragments that do', async () => {
    for (const document of [
      '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
      '{ deal(id: "1") { ...A } } fragment A on Deal { customer { deals { nodes { ...A } } } }',
      'subscription { deals { nodes { id } } }',
      `{ deals { ${repeated(400, () => '@x')} nodes { id } } }`,
    ]) {
      const { status, text } = await post({ query: document })
      assert.equal(status, 400, text)
    }
  })
})

test('an answer that is repeated says so', async () => {
  const { id } = await create('Roof')
  const commandId = `graphql-${randomUUID()}`
  const first = await mutate(hold, { id, reason: 'x', commandId })
  assert.deepEqual((await mutate(hold, { id, reason: 'x', commandId })).holdDeal, { ...first.holdDeal, replayed: true })
})

test('related lists are filtered and ordered, and an upsert makes or changes', async () => {
  const upsert =
    'mutation ($by: DealKey!, $price: Decimal, $customerId: ID) { upsertDeal(by: $by, name: "Up", price: $price, customerId: $customerId) { deal { id reference price revision } replayed } }'
  const { customer } = (await mutate('mutation { createCustomer(name: "Related") { customer { id } } }')).createCustomer
  const made: Selected[] = []
  for (const [reference, price] of [
    ['U-1', 1],
    ['U-2', 2],
    ['U-1', 3],
  ])
    made.push((await mutate(upsert, { by: { reference }, price, customerId: customer.id })).upsertDeal.deal)
  assert.deepEqual(
    made.map(({ reference, price, revision }) => [reference, price, revision]),
    [
      ['U-1', 1, 1],
      ['U-2', 2, 1],
      ['U-1', 3, 2],
    ],
  )
  assert.equal(made[0].id, made[2].id)
  assert.equal((await refused(upsert, { by: {} })).code, 'invalid-body')
  assert.equal((await refused(upsert, { by: { reference: 'U-3' } })).code, 'invalid-body')
  const list = async (args: string): Promise<Selected> =>
    (await query(`{ customer(id: "${customer.id}") { deals(${args}) { nodes { price } pageInfo { endCursor } } } }`))
      .customer.deals
  const prices = ({ nodes }: Selected): readonly number[] => nodes.map(({ price }: Selected) => price)
  assert.deepEqual(prices(await list('orderBy: "price"')), [2, 3])
  assert.deepEqual(prices(await list('where: { price: { gt: 2 } }')), [3])
  const first = await list('first: 1, orderBy: "-price"')
  assert.deepEqual(prices(first), [3])
  assert.deepEqual(prices(await list(`first: 1, orderBy: "-price", after: "${first.pageInfo.endCursor}"`)), [2])
})
