import assert from 'node:assert/strict'
import { after, before, suite } from 'node:test'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { basic, type ClosedService, runClosedService } from '../../support/service/closed-service.ts'
import { DEALS } from '../../support/service/making-deals.ts'
import type { Answered } from '../../support/service/running-service.ts'
import { changeUser } from '../../support/things/audited.ts'

let service: ClosedService
before(async () => {
  service = await runClosedService()
  for (const [name, fullName] of [
    ['carla', 'Carla Núñez'],
    ['bert', 'Bert Öztürk'],
    ['bertha', 'Bert Öztürk'],
    ['dora', 'Dora Alt'],
  ])
    assert.equal((await ask('POST', '/users', { name, fullName, role: 'editor' })).status, 201)
})
after(() => service.close())

const page = { ...basic('admin'), accept: 'text/html' }
const ask = (method: string, path: string, body?: unknown, headers: object = basic('admin')): Promise<Answered> =>
  service.request(method, path, { headers: { ...headers }, ...(body !== undefined && { body }) })

/** What the field for the owner shows on the page of the operation. */
async function shownFor(owner: string): Promise<string | undefined> {
  const { body } = await ask('POST', `${DEALS}/`, { name: 'Roof', price: 1, owner })
  const { text } = await ask('GET', `${DEALS}/${body.id}/actions/assign`, undefined, page)
  return /name="owner"[^>]* value="([^"]*)"/.exec(text)?.[1]
}

suite('a field for a person', () => {
  test('shows the full name if it is of one user alone, and suggests both names', async () => {
    assert.equal(await shownFor('carla'), 'Carla Núñez')
    assert.equal(await shownFor('bert'), 'bert')
    const { text } = await ask('GET', DEALS, undefined, page)
    assert.match(text, /<option value="Carla Núñez" label="carla"><\/option>/)
    assert.match(text, /<option value="bert" label="Bert Öztürk"><\/option>/)
    assert.match(text, /<option value="editor"><\/option>/)
  })

  testOnEachStore('leaves the person whom it shows, disabled ones too', async () => {
    for (const owner of ['carla', 'dora', 'bert']) {
      const { body } = await ask('POST', `${DEALS}/`, { name: 'Roof', price: 1, owner })
      if (owner === 'dora') await changeUser(service.store, 'dora', { disabled: true })
      const fullName = { carla: 'Carla Núñez', dora: 'Dora Alt', bert: 'Bert Öztürk' }[owner] ?? ''
      const fields = new URLSearchParams({ owner: fullName, _region: 'en-GB' })
      const sent = await ask('POST', `${DEALS}/${body.id}/assignments`, fields, page)
      assert.equal(sent.status, 303, sent.text)
      assert.equal((await ask('GET', `${DEALS}/${body.id}`)).body.owner, owner)
    }
  })

  test('of a filter leads to the one whom it shows, and to all whose names have the text', async () => {
    const led = async (owner: string) =>
      (await ask('GET', `/filters/deals?owner=${encodeURIComponent(owner)}`, undefined, page)).headers.location
    assert.equal(await led('Carla Núñez'), `${DEALS}?owner=carla`)
    assert.equal(await led('bert'), `${DEALS}?owner=bert`)
    assert.equal(await led('öztürk'), `${DEALS}?owner=bert&owner=bertha`)
    assert.equal(await led('Zacharias'), `${DEALS}?owner=Zacharias`)
    const events = await ask('GET', '/filters/events?actor=Carla%20N%C3%BA%C3%B1ez', undefined, page)
    assert.equal(events.headers.location, '/events?actor=carla')
  })

  test('that was refused has what was typed', async () => {
    const { body } = await ask('POST', `${DEALS}/`, { name: 'Roof', price: 1 })
    const fields = new URLSearchParams({ owner: 'Karla', _region: 'en-GB' })
    const { status, text } = await ask('POST', `${DEALS}/${body.id}/assignments`, fields, page)
    assert.equal(status, 422)
    assert.match(text, /name="owner"[^>]* value="Karla"/)
    assert.match(text, /did you mean carla\?/)
  })
})
