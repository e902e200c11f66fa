import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { basic, bearer, type ClosedService, runClosedService } from '../../support/service/closed-service.ts'
import { DEALS } from '../../support/service/making-deals.ts'
import { runService } from '../../support/service/running-service.ts'
import { saidFaults } from '../../support/service/said-faults.ts'
import { makeFormerly } from '../../support/things/people.ts'

const TASKS = '/rest/v1/tasks'
let service: ClosedService

before(async () => {
  service = await runClosedService()
  for (const owner of ['editor', 'reader', 'me', 'Mila Sanz', null]) {
    await makeFormerly(service.store, 'CreateDeal', { name: `of ${owner}`, price: 1, owner })
  }
})
after(() => service.close())

const names = (items: unknown): readonly string[] =>
  (items as readonly { readonly name: string }[]).map(({ name }) => name).toSorted()

suite('me in a filter', () => {
  const spellings = [
    'owner=me',
    'owner.eq=me',
    'owner.in=me,nobody',
    'owner[]=me',
    'or=(owner.eq.me,owner.eq.nobody)',
    'not.or=(owner.neq.me)',
    '$filter=owner%20eq%20%27me%27',
  ]
  for (const spelling of spellings) {
    test(`is the caller, whoever it is: ${spelling}`, async () => {
      for (const user of ['editor', 'reader'] as const) {
        const { body } = await service.request('GET', `${DEALS}?${spelling}`, { headers: basic(user) })
        assert.deepEqual(names(body.items), [`of ${user}`])
      }
    })
  }

  test('is the caller for tasks too', async () => {
    for (const assignee of ['editor', 'reader', null]) {
      const body = { title: `Call for ${assignee}`, assignee }
      assert.equal((await service.request('POST', TASKS, { headers: basic('admin'), body })).status, 201)
    }
    for (const user of ['editor', 'reader'] as const) {
      for (const path of [`${TASKS}?assignee=me`, `${TASKS}?assignee.in=me,nobody`]) {
        const { body } = await service.request('GET', path, { headers: basic(user) })
        const titles = (body.items as readonly { readonly title: string }[]).map(({ title }) => title)
        assert.deepEqual(titles, [`Call for ${user}`], path)
      }
    }
  })

  test('is the caller in QUERY, on the board, in a named query and in a whole result', async () => {
    const headers = basic('editor')
    const asked = { filter: { owner: { ne: 'me' } } }
    const { body } = await service.request('QUERY', DEALS, { headers, body: asked })
    assert.deepEqual(names(body.items), ['of Mila Sanz', 'of me', 'of null', 'of reader'])
    const board = await service.request('GET', '/board?owner=me', { headers })
    assert.deepEqual(
      (board.body.columns as readonly { items: unknown }[]).flatMap(({ items }) => names(items)),
      ['of editor'],
    )
    assert.deepEqual(names((await service.request('GET', '/query/deals-by-owner/me', { headers })).body), ['of editor'])
    const csv = await service.request('GET', `${DEALS}.csv?owner=me&fields=name`, { headers })
    assert.equal(csv.text, 'name\r\nof editor\r\n')
  })

  test('is text where text is looked for, and in other fields', async () => {
    const { body } = await service.request('GET', `${DEALS}?owner.regex=^me$`, { headers: basic('editor') })
    assert.deepEqual(names(body.items), ['of me'])
    const named = await service.request('GET', `${DEALS}?name=me`, { headers: basic('editor') })
    assert.deepEqual(named.body.items, [])
  })

  test('is refused where no user asks', async () => {
    const headers = bearer(service.keys.admin)
    const detail = 'me means the calling user, but there is none'
    for (const [path, parameter] of [
      [`${DEALS}?owner=me`, 'owner'],
      ['/board?owner=me', 'owner'],
      [`${DEALS}?held=true&owner.ne=me`, 'owner.ne'],
      [`${DEALS}?or=(owner.eq.me,held.eq.true)`, 'or'],
    ] as const) {
      const { status, body } = await service.request('GET', path, { headers })
      assert.equal(status, 400)
      assert.deepEqual(saidFaults(body.errors), [{ parameter, detail }])
    }
    const asked = await service.request('QUERY', DEALS, { headers, body: { filter: { owner: 'me' } } })
    assert.deepEqual(saidFaults(asked.body.errors), [{ pointer: '/filter', detail }])
    const named = await service.request('GET', '/query/deals-by-owner/me', { headers: bearer(service.keys.admin) })
    assert.equal(named.status, 400)
    const open = await runService()
    assert.equal((await open.request('GET', `${DEALS}?owner=me`)).status, 400)
    await open.close()
  })

  test('and my-team is refused while there are no teams', async () => {
    const headers = basic('editor')
    for (const query of ['owner=my-team', 'owner.ne=my-team', 'or=(owner.eq.my-team,held.eq.true)']) {
      const { status, body } = await service.request('GET', `${DEALS}?${query}`, { headers })
      assert.deepEqual(
        [status, body.errors?.[0]?.code, body.errors?.[0]?.with],
        [400, 'no-teams', { name: 'my-team' }],
        query,
      )
    }
    const view = { name: 'Ours', collection: 'deals', query: 'owner=my-team' }
    assert.equal((await service.request('POST', '/views', { headers, body: view })).status, 422)
    const target = { team: 'north', from: '2027-01-01', to: '2027-03-31', amount: 5, currency: 'EUR' }
    const sent = await service.request('POST', '/targets', { headers: bearer(service.keys.admin), body: target })
    assert.equal(sent.status, 422)
  })
})
