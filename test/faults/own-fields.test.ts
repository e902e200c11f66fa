import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fill } from '../support/database/filled.ts'
import { type OwnDatabase, ownDatabases } from '../support/database/own-database.ts'
import { oneOf } from '../support/faults/scale.ts'
import type { PlainRow } from '../support/inputs/naive-evaluator.ts'
import { collections, deal } from '../support/schema.ts'
import { spawnService } from '../support/service/service-process.ts'

// A field is added to many deals, filled, made unique and retired, while others read and write: nobody is refused, and no
// document is rewritten. `npm run test:long -- own-fields` is this with 1,000,000 deals beside 500 requests a second; it
// tells how long each step took, and the slowest answer meanwhile.

const DEALS = Number(process.env.OWN_DEALS ?? 400)
/** Requests in a second. */
const RATE = Number(process.env.OWN_RATE ?? 50)
/** Deals that the load reads and pays for; most answers to be awaited at once; deals in one insert and one batch. */
const [LOADED, MOST_OPEN, AT_ONCE, BATCH] = [100, 200, 10_000, 100]
/** Answers before the field comes, to compare with. */
const BEFORE = Number(process.env.OWN_BEFORE ?? 20)
const PATH = '/rest/v1/deals'

interface Beside {
  /** What is done meanwhile. */
  step: string
  isOver: boolean
  isPaused: boolean
  /** Requests without an answer. */
  readonly open: Set<Promise<void>>
  readonly refused: string[]
  readonly took: Map<string, number[]>
}

for (const [engine, ownDatabase] of oneOf('OWN_STORE', ownDatabases)) {
  test(`a field comes to ${DEALS} deals and goes, beside ${RATE} requests a second, on ${engine}`, async (t) => {
    const database = await ownDatabase()
    t.after(() => database.remove())
    await addDeals(database)
    const service = spawnService({ DATABASE_URL: database.url })
    const url = await service.ready
    const beside: Beside = {
      step: 'before',
      isOver: false,
      isPaused: false,
      open: new Set(),
      refused: [],
      took: new Map(),
    }
    const load = loadBeside(url, beside)
    try {
      await liveWithField(t, url, database, beside)
    } finally {
      beside.isOver = true
      await load
      service.process.kill('SIGTERM')
      await service.ended
    }
    assert.deepEqual(beside.refused, [])
    for (const [step, took] of beside.took) {
      const sorted = took.toSorted((a, b) => a - b)
      const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1)
      t.diagnostic(`${step}: ${took.length} answers, median ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${at(1)} ms`)
    }
  })
}

async function liveWithField(t: TestContext, url: string, database: OwnDatabase, beside: Beside): Promise<void> {
  const begin = (step: string): (() => void) => {
    const begun = performance.now()
    beside.step = step
    return () => t.diagnostic(`${step} took ${((performance.now() - begun) / 1000).toFixed(2)} s`)
  }
  while ((beside.took.get(beside.step)?.length ?? 0) < BEFORE) await pause(20)
  const isAdded = begin('adding the field')
  const { id } = await sent(url, 'POST', '/fields', { on: 'deal', name: 'code', title: 'Code', kind: 'text' }, 201)
  await sent(url, 'PUT', `${PATH}/${idAt(LOADED)}/set-fields`, { own: { code: codeAt(LOADED) } })
  assert.equal((await sent(url, 'GET', `${PATH}/${idAt(LOADED)}`)).own.code, codeAt(LOADED))
  isAdded()
  const documents = await counted(database, beside, `deals WHERE doc LIKE '%"own":%'`)
  assert.equal(documents, 1, 'the document of the deal with a value is rewritten, and no other')

  const isFilled = begin('filling it')
  for (let from = 0; from < DEALS; from += BATCH) {
    const commands = Array.from({ length: Math.min(BATCH, DEALS - from) }, (_, nth) => ({
      ...{ deal: idAt(from + nth), action: 'SetDealFields', params: { own: { code: codeAt(from + nth) } } },
    }))
    const { results } = await sent(url, 'POST', '/rest/v1/batch', { atomic: true, commands })
    assert.ok(results.every(({ status }: { readonly status: string }) => status === 'applied'))
  }
  isFilled()

  const isUnique = begin('making it unique')
  await sent(url, 'PATCH', `/fields/${id}`, { unique: true })
  while ((await sent(url, 'GET', `/fields/${id}`)).state === 'building') await pause(20)
  // The store has the new model a moment before the instance follows it.
  while ((await fetch(`${url}${PATH}/by/own.code/${codeAt(0)}`)).status === 409) await pause(20)
  isUnique()
  const field = await sent(url, 'GET', `/fields/${id}`)
  assert.deepEqual([field.state, field.unique], ['ready', true])
  for (const nth of [0, DEALS >> 1, DEALS - 1]) {
    assert.equal((await sent(url, 'GET', `${PATH}/by/own.code/${codeAt(nth)}`)).id, idAt(nth))
  }
  await sent(url, 'PUT', `${PATH}/${idAt(0)}/set-fields`, { own: { code: codeAt(DEALS - 1) } }, 409)
  assert.equal(await counted(database, beside, `deals_own WHERE field = 'code'`), DEALS)

  const isRetired = begin('retiring it')
  await sent(url, 'PUT', `/fields/${id}/retire`, {})
  assert.equal((await sent(url, 'GET', `${PATH}/${idAt(LOADED)}`)).own, undefined)
  isRetired()
}

/** Rows are counted in this process, which sends nothing meanwhile. */
async function counted(database: OwnDatabase, beside: Beside, from: string): Promise<number> {
  beside.isPaused = true
  await Promise.all(beside.open)
  const [row] = await database.rows(`SELECT count(*) AS many FROM ${from}`)
  beside.isPaused = false
  return Number(row?.many)
}

/** Sends requests at a steady rate, whenever the answers come; fewer than asked for if too many are open. */
async function loadBeside(url: string, beside: Beside): Promise<void> {
  const { open } = beside
  let before = performance.now()
  let due = 0
  for (let nth = 0; !beside.isOver; ) {
    await pause(5)
    const now = performance.now()
    due = beside.isPaused ? 0 : Math.min(due + ((now - before) / 1000) * RATE, MOST_OPEN - open.size)
    before = now
    for (; due >= 1; due--) {
      const asked = ask(url, nth++, beside).finally(() => open.delete(asked))
      open.add(asked)
    }
  }
  await Promise.all(open)
}

/** Three of five read a deal, one a page, one pays. */
async function ask(url: string, nth: number, beside: Beside): Promise<void> {
  const { step } = beside
  const one = `${PATH}/${idAt(nth % LOADED)}`
  const pay = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{"amount":0.01}' }
  const [path, init] =
    nth % 5 === 3 ? [`${PATH}?maxpagesize=20`, {}] : nth % 5 === 4 ? [`${one}/record-payment`, pay] : [one, {}]
  const begun = performance.now()
  const answer = await fetch(url + path, init)
  const text = await answer.text()
  beside.took.getOrInsertComputed(step, () => []).push(performance.now() - begun)
  if (answer.status !== 200) beside.refused.push(`${step}: ${path} ${answer.status} ${text}`)
}

async function sent(url: string, method: string, path: string, body?: object, expected = 200) {
  const answer = await fetch(url + path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  assert.equal(answer.status, expected, `${method} ${path}: ${text}`)
  return JSON.parse(text)
}

const idAt = (nth: number): string => `01936f2e-5d3c-7a41-8f6b-${String(nth).padStart(12, '0')}`
const codeAt = (nth: number): string => `C-${nth}`

async function addDeals(database: OwnDatabase): Promise<void> {
  for (let from = 0; from < DEALS; from += AT_ONCE) {
    const rows = Array.from({ length: Math.min(AT_ONCE, DEALS - from) }, (_, nth) => ({
      ...deal.blank(idAt(from + nth), '2026-01-30T10:00:00.000Z'),
      ...{ name: `Deal ${from + nth}`, price: 1000, revision: 1 },
    }))
    await fill(database, collections.deals, rows as unknown as readonly PlainRow[])
  }
}
