import assert from 'node:assert/strict'
import { before } from 'node:test'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { bearer, type ClosedService } from '../../support/service/closed-service.ts'
import { DEALS } from '../../support/service/making-deals.ts'
import { closedRoomService } from '../../support/service/room-service.ts'
import type { Answered, Shown } from '../../support/service/running-service.ts'
import { addPeople } from '../../support/things/people.ts'

// What is special to targets: who may write them, what fits together, and how reports count them.

let service: ClosedService
before(async () => {
  service = await closedRoomService()
  await addPeople(service.store, 'ana', 'bo', 'cy', 'dee')
})

type By = keyof ClosedService['keys']
const ask = (by: By, method: string, path: string, body?: object): Promise<Answered> =>
  service.request(method, path, { headers: bearer(service.keys[by]), ...(body !== undefined && { body }) })

const quarter = { user: 'ana', from: '2021-01-01', to: '2021-03-31', amount: 9000, currency: 'EUR' }

async function made(by: By, path: string, body: object): Promise<Shown> {
  const answer = await ask(by, 'POST', path, body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

test('admins write targets, and everybody reads them', async () => {
  for (const by of ['reader', 'editor'] as const) assert.equal((await ask(by, 'POST', '/targets', quarter)).status, 403)
  const { id } = await made('admin', '/targets', quarter)
  const self = `/targets/${id}`
  assert.partialDeepStrictEqual((await ask('reader', 'GET', self)).body, { ...quarter, revision: 1 })
  assert.equal((await ask('editor', 'PATCH', self, { amount: 1 })).status, 403)
  assert.equal((await ask('editor', 'POST', '/command/DeleteTarget/', { id })).status, 403)
  assert.equal((await ask('admin', 'PATCH', self, { amount: 9500 })).body.amount, 9500)
  const batch = { atomic: true, commands: [{ target: id, action: 'ChangeTarget', params: { to: '2021-02-28' } }] }
  assert.equal((await ask('admin', 'POST', '/rest/v1/batch', batch)).status, 200)
  await service.database.settled()
  const { items = [] } = (await ask('reader', 'GET', `/events?target=${id}`)).body
  assert.deepEqual(
    (items as readonly Shown[]).map(({ type }) => type),
    ['target.created', 'target.changed', 'target.changed'],
  )
  assert.equal((await ask('admin', 'DELETE', self)).status, 204)
  assert.equal((await ask('admin', 'GET', self)).body.code, 'target-not-found')
})

testOnEachStore('a target whose days or amount do not fit is refused, and stays as it is', async () => {
  const { id } = await made('admin', '/targets', { ...quarter, user: 'bo', amount: 90.5 })
  const faulty: readonly [object, string][] = [
    [{ to: '2020-12-31' }, '/to'],
    [{ from: '2021-04-01' }, '/to'],
    [{ currency: 'JPY' }, '/amount'],
    [{ amount: 0 }, '/amount'],
    [{ amount: 1.234 }, '/amount'],
    [{ to: 'soon' }, '/to'],
    [{ team: 'north' }, '/team'],
    [{ user: null }, '/user'],
  ]
  for (const [change, pointer] of faulty) {
    for (const [method, path, body] of [
      ['PATCH', `/targets/${id}`, change],
      ['POST', '/targets', { ...quarter, amount: 90.5, ...change }],
    ] as const) {
      const { status, body: problem, text } = await ask('admin', method, path, body)
      assert.equal(status, 422, `${method} ${JSON.stringify(change)}: ${text}`)
      assert.equal((problem.errors as readonly { readonly pointer: string }[])[0]?.pointer, pointer, text)
    }
  }
  assert.partialDeepStrictEqual((await ask('reader', 'GET', `/targets/${id}`)).body, { amount: 90.5, revision: 1 })
  // One day is a range, and both days move at once.
  const moved = await ask('admin', 'PATCH', `/targets/${id}`, { from: '2032-02-29', to: '2032-02-29' })
  assert.equal(moved.status, 200, moved.text)
  const teams = await ask('admin', 'POST', '/targets', {
    team: 'north',
    from: '2021-01-01',
    to: '2021-01-02',
    amount: 1,
  })
  assert.equal(teams.status, 422, teams.text)
})

testOnEachStore('targets are filtered, sorted and summed', async () => {
  for (const [from, amount] of [
    ['2033-01-01', 10.1],
    ['2033-02-01', 20.2],
    ['2033-03-01', 9.09],
  ] as const)
    await made('admin', '/targets', { ...quarter, user: 'cy', from, to: '2033-12-31', amount })
  const froms = async (query: string) =>
    ((await ask('reader', 'GET', `/targets?user=cy&${query}`)).body.items as readonly Shown[]).map(({ from }) => from)
  assert.deepEqual(await froms('from.lte=2033-02-15&to.gte=2033-02-01&sort=-from'), ['2033-02-01', '2033-01-01'])
  assert.deepEqual(await froms('sort=amount'), ['2033-03-01', '2033-01-01', '2033-02-01'])
  const sums = await ask('reader', 'GET', '/targets?user=cy&group=user,currency&measure=count,sum.amount')
  assert.deepEqual(sums.body.items as readonly unknown[], [
    { user: 'cy', currency: 'EUR', count: 3, 'sum.amount': 39.39 },
  ])
})

testOnEachStore('a report shows the part of each target that its days have, beside what was won', async () => {
  const person = 'dee'
  // 90 days of 100 each; within, a shorter one of 10 days of 500 each, which counts there instead.
  await made('admin', '/targets', { ...quarter, user: person })
  await made('admin', '/targets', { ...quarter, user: person, from: '2021-02-01', to: '2021-02-10', amount: 5000 })
  // In a currency without a rate: 31 of its 365 days.
  await made('admin', '/targets', {
    ...{ user: person, from: '2021-01-01', to: '2021-12-31', amount: 3650, currency: 'MNT' },
  })
  const win = async (price: number, completedOn: string, currency = 'EUR') => {
    const { id } = await made('editor', `${DEALS}/`, { name: 'Won', price, currency, owner: person })
    await made('editor', `${DEALS}/${id}/completions`, { completedOn })
  }
  await win(1500, '2021-01-31')
  await win(2550, '2021-02-01')
  await win(62, '2021-01-15', 'MNT')
  const rows = async (from: string, until: string) => {
    const { status, body, text } = await ask(
      'reader',
      'GET',
      `/reports/targets?from=${from}&until=${until}&person=${person}`,
    )
    assert.equal(status, 200, text)
    return body.rows
  }
  assert.deepEqual(await rows('2021-01-01', '2021-01-31'), [
    { person, currency: 'EUR', target: 3100, won: 1500, percent: 48 },
    { person, currency: 'MNT', target: 310, won: 62, percent: 20 },
  ])
  assert.deepEqual(((await rows('2021-01-31', '2021-02-11')) as readonly Shown[])[0], {
    ...{ person, currency: 'EUR', target: 100 + 10 * 500 + 100, won: 4050, percent: 78 },
  })
  assert.deepEqual(await rows('2020-01-01', '2020-12-31'), [])
})
