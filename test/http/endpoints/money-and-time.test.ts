import assert from 'node:assert/strict'
import { before, suite } from 'node:test'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { roomService } from '../../support/service/room-service.ts'
import type { Answered, Shown, TestService } from '../../support/service/running-service.ts'
import { saidFaults } from '../../support/service/said-faults.ts'

let service: TestService
before(async () => {
  service = await roomService()
})

const post = (deal: Shown, noun: string, body: object): Promise<Answered> =>
  service.request('POST', `${DEALS}/${deal.id}/${noun}`, { body })

const read = (deal: Shown): Promise<Answered> => service.request('GET', `${DEALS}/${deal.id}`)

/** What the row holds: whole thousandths. */
async function column(deal: Shown, name: 'price' | 'paid' | 'amercement'): Promise<unknown> {
  const [row] = await service.database.rows(`SELECT ${name}_thousandths AS value FROM deals WHERE id = ?`, deal.id)
  return row?.value
}

suite('money', () => {
  test('of 0.1 ten times is 1', async () => {
    const deal = await openDeal(service)
    for (let n = 0; n < 10; n++) assert.equal((await post(deal, 'payments', { amount: 0.1 })).status, 201)
    assert.match((await read(deal)).text, /"paid":1,/)
    assert.equal(await column(deal, 'paid'), 1000)
  })

  testOnEachStore('is kept as whole thousandths and shown as it was sent', async () => {
    for (const [price, text, thousandths] of [
      [0, '0', 0],
      [0.01, '0.01', 10],
      [0.07, '0.07', 70],
      [1.1, '1.1', 1100],
      [19.99, '19.99', 19_990],
      [1.15, '1.15', 1150],
      [4.35, '4.35', 4350],
      [1e12, '1000000000000', 1e15],
      [999999999999.99, '999999999999.99', 999_999_999_999_990],
    ] as const) {
      const deal = await openDeal(service, { price })
      assert.match((await read(deal)).text, new RegExp(`"price":${text.replace('.', '\\.')},`))
      assert.equal(await column(deal, 'price'), thousandths)
    }
  })

  test('with a fraction of a cent, below its least or beyond its most is refused', async () => {
    const deal = await openDeal(service)
    for (const price of [0.001, 1.005, 0.1 + 0.2, -0.01, -1, 1e12 + 0.01, 1e13, 1e300]) {
      const answer = await service.request('POST', DEALS, { body: { name: 'x', price } })
      assert.equal(answer.status, 422, String(price))
      assert.deepEqual(
        answer.body.errors.map(({ pointer }) => pointer),
        ['/price'],
      )
      const changed = await post(deal, 'price-changes', { newPrice: price, reason: 'x' })
      assert.deepEqual(
        changed.body.errors.map(({ pointer }) => pointer),
        ['/newPrice'],
      )
    }
    for (const amount of [0, 0.001, 0.005, -1, 1e12 + 1]) {
      assert.equal((await post(deal, 'payments', { amount })).status, 422, String(amount))
    }
    for (const price of ['10', null, true, '1e2']) {
      assert.equal((await service.request('POST', DEALS, { body: { name: 'x', price } })).status, 422)
    }
    assert.equal((await service.request('POST', DEALS, { body: '{"name":"x","price":1e999}' })).status, 422)
  })

  test('has at most the decimals of its currency, of which trailing zeros are none', async () => {
    const create = (price: string, currency: string) =>
      service.request('POST', DEALS, { body: `{"name":"x","currency":"${currency}","price":${price}}` })
    for (const [price, currency, shown] of [
      ['12.00', 'JPY', '12'],
      ['12.340', 'EUR', '12.34'],
      ['12.345', 'KWD', '12.345'],
      ['999999999999.999', 'BHD', '999999999999.999'],
      ['12.345', 'CLF', '12.345'],
    ] as const) {
      const made = await create(price, currency)
      assert.equal(made.status, 201, made.text)
      assert.ok(made.text.includes(`"price":${shown},`), made.text)
      assert.equal((await service.request('GET', `${DEALS}?price=${shown}&currency=${currency}`)).body.items?.length, 1)
    }
    for (const [price, currency, detail] of [
      ['12.5', 'JPY', 'must have no decimals in JPY'],
      ['12.345', 'EUR', 'must have at most 2 decimals in EUR'],
      ['12.3456', 'KWD', 'must have at most as many decimals as its currency'],
    ] as const) {
      const refused = await create(price, currency)
      assert.equal(refused.status, 422)
      assert.deepEqual(saidFaults(refused.body.errors), [{ pointer: '/price', detail }])
    }
  })

  test('is shown on pages with the decimals of its currency', async () => {
    for (const [currency, shown] of [
      ['EUR', '1,234.00'],
      ['JPY', '1,234'],
      ['KWD', '1,234.000'],
    ] as const) {
      const deal = await openDeal(service, { price: 1234, currency })
      const page = await service.request('GET', `${DEALS}/${deal.id}.html`)
      assert.ok(page.text.includes(`<span class="money">${shown} <small>${currency}</small></span>`), currency)
    }
  })

  testOnEachStore('paid is exact up to 9e12 and goes no further', async () => {
    const deal = await openDeal(service)
    await Promise.all(Array.from({ length: 8 }, () => post(deal, 'payments', { amount: 1e12 })))
    assert.equal((await post(deal, 'payments', { amount: 999999999999.99 })).status, 201)
    assert.match((await read(deal)).text, /"paid":8999999999999\.99,/)
    const entry = await post(deal, 'payments', { amount: 0.02 })
    assert.equal(entry.status, 422)
    assert.deepEqual(saidFaults(entry.body.errors), [
      { pointer: '/amount', detail: 'would take the total beyond 9000000000000' },
    ])
    assert.equal((await post(deal, 'payments', { amount: 0.01 })).status, 201)
    assert.match((await read(deal)).text, /"paid":9000000000000,/)
    const xml = await service.request('GET', `${DEALS}/${deal.id}.xml`)
    assert.match(xml.text, /<paid>9000000000000<\/paid>/)
  })

  test('amercements add up and are waived in part or whole, never beyond', async () => {
    const deal = await openDeal(service)
    await post(deal, 'completion-date-changes', { newDate: '2027-01-01', amercement: 0.1, whyChanged: 'x' })
    await post(deal, 'completion-date-changes', { newDate: '2027-02-01', amercement: 0.2, whyChanged: 'x' })
    assert.equal((await read(deal)).body.amercement, 0.3)
    const more = await post(deal, 'amercement-waivers', { amount: 0.31, reason: 'x' })
    assert.deepEqual(saidFaults(more.body.errors), [{ pointer: '/amount', detail: 'is more than the 0.3 owed' }])
    await post(deal, 'amercement-waivers', { amount: 0.1, reason: 'x' })
    assert.equal((await read(deal)).body.amercement, 0.2)
    await post(deal, 'cancellations', { amercement: 5, reason: 'x' })
    assert.equal((await read(deal)).body.amercement, 5.2)
    await post(deal, 'reopenings', { reason: 'x' })
    assert.equal((await read(deal)).body.amercement, 5.2)
    await post(deal, 'amercement-waivers', { reason: 'x' })
    assert.equal((await read(deal)).body.amercement, 0)
    assert.equal((await post(deal, 'amercement-waivers', { reason: 'x' })).status, 409)
  })
})

suite('dates', () => {
  test('must be days of the calendar', async () => {
    for (const day of ['2027-02-28', '2028-02-29', '2000-02-29', '2027-12-31', '0001-01-01', '9999-12-31']) {
      const deal = await openDeal(service, { completionDate: day })
      assert.equal(deal.completionDate, day)
    }
    const deal = await openDeal(service)
    for (const day of [
      '2027-02-29',
      '1900-02-29',
      '2027-04-31',
      '2027-13-01',
      '2027-00-10',
      '2027-01-00',
      '2027-1-1',
      '27-01-01',
      '0000-01-01',
      '2027-01-01T00:00:00Z',
      ' 2027-01-01',
      '2027/01/01',
      '٢٠٢٧-01-01',
      '',
      20270101,
    ]) {
      for (const answer of [
        await service.request('POST', DEALS, { body: { name: 'x', price: 1, completionDate: day } }),
        await post(deal, 'completion-date-changes', { newDate: day, whyChanged: 'x' }),
        await post(deal, 'completions', { completedOn: day }),
      ]) {
        assert.equal(answer.status, 422, String(day))
      }
    }
  })

  test('of completion are today unless given', async () => {
    const deal = await openDeal(service)
    await post(deal, 'completions', {})
    assert.equal((await read(deal)).body.completedOn, new Date().toISOString().slice(0, 10))
  })
})

suite('a deleted deal', () => {
  /** As if it had been deleted so many milliseconds ago. */
  async function age(deal: Shown, milliseconds: number): Promise<void> {
    const at = new Date(Date.now() - milliseconds).toISOString()
    await service.database.rows('UPDATE deals SET deleted_at = ? WHERE id = ?', at, deal.id)
  }

  const DAY = 86_400_000
  const restore = (deal: Shown) => service.request('PUT', `${DEALS}/${deal.id}/restore`)

  testOnEachStore('can be restored for 30 days', async () => {
    const deal = await openDeal(service)
    await service.request('DELETE', `${DEALS}/${deal.id}`)
    await age(deal, 30 * DAY - 60_000)
    const restored = await restore(deal)
    assert.equal(restored.status, 200, restored.text)
    assert.partialDeepStrictEqual(restored.body, { deletedAt: null, status: 'open', revision: 3 })
    assert.equal((await read(deal)).text, restored.text)
  })

  testOnEachStore('can no longer be restored after them', async () => {
    const deal = await openDeal(service)
    await service.request('DELETE', `${DEALS}/${deal.id}`)
    await age(deal, 30 * DAY + 1)
    const refused = await restore(deal)
    assert.equal(refused.status, 409)
    assert.partialDeepStrictEqual(refused.body, {
      code: 'wrong-state',
      detail: 'restore is not allowed: the deal was deleted more than 30 days ago.',
      allowed: [],
    })
    assert.equal((await read(deal)).status, 410)
  })

  test('is restored as it was, held or archived', async () => {
    const deal = await openDeal(service)
    await post(deal, 'holds', { reason: 'credit check' })
    await service.request('DELETE', `${DEALS}/${deal.id}`)
    const { body } = await restore(deal)
    assert.partialDeepStrictEqual(body, { held: true, holdReason: 'credit check', revision: 4 })
    assert.equal((await restore(deal)).body.detail, 'restore is not allowed: the deal is not deleted.')
  })
})
