import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ownSqlite } from '../support/database/own-database.ts'
import { sized } from '../support/faults/scale.ts'
import { type Untroubled, untroubledService } from '../support/faults/service-here.ts'

// `npm run test:long -- slow-search` runs it at full size and prints how long others had to wait.

const DEALS = sized(30, 1000)
const SEARCHES = 10
const costly = ['b.{999}[xyz]', '[b-h ].{999}[xyz]', '(b|c.{400}|d.{401}|e.{402}).{100}[xyz]'].map(
  (pattern) => `/rest/v1/deals?fields=id&description.regex=${encodeURIComponent(pattern)}`,
)

const database = ownSqlite()
let service: Untroubled
let url: string
let ids: readonly string[]

before(async () => {
  service = await untroubledService(database.url)
  url = service.url
  const made: string[] = []
  for (let n = 0; n < DEALS; n++) {
    const body = JSON.stringify({ name: `Deal ${n}`, price: 1, description: randomText() })
    const answer = await fetch(`${url}/rest/v1/deals/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    made.push(((await answer.json()) as { id: string }).id)
  }
  ids = made
})
after(async () => {
  await service.stop()
  database.remove()
})

const randomText = (): string =>
  Array.from({ length: 10_000 }, () => 'bcdefgh '[Math.floor(Math.random() * 8)]).join('')

test('health checks, reads and other searches are answered while ten costly searches run', async (t) => {
  await timesOf(sized(10, 1000), t.diagnostic.bind(t), 'alone', () => false)
  const leaving = new AbortController()
  const ended: string[] = []
  const searches = Array.from({ length: SEARCHES }, async (_, n) => {
    const answer = await fetch(`${url}${costly[n % costly.length]}`, { signal: leaving.signal })
    ended.push(((await answer.json()) as { code: string }).code)
  })
  const most = sized(40, Number.POSITIVE_INFINITY)
  await timesOf(most, t.diagnostic.bind(t), 'meanwhile', () => ended.length === SEARCHES)
  // The short form does not wait for all of them to use up their budgets.
  if (sized(true, false)) {
    assert.ok(ended.length < SEARCHES)
    leaving.abort()
    await Promise.allSettled(searches)
  } else {
    await Promise.all(searches)
    assert.equal(ended.length, SEARCHES)
  }
  for (const code of ended) assert.equal(code, 'query-too-costly')
})

test('whatever is searched for is found or refused, while others are answered', async (t) => {
  const all = '%'.repeat(200)
  const hostile = [
    `q=${'bc'.repeat(100)}`,
    `q=${'b c d e f g h bc cd de'}`,
    'q=b',
    'q=b&count=exact&sort=-name',
    'q=%',
    `q=${all}`,
    `q=${'_'.repeat(200)}`,
    `description.contains=${all}`,
    `description=ilike.${'*b'.repeat(100)}`,
    `description=ilike.${'_'.repeat(200)}`,
    `description=like.${'*'.repeat(200)}`,
    `description=ilike.${'*b_'.repeat(60)}z`,
  ].map((query) => `/rest/v1/deals?fields=id&${query.replaceAll('%', '%25').replaceAll(' ', '+')}`)
  let ended = 0
  const searches = [...hostile, '/search?q=b', `/search?q=${'bc'.repeat(100)}`].map(async (path) => {
    const answer = await fetch(url + path)
    const { code } = (await answer.json()) as { readonly code?: string }
    ended++
    assert.ok(answer.status === 200 || code === 'query-too-costly', `${path}: ${answer.status} ${code}`)
  })
  await timesOf(sized(30, Number.POSITIVE_INFINITY), t.diagnostic.bind(t), 'meanwhile', () => ended === searches.length)
  await Promise.all(searches)
})

/** Asks one after the other, until it is over. */
async function timesOf(most: number, tell: (line: string) => void, when: string, isOver: () => boolean): Promise<void> {
  const taken: Record<string, number[]> = { 'health checks': [], 'reads of a deal': [], searches: [] }
  const timed = async (kind: string, path: string): Promise<void> => {
    const begun = performance.now()
    const answer = await fetch(url + path, { headers: { 'accept-encoding': 'identity' } })
    await answer.arrayBuffer()
    taken[kind]?.push(performance.now() - begun)
    assert.equal(answer.status, 200)
  }
  for (let n = 0; n < most && !isOver(); n++) {
    await timed('health checks', '/health/live')
    await timed('reads of a deal', `/rest/v1/deals/${ids[n % ids.length]}`)
    if (n % 20 === 0) await timed('searches', '/rest/v1/deals?name.regex=%5EDeal%201&maxpagesize=5')
  }
  for (const [kind, times] of Object.entries(taken)) tell(`${when}: ${times.length} ${kind}, ${quantiles(times)}`)
}

function quantiles(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => `${(sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1)} ms`
  return `half within ${at(0.5)}, 99 % within ${at(0.99)}, the slowest ${at(1)}`
}
