import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { basic, type ClosedService, runClosedService } from '../../support/service/closed-service.ts'
import { DEALS } from '../../support/service/making-deals.ts'

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
  service = await runClosedService()
})
after(() => service.close())

suite('the panel of tasks', () => {
  test('stands on the page of the deal, the customer and the person, soonest first', async () => {
    const { id: dealId } = await made(DEALS, { name: 'Roof', price: 1 })
    const { id: customerId } = await made('/customers', { name: 'Bo' })
    await task({ title: 'Next month', dealId, dueOn: day(30), assignee: 'reader' })
    await task({ title: 'At nine', dealId, dueAt: `${day(2)}T09:00:00.000Z` })
    await task({ title: 'Soon', customerId, dueOn: day(1), assignee: 'reader' })
    assert.deepEqual(titles(await page(`${DEALS}/${dealId}`)), ['At nine', 'Next month'])
    assert.deepEqual(titles(await page(`/customers/${customerId}`)), ['Soon'])
    const person = await page('/people/reader')
    assert.deepEqual(titles(person), ['Soon', 'Next month'])
    assert.match(person, />Bo<[\s\S]*>Roof</)
  })

  test('finishes a task in place and opens it again', async () => {
    const { id: dealId } = await made(DEALS, { name: 'Lift', price: 1 })
    const { id } = await task({ dealId })
    const back = `${DEALS}/${dealId}`
    const shown = await page(back)
    assert.match(shown, new RegExp(`action="${TASKS}/${id}/finishings"[\\s\\S]*value="${back}#tasks"`))
    const finished = await send(`${TASKS}/${id}/finishings`, { _revision: '1', _return: `${back}#tasks` })
    assert.deepEqual([finished.status, finished.headers.location], [303, `${back}#tasks`])
    assert.deepEqual(titles(await page(back)), [])
    assert.equal((await service.request('GET', `${TASKS}/${id}`, { headers: basic('reader') })).body.status, 'done')
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
})
