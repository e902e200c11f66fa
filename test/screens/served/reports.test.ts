import assert from 'node:assert/strict'
import { after, before, suite } from 'node:test'
import { fillDemo } from '../../../src/cli/actions/fill-demo.ts'
import { readSettings } from '../../../src/config.ts'
import { randomFrom } from '../../../src/demo/random.ts'
import { numberText } from '../../../src/languages/formats.ts'
import { anybody } from '../../../src/languages/reader.ts'
import type { Deal } from '../../../src/model/nouns/deal/deal.ts'
import { salesStages as stages } from '../../../src/model/source/pipeline-source.ts'
import { type Reporting, reportedSum, reportingAt, type ShownRate } from '../../../src/screens/reporting/reporting.ts'
import { sumMarkup } from '../../../src/screens/reporting/view.ts'
import { type Days, daysBefore, lastMonths, monthsOf, sameDaysBefore } from '../../../src/screens/reports/days.ts'
import { reports } from '../../../src/screens/reports/reports.ts'
import { wholeState } from '../../../src/store/rows/whole-state.ts'
import type { Plain, PlainRow } from '../../support/inputs/naive-evaluator.ts'
import { cellText, groupsOf } from '../../support/inputs/naive-groups.ts'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'

/** A deal with what its history tells of it; prices in thousandths. */
type TrueDeal = Readonly<Record<keyof Deal | 'closedAt' | 'stageSince', Plain>>

interface ShownPipeline {
  readonly name: string
  readonly stages: readonly { readonly name: string; readonly likelihood: number }[]
}

let service: TestService
let deals: readonly TrueDeal[]
let periods: readonly PlainRow[]
let events: readonly PlainRow[]

let reporting: Reporting
/** The stages of every pipeline, in their order. */
let places: readonly { readonly pipeline: string; readonly stage: string; readonly likelihood: number }[]
/** Until the next 28th that is not before tomorrow. */
const days = { from: '2026-06-03', until: `${new Date(Date.now() + 4 * 86_400_000).toISOString().slice(0, 7)}-28` }
const asked = `from=${days.from}&until=${days.until}`

before(async () => {
  service = await runService()
  await fillDemo(readSettings({ DATABASE_URL: service.database.url }))
  await service.request('POST', '/rates', { body: { currency: 'NOK', perUnit: 11.735, since: '2020-01-01' } })
  const rates = (await service.request('GET', '/rates?maxpagesize=1000')).body.items as readonly ShownRate[]
  reporting = reportingAt(rates, { base: 'EUR', on: new Date().toISOString().slice(0, 10) })
  const pipelines = (await service.request('GET', '/pipelines?sort=position')).body.items as readonly ShownPipeline[]
  places = pipelines.flatMap(({ name: pipeline, stages: own }) =>
    own.map(({ name: stage, likelihood }) => ({ pipeline, stage, likelihood })),
  )
  assert.deepEqual([...new Set(places.map(({ pipeline }) => pipeline))], ['sales', 'renewals'])
  await tellMore()
  await readTruth()
})
after(() => service.close())

/** A few hundred generated changes. */
async function tellMore(): Promise<void> {
  const random = randomFrom(7)
  const one = <T>(list: readonly T[]): T => list[random(list.length)] as T
  const month = () => `2026-${one(['06', '07', '10', '12'])}-${one(['02', '03', '28'])}`
  const commands = Array.from({ length: 120 }, () => ({
    action: 'CreateDeal',
    params: {
      name: 'Generated',
      price: random(90_000),
      currency: one(['EUR', 'CHF', 'USD', 'NOK', 'ISK']),
      owner: one(['ana', 'bo', 'Mila Sanz', null, 'O’Hara, "&" co']),
      stage: one(stages),
      completionDate: one([null, month(), month(), '2031-01-01']),
    },
  }))
  const changes = commands.flatMap((_, at): readonly object[] => {
    const deal = `$${at}`
    const cancelled = { deal, action: 'CancelDeal', params: { reason: one(['too dear', 'late', 'no "answer"']) } }
    const completed = { deal, action: 'CompleteDeal', params: { completedOn: month() } }
    const moved = { deal, action: 'MoveDeal', params: { stage: one(stages) } }
    const reopened = { deal, action: 'ReopenDeal', params: { reason: 'came back' } }
    return [
      [],
      [moved],
      [moved, cancelled],
      [completed],
      [cancelled, reopened, cancelled],
      [completed, reopened, moved],
      [cancelled, { deal, action: 'DeleteDeal', params: {} }],
    ][random(7)] as readonly object[]
  })
  const body = { atomic: false, commands: [...commands, ...changes] }
  const { status, text } = await service.request('POST', '/rest/v1/batch', { body })
  assert.equal(status, 200, text)
}

/** Everything from scratch: the documents, and the histories that tell when they changed. */
async function readTruth(): Promise<void> {
  const { database } = service
  await database.settled()
  const told = await database.rows(
    'SELECT resource, subject, revision, type, actor, at AS "time", doc FROM told_events ORDER BY subject, revision',
  )
  events = told as readonly PlainRow[]
  const made = [
    ...Map.groupBy(
      told.filter(({ resource }) => resource === 'deal'),
      ({ subject }) => subject,
    ),
  ]
  const histories = new Map(
    made.map(([id, history]) => {
      const states = history.map(({ time, doc }) => ({ time: String(time), ...JSON.parse(wholeState(String(doc))) }))
      const begun = states.filter((state, at) => {
        const before = states[at - 1]
        return before?.stage !== state.stage || before?.status !== state.status
      })
      return [String(id), begun.map((state, at) => ({ ...state, until: begun[at + 1]?.time ?? null }))]
    }),
  )
  const stored = await database.rows('SELECT id, price_thousandths AS price, doc FROM deals WHERE deleted_at IS NULL')
  deals = stored.map(({ id, price, doc }) => {
    const deal = JSON.parse(String(doc)) as TrueDeal
    const since = histories.get(String(id))?.at(-1)?.time ?? null
    const isOpen = deal.status === 'open'
    return { ...deal, price: Number(price), closedAt: isOpen ? null : since, stageSince: isOpen ? since : null }
  })
  const second = (time: string): number => Math.floor(Date.parse(time) / 1000)
  // A deal that was deleted since was in its stages all the same.
  const everyDeal = (await database.rows('SELECT id, owner, deleted_at FROM deals')) as readonly PlainRow[]
  periods = everyDeal.flatMap(({ id, owner = null, deleted_at: deletedAt = null }) => {
    const all = histories.get(String(id)) ?? []
    return all.map(({ pipeline, stage, status, time, until }, at) => ({
      ...{ pipeline, stage, status, owner, until, deletedAt, since: time },
      seconds: until === null ? null : second(until) - second(time),
      first: all.findIndex((other) => other.stage === stage && other.status === status) === at,
      ...{ 'deal.pipeline': all.at(-1)?.pipeline, 'deal.stage': all.at(-1)?.stage, 'deal.status': all.at(-1)?.status },
    }))
  })
}

const isWithin = (time: Plain | undefined): boolean =>
  typeof time === 'string' && time.slice(0, 10) >= days.from && time.slice(0, 10) <= days.until

const open = () => deals.filter(({ status }) => status === 'open')
const won = () => deals.filter(({ status, completedOn }) => status === 'completed' && isWithin(completedOn))
const lost = () => deals.filter(({ status, closedAt }) => status === 'cancelled' && isWithin(closedAt))

interface Asked {
  readonly name: string
  readonly href: string
  readonly items: readonly object[]
}

/** The groups of a question as the report gives them, numbers as they stand in the text. */
async function groups(report: string, name: string, query = asked): Promise<readonly unknown[]> {
  const { status, text } = await service.request('GET', `/reports/${report}?${query}`)
  assert.equal(status, 200, text)
  const found = (JSON.parse(text, keepText).questions as readonly Asked[]).find((question) => question.name === name)
  assert.ok(found, `${report} asks ${name}`)
  return found.items
}

const keepText = (_: string, value: unknown, { source }: { source?: string } = {}) =>
  typeof value === 'number' ? `number ${source}` : value

type Rows = readonly Readonly<Record<string, Plain>>[]

/** The same from scratch. */
const counted = (rows: Rows, by: readonly string[], measures = ['count', 'sum.price'], sort = [] as string[]) =>
  groupsOf(
    rows,
    by,
    measures,
    sort.map((field) => ({ field, descending: true })),
  ).map((group) =>
    Object.fromEntries(
      Object.entries(group).map(([name, cell]) => [
        name,
        cell !== null && typeof cell === 'object' ? `number ${cellText(cell)}` : cell,
      ]),
    ),
  )

/** Where the order is that of declared choices, which from scratch is not known. */
const sorted = (all: readonly unknown[]) => all.map((group) => JSON.stringify(group)).toSorted()

suite('the groups of each report are those from scratch', () => {
  testOnEachStore('the pipeline', async () => {
    assert.ok(open().length > 30)
    assert.deepEqual(await groups('pipeline', 'open', ''), counted(open(), ['pipeline', 'stage', 'owner', 'currency']))
    const hers = open().filter(({ owner }) => owner === 'Mila Sanz')
    assert.deepEqual(
      await groups('pipeline', 'open', 'person=Mila%20Sanz'),
      counted(hers, ['pipeline', 'stage', 'owner', 'currency']),
    )
  })

  testOnEachStore('the forecast', async () => {
    const dated = open().filter(({ completionDate }) => completionDate !== null)
    const those = {
      months: dated.filter(({ completionDate }) => isWithin(completionDate)),
      earlier: dated.filter(({ completionDate }) => String(completionDate) < days.from),
      later: dated.filter(({ completionDate }) => String(completionDate) > days.until),
      undated: open().filter(({ completionDate }) => completionDate === null),
    }
    for (const [name, rows] of Object.entries(those)) {
      const by = [...(name === 'months' ? ['completionDate.month'] : []), 'pipeline', 'stage', 'currency']
      assert.deepEqual(await groups('forecast', name), counted(rows, by), name)
    }
  })

  testOnEachStore('won and lost', async () => {
    assert.ok(won().length > 10 && lost().length > 10)
    assert.deepEqual(await groups('won-and-lost', 'won'), counted(won(), ['completedOn.month', 'currency']))
    assert.deepEqual(await groups('won-and-lost', 'lost'), counted(lost(), ['closedAt.month', 'currency']))
    const reasons = counted(lost(), ['closingReason', 'currency'], undefined, ['count'])
    assert.deepEqual(await groups('won-and-lost', 'reasons'), reasons)
    assert.deepEqual(await groups('won-and-lost', 'winners'), counted(won(), ['owner', 'currency']))
    assert.deepEqual(await groups('won-and-lost', 'losers'), counted(lost(), ['owner', 'currency']))
  })

  testOnEachStore('time in stage', async () => {
    const left = periods.filter(({ status, until }) => status === 'open' && isWithin(until))
    const measures = ['count', 'avg.seconds', 'min.seconds', 'max.seconds']
    assert.ok(left.length > 50)
    assert.deepEqual(await groups('time-in-stage', 'left'), counted(left as Rows, ['pipeline', 'stage'], measures))
    const ofOne = left.filter(({ owner }) => owner === 'Mila Sanz')
    const hers = await groups('time-in-stage', 'left', `${asked}&person=Mila%20Sanz`)
    assert.deepEqual(hers, counted(ofOne as Rows, ['pipeline', 'stage'], measures))
    assert.deepEqual(
      await groups('time-in-stage', 'now'),
      counted(open(), ['pipeline', 'stage'], ['count', 'min.stageSince']),
    )
  })

  testOnEachStore('conversion', async () => {
    const entered = periods.filter(
      ({ status, since, first, deletedAt }) => status === 'open' && first && isWithin(since) && deletedAt === null,
    )
    const keys = ['pipeline', 'stage', 'deal.pipeline', 'deal.stage', 'deal.status']
    assert.ok(entered.length > 50)
    assert.deepEqual(sorted(await groups('conversion', 'entered')), sorted(counted(entered as Rows, keys, ['count'])))
    const hers = entered.filter(({ owner }) => owner === 'Mila Sanz')
    const ofOne = await groups('conversion', 'entered', `${asked}&person=Mila%20Sanz`)
    assert.deepEqual(sorted(ofOne), sorted(counted(hers as Rows, keys, ['count'])))
    // Of those that come back to a stage, and a period that was not the first.
    const again = periods.filter(({ first }) => !first)
    assert.ok(again.length > 5)
    const { body } = await service.request('GET', '/periods?first=false&measure=count')
    assert.deepEqual(body.items, [{ count: again.length }])
    const { text } = await service.request('GET', `/reports/conversion?${asked}`)
    const place = (stage: Plain | undefined) => places.findIndex((each) => each.stage === stage)
    const rows = places.map(({ pipeline, stage }) => {
      const those = entered.filter((row) => row.pipeline === pipeline && row.stage === stage)
      const now = (status: string) => those.filter((row) => row['deal.status'] === status).length
      const isOn = (row: PlainRow) => row['deal.status'] === 'completed' || place(row['deal.stage']) > place(stage)
      const wentOn = those.filter(isOn).length
      return {
        ...{
          pipeline,
          stage,
          entered: those.length,
          wentOn,
          won: now('completed'),
          lost: now('cancelled'),
          open: now('open'),
        },
        percent: those.length === 0 ? null : Math.round((wentOn / those.length) * 100),
      }
    })
    assert.deepEqual(JSON.parse(text).rows, rows)
    const table = await tableOf('conversion', 'steps-table')
    assert.deepEqual(
      table.map(([, , ...cells]) => cells.slice(0, 3)),
      rows.map(({ entered: all, wentOn, percent }) => [
        String(all),
        String(wentOn),
        percent === null ? '–' : `${percent}%`,
      ]),
    )
  })

  testOnEachStore('activity per person', async () => {
    const done = events.filter(({ time }) => isWithin(time))
    assert.ok(done.length > 300)
    // Types are in the order in which they are declared.
    const fromScratch = counted(done as Rows, ['actor', 'type'], ['count'])
    assert.deepEqual(sorted(await groups('activity', 'done')), sorted(fromScratch))
  })
})

/** The cells of every row of a table of a page, as text. */
async function tableOf(report: string, id: string, query = asked): Promise<readonly (readonly string[])[]> {
  const { text } = await service.request('GET', `/reports/${report}?${query}`, { headers: { accept: 'text/html' } })
  const [, table = ''] = new RegExp(`<caption id="${id}">.*?</thead>(.*?)</table>`, 's').exec(text) ?? []
  return [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => plain(cell)),
  )
}

const plain = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

const worth = (rows: readonly TrueDeal[], percent: (deal: TrueDeal) => number = () => 100): string => {
  // Each stage and currency is weighted as a whole.
  const each = [...Map.groupBy(rows, ({ stage, currency }) => `${stage} ${currency}`).values()].map((those) => {
    const value = those.reduce((sum, { price }) => sum + BigInt(Number(price)), 0n)
    return { currency: String(those[0]?.currency), value: (value * BigInt(percent(those[0] as TrueDeal))) / 100n }
  })
  return rows.length === 0 ? '–' : plain(sumMarkup(reportedSum(each, reporting), reporting).for(anybody))
}

const number = (rows: readonly unknown[]): string => numberText(rows.length)(anybody)

suite('the tables of each report have the same numbers', () => {
  test('the pipeline by stage', async () => {
    const rows = (await tableOf('pipeline', 'by-stage', '')).map((cells) => cells.filter((cell) => cell !== ''))
    const ofStage = (stage: string) => open().filter((deal) => deal.stage === stage)
    const label = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
    const counts = rows.map(([name, count]) => [name, count])
    assert.deepEqual(counts, [
      ...places.map(({ pipeline, stage }) => [`${label(pipeline)}: ${label(stage)}`, number(ofStage(stage))]),
      ['Total', number(open())],
    ])
  })

  test('the forecast by month, with what is likely', async () => {
    const rows = await tableOf('forecast', 'forecast-table')
    const dated = open().filter(({ completionDate }) => completionDate !== null)
    const parts = [
      dated.filter(({ completionDate }) => String(completionDate) < days.from),
      ...monthsOf(days).map((month) =>
        dated.filter(({ completionDate }) => isWithin(completionDate) && String(completionDate).startsWith(month)),
      ),
      dated.filter(({ completionDate }) => String(completionDate) > days.until),
      open().filter(({ completionDate }) => completionDate === null),
      open(),
    ]
    const likely = ({ stage }: TrueDeal) => places.find((each) => each.stage === stage)?.likelihood ?? 0
    assert.deepEqual(
      rows.slice(0, -1).map(([, ...cells]) => cells),
      parts.slice(0, -1).map((those) => [number(those), worth(those), worth(those, likely)]),
    )
    assert.equal(rows.at(-1)?.[1], number(open()))
  })

  test('won and lost by month, by reason and by person', async () => {
    const rows = await tableOf('won-and-lost', 'months-table')
    const months = monthsOf(days).map((month) => [
      won().filter(({ completedOn }) => String(completedOn).startsWith(month)),
      lost().filter(({ closedAt }) => String(closedAt).startsWith(month)),
    ])
    const cells = ([done = [], off = []]: readonly (readonly TrueDeal[])[]) => {
      const all = done.length + off.length
      return [number(done), number(off), all === 0 ? '–' : `${Math.round((done.length / all) * 100)}%`]
    }
    const shown = rows.map(([, wonCount, , lostCount, , rate]) => [wonCount, lostCount, rate])
    assert.deepEqual(shown, [...months, [won(), lost()]].map(cells))
    const reasons = (await tableOf('won-and-lost', 'reasons-table')).map(([reason, , count]) => [reason, count])
    const byReason = [...Map.groupBy(lost(), ({ closingReason }) => String(closingReason))]
    assert.deepEqual(reasons.toSorted(), byReason.map(([reason, those]) => [reason, number(those)]).toSorted())
    const people = (await tableOf('won-and-lost', 'people-table')).map(([who, , ...counts]) => [
      who,
      counts[0],
      counts[2],
    ])
    const owners = new Set([...won(), ...lost()].map(({ owner }) => owner))
    const byOwner = [...owners].map((owner) => [
      owner ?? 'Nobody',
      number(won().filter((deal) => deal.owner === owner)),
      number(lost().filter((deal) => deal.owner === owner)),
    ])
    assert.deepEqual(people.toSorted(), byOwner.toSorted())
  })

  testOnEachStore('activity per person', async () => {
    const rows = await tableOf('activity', 'people-table')
    const done = events.filter(({ time }) => isWithin(time))
    const byActor = [...Map.groupBy(done, ({ actor }) => actor)].map(([actor, those]) => [
      actor ?? 'Not signed in',
      number(those),
    ])
    assert.deepEqual(rows.map((cells) => [cells[0], cells.at(-1)]).toSorted(), byActor.toSorted())
  })
})

suite('each report', () => {
  testOnEachStore('shows a change at the next visit, on the first page too', async () => {
    const page = async (path: string) =>
      plain((await service.request('GET', path, { headers: { accept: 'text/html' } })).text)
    const openIn = async () => [await page('/reports'), await page('/reports/pipeline')]
    const said = (count: number) => new RegExp(`in ${count} open deals`)
    const before = Number(/in (\d+) open deals/.exec((await openIn())[0] ?? '')?.[1])
    const { body } = await service.request('POST', '/rest/v1/deals', { body: { name: 'Seen at once', price: 100 } })
    const [first = '', pipeline = ''] = await openIn()
    assert.match(first, said(before + 1))
    assert.match(pipeline, new RegExp(`Total${before + 1}`))
    await service.request('DELETE', `/rest/v1/deals/${body.id}`)
    assert.match((await openIn())[0] ?? '', said(before))
  })

  test('has a figure, compared with the days before, on the first page too', async () => {
    const page = async (path: string) =>
      (await service.request('GET', path, { headers: { accept: 'text/html', 'accept-language': 'de' } })).text
    const first = await page('/reports')
    assert.equal([...first.matchAll(/<li class="panel">.*?class="big">/gs)].length, reports.length)
    const wonIn = ({ from, until }: Days) =>
      deals.filter(
        ({ status, completedOn: day }) => status === 'completed' && String(day) >= from && String(day) <= until,
      )
    const range = { from: '2026-10-01', until: '2026-10-31' }
    const before = { from: '2026-09-01', until: '2026-09-30' }
    assert.deepEqual(daysBefore(range), before)
    const text = plain(await page(`/reports/won-and-lost?from=${range.from}&until=${range.until}`))
    const german = (rows: readonly TrueDeal[]) => worth(rows).replaceAll(',', '.').replaceAll(' + ', ' ')
    assert.ok(text.includes(`${german(wonIn(range))} Gewonnen Oktober 2026`), german(wonIn(range)))
    assert.match(text, new RegExp(`[+−] \\d+.% September 2026: ${german(wonIn(before)).replaceAll('.', '\\.')}`))
    assert.match(text, /Diese Woche\s+Letzte Woche/)
  })

  test('compares a period that is not over with as many days of the one before', () => {
    const november = { from: '2026-11-01', until: '2026-11-30' }
    assert.deepEqual(sameDaysBefore(november, '2026-11-19'), { from: '2026-10-01', until: '2026-10-19' })
    assert.deepEqual(sameDaysBefore(november, '2026-12-05'), { from: '2026-10-01', until: '2026-10-31' })
    const march = { from: '2026-03-01', until: '2026-03-31' }
    assert.deepEqual(sameDaysBefore(march, '2026-03-30'), { from: '2026-02-01', until: '2026-02-28' })
  })

  test('is about one pipeline or all, on the first page too', async () => {
    const { body } = await service.request('GET', '/reports?pipeline=renewals')
    const hrefs = (body.items as readonly Asked[]).map(({ href }) => href)
    assert.deepEqual(
      hrefs,
      reports.map(({ name }) => `/reports/${name}?pipeline=renewals`),
    )
    for (const href of hrefs) assert.equal((await service.request('GET', href)).status, 200, href)
    const page = await service.request('GET', '/reports?pipeline=renewals', { headers: { accept: 'text/html' } })
    const open = deals.filter(({ status, pipeline }) => status === 'open' && pipeline === 'renewals')
    assert.ok(plain(page.text).includes(`${worth(open)} Open deals`), worth(open))
    assert.match(page.text, /<a href="\/reports\?pipeline=renewals" aria-current="true">/)
    const unknown = await service.request('GET', '/reports?pipeline=nope')
    assert.equal(unknown.status, 400, unknown.text)
  })

  test('compares weeks with weeks, and months with months', () => {
    const choices = lastMonths.choices('2026-11-18').map(({ days }) => days)
    assert.deepEqual(choices.slice(0, 2), [
      { from: '2026-11-16', until: '2026-11-22' },
      { from: '2026-11-09', until: '2026-11-15' },
    ])
    assert.deepEqual(daysBefore({ from: '2026-11-16', until: '2026-11-22' }), choices[1])
    assert.deepEqual(daysBefore({ from: '2026-01-01', until: '2026-03-31' }), {
      from: '2025-10-01',
      until: '2025-12-31',
    })
    assert.deepEqual(daysBefore({ from: '2026-03-02', until: '2026-03-02' }), {
      from: '2026-03-01',
      until: '2026-03-01',
    })
  })

  test('leads to its questions, which programs ask as JSON, CSV and XLSX, and its numbers to the deals behind', async () => {
    const { body } = await service.request('GET', '/reports')
    assert.deepEqual(
      (body.items as readonly { readonly name: string }[]).map(({ name }) => name),
      reports.map(({ name }) => name),
    )
    for (const { name } of reports) {
      const report = await service.request('GET', `/reports/${name}`)
      for (const { href } of report.body.questions as readonly Asked[]) {
        for (const path of [href, href.replace('?', '.csv?'), href.replace('?', '.xlsx?')])
          assert.equal((await service.request('GET', path)).status, 200, path)
      }
      const page = await service.request('GET', `/reports/${name}`, { headers: { accept: 'text/html' } })
      assert.equal(page.status, 200, page.text)
      const behind = [...page.text.matchAll(/<td class="number"><a href="([^"]*)">(\d+)<\/a>/g)].slice(0, 12)
      for (const [, href = '', count] of behind) {
        const [path, query] = href.replaceAll('&amp;', '&').split('?')
        const found = await service.request('GET', `${path}?${query?.replace(/&sort=[^&]*/, '')}&measure=count`)
        assert.deepEqual(found.body.items, [{ count: Number(count) }], href)
      }
    }
  })

  test('is refused for days that are none, in another order, or too many; an unknown one is not found', async () => {
    const status = async (path: string) => (await service.request('GET', path)).status
    assert.equal(await status('/reports/forecast?from=2026-02-30'), 400)
    assert.equal(await status('/reports/forecast?from=2026-02-03&until=2026-02-02'), 400)
    assert.equal(await status('/reports/forecast?from=1990-02-03&until=2026-02-02'), 400)
    assert.equal(await status(`/reports/forecast?person=${'x'.repeat(201)}`), 400)
    assert.equal(await status('/reports/forecast?frm=2026-02-03'), 400)
    assert.equal(await status('/reports/nothing'), 404)
    assert.equal(await status('/reports/forecast?from=&until=&person='), 200)
  })
})
