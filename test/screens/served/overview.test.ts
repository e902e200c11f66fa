import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, suite } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { readAges } from '../../../src/screens/customers/read.ts'
import { numberQueries, readNumbers } from '../../../src/screens/home/numbers.ts'
import { ask } from '../../../src/screens/parts/ask.ts'
import { namesOf } from '../../../src/screens/parts/names.ts'
import { untilChanged } from '../../../src/screens/parts/until-changed.ts'
import { SERVICE } from '../../../src/store/port/desk.ts'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { collections, customer } from '../../support/schema.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'

let service: TestService
const today = '2026-11-15'

before(async () => {
  service = await runService()
  const { request } = service
  const made = async (members: object): Promise<string> => `${DEALS}/${(await openDeal(service, members)).id}`
  await made({ name: 'late', price: 0.1, completionDate: '2026-11-14' })
  await made({ name: 'later', price: 0.2, completionDate: '2026-11-15', stage: 'contract' })
  await made({ name: 'last of the week', price: 100, completionDate: '2026-11-21', currency: 'CHF' })
  await made({ name: 'next week', price: 1, completionDate: '2026-11-22' })
  const held = await made({ name: 'held', price: 10 })
  await request('POST', `${held}/holds`, { body: { reason: 'x' } })
  const done = await made({ name: 'done', price: 5 })
  await request('POST', `${done}/completions`, { body: { completedOn: '2026-10-31' } })
  const long = await made({ name: 'long ago', price: 5 })
  await request('POST', `${long}/completions`, { body: { completedOn: '2026-05-31' } })
  const off = await made({ name: 'off', price: 7 })
  await request('POST', `${off}/cancellations`, { body: { reason: 'x' } })
  await request('POST', `${off}/archivals`)
  const gone = await made({ name: 'gone', price: 1000, completionDate: '2026-01-01' })
  await request('POST', `${gone}/deletions`)
  for (const age of [0, 9, 10, 35, 39, null]) await request('POST', '/customers', { body: { name: 'x', age } })
})
after(() => service.close())

suite('the overview', () => {
  testOnEachStore('counts what needs attention, and only what is open and there', async () => {
    const { counts } = await readNumbers(service.store.as(SERVICE), today)
    assert.deepEqual(counts, { held: 1, overdue: 1, due: 2 })
  })

  testOnEachStore('sums the pipeline by stage and currency', async () => {
    const { pipeline } = await readNumbers(service.store.as(SERVICE), today)
    const lead = pipeline.find(({ stage, currency }) => stage === 'lead' && currency === 'EUR')
    assert.deepEqual(lead, { pipeline: 'sales', stage: 'lead', currency: 'EUR', count: 3, value: 11_100n })
    assert.equal(pipeline.length, 3)
  })

  testOnEachStore('sums what was finished by the month in which it was', async () => {
    const { finished } = await readNumbers(service.store.as(SERVICE), today)
    const month = new Date().toISOString().slice(0, 7)
    assert.deepEqual(finished, [
      { month: '2026-10', status: 'completed', currency: 'EUR', value: 5_000n },
      { month, currency: 'EUR', value: 7_000n, status: 'cancelled' },
    ])
  })

  test('is there for programs: the home leads to each number', async () => {
    const { body } = await service.request('GET', '/')
    const links = body.links as Readonly<Record<string, string>>
    const read = async (name: string) => (await service.request('GET', links[name] ?? '')).body.items
    assert.deepEqual(await read('held'), [{ count: 1 }])
    assert.deepEqual(await read('pipeline'), [
      { pipeline: 'sales', stage: 'lead', currency: 'CHF', count: 1, 'sum.price': 100 },
      { pipeline: 'sales', stage: 'lead', currency: 'EUR', count: 3, 'sum.price': 11.1 },
      { pipeline: 'sales', stage: 'contract', currency: 'EUR', count: 1, 'sum.price': 0.2 },
    ])
    for (const name of Object.keys(numberQueries(today))) assert.ok(Array.isArray(await read(name)), name)
  })

  test('of nothing is nothing', async () => {
    const empty = await runService()
    const nothing = { counts: { held: 0, overdue: 0, due: 0 }, pipeline: [], finished: [] }
    assert.deepEqual(await readNumbers(empty.store.as(SERVICE), today), nothing)
    assert.deepEqual(await readAges(empty.store.as(SERVICE)), [])
    assert.equal((await empty.request('GET', '/', { headers: { accept: 'text/html' } })).status, 200)
    await empty.close()
  })

  testOnEachStore('counts customers by ten ages', async () => {
    assert.deepEqual(await readAges(service.store.as(SERVICE)), [
      { from: 0, count: 2 },
      { from: 10, count: 1 },
      { from: 30, count: 2 },
    ])
  })

  test('names the customers that there are', async () => {
    assert.deepEqual(
      [...(await namesOf(customer, [1, 3, 99], service.store.as(SERVICE)))],
      [
        [1, 'x'],
        [3, 'x'],
      ],
    )
  })

  test('shows of a task what it is about and its person, who may be no user', async () => {
    const { id: customerId } = (await service.request('POST', '/customers', { body: { name: 'Bo' } })).body
    const dueOn = new Date().toISOString().slice(0, 10)
    await service.request('POST', '/rest/v1/tasks', { body: { title: 'Call', customerId, assignee: 'ann', dueOn } })
    const { text } = await service.request('GET', '/', { headers: { accept: 'text/html' } })
    assert.match(text, /Bo<\/a> · ann<\/p>/)
  })
})

suite('the board', () => {
  test('is a resource like any other: open deals by stage', async () => {
    const { body } = await service.request('GET', '/board?currency=EUR&sort=price')
    const columns = body.columns as readonly { stage: string; items: readonly { name: string }[]; hasMore: boolean }[]
    assert.deepEqual(
      columns.map(({ stage, items }) => [stage, items.map(({ name }) => name)]),
      [
        ['lead', ['late', 'next week', 'held']],
        ['qualified', []],
        ['proposal', []],
        ['negotiation', []],
        ['contract', ['later']],
      ],
    )
  })

  test('refuses what it does not know', async () => {
    for (const query of ['pages=1', 'page=2', 'maxpagesize=3', 'stage=leed', 'fields=id']) {
      assert.equal((await service.request('GET', `/board?${query}`)).status, 400, query)
    }
  })

  testOnEachStore(
    'sums its columns in one currency as a count from scratch does, and leaves those without a rate apart',
    async () => {
      const { request } = service
      for (const [currency, perUnit] of [
        ['USD', 1.0837],
        ['JPY', 163.21],
      ] as const) {
        const rated = await request('POST', '/rates', { body: { currency, perUnit, since: '2026-01-01' } })
        assert.equal(rated.status, 201, rated.text)
      }
      const rates = new Map([
        ['EUR', 1],
        ['USD', 1.0837],
        ['JPY', 163.21],
      ])
      // More than a column shows, with amounts that doubles do not add exactly.
      const commands = Array.from({ length: 61 }, (_, at) => ({
        action: 'CreateDeal',
        params: {
          name: `deal ${at}`,
          owner: 'Ada',
          stage: at % 5 === 0 ? 'contract' : 'proposal',
          currency: ['EUR', 'USD', 'JPY', 'SEK'][at % 4],
          price: at % 4 === 2 ? 1000 + at : 900_000_000_000.01 + at,
        },
      }))
      const made = await request('POST', '/rest/v1/batch', { body: { atomic: true, commands } })
      assert.equal(made.status, 200, made.text)
      const columns = new Map<string, { count: number; euros: bigint; crowns: bigint }>()
      for (const { params } of commands) {
        const column = columns.get(params.stage) ?? { count: 0, euros: 0n, crowns: 0n }
        columns.set(params.stage, column)
        column.count++
        const cents = BigInt(Math.round(params.price * 100))
        if (params.currency === 'SEK') column.crowns += cents
      }
      for (const [stage, column] of columns) {
        for (const [currency, rate] of rates) {
          const all = commands.filter(({ params }) => params.stage === stage && params.currency === currency)
          const cents = all.reduce((sum, { params }) => sum + BigInt(Math.round(params.price * 100)), 0n)
          const units = BigInt(Math.round(rate * 10_000))
          column.euros += (cents * 10_000n + units / 2n) / units
        }
      }
      const { text } = await request('GET', '/board?owner=Ada', { headers: { accept: 'text/html' } })
      const shown = [
        ...text.matchAll(
          /data-stage="(\w+)">\s*(?:<header>)?<h2.*?class="count">(\d+)<.*?<p class="quiet">(.*?)<\/p>/gs,
        ),
      ]
      const whole = (cents: bigint): string => new Intl.NumberFormat('en-GB').format((cents + 50n) / 100n)
      for (const [, stage = '', count, sum = ''] of shown) {
        const column = columns.get(stage)
        if (column === undefined) continue
        assert.equal(Number(count), column.count)
        assert.equal(sum.replace(/<[^>]+>/g, ''), `${whole(column.euros)} EUR + ${whole(column.crowns)} SEK`)
      }
      assert.equal(shown.length, 5)
      assert.match(text, /No rate for SEK: shown separately\./)
      const inYen = await request('GET', '/board?owner=Ada', {
        headers: { accept: 'text/html', cookie: 'currency=JPY' },
      })
      assert.match(inYen.text, /<option selected>JPY<\/option>/)
    },
  )

  test('is told the currency by a form, which leads back', async () => {
    const choose = (fields: Readonly<Record<string, string>>) =>
      service.request('POST', '/reporting-currency', { body: new URLSearchParams(fields) })
    const chosen = await choose({ currency: 'JPY', return: '/board?owner=Ada' })
    assert.deepEqual([chosen.status, chosen.headers.location], [303, '/board?owner=Ada'])
    assert.match(String(chosen.headers['set-cookie']), /^currency=JPY; .*HttpOnly; SameSite=Lax/)
    const elsewhere = await choose({ currency: 'JPY', return: 'https://example.com/' })
    assert.equal(elsewhere.headers.location, '/')
    assert.equal((await choose({ currency: 'XXX' })).status, 422)
  })
})

suite('a filter bar', () => {
  test('leads to the view, without what was left empty', async () => {
    const led = async (path: string) => (await service.request('GET', path)).headers.location
    assert.equal(await led('/filters/deals?status=&price.gte=10&owner='), `${DEALS}?price.gte=10`)
    assert.equal(await led('/filters/customers?age%3E18=&name.regex=%5EA'), '/customers?age%3E18=&name.regex=%5EA')
    assert.equal(await led('/filters/board'), '/board')
    assert.equal(await led('/filters/deals?description=&owner='), `${DEALS}?description=`)
    assert.equal((await service.request('GET', '/filters/nothing')).status, 404)
    assert.equal((await service.request('GET', '/filters/constructor')).status, 404)
  })

  test('takes amounts as the reader writes them, and says what an unclear one can mean', async () => {
    const ask = (path: string) => service.request('GET', `/filters/deals?${path}`, { headers: { accept: 'text/html' } })
    const led = async (path: string) => (await ask(path)).headers.location
    assert.equal(await led('_region=de-DE&price.gte=1.500&owner='), `${DEALS}?price.gte=1500`)
    assert.equal(await led('_region=de-DE&price.gte=1.234,5&name=1.500'), `${DEALS}?price.gte=1234.5&name=1.500`)
    assert.equal(await led('_region=en-GB&price.gte=1,500'), `${DEALS}?price.gte=1500`)
    // A filter of the address stays as programs write it.
    assert.equal(await led('price=1.500&_region=de-DE&price.lte='), `${DEALS}?price=1.500`)
    assert.equal(await led('_region=nowhere&price.gte=1.5'), `${DEALS}?price.gte=1.5`)
    assert.equal(await led('_region=de-DE&price.gte=much'), `${DEALS}?price.gte=much`)
    const unclear = await ask('_region=de-DE&price.gte=1.50')
    assert.equal(unclear.status, 400)
    assert.match(unclear.text, /1,50\b.*\b150\b/s)
    const { text } = await service.request('GET', `${DEALS}?price.gte=1500.5`, {
      headers: { accept: 'text/html', 'accept-language': 'de-DE' },
    })
    assert.match(text, /inputmode="decimal"[^>]* value="1\.500,5"/)
  })

  test('that cannot be used is explained without words of the API', async () => {
    const { status, text } = await service.request('GET', `${DEALS}.html?name.regex=%28`)
    assert.equal(status, 400)
    assert.match(text, /Go back and change the filter/)
    assert.doesNotMatch(text, /<code>errors<\/code>/)
  })

  test('keeps a list that the address has, each value by itself: a browser encodes commas', async () => {
    const shown = await service.request('GET', `${DEALS}.html?name.in=a%2C+b,c&description=`)
    const [bar = ''] = /<form class="filters".*?<\/form>/s.exec(shown.text) ?? []
    const kept = [...bar.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(([, ...each]) => each)
    for (const each of [
      ['name.in', 'a, b'],
      ['name.in', 'c'],
      ['description', ''],
    ]) {
      assert.ok(
        kept.some((pair) => JSON.stringify(pair) === JSON.stringify(each)),
        JSON.stringify(kept),
      )
    }
    const sent = new URLSearchParams(kept.filter(([name]) => !name?.startsWith('_')) as [string, string][])
    const { headers } = await service.request('GET', `/filters/deals?${sent}`)
    assert.equal(headers.location, `${DEALS}?name.in=a%2C+b&name.in=c&description=`)
  })
})

suite('the rates', () => {
  test('are listed for people, with the one in force marked, and changed in place', async () => {
    const { request } = service
    const { body } = await request('POST', '/rates', {
      body: { currency: 'GBP', perUnit: 0.9, since: '2026-01-01' },
    })
    await request('POST', '/rates', { body: { currency: 'GBP', perUnit: 0.8, since: '2025-01-01' } })
    const page = async () => (await request('GET', '/rates', { headers: { accept: 'text/html' } })).text
    const rows = (text: string) =>
      [...text.matchAll(/>GBP(.*?)<\/th><td class="number">([\d.]+)</gs)].map(([, beside = '', rate]) => [
        rate,
        beside.includes('In force'),
      ])
    assert.deepEqual(rows(await page()), [
      ['0.9000', true],
      ['0.8000', false],
    ])
    const sent = new URLSearchParams({
      ...{ currency: 'GBP', perUnit: '0.95', since: '2026-01-01' },
      ...{ _revision: '1', _return: '/rates' },
    })
    const changed = await request('POST', `/rates/${body.id}/changes`, { body: sent, headers: { accept: 'text/html' } })
    assert.deepEqual([changed.status, changed.headers.location], [303, '/rates'])
    assert.match(await page(), />0\.9500</)
  })
})

suite('figures that take long to read', () => {
  /** Counts the deals of a name, which takes as long as the clock of the test says. */
  const slowCount = (took: number) => {
    let now = 0
    let reads = 0
    const count = untilChanged(
      async (_store, name) => {
        reads++
        const { body } = await service.request('GET', `${DEALS}?name=${name}`)
        now += took
        return body.items?.length ?? 0
      },
      { clock: () => now },
    )
    return {
      count: (name: string) => count(service.store.as(SERVICE), name),
      pass: (time: number) => {
        now += time
      },
      reads: () => reads,
    }
  }

  test('are kept for some seconds at most, however long a slow moment made them', async () => {
    const { count, pass, reads } = slowCount(60_000)
    assert.deepEqual(await Promise.all([count('kept'), count('kept')]), [0, 0])
    pass(4_999)
    await count('kept')
    assert.equal(reads(), 1)
    pass(1)
    await count('kept')
    assert.equal(reads(), 2)
  })

  testOnEachStore('stay until something changes if every change is heard of, also by another process', async () => {
    let [now, reads] = [0, 0]
    const count = untilChanged(
      async (desk, name) => {
        reads++
        return (await ask(desk, collections.deals, `name=${name}`)).items.length
      },
      { isHeardOf: true, clock: () => now },
    )
    const desk = service.store.as(SERVICE)
    assert.equal(await count(desk, 'heard'), 0)
    now += 60_000
    assert.equal(await count(desk, 'heard'), 0)
    assert.equal(reads, 1)
    const deal = await openDeal(service, { name: 'heard' })
    assert.equal(await count(desk, 'heard'), 1)
    assert.equal(reads, 2)
    const script = new URL('../../support/database/other-writer.ts', import.meta.url).pathname
    const { stdout } = await promisify(execFile)(process.execPath, [script, service.database.url, String(deal.id)])
    assert.equal(stdout, 'applied')
    while (reads === 2) {
      await count(desk, 'heard')
      await wait(10)
    }
  })

  test('show what was written here, also when it was written while they were read', async () => {
    const { count, reads } = slowCount(60_000)
    assert.equal(await count('fresh'), 0)
    await openDeal(service, { name: 'fresh' })
    const begun = count('fresh')
    await openDeal(service, { name: 'fresh' })
    assert.deepEqual(await Promise.all([count('fresh'), count('fresh')]), [2, 2])
    assert.ok([1, 2].includes(await begun))
    assert.equal(reads(), 3)
  })
})
