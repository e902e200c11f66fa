import assert from 'node:assert/strict'
import { before, suite } from 'node:test'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { basic, type ClosedService } from '../../support/service/closed-service.ts'
import { DEALS } from '../../support/service/making-deals.ts'
import { closedRoomService } from '../../support/service/room-service.ts'

let service: ClosedService
const TASKS = '/rest/v1/tasks'
const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const as = (name: string) => ({ headers: { ...basic(name), accept: 'text/html' } })
const page = async (path: string, name = 'editor') => (await service.request('GET', path, as(name))).text
const made = async (path: string, body: object) =>
  (await service.request('POST', path, { headers: basic('editor'), body })).body
const task = (fields: object) => made(TASKS, { title: 'Call Ana', ...fields })
const send = (path: string, fields: { readonly [name: string]: string }) =>
  service.request('POST', path, { ...as('editor'), body: new URLSearchParams(fields) })
const titles = (text: string): readonly string[] =>
  [...text.matchAll(/<ul class="tasks">[\s\S]*?<\/ul>/g)].flatMap(([list]) =>
    [...list.matchAll(/<a href="\/rest\/v1\/tasks\/[\w-]{36}">([^<]*)<\/a>/g)].map(([, title = '']) => title),
  )

before(async () => {
  service = await closedRoomService()
})

suite('the panel of tasks', () => {
  test('stands on the page of the deal, the customer and the person, soonest first', async () => {
    const { id: dealId } = await made(DEALS, { name: 'Roof', price: 1 })
    const { id: customerId } = await made('/customers', { name: 'Bo' })
    await task({ title: 'Next month', dealId, dueOn: day(30), assignee: 'reader' })
    await task({ title: 'At nine', dealId, dueAt: `${day(2)}T09:00:00.000Z` })
    const soon = await task({ title: 'Soon', customerId, dueOn: day(1), assignee: 'reader' })
    assert.deepEqual(titles(await page(`${DEALS}/${dealId}`)), ['At nine', 'Next month'])
    assert.deepEqual(titles(await page(`/customers/${customerId}`)), ['Soon'])
    // A number alone tells nothing about a customer.
    assert.match(await page(`${TASKS}/${soon.id}`), />Bo<\/a>(?!<br>)/)
    const person = await page('/people/reader')
    assert.deepEqual(titles(person), ['Soon', 'Next month'])
    assert.match(person, />Bo<[\s\S]*>Roof</)
  })

  test('adds a task about what the page shows, for whoever adds it', async () => {
    const { id: customerId } = await made('/customers', { name: 'Cy' })
    const shown = await page(`/customers/${customerId}`)
    assert.match(shown, /name="assignee"[^>]* value="editor"/)
    const added = await send(TASKS, {
      ...{ title: 'Send the offer', dueOn: '', assignee: 'editor', customerId: String(customerId) },
      _return: `/customers/${customerId}#tasks`,
    })
    assert.deepEqual([added.status, added.headers.location], [303, `/customers/${customerId}#tasks`])
    assert.deepEqual(titles(await page(`/customers/${customerId}`)), ['Send the offer'])
  })

  test('leads back to pages of this service only', async () => {
    const { id } = await task({})
    for (const elsewhere of ['https://example.com/', '//example.com', '/\\example.com', 'x']) {
      const { headers } = await send(`${TASKS}/${id}/changes`, { note: elsewhere, _return: elsewhere })
      assert.equal(headers.location, `${TASKS}/${id}`, elsewhere)
    }
  })

  test('is only read by those who only read', async () => {
    const { id: dealId } = await made(DEALS, { name: 'Vans', price: 1 })
    await task({ dealId })
    const shown = await page(`${DEALS}/${dealId}`, 'reader')
    assert.deepEqual(titles(shown), ['Call Ana'])
    assert.doesNotMatch(shown, /finishings"|id="task-form"/)
  })

  test('has what is due today and overdue on the home, one’s own first', async () => {
    await task({ title: 'Late, of nobody', dueOn: day(-3) })
    await task({ title: 'Mine today', dueOn: day(0), assignee: 'admin' })
    await task({ title: 'Mine late', dueAt: `${day(-1)}T09:00:00.000Z`, assignee: 'admin' })
    await task({ title: 'Tomorrow', dueOn: day(1), assignee: 'admin' })
    assert.deepEqual(titles(await page('/', 'admin')), ['Mine late', 'Mine today', 'Late, of nobody'])
  })

  test('has one’s own alone on one’s own day', async () => {
    const chosen = async (choice: string) => {
      const body = new URLSearchParams({ day: choice })
      const { headers } = await service.request('POST', '/day', { ...as('admin'), body })
      const cookie = String(headers['set-cookie']?.[0]).split(';', 1)[0] ?? ''
      const home = await service.request('GET', '/', { headers: { ...as('admin').headers, cookie } })
      return titles(home.text)
    }
    assert.deepEqual(await chosen('mine'), ['Mine late', 'Mine today'])
    assert.deepEqual(await chosen('everyone'), ['Mine late', 'Mine today', 'Late, of nobody'])
  })

  test('of today counts what is overdue as a figure, and keeps what is made on the page', async () => {
    const figure = (text: string): readonly string[] =>
      /<a class="(\w+)" href="([^"]*)"><span class="big">(\d+)<\/span> Overdue tasks</.exec(text)?.slice(1) ?? []
    const [, , before = ''] = figure(await page('/'))
    await task({ title: 'Late by a day', dueOn: day(-1), assignee: 'editor' })
    const home = await page('/')
    const [tone, href = '', count] = figure(home)
    assert.deepEqual([tone, count], ['overdue', String(Number(before) + 1)])
    assert.ok(titles(await page(href.replaceAll('&amp;', '&'))).includes('Late by a day'))
    assert.match(home, /<span class="big">\d+<\/span> Overdue deals</)
    assert.doesNotMatch(home, /on Friday/, 'no date is read from a title')
    const [, due = ''] = /name="dueOn" type="date" value="([^"]*)"/.exec(home) ?? []
    assert.equal(due, day(0))
    await send(TASKS, { title: 'Made here', dueOn: due, _return: '/' })
    assert.ok(titles(await page('/')).includes('Made here'))
  })
})

suite('the page of a task', () => {
  test('changes and empties what it shows, and says what was refused', async () => {
    const { id } = await task({ dueOn: day(2), note: 'x', assignee: 'reader' })
    const changed = await send(`${TASKS}/${id}/changes`, {
      ...{ title: 'Call Bo', note: '', dueOn: '', dueAt: '', assignee: '', _revision: '1' },
    })
    assert.equal(changed.status, 303, changed.text)
    const { body } = await service.request('GET', `${TASKS}/${id}`, { headers: basic('reader') })
    assert.deepEqual([body.title, body.note, body.dueOn, body.assignee], ['Call Bo', '', null, null])
    const refused = await send(`${TASKS}/${id}/changes`, { title: 'Call Cy', dueOn: 'never', _revision: '2' })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /role="alert"[\s\S]*value="Call Cy"/)
  })

  test('is only read by those who only read', async () => {
    const { id } = await task({})
    const shown = await page(`${TASKS}/${id}`, 'reader')
    assert.match(shown, /<h1>Call Ana<\/h1>/)
    assert.doesNotMatch(shown, /id="(turn|edit|remove)-form"/)
  })
})

suite('the list of tasks', () => {
  testOnEachStore('stands under the time when they are due', async () => {
    for (const [title, fields] of Object.entries({
      'List: late': { dueOn: day(-1) },
      'List: today': { dueOn: day(0) },
      'List: week': { dueOn: day(6) },
      'List: later': { dueOn: day(7) },
      'List: any time': {},
    }))
      await task({ title, ...fields })
    const shown = await page(`${TASKS}?q=list&status=open&sort=dueOn`)
    const parts = shown.split(/<h2 id="(overdue|today|week|later|undated)">/).slice(1)
    assert.deepEqual(
      parts.map((part, at) => (at % 2 === 0 ? part : titles(part))),
      [
        ...['overdue', ['List: late'], 'today', ['List: today'], 'week', ['List: week']],
        ...['later', ['List: later'], 'undated', ['List: any time']],
      ],
    )
  })

  test('is asked for as mine and as everyone’s, and of one deal', async () => {
    const { id: dealId } = await made(DEALS, { name: 'Oven', price: 1 })
    await task({ title: 'Hers', dealId, assignee: 'reader' })
    await task({ title: 'Of nobody', dealId })
    assert.deepEqual(titles(await page(`${DEALS}/${dealId}/tasks`, 'reader')), ['Hers', 'Of nobody'])
    const mine = `${DEALS}/${dealId}/tasks?assignee=me`
    assert.deepEqual(titles(await page(mine, 'reader')), ['Hers'])
    assert.match(await page(TASKS, 'reader'), /href="\/rest\/v1\/tasks\?assignee=me&amp;status=open&amp;sort=dueOn"/)
  })
})

suite('a reader’s day', () => {
  const NEW_YORK = 'America/New_York'
  const clock = (zone: string) =>
    new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: zone }).format(Date.now())

  test('is that of the profile, at once, whatever the browser says', async () => {
    const { id: dealId } = await made(DEALS, { name: 'Lamps', price: 1, completionDate: '2031-01-01' })
    const last = await task({ title: 'Before midnight', dealId, dueAt: `2031-01-01T04:30:00.000Z` })
    const cookie = 'zone=Asia/Tokyo'
    const shown = async () =>
      (await service.request('GET', `${DEALS}/${dealId}`, { headers: { ...as('editor').headers, cookie } })).text
    assert.match(await shown(), /datetime="2031-01-01T04:30:00.000Z">1 Jan 2031, 13:30</, 'the browser’s zone')
    const saved = await send('/users/editor/edits', { locale: 'de', timeZone: NEW_YORK })
    assert.equal(saved.status, 303, saved.text)
    const german = await shown()
    assert.match(german, /<html lang="de"/)
    assert.match(german, /datetime="2031-01-01T04:30:00.000Z">31\.12\.2030, 23:30</)
    assert.match(german, /datetime="2031-01-01">01\.01\.2031</, 'a date is in no zone')
    // A time is typed as the reader's clock shows it.
    assert.match(await page(`${TASKS}/${last.id}`), /type="datetime-local"[^>]* value="2030-12-31T23:30"/)
    await send(`${TASKS}/${last.id}/changes`, { title: 'Later', dueAt: '2031-06-01T08:15', _revision: '1' })
    const { body } = await service.request('GET', `${TASKS}/${last.id}`, { headers: basic('reader') })
    assert.equal(body.dueAt, '2031-06-01T12:15:00.000Z')
    await send('/changes/tasks', { _operation: 'change', _step: 'apply', [last.id]: '2', dueAt: '2031-06-01T09:15' })
    const moved = await service.request('GET', `${TASKS}/${last.id}`, { headers: basic('editor') })
    assert.equal(moved.body.dueAt, '2031-06-01T13:15:00.000Z', 'of many tasks, too')
  })

  test('decides what is due today', async () => {
    const today = clock(NEW_YORK)
    await task({ title: 'Tonight there', dueAt: `${today}T23:59:00-05:00`, assignee: 'editor' })
    const shown = await page('/', 'editor')
    assert.match(shown, /Tonight there[\s\S]*heute/)
    await send('/users/editor/edits', { locale: '', timeZone: '' })
  })
})
