import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { testOnEachStore as test } from '../../support/rooms/each-store.ts'
import { basic, type ClosedService, runClosedService } from '../../support/service/closed-service.ts'
import { DEALS } from '../../support/service/making-deals.ts'
import type { Answered, Shown } from '../../support/service/running-service.ts'
import { removeUser } from '../../support/things/audited.ts'
import { addPeople, makeFormerly } from '../../support/things/people.ts'

let service: ClosedService
before(async () => {
  service = await runClosedService()
  await addPeople(service.store, 'mila', 'leaving')
  for (const field of [
    { on: 'deal', name: 'helper' },
    { on: 'customer', name: 'keeper', required: true },
  ]) {
    const made = await ask('POST', '/fields', { ...field, title: 'Somebody', kind: 'user' })
    assert.equal(made.status, 201, made.text)
  }
})
after(() => service.close())

const ask = (method: string, path: string, body?: unknown, headers: object = basic('admin')): Promise<Answered> =>
  service.request(method, path, { headers: { ...headers }, ...(body !== undefined && { body }) })

const correct = (from: string, to: unknown): Promise<Answered> => ask('POST', '/people/corrections', { from, to })

const countOf = async (path: string): Promise<number> => Number((await ask('GET', `${path}&count=exact`)).body.total)

async function gone(path: string): Promise<void> {
  while ((await countOf(path)) > 0) await pause(10)
}

suite('a correction', () => {
  test('changes a text everywhere, whatever the state of a thing, with an event by the admin each', async () => {
    const open = await makeFormerly(service.store, 'CreateDeal', { name: 'Open', price: 1, owner: 'Mila S.' })
    const won = await makeFormerly(service.store, 'CreateDeal', { name: 'Won', price: 1, owner: 'Mila S.' })
    const deleted = await makeFormerly(service.store, 'CreateDeal', { name: 'Deleted', price: 1, owner: 'Mila S.' })
    const other = await makeFormerly(service.store, 'CreateDeal', { name: 'Other', price: 1, owner: 'mila s.' })
    await ask('PUT', `${DEALS}/${won}/complete`, {})
    await ask('PUT', `${DEALS}/${won}/archive`, {})
    assert.equal((await ask('DELETE', `${DEALS}/${deleted}`)).status, 204)
    const task = await makeFormerly(service.store, 'CreateTask', { title: 'Call', assignee: 'Mila S.' })
    const target = await makeFormerly(service.store, 'CreateTarget', {
      ...{ user: 'Mila S.', from: '2027-01-01', to: '2027-03-31', amount: 5, currency: 'EUR' },
    })
    const shown = await ask('POST', '/people/corrections?dry-run=true', { from: 'Mila S.', to: 'MILA' })
    const counts = { from: 'Mila S.', to: 'mila', things: 5, kept: 0 }
    assert.deepEqual([shown.status, shown.body], [200, counts])
    assert.equal((await ask('GET', `${DEALS}/${open}`)).body.owner, 'Mila S.')
    const done = await correct('Mila S.', 'MILA')
    assert.deepEqual([done.status, done.body], [202, counts])
    for (const path of [`${DEALS}?owner=Mila%20S.&deleted=true`, `${DEALS}?owner=Mila%20S.`, '/targets?user=Mila%20S.'])
      await gone(path)
    assert.equal((await ask('GET', `${DEALS}/${won}`)).body.owner, 'mila')
    assert.equal((await ask('GET', `${DEALS}/${other}`)).body.owner, 'mila s.', 'exactly that text')
    assert.equal((await ask('GET', `/rest/v1/tasks/${task}`)).body.assignee, 'mila')
    assert.equal((await ask('GET', `/targets/${target}`)).body.user, 'mila')
    for (const id of [open, won, deleted]) {
      const { items } = (await ask('GET', `${DEALS}/${id}/history?sort=-revision`)).body as {
        readonly items?: readonly Shown[]
      }
      const [last] = items ?? []
      assert.partialDeepStrictEqual(last, { actor: 'admin', form: 'attribute-update', params: { owner: 'mila' } })
    }
    assert.equal((await ask('PUT', `${DEALS}/${deleted}/restore`, {})).body.owner, 'mila')
    assert.equal((await correct('Mila S.', 'mila')).body.things, 0)
  })

  test('of many things goes on beside requests', async () => {
    const commands = Array.from({ length: 1000 }, (_, at) => ({
      action: 'CreateDeal',
      params: { name: `D${at}`, price: 1, owner: 'leaving' },
    }))
    assert.equal((await ask('POST', '/rest/v1/batch', { commands })).status, 200)
    const { body } = await correct('leaving', 'mila')
    assert.equal(body.things, 1000)
    await gone(`${DEALS}?owner=leaving`)
  })

  test('that a process has begun is continued by those that run', async () => {
    await makeFormerly(service.store, 'CreateDeal', { name: 'Begun', price: 1, owner: 'Begun B.' })
    const asked = { from: 'Begun B.', to: 'editor', actor: 'admin', key: null, createdAt: '2026-01-01T00:00:00.000Z' }
    await service.store.accounts.beginCorrection({ id: randomUUID(), ...asked })
    await gone(`${DEALS}?owner=Begun%20B.`)
    while ((await service.store.accounts.corrections()).length > 0) await pause(10)
  })

  test('to nobody keeps what may not be empty', async () => {
    const target = await makeFormerly(service.store, 'CreateTarget', {
      ...{ user: 'Karla', from: '2027-01-01', to: '2027-03-31', amount: 5, currency: 'EUR' },
    })
    const deal = await makeFormerly(service.store, 'CreateDeal', { name: 'Hers', price: 1, owner: 'Karla' })
    const done = await correct('Karla', null)
    assert.deepEqual(done.body, { from: 'Karla', to: null, things: 2, kept: 1 })
    await addPeople(service.store, 'keeping')
    const kept = await ask('POST', '/customers', { name: 'Ana', own: { keeper: 'keeping' } })
    assert.equal(kept.status, 201, kept.text)
    assert.deepEqual((await correct('keeping', null)).body, { from: 'keeping', to: null, things: 1, kept: 1 })
    assert.deepEqual((await ask('GET', `/customers/${kept.body.id}`)).body.own, { keeper: 'keeping' })
    assert.equal((await correct('keeping', 'mila')).body.kept, 0)
    await gone('/customers?own.keeper=keeping')
    await gone(`${DEALS}?owner=Karla`)
    assert.equal((await ask('GET', `${DEALS}/${deal}`)).body.owner, null)
    assert.equal((await ask('GET', `/targets/${target}`)).body.user, 'Karla')
  })

  test('corrects own fields, and leaves the other person of a thing', async () => {
    const body = { name: 'Both', price: 1, owner: 'leaving', own: { helper: 'mila' } }
    const { id } = (await ask('POST', `${DEALS}/`, body)).body
    assert.equal((await correct('mila', 'editor')).status, 202)
    await gone(`${DEALS}?own.helper=mila`)
    const deal = (await ask('GET', `${DEALS}/${id}`)).body
    assert.deepEqual([deal.owner, deal.own], ['leaving', { helper: 'editor' }])
  })

  test('is an admin’s, to a user or nobody', async () => {
    assert.equal((await ask('POST', '/people/corrections', { from: 'x', to: null }, basic('editor'))).status, 403)
    const refused = await correct('x', 'mial')
    assert.deepEqual(
      [refused.status, refused.body.errors[0]?.pointer, refused.body.errors[0]?.with?.near],
      [422, '/to', 'mila'],
    )
    const empty = await ask('POST', '/people/corrections', {})
    assert.deepEqual(
      empty.body.errors.map(({ pointer }) => pointer),
      ['/from', '/to'],
    )
  })

  test('is on the pages of people, of a person and of a user', async () => {
    await makeFormerly(service.store, 'CreateDeal', { name: 'Whose', price: 1, owner: 'Zoe Zucker' })
    const page = { ...basic('admin'), accept: 'text/html' }
    const people = await ask('GET', '/people', undefined, page)
    assert.match(people.text, /Not users[\s\S]*Zoe Zucker[\s\S]*name="from" value="Zoe Zucker"/)
    assert.doesNotMatch((await ask('GET', '/people', undefined, { ...page, ...basic('editor') })).text, /Not users/)
    assert.match((await ask('GET', '/people/Zoe%20Zucker', undefined, page)).text, /name="from" value="Zoe Zucker"/)
    assert.match((await ask('GET', '/users/mila', undefined, page)).text, /name="from" value="mila"/)
    const form = new URLSearchParams({ from: 'Zoe Zucker', to: 'mila', _return: '/people' })
    const sent = await ask('POST', '/people/corrections', form, page)
    assert.deepEqual([sent.status, sent.headers.location], [303, '/people'])
    await gone(`${DEALS}?owner=Zoe%20Zucker`)
    const none = new URLSearchParams({ from: 'mila', to: '', _return: '/people' })
    assert.equal((await ask('POST', '/people/corrections', none, page)).status, 303)
    await gone(`${DEALS}?owner=mila`)
  })
})

suite('the name of a new user', () => {
  const add = (name: string) => ask('POST', '/users', { name, role: 'reader' })

  test('differs from others by more than case, and accents differ', async () => {
    await addPeople(service.store, 'José')
    const taken = await add('JOSÉ')
    assert.deepEqual([taken.status, taken.body.code], [409, 'name-taken'])
    const dry = await ask('POST', '/users?dry-run=true', { name: 'josé', role: 'reader' })
    assert.deepEqual([dry.status, dry.body.code], [409, 'name-taken'])
    assert.equal((await add('jose')).status, 201)
    const both = await Promise.all(['Twin', 'TWIN', 'twin'].map(add))
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 409, 409])
  })

  test('is not that of a removed one while anything has it', async () => {
    const name = `left-${randomUUID().slice(0, 8)}`
    await addPeople(service.store, name)
    const deal = await makeFormerly(service.store, 'CreateDeal', { name: 'Theirs', price: 1, owner: name })
    await makeFormerly(service.store, 'CreateDeal', { name: 'Never a user', price: 1, owner: 'never-a-user' })
    assert.equal((await removeUser(service.store, name)).kind, 'applied')
    for (const spelt of [name, name.toUpperCase()]) {
      const refused = await add(spelt)
      assert.deepEqual([refused.status, refused.body.code], [409, 'name-taken'])
    }
    assert.equal((await add('never-a-user')).status, 201, 'a text that was no user’s')
    await correct(name, 'editor')
    await gone(`${DEALS}?owner=${name}`)
    assert.equal((await add(name)).status, 201, 'history does not count')
    assert.equal((await ask('GET', `${DEALS}/${deal}`)).body.owner, 'editor')
  })
})
