import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'

interface PageBody {
  readonly items: readonly { readonly [name: string]: unknown }[]
  readonly links: { readonly self: string; readonly next?: string }
}

let service: TestService
before(async () => {
  service = await runService()
  for (const name of ['Ada', 'Bo', 'Cy']) await service.request('POST', '/customers', { body: { name } })
})
after(() => service.close())

async function page(path: string): Promise<PageBody> {
  const answer = await service.request('GET', path)
  assert.equal(answer.status, 200, `${path} ${answer.text}`)
  return answer.body as unknown as PageBody
}

test('a link is an address, whatever the query was sent with', async () => {
  const sent = [
    '/customers?name.regex=[A-C]&maxpagesize=1&name.ne=%5B',
    '/customers?name.regex=^[^A]|x{2}&name!="\\`<>',
    '/customers?name.ne=50%25&name.regex=é&maxpagesize=1',
    '/query/deals-by-owner/[x]?empty=%',
    '/customers?%=1',
  ]
  for (const path of sent) {
    const answer = await service.request('GET', path)
    const targets = [...String(answer.headers.link).matchAll(/<([^>]*)>; rel=/g)].map(([, target]) => target ?? '')
    const { links = {} } = answer.body as unknown as Partial<PageBody>
    for (const target of [...targets, ...Object.values(links).map(String)]) {
      assert.match(target, /^([\w\-.~!$&'()*+,;=:@/?]|%[\dA-Fa-f]{2})*$/, `${path} ${target}`)
    }
    if (answer.status !== 200) continue
    assert.ok(targets.length > 0, path)
    const { items } = answer.body as unknown as PageBody
    assert.deepEqual((await page((links as PageBody['links']).self)).items, items, path)
  }
})

test('links under a base address keep it as it is', async () => {
  const based = await runService({ BASE_URL: 'http://[::1]:8080/desk' })
  try {
    const answer = await based.request('GET', '/query/deals-by-owner/a[b?x', {
      headers: { accept: 'application/json' },
    })
    assert.equal(answer.status, 400)
    const { body } = await based.request('GET', '/customers?name.regex=[A]')
    const { links } = body as unknown as PageBody
    assert.equal(links.self, 'http://[::1]:8080/desk/customers?name.regex=%5BA%5D')
  } finally {
    await based.close()
  }
})

test('a comma in a value of a list is kept through the links', async () => {
  const names = ['Vineyard irrigation, follow-up', 'Vineyard irrigation', 'follow-up']
  for (const name of names) await openDeal(service, { name })
  const asked = `${DEALS}?name.in=${names.map(encodeURIComponent).join(',')}&fields=id,name&sort=name&maxpagesize=1`
  const found: unknown[] = []
  for (let at: string | undefined = asked; at !== undefined; ) {
    const { items, links } = await page(at)
    found.push(...items.map((item) => item.name))
    at = links.next
  }
  assert.deepEqual(found, names.toSorted())
  const one = await page(`${DEALS}?name.in=Vineyard%20irrigation%2C%20follow-up&fields=name`)
  assert.deepEqual(one.items, [{ name: 'Vineyard irrigation, follow-up' }])
})

describe('an id in upper case', () => {
  testOnEachStore('is the same in paths and filters, and answered in lower case', async () => {
    const { id } = await openDeal(service)
    const upper = id.toUpperCase()
    const paths = [
      `${DEALS}/${upper}`,
      `${DEALS}/${upper}/history`,
      `${DEALS}/${upper}/holds`,
      `${DEALS}/${upper}/history/1`,
      `${DEALS}/${upper}/actions`,
      `${DEALS}/${upper}/commands`,
      `${DEALS}?id=${upper}`,
      `${DEALS}?min=${upper}&max=${upper}`,
      `/events?deal=${upper}`,
      `/query/deal-history/${upper}`,
    ]
    for (const path of paths) {
      const answer = await service.request('GET', path)
      const lower = await service.request('GET', path.replaceAll(upper, id))
      assert.deepEqual([answer.status, lower.status], [200, 200], path)
      if (!path.includes('?') && !path.includes('/query/')) {
        assert.equal(answer.text, lower.text, path)
        assert.ok(!String(answer.headers['content-location'] ?? '').includes(upper), path)
      }
    }
    const held = await service.request('PUT', `${DEALS}/${upper}/hold`, { body: { reason: 'credit check' } })
    assert.deepEqual([held.status, held.body.id], [200, id])
    assert.equal(held.headers['content-location'], `${DEALS}/${id}`)
    const noted = await service.request('POST', `${DEALS}/${upper}/notes`, { body: { text: 'called' } })
    assert.deepEqual([noted.status, noted.headers.location], [201, `${DEALS}/${id}/notes/3`])
    const command = await service.request('PUT', `${DEALS}/${upper}/commands/unhold-1`, {
      body: { action: 'UnholdDeal' },
    })
    assert.deepEqual([command.status, command.body.deal], [201, id])
    assert.equal((await service.request('DELETE', `${DEALS}/${upper}`)).status, 204)
  })
})

testOnEachStore('stages and statuses are compared and sorted in their declared order', async () => {
  const order = ['lead', 'qualified', 'proposal', 'negotiation', 'contract']
  for (const stage of order.toSorted()) {
    const { id } = await openDeal(service, { name: `In ${stage}`, stage })
    if (stage === 'lead') await service.request('PUT', `${DEALS}/${id}/cancel`, { body: { reason: 'no budget' } })
    if (stage === 'contract') await service.request('PUT', `${DEALS}/${id}/complete`)
  }
  const stages = async (query: string) => {
    const { items } = await page(`${DEALS}?${query}&fields=stage&maxpagesize=1000`)
    return [...new Set(items.map((item) => item.stage))]
  }
  assert.deepEqual(await stages('sort=stage'), order)
  assert.deepEqual(await stages('sort=-stage'), order.toReversed())
  assert.deepEqual(await stages('stage>=proposal&sort=stage'), order.slice(2))
  assert.deepEqual(await stages('stage.gt=proposal&sort=stage'), order.slice(3))
  assert.deepEqual(await stages('stage<qualified'), ['lead'])
  const { items } = await page(`${DEALS}?sort=status,name&fields=status&maxpagesize=1000`)
  const statuses = items.map((item) => item.status)
  assert.deepEqual([...new Set(statuses)], ['open', 'completed', 'cancelled'])
})

testOnEachStore('an empty description can be asked for', async () => {
  const { id } = await openDeal(service)
  for (const asked of ['description=', 'description.in=', 'description.in=x,']) {
    const found = await page(`${DEALS}?${asked}&id=${id}`)
    assert.deepEqual(
      found.items.map((item) => item.id),
      [id],
    )
  }
  assert.deepEqual((await page(`${DEALS}?description!=&id=${id}`)).items, [])
})

testOnEachStore('an amount is asked for with up to three decimals, and exactly', async () => {
  const { id } = await openDeal(service, { currency: 'KWD', price: 12345.678 })
  const found = async (filter: string) => (await page(`${DEALS}?currency=KWD&${filter}`)).items.map((item) => item.id)
  for (const filter of [
    'price=12345.678',
    'price>=12345.678',
    'price>12345.677',
    'min-price=12345.67',
    'price<12345.679',
  ]) {
    assert.deepEqual(await found(filter), [id], filter)
  }
  for (const filter of ['price=12345.67', 'price>12345.678', 'price.lt=12345.678']) {
    assert.deepEqual(await found(filter), [], filter)
  }
  for (const bad of ['12345.6780', '1.', '.5', '1e3', '+1', '01.5']) {
    assert.equal((await service.request('GET', `${DEALS}?price=${bad}`)).status, 400, bad)
  }
})

const relation = (links: unknown, wanted: string) =>
  new RegExp(`<([^>]+)>; rel="${wanted}"`).exec(String(links))?.[1] ?? assert.fail(`no ${wanted} in ${links}`)

test('a name that ends like a format stays whole in the links', async () => {
  for (const owner of ['p.json', 'p.json', 'p', 'p']) await openDeal(service, { name: `Of ${owner}`, owner })
  const first = await service.request('GET', '/query/deals-by-owner/p.json.json?maxpagesize=1')
  for (const wanted of ['next', 'self', 'first']) {
    const { text } = await service.request('GET', relation(first.headers.link, wanted))
    assert.match(text, /^\[\{[^}]*"name":"Of p\.json"/, wanted)
  }
})

test('a named query leads back too, in its header and on its page', async () => {
  for (const name of ['One', 'Two']) await openDeal(service, { name, owner: 'Lea' })
  const first = await service.request('GET', '/query/deals-by-owner/Lea?maxpagesize=1')
  const second = await service.request('GET', relation(first.headers.link, 'next'))
  const back = await service.request('GET', relation(second.headers.link, 'prev'))
  assert.equal(back.text, first.text)
  const shown = await service.request('GET', relation(first.headers.link, 'next').replace('?', '.html?'))
  assert.match(shown.text, /rel="prev">Previous page</)
})

testOnEachStore(
  'the same comparison given several times means any of its values, whichever way it is spelled',
  async () => {
    const ages = async (query: string) => {
      const { items } = await page(`/customers?${query}&min=4&fields=age&sort=age`)
      return items.map((item) => item.age)
    }
    for (const age of [1, 2, 5, 7, null]) await service.request('POST', '/customers', { body: { name: 'Di', age } })
    assert.deepEqual(await ages('age=1&age.eq=2&age.in=7'), [1, 2, 7])
    assert.deepEqual(await ages('min-age=2&age>=5'), [2, 5, 7])
    assert.deepEqual(await ages('age<2&age.lt=5&age.ne=1'), [2])
    assert.deepEqual(await ages('age!=1&age.ne=2'), [5, 7, null])
    assert.deepEqual(await ages('age.null=true&age.null=false'), [1, 2, 5, 7, null])
    assert.deepEqual(await ages('age.null=true&age=1'), [])
    assert.deepEqual(await ages('min-age=5&max-age=2'), [])
  },
)
