import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { suite, test } from 'node:test'
import { fillDemo } from '../../src/cli/actions/fill-demo.ts'
import { readSettings } from '../../src/config.ts'
import { demoContent } from '../../src/demo/content.ts'
import { DAY, SOME_DAY } from '../../src/demo/time.ts'
import { languages } from '../../src/languages/language.ts'
import { valueIn } from '../../src/model/declaration/operation.ts'
import type { Customer } from '../../src/model/nouns/customer/customer.ts'
import { type Deal, statuses } from '../../src/model/nouns/deal/deal.ts'
import type { OwnField } from '../../src/model/nouns/field/field.ts'
import type { Pipeline } from '../../src/model/nouns/pipeline/pipeline.ts'
import type { SavedView } from '../../src/model/nouns/view/view.ts'
import { salesStages as stages } from '../../src/model/source/pipeline-source.ts'
import { label } from '../../src/representations/html/label.ts'
import { isOwn } from '../../src/values/json/own.ts'
import { deal, schema } from '../support/schema.ts'
import { type Desk, openDesk } from '../support/service/running-command.ts'

const tables = ['customers', 'deals', 'fields', 'pipelines', 'model', 'events', 'commands']
const everything = (desk: Desk) => tables.map((table) => desk.rows(`SELECT * FROM ${table} ORDER BY rowid`))

async function serveDemo(desk: Desk): Promise<void> {
  const service = desk.start(['--demo'])
  const [, url] = await service.said(/Dealdesk is ready at (\S+)/)
  const customer = (await (await fetch(`${url}/customers/1000`)).json()) as { id: number }
  assert.equal(customer.id, 1000)
  const sales = (await (
    await fetch(`${url}/rest/v1/deals?count=exact&pipeline=sales&deleted.in=true,false`)
  ).json()) as {
    total: number
  }
  assert.equal(sales.total, 60)
  service.process.kill('SIGTERM')
  assert.equal((await service.ended).code, 0)
}

suite('the sample data', { concurrency: 2 }, () => {
  test('is the same each time, and refused where there is something', async () => {
    await using one = openDesk()
    await using other = openDesk()
    await serveDemo(one)
    await fillDemo(readSettings({ DATABASE_URL: other.database }))
    assert.deepEqual(everything(one), everything(other))
    const { code, stderr } = await one.run(['serve', '--demo'])
    assert.equal(code, 1)
    assert.match(stderr, /^dealdesk: --demo fills an empty database only, and .* holds something; start without it\n$/)
    assert.deepEqual(everything(one), everything(other))
  })

  test('is not filled in by a start that fails', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const failing: readonly (readonly [settings: { readonly [name: string]: string }, said: RegExp])[] = [
      [{ HOST: '0.0.0.0' }, /can be reached by others, and there is no user yet: .* --role admin --new-database\n$/],
      [{ PORT: String(port) }, /^dealdesk: HOST=127\.0\.0\.1 PORT=\d+ is in use by another program\n$/],
    ]
    for (const [settings, said] of failing) {
      await using desk = openDesk(settings)
      const { code, stderr } = await desk.run(['serve', '--demo'])
      assert.equal(code, 1)
      assert.match(stderr, said)
      assert.equal(existsSync(desk.database), false)
    }
    taken.close()
  })

  const { things, events, commands } = demoContent(schema)
  const all = (name: string) => things.find(({ resource }) => resource.name === name)?.things
  const customers = all('customer') as readonly Customer[]
  const allDeals = all('deal') as readonly Deal[]
  const deals = allDeals.filter(({ pipeline }) => pipeline === 'sales')

  test('has customers 1 to 1000 from many places, of plausible ages and families', () => {
    assert.deepEqual(
      customers.map(({ id }) => id),
      Array.from({ length: 1000 }, (_, index) => index + 1),
    )
    assert.ok(new Set(customers.map(({ country }) => country)).size >= 25)
    assert.ok(customers.filter(({ name }) => /[^\x20-\x7e]/.test(name)).length >= 300)
    for (const { age, children, email } of customers) {
      assert.ok(age === null || (age >= 18 && age <= 93))
      assert.ok(age === null || age >= 23 || (children ?? 0) <= 2)
      assert.match(email ?? 'a@example.com', /^[a-z0-9.-]+@([a-z]+\.)?example\.(com|org|net)$/)
    }
    const emails = customers.flatMap(({ email }) => email ?? [])
    assert.equal(new Set(emails).size, emails.length)
  })

  test('has sixty deals in every status, stage and marking, and every operation with weeks between', () => {
    assert.equal(deals.length, 60)
    assert.deepEqual(new Set(deals.map(({ status }) => status)), new Set(statuses))
    assert.deepEqual(new Set(deals.map(({ stage }) => stage)), new Set(stages))
    for (const stage of stages) assert.ok(deals.some((deal) => deal.stage === stage && deal.status === 'open'))
    for (const status of ['completed', 'cancelled']) {
      assert.ok(deals.some((deal) => deal.status === status && deal.archived))
      assert.ok(deals.some((deal) => deal.status === status && !deal.archived))
    }
    assert.ok(deals.some(({ held }) => held) && deals.some(({ deletedAt }) => deletedAt !== null))
    assert.ok(deals.some(({ amercement }) => amercement > 0) && deals.some(({ paid }) => paid > 0))
    assert.deepEqual(
      new Set(events.flatMap(({ operation: { on, name } }) => (on.name === 'deal' ? [name] : []))),
      new Set(deal.operations.map(({ name }) => name)),
    )
    const spans = deals.map(({ createdAt, updatedAt }) => Date.parse(updatedAt) - Date.parse(createdAt))
    assert.ok(spans.filter((span) => span > 14 * 86_400_000).length >= 45)
  })

  test('has fields of its own with values, and renewals in every stage, won and lost', () => {
    const isSet = ([name, value]: readonly [string, unknown]) => isOwn(name) && value !== null
    const named = (those: readonly object[] = []) =>
      new Set(those.flatMap((each) => Object.entries(each).filter(isSet)).map(([name]) => name))
    assert.deepEqual(named(allDeals), new Set(['own.source', 'own.competitors', 'own.contractEnd']))
    assert.deepEqual(named(customers), new Set(['own.segment', 'own.accountNumber', 'own.newsletter']))
    assert.deepEqual(named(all('task')), new Set(['own.hours']))
    const renewals = allDeals.filter(({ pipeline }) => pipeline === 'renewals')
    const open = renewals.filter(({ status }) => status === 'open')
    assert.deepEqual(new Set(open.map(({ stage }) => stage)), new Set(['due', 'terms', 'ready']))
    const [pipeline] = all('pipeline') as unknown as readonly { readonly lostReasons: readonly string[] }[]
    const lost = renewals.filter(({ status }) => status === 'cancelled')
    assert.ok(lost.length > 0 && renewals.some(({ status }) => status === 'completed'))
    for (const { closingReason } of lost) assert.ok(pipeline?.lostReasons.includes(closingReason ?? ''))
  })

  test('has words for readers of every language where there is one text for all', () => {
    const pipelines = all('pipeline') as unknown as readonly Pipeline[]
    for (const [tag, language] of languages) {
      if (tag === 'en') continue
      const { texts } = language()
      for (const { name, title } of pipelines.flatMap((each) => [each, ...each.stages])) {
        assert.equal(title, label(name))
        assert.ok(texts.has(title), `${tag} lacks ${title}`)
      }
    }
    const views = all('view') as readonly SavedView[]
    const fields = all('field') as unknown as readonly OwnField[]
    for (const text of [...views.map(({ name }) => name), ...fields.flatMap(({ help }) => help ?? [])])
      assert.doesNotMatch(text, /[a-z]{4}/)
  })

  test('has a view of contracts that end in a quarter, whatever the day', () => {
    for (const day of [0, 46, 80]) {
      const { things } = demoContent(schema, SOME_DAY + day * DAY)
      const those = (name: string) => things.find(({ resource }) => resource.name === name)?.things ?? []
      const views = those('view') as readonly SavedView[]
      const [from = '', to = ''] = views[0]?.query.match(/\d{4}-\d\d-\d\d/g) ?? []
      const ending = (those('deal') as readonly Deal[]).filter((each) => {
        const end = String(valueIn(each, 'own.contractEnd'))
        return each.pipeline === 'renewals' && each.status === 'open' && end >= from && end < to
      })
      assert.ok(from < to && ending.length >= 3, `${from}: ${ending.length}`)
    }
  })

  test('has a history without gaps, in order, about customers who were there', () => {
    for (const deal of allDeals) {
      const own = events.filter((event) => event.thing.id === deal.id)
      assert.deepEqual(
        own.map((event) => event.thing.revision),
        Array.from({ length: deal.revision }, (_, index) => index + 1),
      )
      assert.deepEqual(own.at(-1)?.thing, deal)
      const customer = customers.find(({ id }) => id === deal.customerId)
      assert.ok(deal.customerId === null || (customer?.createdAt ?? '9') < deal.createdAt)
    }
    assert.deepEqual(
      events.map(({ at }) => at),
      events.map(({ at }) => at).toSorted(),
    )
    assert.equal(new Set(commands.map(({ id }) => id)).size, commands.length)
  })
})
