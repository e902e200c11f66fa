import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { XMLParser } from 'fast-xml-parser'
import ICAL from 'ical.js'
import readWorkbook from 'read-excel-file/node'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'

let service: TestService

before(async () => {
  service = await runService()
  for (let n = 1; n <= 60; n++) {
    await service.request('POST', '/customers', { body: { name: `=Customer ${n}`, age: n } })
  }
  await openDeal(service, { name: 'Roof', price: 12.5, completionDate: '2026-11-30', customerId: 1 })
})
after(() => service.close())

const fetched = (path: string, init: RequestInit = {}) => fetch(new URL(path, service.url), init)

async function rowsAt(path: string): Promise<readonly (readonly unknown[])[]> {
  const answer = await fetched(path)
  assert.equal(answer.status, 200)
  const [sheet] = (await readWorkbook(Buffer.from(await answer.arrayBuffer()))) as unknown as [{ data: unknown[][] }]
  return sheet.data
}

test('a workbook has the whole filtered result, or the page that is asked for', async () => {
  const all = await rowsAt('/customers.xlsx?fields=id,name&age.gt=5')
  assert.deepEqual(all.slice(0, 2), [
    ['id', 'name'],
    [6, '=Customer 6'],
  ])
  assert.equal(all.length, 56)
  assert.equal((await rowsAt('/customers.xlsx?maxpagesize=10')).length, 11)
  assert.deepEqual(await rowsAt('/customers.xlsx?age.gt=1000&fields=id'), [['id']])
})

test('a workbook has groups and related things like every table', async () => {
  assert.deepEqual(await rowsAt('/customers.xlsx?measure=count,max.age'), [
    ['count', 'max.age'],
    [60, 60],
  ])
  assert.deepEqual(await rowsAt(`${DEALS}.xlsx?fields=price,completionDate,customer.age`), [
    ['price', 'completionDate', 'customer.age'],
    [12.5, new Date('2026-11-30'), 1],
  ])
})

test('a workbook is a file, is not compressed twice, and HEAD has its headers', async () => {
  for (const path of ['/customers.xlsx', '/customers.xlsx?maxpagesize=50']) {
    const headers = { 'accept-encoding': 'gzip, br' }
    const got = await fetched(path, { headers })
    const head = await fetched(path, { method: 'HEAD', headers })
    assert.equal(got.headers.get('content-encoding'), null)
    assert.equal(got.headers.get('content-disposition'), 'attachment; filename="customers.xlsx"')
    for (const name of ['content-type', 'content-disposition', 'vary', 'content-length']) {
      assert.equal(head.headers.get(name), got.headers.get(name), name)
    }
    assert.equal((await got.arrayBuffer()).byteLength > 1000, true)
  }
})

const calendarAt = async (path: string): Promise<readonly string[]> => {
  const { status, text, headers } = await service.request('GET', path)
  assert.deepEqual([status, headers['content-type']], [200, 'text/calendar; charset=utf-8'], text)
  const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
  return events.map((each) => `${each.getFirstPropertyValue('dtstart')} ${each.getFirstPropertyValue('summary')}`)
}

test('deals and tasks with a date are a calendar, whole or by the page', async () => {
  await openDeal(service, { name: 'Undated' })
  await service.request('POST', '/rest/v1/tasks', { body: { title: 'Call', dueAt: '2026-12-01T09:30:00Z' } })
  assert.deepEqual(await calendarAt(`${DEALS}.ics`), ['2026-11-30 Roof'])
  assert.deepEqual(await calendarAt(`${DEALS}.ics?maxpagesize=1&sort=-name`), [])
  assert.deepEqual(await calendarAt('/query/deals-by-customer/1.ics'), ['2026-11-30 Roof'])
  assert.deepEqual(await calendarAt('/rest/v1/tasks.ics?status=open'), ['2026-12-01T09:30:00Z Call'])
})

test('events and histories are feeds of the latest, newest first, with a validator', async () => {
  const entriesAt = async (path: string): Promise<number> => {
    const { status, text, headers } = await service.request('GET', path)
    assert.deepEqual([status, headers['content-type']], [200, 'application/atom+xml; charset=utf-8'], text)
    const { feed } = new XMLParser({ isArray: (name) => name === 'entry' }).parse(text)
    return feed.entry?.length ?? 0
  }
  assert.equal(await entriesAt('/events.atom'), 50)
  assert.equal(await entriesAt('/events.atom?type=deal.created&maxpagesize=1'), 1)
  assert.equal(await entriesAt('/customers/1/history.atom'), 1)
  const { id } = await openDeal(service, { name: 'Latest <roof>' })
  await service.request('PUT', `${DEALS}/${id}/hold`, { body: { reason: 'r' } })
  const titlesAt = async (path: string): Promise<readonly string[]> => {
    const { text } = await service.request('GET', path)
    const { feed } = new XMLParser({ isArray: (name) => name === 'entry', htmlEntities: true }).parse(text)
    return feed.entry.map(({ title }: { readonly title: string }) => title)
  }
  const both = ['deal.held: Latest <roof>', 'deal.created: Latest <roof>']
  assert.deepEqual((await titlesAt('/events.atom')).slice(0, 2), both)
  assert.deepEqual(await titlesAt(`${DEALS}/${id}/history.atom`), both)
  assert.deepEqual(await titlesAt(`${DEALS}/${id}/history.atom?sort=revision`), both.toReversed())
  const { headers } = await service.request('GET', '/events.atom')
  const seen = { headers: { 'if-none-match': String(headers.etag) } }
  assert.equal((await service.request('GET', '/events.atom', seen)).status, 304)
  await service.request('PUT', `${DEALS}/${id}/unhold`)
  assert.equal((await service.request('GET', '/events.atom', seen)).status, 200)
})

test('they have members of their own: a query cannot choose others, and other lists have none', async () => {
  for (const [path, parameter] of [
    [`${DEALS}.ics?fields=id`, 'fields'],
    [`${DEALS}.ics?group=stage`, 'group'],
    ['/events.atom?$select=type', '$select'],
  ] as const) {
    const { status, body } = await service.request('GET', path)
    assert.equal(status, 400)
    assert.equal((body.errors as readonly { readonly parameter?: string }[])[0]?.parameter, parameter)
  }
  assert.equal((await service.request('GET', '/customers.ics')).status, 406)
  assert.equal((await service.request('GET', `${DEALS}.atom`)).status, 406)
  const { link } = (await service.request('GET', `${DEALS}?group=stage`)).headers
  assert.doesNotMatch(String(link), /calendar/)
  assert.match(
    String((await service.request('GET', DEALS)).headers.link),
    /<\?format=ics>; rel="alternate"; type="text\/calendar"/,
  )
})
