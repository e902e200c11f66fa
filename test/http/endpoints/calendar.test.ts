import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import ICAL from 'ical.js'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { basic, bearer, type ClosedService, runClosedService } from '../../support/service/closed-service.ts'
import { type Answered, runService } from '../../support/service/running-service.ts'

let service: ClosedService
before(async () => {
  service = await runClosedService()
  const sent = [
    ['/rest/v1/tasks', { title: 'Mine', assignee: 'editor', dueOn: '2027-01-31' }],
    ['/rest/v1/tasks', { title: 'Mine at nine', assignee: 'editor', dueAt: '2027-01-31T09:00:00.000Z' }],
    ['/rest/v1/tasks', { title: 'Without a date', assignee: 'editor' }],
    ['/rest/v1/tasks', { title: 'Of another', assignee: 'reader', dueOn: '2027-01-31' }],
    ['/rest/v1/deals', { name: 'My deal', price: 1, owner: 'editor', completionDate: '2027-02-28' }],
    ['/rest/v1/deals', { name: 'My deal some day', price: 1, owner: 'editor' }],
  ] as const
  for (const [path, body] of sent) assert.equal((await ask('POST', path, body)).status, 201)
  const done = await ask('POST', '/rest/v1/tasks', { title: 'Done', assignee: 'editor', dueOn: '2027-01-31' })
  assert.equal((await ask('PUT', `/rest/v1/tasks/${done.body.id}/finish`)).status, 200)
})
after(() => service.close())

/** The editor, or whose key it is. */
const ask = (method: string, path: string, body?: object, by?: string): Promise<Answered> =>
  service.request(method, path, { headers: by === undefined ? basic('editor') : bearer(by), ...(body && { body }) })

async function open(): Promise<string> {
  const made = await ask('POST', '/users/me/calendar')
  assert.equal(made.status, 201, made.text)
  return String(made.body.calendar)
}

testOnEachStore('the calendar has one’s own open tasks and deals with a date, without a credential', async () => {
  const given = await service.request('GET', await open())
  assert.equal(given.status, 200, given.text)
  assert.match(String(given.headers['content-type']), /^text\/calendar/)
  const events = new ICAL.Component(ICAL.parse(given.text)).getAllSubcomponents('vevent')
  const titles = events.map((each) => each.getFirstPropertyValue('summary'))
  assert.deepEqual(titles.toSorted(), ['Mine', 'Mine at nine', 'My deal'])
})

test('a new address replaces the one before, and a revoked one is 404', async () => {
  const first = await open()
  const second = await open()
  assert.notEqual(first, second)
  assert.equal((await service.request('GET', first)).body.code, 'calendar-not-found')
  assert.equal((await service.request('GET', second)).status, 200)
  assert.equal((await ask('DELETE', '/users/me/calendar')).status, 204)
  assert.equal((await service.request('GET', second)).status, 404)
  assert.equal((await ask('DELETE', '/users/me/calendar')).status, 404)
  const { text } = await ask('GET', '/audit', undefined, service.keys.admin)
  for (const event of ['calendar-opened', 'calendar-revoked']) assert.ok(text.includes(event))
  assert.ok(!text.includes(second.slice(10, 30)))
})

test('only its user makes the address; admins revoke it', async () => {
  const address = await open()
  for (const key of [service.keys.admin, service.keys.reader]) {
    const refused = await ask('POST', '/users/editor/calendar', undefined, key)
    assert.equal(refused.status, 403)
    assert.equal(refused.body.detail, 'Only the user can create the address of a calendar.')
  }
  assert.equal((await ask('DELETE', '/users/editor/calendar', undefined, service.keys.reader)).status, 403)
  assert.equal((await ask('DELETE', '/users/editor/calendar', undefined, service.keys.admin)).status, 204)
  assert.equal((await service.request('GET', address)).status, 404)
})

test('the calendar of a disabled user is 404', async () => {
  const address = await open()
  const change = (disabled: boolean) => ask('PATCH', '/users/editor', { disabled }, service.keys.admin)
  assert.equal((await change(true)).status, 200)
  assert.equal((await service.request('GET', address)).status, 404)
  assert.equal((await change(false)).status, 200)
  assert.equal((await service.request('GET', address)).status, 200)
})

testOnEachStore('the secret is kept as a hash', async () => {
  const secret = /calendar\/(.+)\.ics$/.exec(await open())?.[1] ?? ''
  const [row] = await service.database.rows('SELECT hash FROM calendars')
  assert.ok(secret.length > 40 && row !== undefined && !JSON.stringify(row).includes(secret))
})

test('an open service has no calendars', async () => {
  const other = await runService()
  assert.equal((await other.request('GET', '/calendar/anything.ics')).body.code, 'calendar-not-found')
  await other.close()
})
