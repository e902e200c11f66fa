import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { drawn } from '../../support/inputs/drawn.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'

/** So many that to look at all of them takes far more than a search may use. */
const LONG = 60
/** Each long text takes more than a tenth of a second. */
const COSTLY = 'description.regex=%5Bb-h%20%5D.%7B250%7D.%7B250%7D.%7B250%7D.%7B249%7D%5Bxyz%5D'
/** Ten such patterns, which have one budget together. */
const TREE = `or=(${Array.from({ length: 10 }, (_, n) => encodeURIComponent(`description.match."${patternOf(COSTLY)}${n}"`))})`

/** Leaves two deals, whose texts still take several steps. */
const FEW = 'name.regex=%5ELong%20(39%7C40)%24'

function patternOf(filter: string): string {
  return decodeURIComponent(filter.slice(filter.indexOf('=') + 1))
}

let service: TestService
let ids: string[]
before(async () => {
  service = await runService()
  ids = []
  for (let n = 0; n < LONG; n++) {
    const { id } = await openDeal(service, { name: `Long ${n}`, description: longText(n) })
    ids.push(id)
  }
})
after(() => service.close())

/** 10,000 characters, of the few 4,000, that the costly pattern does not match, the last but for one deal. */
function longText(n: number): string {
  let text = ''
  for (let at = 0, seed = n + 1; at < (n === 39 || n === 40 ? 4000 : 10_000); at++) {
    seed = (seed * 1103515245 + 12345) % 2147483648
    text += 'bcdefgh '[(seed >> 16) & 7]
  }
  return n === 40 ? `${text.slice(0, -1)}z` : text
}

test('a costly pattern is looked for in a few texts, in whichever order', async () => {
  for (const sort of drawn(['id', '-updatedAt', 'description'], 0)) {
    const { status, body } = await service.request(
      'GET',
      `${DEALS}?${FEW}&${COSTLY}&sort=${sort}&count=exact&fields=id`,
    )
    assert.equal(status, 200)
    assert.deepEqual(body.items, [{ id: ids[40] }])
    assert.equal(body.total, 1)
  }
  const { body } = await service.request('GET', `${DEALS}?id=${ids[40]}&${COSTLY}&fields=id`)
  assert.deepEqual(body.items, [{ id: ids[40] }])
  const grouped = await service.request('GET', `${DEALS}?${FEW}&${COSTLY}&group=name`)
  assert.deepEqual(grouped.body.items, [{ name: 'Long 40', count: 1 }])
})

test('a search is answered before those that take longer and were asked before it', async () => {
  const leaving = new AbortController()
  let ended = 0
  const costly = Array.from({ length: 10 }, () =>
    fetch(`${service.url}${DEALS}?${COSTLY}`, { signal: leaving.signal }).then(
      () => ended++,
      () => {},
    ),
  )
  while (service.store.searches.waiting < 9) await pause(5)
  const cheap = await service.request('GET', `${DEALS}?description.regex=%5Eb&name.regex=Long&maxpagesize=3&fields=id`)
  assert.equal(cheap.status, 200)
  for (const id of ids.slice(0, 20)) assert.equal((await service.request('GET', `${DEALS}/${id}`)).status, 200)
  assert.equal(ended, 0)
  leaving.abort()
  await Promise.all(costly)
})

test('a search by GET or QUERY ends when its client leaves, or is refused after two seconds of computing and told to narrow itself', async () => {
  const leaving = new AbortController()
  const { signal } = leaving
  const left = Array.from({ length: 10 }, (_, n) => {
    const accept = n % 4 < 2 ? 'application/x-ndjson' : 'application/json'
    if (n % 2 === 0) return fetch(`${service.url}${DEALS}?${COSTLY}`, { signal, headers: { accept } })
    const headers = { accept, 'content-type': 'application/x-www-form-urlencoded' }
    return fetch(service.url + DEALS, { method: 'QUERY', body: COSTLY, signal, headers })
  })
  let answered = false
  const stays = service.request('GET', `${DEALS}?fields=id&${TREE}`).finally(() => {
    answered = true
  })
  while (service.store.searches.waiting < 9) await pause(5)
  leaving.abort()
  await Promise.allSettled(left)
  while (service.store.searches.waiting > 0) await pause(5)
  assert.equal(answered, false)
  const { status, body } = await stays
  assert.equal(status, 400)
  assert.equal(body.code, 'query-too-costly')
  assert.match(body.detail, /Narrow the filter/)
})

test('lines are searched in the same steps', async () => {
  const { status, text } = await service.request('GET', `${DEALS}.ndjson?${FEW}&${COSTLY}&fields=id`)
  assert.equal(status, 200)
  assert.equal(text, `{"id":"${ids[40]}"}\n`)
})

test('a search looks at all there is, and at no row twice', async () => {
  const all: unknown[] = []
  let next: string | undefined = `${DEALS}?description.regex=%5Bz-zb%5D&sort=-name&maxpagesize=7&fields=id`
  while (next !== undefined) {
    const { body } = await service.request('GET', next)
    all.push(...(body.items as { id: string }[]).map(({ id }) => id))
    next = body.links.next
  }
  assert.deepEqual(new Set(all), new Set(ids))
  assert.equal(all.length, ids.length)
})
