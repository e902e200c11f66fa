import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, suite, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { FormRoute } from '../../../src/http/contract/form.ts'
import { forms } from '../../../src/http/forms/forms.ts'
import { tell } from '../../../src/languages/tell.ts'
import type { Params } from '../../../src/model/declaration/operation.ts'
import type { Operation } from '../../../src/model/declaration/schema.ts'
import type { Deal } from '../../../src/model/nouns/deal/deal.ts'
import { allowedOperations, operationNamed } from '../../../src/model/schema/resources.ts'
import {
  type Attributes,
  attributesFor,
  attributeUpdates,
  type FormRequest,
  requestsFor,
} from '../../support/deals/form-requests.ts'
import { after, blank, customers, isAllowed, live, type Way, ways, wayTo } from '../../support/deals/ways.ts'
import { seedOf } from '../../support/inputs/draw.ts'
import { deal as dealResource, schema } from '../../support/schema.ts'
import { DEALS, makeDeal, relatedDeal, storedDeal } from '../../support/service/making-deals.ts'
import { roomService } from '../../support/service/room-service.ts'
import type { Answered, Shown, TestService } from '../../support/service/running-service.ts'
import { saidFaults } from '../../support/service/said-faults.ts'

const operations = dealResource.operations

// Every operation in every form it fits: the same deal, the same event, the same revision step, the same refusal. Each
// member has one of the wrong values, and of these faults every third is sent. FORM_SEED sends others; `npm
// run test:long -- forms` takes all.
const SEED = seedOf('FORM_SEED', 9)
const wrongValues: readonly unknown[] = [[], { nested: true }, true]
const all = process.env.FORM_VALUES === 'all'
const drawn = (at: number): readonly unknown[] =>
  all ? wrongValues : [wrongValues[(at + Math.floor(SEED / 3)) % wrongValues.length]]

let service: TestService
const asked = new Set<string>()

before(async () => {
  service = await roomService()
})

async function ask({ method, path, route, body, headers }: FormRequest): Promise<Answered> {
  asked.add(`${method} ${route}`)
  return service.request(method, path, { body, ...(headers && { headers }) })
}

const inEveryForm = <T>(requests: readonly FormRequest[], check: (request: FormRequest) => Promise<T>): Promise<T[]> =>
  Promise.all(
    requests.map((request) =>
      check(request).catch((cause: Error) => {
        cause.message = `${request.form}, ${request.method} ${request.path}: ${cause.message}`
        throw cause
      }),
    ),
  )

let faults = 0
for (const operation of operations) {
  suite(operation.name, { concurrency: true }, () => {
    for (const example of operation.examples) {
      const called = JSON.stringify(example)
      test(`${called} does the same in every form`, () => doesTheSame(operation, example))
      const attributes = expressed(operation, example)
      if (attributes !== undefined) {
        test(`${called} does the same as attributes`, () => doesTheSameAsAttributes(operation, attributes))
      }
      for (const [fault, bad] of badVariants(operation, example)) {
        if (!all && faults++ % 3 !== SEED % 3) continue
        test(`${called} ${fault} is refused alike in every form`, () => refusesParameters(operation, example, bad))
      }
    }
    if (operation.to === 'nothing') return
    test('is refused alike in every form in a wrong state', () => refusesState(operation))
    test('is refused alike in every form on an unknown deal', () => refusesUnknown(operation))
    test('is refused alike in every form on a deleted deal', () => refusesDeleted(operation))
  })
}

suite('beside the parameters', { concurrency: true }, () => {
  const hold = operationNamed('hold', dealResource) as Operation
  const params = { reason: 'credit check' }

  test('the id of the deal may stand in every form', async () => {
    const [way] = ways
    assert.ok(way)
    const id = await makeDeal(service, way)
    await inEveryForm(requestsFor(hold, { id, ...params }, id), async (request) => {
      const answer = await ask(request)
      assert.ok(answer.status < 300, answer.text)
    })
  })

  test('the id of another deal is refused alike where the address names the deal', async () => {
    const [way] = ways
    assert.ok(way)
    const id = await makeDeal(service, way)
    const addressed = requestsFor(hold, { id: randomUUID(), ...params }, id).filter(
      ({ form }) => form !== 'command-endpoint',
    )
    await inEveryForm(addressed, async (request) => {
      const { status, body } = await ask(request)
      assert.equal(status, 422)
      assert.deepEqual(saidFaults(body.errors), [
        { pointer: request.pointer('/id'), detail: `is not the addressed deal, ${id}` },
      ])
    })
    assert.equal((await storedDeal(service, id)).revision, 1)
  })
})

for (const operation of operations.filter(({ examples }) => examples.some((each) => Object.keys(each).length === 0))) {
  test(`${operation.name} without a body is the same as with {}`, async () => {
    const way = wayTo((deal) => after(deal, { operation, params: {} }) !== undefined)
    assert.ok(way)
    const { name, words } = operation
    for (const [method, word, status] of [
      ['PUT', name, name === 'delete' ? 204 : 200],
      ['PUT', words.participles[0], name === 'delete' ? 204 : 200],
      ['POST', words.noun, 201],
    ] as const) {
      const id = await makeDeal(service, way)
      const answer = await service.request(method, `${DEALS}/${id}/${word}`)
      assert.equal(answer.status, status, answer.text)
    }
    const id = await makeDeal(service, way)
    const single = await service.request('PUT', `${DEALS}/${id}`, { body: { action: words.action } })
    assert.ok(single.status < 300, single.text)
  })
}

test('every route of every form was asked', (t) => {
  t.diagnostic(`FORM_SEED=${SEED}`)
  const declared = forms.flatMap(({ routes }) =>
    routes(schema)
      .filter(isOfDeals)
      .map(({ method, path }) => `${method} ${path}`),
  )
  assert.deepEqual([...asked].toSorted(), [...new Set(declared)].toSorted())
})

/** Those of other resources are asked in every-resource.test.ts. */
const isOfDeals = ({ resource, operation }: FormRoute): boolean =>
  (resource ?? operation?.on ?? dealResource).name === 'deal'

async function doesTheSame(operation: Operation, params: Params): Promise<void> {
  if (operation.to === 'nothing') {
    const expected = after(blank(), { operation, params: { currency: 'EUR', ...operation.usual?.(params), ...params } })
    assert.ok(expected)
    await inEveryForm(requestsFor(operation, params, ''), async (request) => {
      const answer = await ask(request)
      await showsEffect(request, answer, madeBy(request, answer), operation, expected)
    })
    return
  }
  const way = wayTo((deal) => after(deal, { operation, params }) !== undefined)
  assert.ok(way, 'the examples lead to a deal that allows it')
  const count = requestsFor(operation, params, '').length
  await inEachOfFreshDeals(way, count, (id, index) => requestsFor(operation, params, id)[index], operation, params)
}

async function doesTheSameAsAttributes(operation: Operation, { way, wanted, params }: Expressed): Promise<void> {
  const count = attributeUpdates(operation, wanted, '').length
  await inEachOfFreshDeals(way, count, (id, index) => attributeUpdates(operation, wanted, id)[index], operation, params)
}

interface Expressed extends Attributes {
  readonly way: Way
}

/** A deal for which the example is a difference of attributes, and the parameters it then comes to. */
function expressed(operation: Operation, example: Params): Expressed | undefined {
  for (let nth = 0; ; nth++) {
    const way = nthWay(nth, (deal) => after(deal, { operation, params: example }) !== undefined)
    if (way === undefined) return undefined
    const made = after(way.deal, { operation, params: example })?.deal
    const attributes = made && attributesFor(operation, example, made)
    if (attributes !== undefined && differs(way.deal, attributes.wanted)) return { ...attributes, way }
  }
}

function nthWay(nth: number, goal: (deal: Deal) => boolean): Way | undefined {
  let left = nth
  return wayTo((deal) => goal(deal) && left-- === 0)
}

function differs(deal: Deal, wanted: Attributes['wanted']): boolean {
  const shown = shownBy(deal)
  return Object.entries(wanted).some(([field, value]) => !isDeepStrictEqual(shown[field], value))
}

async function inEachOfFreshDeals(
  way: Way,
  count: number,
  requestOn: (deal: string, index: number) => FormRequest | undefined,
  operation: Operation,
  params: Params,
): Promise<void> {
  const expected = after(way.deal, { operation, params })
  assert.ok(expected)
  const requests = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const id = await makeDeal(service, way)
      const request = requestOn(id, index)
      assert.ok(request)
      return { ...request, id }
    }),
  )
  await inEveryForm(requests, async (request) => {
    const { id } = request as (typeof requests)[number]
    await showsEffect(request, await ask(request), id, operation, expected)
  })
}

async function showsEffect(
  request: FormRequest,
  answer: Answered,
  id: string,
  operation: Operation,
  expected: { readonly deal: Deal; readonly params: Params },
): Promise<void> {
  assert.ok(answer.status < 300, `${answer.status} ${answer.text}`)
  assert.deepEqual(lasting(await storedDeal(service, id)), lasting(shownBy(expected.deal)))
  const { revision } = expected.deal
  const entry = await service.request('GET', `${DEALS}/${id}/history/${revision}`)
  const { at, links, ...event } = entry.body
  assert.deepEqual(event, {
    operation: operation.name,
    action: operation.words.action,
    type: operation.words.event,
    params: expected.params,
    revision,
    actor: null,
    form: request.form,
    ...(request.commandId !== undefined && { commandId: request.commandId }),
  })
  const next = await service.request('GET', `${DEALS}/${id}/history/${revision + 1}`)
  assert.equal(next.status, 404, 'one operation is one revision')
  await answers[request.reply](request, answer, id, operation, revision)
}

type Check = (request: FormRequest, answer: Answered, id: string, operation: Operation, n: number) => Promise<void>

/** The contract's table of forms: what each answers. */
const answers: { readonly [R in FormRequest['reply']]: Check } = {
  async deal(_request, answer, id, operation) {
    if (operation.name === 'delete') {
      assert.equal(answer.status, 204)
      assert.equal(answer.text, '')
      return
    }
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['content-location'], `${DEALS}/${id}`)
    await isAsRead(answer, `${DEALS}/${id}`)
  },
  async created(_request, answer, id) {
    assert.equal(answer.status, 201)
    assert.equal(answer.headers.location, `${DEALS}/${id}`)
    assert.equal(answer.headers['content-location'], `${DEALS}/${id}`)
    await isAsRead(answer, `${DEALS}/${id}`)
  },
  async entry(_request, answer, id, { words }, n) {
    assert.equal(answer.status, 201)
    assert.equal(answer.headers.location, `${DEALS}/${id}/${words.noun}/${n}`)
    assert.equal(answer.body.links.deal, `${DEALS}/${id}`)
    await isAsRead(answer, answer.headers.location)
  },
  async command({ path, commandId }, answer, id, { words }, revision) {
    assert.equal(answer.status, 201)
    assert.equal(answer.headers.location, undefined)
    const { params, decidedAt, links, ...command } = answer.body
    assert.deepEqual(command, { id: commandId, deal: id, action: words.action, status: 'applied', revision })
    await isAsRead(answer, path)
  },
  async empty(_request, answer, id) {
    assert.equal(answer.status, 200)
    assert.equal(answer.text, '')
    assert.equal(relatedDeal(answer), id)
  },
}

async function isAsRead(answer: Answered, path: string): Promise<void> {
  const read = await service.request('GET', path)
  assert.equal(read.status, 200, read.text)
  assert.equal(answer.text, read.text)
  assert.ok(answer.headers.etag)
  assert.equal(answer.headers.etag, read.headers.etag)
  assert.equal(answer.headers['last-modified'], read.headers['last-modified'])
  assert.equal(answer.headers['content-type'], read.headers['content-type'])
}

/** The deal that a creation made. */
function madeBy({ reply }: FormRequest, answer: Answered): string {
  if (reply === 'empty') return relatedDeal(answer)
  return reply === 'command' ? String(answer.body.deal) : answer.body.id
}

async function refusesParameters(operation: Operation, example: Params, bad: Bad): Promise<void> {
  const way = wayTo((deal) => after(deal, { operation, params: example }) !== undefined)
  const start = operation.to === 'nothing' ? blank() : way?.deal
  assert.ok(way && start)
  const decision = operation.decide(start, bad.params, {
    now: start.createdAt,
    exists: (_resource, id) => customers.has(Number(id)),
    queryFaults: () => [],
  })
  assert.ok('faults' in decision, 'the declaration refuses it')
  const id = operation.to === 'nothing' ? '' : await makeDeal(service, way)
  const requests = requestsFor(operation, bad.params, id).filter(({ method }) => method !== 'DELETE')
  const details = await inEveryForm(
    [...requests, ...badAttributes(operation, example, bad, way.deal, id)],
    async (request) => {
      const { status, body } = await ask(request)
      assert.equal(status, 422)
      assert.equal(body.code, 'invalid-body')
      const expected = decision.faults.map(({ at: { pointer = '' }, ...reason }) => ({
        pointer: request.pointer(pointer),
        ...reason,
        detail: tell(reason),
      }))
      assert.deepEqual(body.errors, expected)
      return request.form === 'attribute-update' ? undefined : body.detail
    },
  )
  assert.equal(new Set(details.filter((detail) => detail !== undefined)).size, 1, `one detail, not ${details}`)
  if (id !== '') assert.equal((await storedDeal(service, id)).revision, way.deal.revision, 'nothing was stored')
}

/** What is not sent as an attribute stays: only a wrong value and an unknown member are faults there. */
function badAttributes(
  operation: Operation,
  example: Params,
  bad: Bad,
  deal: Deal,
  id: string,
): readonly FormRequest[] {
  const made = after(deal, { operation, params: example })?.deal
  const attributes = made && attributesFor(operation, example, made)
  if (attributes === undefined || bad.member === undefined) return []
  const field = operation.sets?.[bad.member] ?? bad.member
  const isCarried = Object.hasOwn(attributes.wanted, field) || !Object.hasOwn(operation.params, bad.member)
  return isCarried ? attributeUpdates(operation, { ...attributes.wanted, [field]: bad.value }, id) : []
}

interface Bad {
  readonly params: unknown
  /** The member that is wrong or unknown; nothing when one is missing or the whole is wrong. */
  readonly member?: string
  readonly value?: unknown
}

function badVariants({ params: members }: Operation, example: Params): readonly (readonly [string, Bad])[] {
  const required = Object.keys(example).filter((name) => members[name]?.required)
  return [
    ...required.map((member): [string, Bad] => {
      const { [member]: _dropped, ...params } = example
      return [`without ${member}`, { params }]
    }),
    ...Object.keys(example).flatMap((member, at) =>
      drawn(at).map((value): [string, Bad] => [
        `with ${JSON.stringify(value)} as ${member}`,
        { params: { ...example, [member]: value }, member, value },
      ]),
    ),
    ['with an unknown member', { params: { ...example, zzzzzzzzzz: 1 }, member: 'zzzzzzzzzz', value: 1 }],
    ['as a list', { params: [example] }],
  ]
}

async function refusesState(operation: Operation): Promise<void> {
  const way = wayTo((deal) => !isAllowed(operation, deal) && (operation.to === 'deleted' || live(deal)))
  // Some operations are allowed on any live deal.
  if (way === undefined) return assert.deepEqual(operation.allowed, [])
  const id = await makeDeal(service, way)
  const allowed = allowedOperations(dealResource, way.deal, way.deal.updatedAt).map(({ name }) => name)
  const problems = await inEveryForm(askingOn(operation, id, way.deal), async (request) => {
    const answer = await ask(request)
    const { instance, ...problem } = answer.body
    assert.equal(answer.status, 409)
    assert.equal(answer.headers['content-type'], 'application/problem+json')
    const { status, held, archived, deletedAt, revision } = way.deal
    assert.partialDeepStrictEqual(problem, {
      code: 'wrong-state',
      status: 409,
      operation: operation.name,
      deal: { id, status, held, archived, deletedAt, revision },
      allowed,
    })
    return problem
  })
  for (const problem of problems) assert.deepEqual(problem, problems[0])
  assert.equal((await storedDeal(service, id)).revision, way.deal.revision, 'nothing was stored')
}

/** The first example in every form; as attributes where they would ask for a difference. */
function askingOn(operation: Operation, id: string, deal?: Deal): readonly FormRequest[] {
  const [example] = operation.examples
  const wanted = expressed(operation, example)?.wanted
  const asks = wanted !== undefined && (deal === undefined || differs(deal, wanted))
  return [...requestsFor(operation, example, id), ...(asks ? attributeUpdates(operation, wanted, id) : [])]
}

async function refusesUnknown(operation: Operation): Promise<void> {
  for (const id of [randomUUID(), 'no-deal']) {
    await inEveryForm(askingOn(operation, id), async (request) => {
      const { status, body } = await ask(request)
      assert.equal(status, 404)
      assert.equal(body.code, 'deal-not-found')
      assert.equal(body.detail, `There is no deal "${id}".`)
    })
  }
}

async function refusesDeleted(operation: Operation): Promise<void> {
  if (operation.to === 'deleted') return
  const way = wayTo((deal) => !live(deal))
  assert.ok(way)
  const id = await makeDeal(service, way)
  const { deletedAt } = await storedDeal(service, id)
  await inEveryForm(askingOn(operation, id), async (request) => {
    const { status, body } = await ask(request)
    assert.equal(status, 410)
    assert.partialDeepStrictEqual(body, {
      code: 'deal-deleted',
      detail: `The deal ${id} was deleted at ${deletedAt}.`,
      deletedAt,
    })
  })
}

function shownBy(deal: Deal): Shown {
  return JSON.parse(dealResource.toJson(deal))
}

/** What does not depend on when a deal was made and under which id. */
function lasting({ id, createdAt, updatedAt, deletedAt, ...deal }: Shown): object {
  return { ...deal, deleted: deletedAt !== null }
}
