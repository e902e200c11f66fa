import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { fill } from '../../support/database/filled.ts'
import { fc } from '../../support/inputs/fast-check.ts'
import type { Plain, PlainRow } from '../../support/inputs/naive-evaluator.ts'
import {
  customer,
  deal,
  dealsCustomer,
  keysFound,
  questions,
  searchFor,
  sorts,
  uuids,
  withCustomers,
} from '../../support/inputs/questions.ts'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { collections } from '../../support/schema.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'
import { saidFaults } from '../../support/service/said-faults.ts'

interface PageBody {
  readonly items: readonly { readonly id: Plain }[]
  readonly page?: number
  readonly pageSize: number
  readonly hasMore: boolean
  readonly total?: number
  readonly links: { readonly self: string; readonly first: string; readonly prev?: string; readonly next?: string }
}

let service: TestService
before(async () => {
  service = await runService()
})
after(() => service.close())

async function page(path: string): Promise<PageBody> {
  const answer = await service.request('GET', path)
  assert.equal(answer.status, 200, `${path} ${answer.text}`)
  return answer.body as unknown as PageBody
}

/** Every item, following `next` until there is none; `prev` leads back over the same pages. */
async function followed(path: string): Promise<Plain[]> {
  const there: Plain[][] = []
  const back: Plain[][] = []
  let last = path
  for (let at: string | undefined = path; at !== undefined; ) {
    const { items, links, hasMore } = await page(at)
    there.push(items.map(({ id }) => id))
    assert.equal(links.next !== undefined, hasMore)
    last = at
    at = links.next
  }
  for (let at: string | undefined = last; at !== undefined; ) {
    const { items, links } = await page(at)
    back.unshift(items.map(({ id }) => id))
    at = links.prev
  }
  assert.deepEqual(back, there, path)
  return there.flat()
}

async function numbered(path: string): Promise<Plain[]> {
  const ids: Plain[] = []
  for (let number = 1; ; number++) {
    const { items, hasMore } = await page(`${path}&page=${number}`)
    ids.push(...items.map(({ id }) => id))
    if (!hasMore) return ids
  }
}

let customersKept: readonly PlainRow[] = []

for (const [collection, path, values, keys] of [
  [collections.customers, '/customers', customer, Array.from({ length: 60 }, (_, n) => n + 1)],
  [collections.deals, DEALS, deal, uuids(60)],
] as const) {
  testOnEachStore(
    `asked in any combination of forms, ${collection.name} are exactly those that a plain filter finds`,
    async () => {
      const shape = fc.record(values as Readonly<Record<string, fc.Arbitrary<Plain>>>)
      const rows: PlainRow[] = fc
        .sample(shape, { numRuns: keys.length, seed: 20_261_115 })
        .map((row, at) => ({ ...row, [collection.key]: keys[at] ?? '' }))
      await fill(service.database, collection, rows)
      if (collection.name === 'customers') customersKept = rows
      const asKept = collection.name === 'deals' ? withCustomers(rows, customersKept) : rows
      const asked = { ...values, [collection.key]: fc.constantFrom<Plain>(...keys) }
      const filters = collection.name === 'deals' ? { ...asked, ...dealsCustomer, deleted: fc.boolean() } : asked
      await fc.assert(
        fc.asyncProperty(
          questions(collection, filters),
          sorts(collection),
          fc.integer({ min: 3, max: 40 }),
          async (all, sort, size) => {
            const address = `${path}?${searchFor(all, sort, size)}`
            const expected = keysFound(collection, asKept, all, sort)
            assert.deepEqual(await followed(address), expected, address)
            assert.deepEqual(await numbered(address), expected, address)
            assert.equal((await page(`${address}&count=exact`)).total, expected.length, address)
          },
        ),
        { numRuns: Number(process.env.QUERY_RUNS ?? 12) },
      )
    },
  )
}

describe('a page', () => {
  test('has its size, its number and its neighbours, in the body and in the Link header', async () => {
    const answer = await service.request('GET', '/customers?maxpagesize=10&page=2')
    const { items, links, ...rest } = answer.body as unknown as PageBody
    assert.equal(items.length, 10)
    assert.deepEqual(rest, { page: 2, pageSize: 10, hasMore: true })
    assert.equal(links.self, '/customers?maxpagesize=10&page=2')
    assert.equal(links.first, '/customers?maxpagesize=10')
    assert.equal(links.prev, '/customers?maxpagesize=10')
    assert.match(links.next ?? '', /^\/customers\?maxpagesize=10&after=[\w-]+$/)
    for (const [relation, href] of Object.entries(links)) {
      assert.ok(String(answer.headers.link).includes(`<${href}>; rel="${relation}"`), String(answer.headers.link))
    }
  })

  testOnEachStore('may begin anywhere, and leads on and back without a gap', async () => {
    const all = (await page('/customers?maxpagesize=100&fields=id')).items.map(({ id }) => id)
    const idsOf = ({ items }: PageBody) => items.map(({ id }) => id)
    for (const [at, size] of [
      [7, 10],
      [13, 5],
      [0, 7],
      [58, 10],
    ] as const) {
      for (const place of [`offset=${at}&limit=${size}`, `$skip=${at}&$top=${size}`, `skip=${at}&per_page=${size}`]) {
        const here = await page(`/customers?${place}`)
        assert.equal(here.page, undefined)
        assert.equal(here.pageSize, size)
        assert.deepEqual(idsOf(here), all.slice(at, at + size), place)
        assert.equal(here.links.prev === undefined, at === 0)
        if (here.links.prev !== undefined) {
          assert.deepEqual(idsOf(await page(here.links.prev)), all.slice(Math.max(0, at - size), at), place)
        }
        assert.equal(here.links.next === undefined, at + size >= all.length)
        if (here.links.next !== undefined) {
          assert.deepEqual(idsOf(await page(here.links.next)), all.slice(at + size, at + 2 * size), place)
        }
      }
    }
    const past = await page('/customers?offset=1000&limit=10')
    assert.deepEqual(past.items, [])
    assert.equal(past.links.prev, '/customers?limit=10&offset=990')
    const found = `/customers?name.regex=.&count=exact&limit=4&offset=${all.length - 2}`
    assert.deepEqual([idsOf(await page(found)), (await page(found)).total], [all.slice(-2), all.length])
    const csv = await service.request('GET', '/customers.csv?page[size]=2&offset=3&select=id')
    assert.deepEqual(csv.text.trim().split(/\r?\n/), ['id', ...all.slice(3, 5).map(String)])
    assert.match(String(csv.headers.link), /<\/customers\.csv\?page%5Bsize%5D=2&select=id&after=/)
    for (const name of ['limit', '$top', 'offset', 'cursor', '$count']) {
      const refused = await service.request('GET', `/customers.ndjson?${name}=${name === '$count' ? 'true' : '1'}`)
      assert.equal(refused.status, 400, name)
    }
  })

  test('behind a row has no number', async () => {
    const { links } = await page('/customers?maxpagesize=10')
    assert.equal((await page(links.next ?? '')).page, undefined)
  })

  test('behind a row leads back, with the same filters and sort, in the body, the Link header and on the page', async () => {
    const first = await page('/customers?min=3&sort=-name&maxpagesize=10')
    assert.equal(first.links.prev, undefined)
    const answer = await service.request('GET', first.links.next ?? '')
    const { links } = answer.body as unknown as PageBody
    assert.match(links.prev ?? '', /^\/customers\?min=3&sort=-name&maxpagesize=10&before=[\w-]+$/)
    assert.ok(String(answer.headers.link).includes(`<${links.prev}>; rel="prev"`))
    const back = await page(links.prev ?? '')
    assert.deepEqual([back.items, back.page, back.hasMore], [first.items, undefined, true])
    assert.deepEqual([back.links.prev, back.links.first], [undefined, first.links.first])
    assert.equal(back.links.next, first.links.next)
    const shown = await service.request('GET', (first.links.next ?? '').replace('?', '.html?'))
    assert.match(shown.text, /<a href="[^"]*before=[^"]*" rel="prev">Previous page<\/a>/)
  })

  testOnEachStore('continues behind and in front of texts that are longer than an address', async () => {
    const owner = 'Long Texts'
    const made: string[] = []
    for (const letter of ['c', 'a', 'b', 'a']) {
      made.push((await openDeal(service, { owner, description: letter.repeat(10_000) })).id)
    }
    const [c, a, b, other] = made
    const found = await followed(`${DEALS}?owner=Long+Texts&sort=-description&fields=id&maxpagesize=1`)
    assert.deepEqual(found, [c, b, other, a])
  })

  testOnEachStore('in front of a row from which everything is gone leads to the list', async () => {
    const { links } = await page('/customers?maxpagesize=10')
    const next = await page(links.next ?? '')
    const empty = await page((next.links.prev ?? '').replace('?', '?min=11&'))
    assert.deepEqual([empty.items, empty.hasMore, empty.links.next], [[], true, empty.links.first])
  })

  for (const asked of [
    'maxpagesize=10',
    'sort=-age&maxpagesize=10',
    'sort=email&maxpagesize=10',
    'name.regex=.&maxpagesize=10',
  ]) {
    testOnEachStore(`in front of a row knows whether anything follows: ${asked}`, async () => {
      const first = await page(`/customers?${asked}`)
      const second = await page(first.links.next ?? '')
      const back = second.links.prev ?? ''
      const only = (ids: readonly Plain[]) => `?id.in=${ids.join()}&`
      const ids = first.items.map(({ id }) => id)
      const [behind] = second.items

      const alone = await page(back.replace('?', only(ids)))
      assert.deepEqual([alone.items, alone.hasMore, alone.links.next], [first.items, false, undefined])
      const more = await page(back.replace('?', only([...ids, behind?.id ?? ''])))
      assert.deepEqual([more.items, more.hasMore], [first.items, true])
      const none = await page(back.replace('?', '?min=2&max=1&'))
      assert.deepEqual([none.items, none.hasMore, none.links.next], [[], false, undefined])
    })
  }

  for (const asked of [
    'maxpagesize=10',
    'sort=-age&maxpagesize=10',
    'sort=email&maxpagesize=10',
    'name.regex=.&maxpagesize=10',
  ]) {
    testOnEachStore(`behind a row knows whether anything precedes it: ${asked}`, async () => {
      const first = await page(`/customers?${asked}`)
      const next = first.links.next ?? ''
      const second = await page(next)
      const only = (ids: readonly Plain[]) => `?id.in=${ids.join()}&`
      const ids = second.items.map(({ id }) => id)

      const alone = await page(next.replace('?', only(ids)))
      assert.deepEqual([alone.items, alone.links.prev], [second.items, undefined])
      for (const { id } of [first.items[0], first.items.at(-1)].flatMap((each) => each ?? [])) {
        const more = await page(next.replace('?', only([...ids, id ?? ''])))
        const back = await page(more.links.prev ?? '')
        assert.deepEqual([back.items.map((each) => each.id), back.links.prev], [[id], undefined])
        assert.deepEqual((await page(back.links.next ?? '')).items, second.items)
      }
    })
  }

  test('past the end is empty', async () => {
    const { items, hasMore } = await page('/customers?page=9999')
    assert.deepEqual([items.length, hasMore], [0, false])
  })

  test('holds at most a thousand, fifty when nothing is said, and no total unless asked', async () => {
    assert.equal((await page('/customers?maxpagesize=5000')).pageSize, 1000)
    const usual = await page('/customers')
    assert.deepEqual([usual.pageSize, usual.items.length, usual.total], [50, 50, undefined])
  })

  test('shows only the fields that were asked for', async () => {
    const { items } = await page('/customers?fields=age,id&maxpagesize=3')
    for (const item of items) assert.deepEqual(Object.keys(item), ['age', 'id'])
  })

  test('that is empty is 200, or 404 for who asks for that', async () => {
    assert.deepEqual((await page('/customers?min=10&max=9')).items, [])
    const answer = await service.request('GET', '/customers?min=10&max=9&empty=404')
    assert.deepEqual([answer.status, answer.body.code, answer.body.detail], [404, 'empty-list', 'Nothing matches.'])
    for (const place of ['page=9999', 'offset=99999']) {
      const past = await service.request('GET', `/customers?${place}&empty=404`)
      assert.deepEqual([past.status, past.body.detail], [404, 'There is nothing on this page.'], place)
    }
  })

  testOnEachStore('tells an empty name apart from an unknown one', async () => {
    for (const [name, value] of [
      ['fields', ''],
      ['fields', 'id,,age'],
      ['measure', ''],
      ['measure', 'count,'],
    ] as const) {
      const answer = await service.request('GET', `/customers?${name}=${value}`)
      assert.deepEqual([answer.status, answer.body.detail], [400, `${name} has an empty name`])
    }
  })
})

test('every bad parameter is 400 and named, on every collection', async () => {
  const { id } = await openDeal(service)
  const lists = [
    '/customers',
    DEALS,
    '/rest/commands',
    `${DEALS}/${id}/history`,
    `${DEALS}/${id}/holds`,
    '/query/deals-by-status/open',
  ]
  const bad: readonly (readonly [string, string])[] = [
    ['page=0', 'page'],
    ['page=1.5', 'page'],
    ['page=1&page=2', 'page'],
    ['maxpagesize=0', 'maxpagesize'],
    ['maxpagesize=', 'maxpagesize'],
    ['maxpagesize=1e2', 'maxpagesize'],
    ['count=yes', 'count'],
    ['sort=nope', 'sort'],
    ['fields=nope', 'fields'],
    ['after=nonsense', 'after'],
    ['nope=1', 'nope'],
    ['nope.gte=1', 'nope.gte'],
    ['revision.frob=1', 'revision.frob'],
    ['revision=0x12', 'revision'],
    ['revision=%2018', 'revision'],
    ['revision=', 'revision'],
    ['revision.regex=(', 'revision.regex'],
    [`revision.regex=${'a'.repeat(201)}`, 'revision.regex'],
    ['empty=403', 'empty'],
    ['revision=%zz', 'revision'],
    ['__proto__=1', '__proto__'],
    ['constructor=1', 'constructor'],
    [Array.from({ length: 51 }, (_, n) => `revision.ne=${n}`).join('&'), 'revision.ne'],
  ]
  for (const path of lists) {
    for (const [query, parameter] of bad) {
      const answer = await service.request('GET', `${path}?${query}`)
      assert.equal(answer.status, 400, `${path}?${query} ${answer.text}`)
      const named = answer.body.errors.map((each) => (each as unknown as { parameter: string }).parameter)
      assert.ok(named.includes(parameter), `${path}?${query} names ${named}`)
    }
  }
})

describe('named queries', () => {
  test('answer a bare list with links to go on, and 404 when it would be empty', async () => {
    const first = await service.request('GET', '/query/deals-by-status/open?maxpagesize=1')
    assert.equal(first.status, 200)
    assert.equal((first.body as unknown as unknown[]).length, 1)
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1]
    assert.ok(next?.startsWith('/query/deals-by-status/open?'))
    assert.notEqual((await service.request('GET', next ?? '')).text, first.text)
    const none = await service.request('GET', '/query/deals-by-owner/Nobody%20of%20this%20name')
    assert.deepEqual([none.status, none.body.code], [404, 'empty-list'])
  })

  test('are all listed, and every example can be asked', async () => {
    const { items } = (await service.request('GET', '/query')).body as unknown as {
      items: { name: string; example: string }[]
    }
    assert.deepEqual(items.map(({ name }) => name).toSorted(), [
      'customers-by-age',
      'customers-by-children',
      'deal-history',
      'deals-by-customer',
      'deals-by-owner',
      'deals-by-stage',
      'deals-by-status',
      'held-deals',
      'overdue-deals',
    ])
    for (const { example } of items) {
      const { status } = await service.request('GET', example)
      assert.ok(status === 200 || status === 404, `${example} ${status}`)
    }
  })

  test('a parameter of the wrong type is 400 and named', async () => {
    const answer = await service.request('GET', '/query/customers-by-age/old')
    assert.equal(answer.status, 400)
    assert.deepEqual(saidFaults(answer.body.errors), [{ parameter: 'age', detail: 'must be an integer such as 18' }])
  })

  testOnEachStore('a value that nothing can have is an empty list, as it is in a filter', async () => {
    for (const path of ['customers-by-age/151', 'customers-by-children/-1', 'deals-by-customer/0']) {
      const answer = await service.request('GET', `/query/${path}`)
      assert.deepEqual([answer.status, answer.body.code], [404, 'empty-list'], path)
    }
  })
})

describe('lines', () => {
  testOnEachStore('are the whole filtered result', async () => {
    const answer = await service.request('GET', '/customers.ndjson?min=11')
    assert.equal(answer.headers['content-type'], 'application/x-ndjson')
    const ids = answer.text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id)
    assert.deepEqual(
      ids,
      Array.from({ length: 50 }, (_, n) => n + 11),
    )
  })

  test('are not paged', async () => {
    for (const name of ['page', 'maxpagesize', 'after', 'count']) {
      const answer = await service.request('GET', `/customers.ndjson?${name}=1`)
      assert.equal(answer.status, 400, name)
    }
  })
})

describe('CSV', () => {
  const idsIn = (text: string): number[] => text.trimEnd().split('\r\n').slice(1).map(Number)
  const from = (start: number, length: number) => Array.from({ length }, (_, n) => n + start)

  testOnEachStore('is the whole filtered result, its header first, also of nothing', async () => {
    const answer = await service.request('GET', '/customers.csv?min=2&fields=id')
    assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8')
    assert.deepEqual(idsIn(answer.text), from(2, 59))
    assert.equal((await service.request('GET', '/customers.csv?id=0&fields=name,id')).text, 'name,id\r\n')
    const none = await service.request('GET', '/customers.csv?id=0&empty=404')
    assert.deepEqual([none.status, none.body.code], [404, 'empty-list'])
    assert.equal((await service.request('HEAD', '/customers.csv')).text, '')
  })

  test('is one page where one is asked for, with links to the pages beside it', async () => {
    const paged: { readonly [query: string]: number[] } = {
      'maxpagesize=5': from(1, 5),
      page: from(1, 50),
      'm%61xpagesize=4&page=2': from(5, 4),
    }
    for (const [query, ids] of Object.entries(paged)) {
      const search = query === 'page' ? 'page=1' : query
      const { text, headers } = await service.request('GET', `/customers.csv?fields=id&${search}`)
      assert.deepEqual(idsIn(text), ids)
      for (const relation of ['first', 'next']) {
        const link = new RegExp(`<([^>]+)>; rel="${relation}"`).exec(String(headers.link))?.[1] ?? ''
        assert.ok(idsIn((await service.request('GET', link)).text).length <= ids.length, `${relation} of ${search}`)
      }
    }
  })

  test('has a file name, and a page of people leads to all of it', async () => {
    const { headers, text } = await service.request('GET', '/customers.html?min=2&maxpagesize=3', {
      headers: { cookie: 'developer=true' },
    })
    const link = /<a href="([^"]+\.csv[^"]*)" rel="alternate">/.exec(text)?.[1] ?? ''
    assert.match(String(headers['content-type']), /html/)
    const answer = await service.request('GET', link)
    assert.equal(answer.text.trimEnd().split('\r\n').length, 60)
    assert.equal(answer.headers['content-disposition'], 'attachment; filename="customers.csv"')
    const named = await service.request('GET', '/query/deals-by-status/open.csv')
    assert.equal(named.headers['content-disposition'], 'attachment; filename="deals-by-status.csv"')
    const unchanged = await service.request('GET', link, { headers: { 'if-none-match': '*' } })
    assert.deepEqual([unchanged.status, unchanged.headers['content-disposition']], [304, undefined])
  })

  test('of things that are shown otherwise than they are kept shows them so', async () => {
    const made = await openDeal(service)
    const body = { deal: made.id, action: 'complete' }
    await service.request('PUT', `${DEALS}/${made.id}/hold`, { body: { reason: 'x' } })
    await service.request('PUT', '/rest/commands/rejected-1', { body })
    const { text } = await service.request('GET', '/rest/commands.csv?id=rejected-1')
    const paged = await service.request('GET', '/rest/commands.csv?id=rejected-1&page=1')
    assert.match(text, /wrong-state/)
    assert.equal(text, paged.text)
  })
})

test('a long address leaves room for the other headers: the ways on come before the other formats', async () => {
  const long = `name.in=${'x'.repeat(7000)},Customer`
  const { status, headers } = await service.request('GET', `/customers?maxpagesize=1&name.ne=${'y'.repeat(3500)}`)
  assert.equal(status, 200)
  assert.match(String(headers.link), /rel="next"/)
  assert.ok(String(headers.link).length <= 8192)
  assert.equal((await service.request('GET', `/customers?${long}`)).status, 200)
  const refused = await service.request('GET', `/customers?${long}`, { headers: { accept: 'image/png' } })
  assert.equal(refused.status, 406)
})
