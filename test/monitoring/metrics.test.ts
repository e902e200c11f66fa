import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { parse } from 'yaml'
import { readAges } from '../../src/screens/customers/read.ts'
import { endpointsOf } from '../../src/service/endpoints.ts'
import { SERVICE } from '../../src/store/port/desk.ts'
import { CONNECTIONS } from '../../src/store/postgres/connect/connections.ts'
import { test, testOnEachStore } from '../support/rooms/each-store.ts'
import { schema } from '../support/schema.ts'
import { runService, type TestService } from '../support/service/running-service.ts'

const monitoring = join(import.meta.dirname, '../../deploy/monitoring')

/** Whether the store is PostgreSQL, which has connections; the other has files. */
const isServer = process.env.TEST_STORE === 'postgres'

interface AlertRules {
  readonly groups: readonly { readonly rules: readonly AlertRule[] }[]
}
interface AlertRule {
  readonly alert: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook: string }
}

suite('/metrics', () => {
  let service: TestService
  let text: string
  before(async () => {
    service = await runService({ WEBHOOK_ALLOW_PRIVATE: 'true', KEEP_EVENTS: '400d' })
    await service.request('POST', '/rest/v1/deals', { body: { name: 'A "deal"', price: 1 } })
    await service.request('GET', '/customers/1')
    await service.request('GET', '/nothing/at/all')
    // The feed may lag behind what was written.
    await service.database.settled()
    const answer = await service.request('GET', '/metrics', { headers: { accept: 'text/plain' } })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
    text = answer.text
  })
  after(() => service.close())

  const value = (sample: string): number => {
    const found = text.split('\n').find((line) => line.startsWith(`${sample} `))
    assert.ok(found, sample)
    return Number(found.slice(sample.length + 1))
  }

  test('is in the text format: each metric explained and typed once, each line a number', () => {
    const named = new Set<string>()
    for (const line of text.split('\n').slice(0, -1)) {
      const comment = /^# (HELP|TYPE) (\w+) (.+)$/.exec(line)
      if (comment?.[1] === 'TYPE') {
        assert.ok(!named.has(comment[2] ?? ''), line)
        named.add(comment[2] ?? '')
      }
      if (comment !== null) continue
      const [, name = '', number] = /^(\w+?)(?:\{(?:\w+="(?:[^"\\]|\\.)*",?)*\})? (\S+)$/.exec(line) ?? []
      assert.ok(named.has(name.replace(/_(bucket|sum|count)$/, '')) || named.has(name), line)
      assert.ok(Number.isFinite(Number(number)), line)
    }
  })

  test('counts answers by route and outcome, in buckets that grow', () => {
    const labels = 'method="POST",route="/rest/v1/deals",outcome="2xx"'
    assert.equal(value(`dealdesk_request_duration_seconds_count{${labels}}`), 1)
    assert.equal(value(`dealdesk_request_duration_seconds_bucket{${labels},le="+Inf"}`), 1)
    assert.ok(value(`dealdesk_request_duration_seconds_sum{${labels}}`) > 0)
    assert.equal(value('dealdesk_request_duration_seconds_count{method="GET",route="/customers/:id",outcome="4xx"}'), 1)
    assert.equal(value('dealdesk_request_duration_seconds_count{method="",route="unmatched",outcome="4xx"}'), 1)
    const buckets = [...text.matchAll(/_bucket\{method="POST",route="\/rest\/v1\/deals",outcome="2xx".* (\d+)$/gm)]
    const counts = buckets.map(([, count]) => Number(count))
    assert.deepEqual(counts, counts.toSorted())
  })

  testOnEachStore('tells of commits, the store and the process', () => {
    assert.equal(value('dealdesk_commit_batch_size_sum'), 1)
    assert.equal(value('dealdesk_commit_batch_size_count'), 1)
    assert.equal(value('dealdesk_writes_waiting'), 0)
    assert.equal(value('dealdesk_store_up'), 1)
    assert.equal(value('dealdesk_ready'), 1)
    assert.equal(value('dealdesk_commit_duration_seconds_count'), 1)
    assert.ok(value('dealdesk_commit_duration_seconds_sum') > 0)
    assert.ok(value('dealdesk_statement_duration_seconds_count') > 0)
    assert.ok(value('dealdesk_statement_duration_seconds_bucket{le="+Inf"}') > 0)
    assert.ok(value('dealdesk_feed_lag_seconds') < 60)
    if (process.platform === 'linux') assert.ok(value('process_open_fds') > 3)
    assert.ok(value('nodejs_heap_limit_bytes') > value('nodejs_heap_used_bytes'))
    assert.ok(value('process_resident_memory_bytes') > 1e7)
    assert.ok(value('process_start_time_seconds') > 1.7e9)
  })

  testOnEachStore('tells how many deliveries of webhooks are pending and failing', async () => {
    assert.equal(value('dealdesk_webhook_deliveries_pending'), 0)
    assert.equal(value('dealdesk_webhook_deliveries_failing'), 0)
    // A webhook begins at the end of the feed, which may lag behind what was written.
    await service.database.settled()
    // Nobody listens on the port of discarded data; what comes behind the first of a deal waits for it.
    const made = await service.request('POST', '/webhooks', { body: { url: 'http://127.0.0.1:9/' } })
    assert.equal(made.status, 201)
    const { body: deal } = await service.request('POST', '/rest/v1/deals', { body: { name: 'Roof', price: 1 } })
    await service.request('POST', `/rest/v1/deals/${deal.id}/notes`, { body: { text: 'first' } })
    const backlog = async () => {
      const { text } = await service.request('GET', '/metrics', { headers: { accept: 'text/plain' } })
      return [...text.matchAll(/^dealdesk_webhook_deliveries_\w+ (\d+)$/gm)].map(([, count]) => Number(count))
    }
    while ((await backlog()).join() !== '2,1') await pause(10)
    const { text } = await service.request('GET', '/metrics', { headers: { accept: 'text/plain' } })
    const [, oldest] = /^dealdesk_webhook_oldest_pending_seconds (\S+)$/m.exec(text) ?? []
    assert.ok(Number(oldest) > 0)
    assert.equal(value('dealdesk_webhook_oldest_pending_seconds'), 0)
  })

  testOnEachStore('counts what took effect by operation and refusals by code, whichever door asked', async () => {
    const own = await runService()
    const { body: deal } = await own.request('POST', '/rest/v1/deals', { body: { name: 'Roof', price: 1 } })
    const hold = { action: 'HoldDeal', deal: deal.id, params: { reason: 'later' } }
    await own.request('PUT', `/rest/v1/deals/${deal.id}/hold?dry-run=true`, { body: { reason: 'not yet' } })
    const complete = { action: 'CompleteDeal', deal: deal.id, params: {} }
    await own.request('POST', '/rest/v1/batch', { body: { atomic: false, commands: [hold, complete] } })
    // Nothing of it is kept.
    const rename = { action: 'RenameDeal', deal: deal.id, params: { newName: 'Tower' } }
    await own.request('POST', '/rest/v1/batch', { body: { atomic: true, commands: [rename, complete] } })
    for (const _ of [1, 2]) {
      const headers = { 'idempotency-key': '"once"' }
      await own.request('POST', `/rest/v1/deals/${deal.id}/notes`, { body: { text: 'Hm.' }, headers })
    }
    const { text } = await own.request('GET', '/metrics', { headers: { accept: 'text/plain' } })
    const counted = [...text.matchAll(/^dealdesk_(?:operations|refusals)_total(.*)$/gm)].map(([, sample]) => sample)
    assert.deepEqual(counted, [
      '{resource="deal",operation="create"} 1',
      '{resource="deal",operation="hold"} 1',
      '{resource="deal",operation="add-note"} 1',
      '{code="wrong-state"} 2',
    ])
    await own.close()
  })

  testOnEachStore('tells of the connections to a database that is a server', () => {
    const states = [...text.matchAll(/^dealdesk_database_connections\{state="(\w+)"\} (\d+)$/gm)]
    assert.deepEqual(
      states.map(([, state]) => state),
      isServer ? ['used', 'idle', 'down'] : [],
    )
    assert.equal(
      states.reduce((sum, [, , count]) => sum + Number(count), 0),
      isServer ? CONNECTIONS : 0,
    )
    if (isServer) assert.equal(value('dealdesk_database_connections_waiting'), 0)
  })

  test('tells how many searches wait', async () => {
    assert.equal(value('dealdesk_searches_waiting'), 0)
    let most = 0
    let isOver = false
    const searches = Array.from({ length: 100 }, () => readAges(service.store.as(SERVICE)))
    const done = Promise.all(searches).then(() => {
      isOver = true
    })
    while (!isOver) {
      most = Math.max(most, service.store.searches.waiting)
      await new Promise(setImmediate)
    }
    await done
    assert.ok(most > 0)
    assert.equal(service.store.searches.waiting, 0)
  })

  testOnEachStore('has every name that the dashboard and the alerts ask for', () => {
    const ofTheOther = isServer
      ? /^dealdesk_(database|database_log|disk_free)_bytes$/
      : /^dealdesk_database_connections/
    const known = new Set([...text.matchAll(/^(?:# TYPE )?(\w+)(?:\{| )/gm)].map(([, name]) => name))
    for (const file of ['dashboard.json', 'alerts.yaml']) {
      const content = readFileSync(join(monitoring, file), 'utf8')
      const asked = [...content.matchAll(/\b((?:dealdesk|process|nodejs)_\w+)/g)].map(([, name]) => name ?? '')
      assert.ok(asked.length > 5, file)
      for (const name of asked) assert.ok(known.has(name) !== ofTheOther.test(name), `${file}: ${name}`)
    }
  })

  test('tells where the feed begins, how long it is kept and who follows it', () => {
    assert.ok(Math.abs(value('dealdesk_feed_beginning_seconds') - Date.now() / 1000) < 3600)
    assert.equal(value('dealdesk_feed_kept_seconds'), 400 * 86_400)
    assert.equal(value('dealdesk_feed_followers'), 0)
  })

  test('asks for no route that there is not', () => {
    const paths = endpointsOf(schema).map(({ path }) => path)
    for (const file of ['dashboard.json', 'alerts.yaml']) {
      const content = readFileSync(join(monitoring, file), 'utf8')
      for (const [, routes = ''] of content.matchAll(/\broute!?=~?\\?"([^"\\]+)/g)) {
        for (const route of routes.split('|')) assert.ok(paths.includes(route), `${file}: ${route}`)
      }
    }
  })

  test('has a section of docs/alerts.md for each alert, and an alert for each section', () => {
    const { groups } = parse(readFileSync(join(monitoring, 'alerts.yaml'), 'utf8')) as AlertRules
    const alerts = groups.flatMap(({ rules }) => rules)
    const guide = readFileSync(join(monitoring, '../../docs/alerts.md'), 'utf8')
    const sections = [...guide.matchAll(/^## (\w+)$/gm)].map(([, name]) => name)
    assert.deepEqual(
      sections,
      alerts.map(({ alert }) => alert),
    )
    for (const { alert, annotations, labels } of alerts) {
      assert.equal(annotations.runbook, `docs/alerts.md#${alert.toLowerCase()}`)
      assert.match(labels.severity, /^(page|ticket)$/)
      assert.match(annotations.summary, /\.$/)
    }
  })

  test('sections of docs/alerts.md name panels of the dashboard', () => {
    const titles = readFileSync(join(monitoring, 'dashboard.json'), 'utf8')
    const guide = readFileSync(join(monitoring, '../../docs/alerts.md'), 'utf8')
    for (const [, name = ''] of guide.matchAll(/"([A-Z][^"]+)"/g)) assert.ok(titles.includes(`"${name}`), name)
  })

  testOnEachStore('leaves nothing out of the dashboard that an operator should see', () => {
    const dashboard = readFileSync(join(monitoring, 'dashboard.json'), 'utf8')
    assert.doesNotThrow(() => JSON.parse(dashboard))
    for (const [, name = ''] of text.matchAll(/^# TYPE (dealdesk_\w+) /gm)) {
      assert.ok(dashboard.includes(name), name)
    }
  })
})
