import assert from 'node:assert/strict'
import { before, suite } from 'node:test'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { DEALS, openDeal, storedDeal } from '../../support/service/making-deals.ts'
import { roomService } from '../../support/service/room-service.ts'
import type { Answered, TestService } from '../../support/service/running-service.ts'

let service: TestService
before(async () => {
  service = await roomService()
})

const page = { accept: 'text/html' }

/** Sends a form as a browser does, and gives the cookie that it is answered with. */
async function sendForm(path: string, fields: Record<string, string>): Promise<Answered & { readonly cookie: string }> {
  const answer = await service.request('POST', path, { headers: page, body: new URLSearchParams(fields) })
  return { ...answer, cookie: answer.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '' }
}

const see = (path: string, cookie: string, headers: Record<string, string> = {}): Promise<Answered> =>
  service.request('GET', path, { headers: { ...page, cookie, ...headers } })

/** What the page tells of the form that led to it. */
const toldOn = ({ text }: Answered): string =>
  (/<div id="told"[^>]*>([\s\S]*?)<\/div>/.exec(text)?.[1] ?? '').replace(/<input[^>]*>|<\/?\w[^>]*>|\n/g, '').trim()

const undoFields = ({ text }: Answered): Record<string, string> =>
  Object.fromEntries(
    [...(/<form[^>]*\/undo[\s\S]*?<\/form>/.exec(text)?.[0] ?? '').matchAll(/name="(\w+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')],
    ),
  )

suite('after a form', () => {
  test('the next page tells what was done, once, and can undo it', async () => {
    const { id } = await openDeal(service)
    const sent = await sendForm(`${DEALS}/${id}/moves`, { stage: 'proposal', _return: '/board?owner=mila' })
    assert.equal(sent.status, 303)
    assert.equal(sent.headers.location, '/board?owner=mila')
    assert.match(String(sent.headers['set-cookie']), /HttpOnly; SameSite=Lax/)
    const told = await see('/board', sent.cookie)
    assert.match(toldOn(told), /^Forty espresso machines: Moved .* proposalUndo$/i)
    assert.match(String(told.headers['set-cookie']), /^dealdesk_done=; Max-Age=0/)
    assert.equal(toldOn(await see('/board', '')), '')
    const undone = await sendForm('/undo', undoFields(told))
    assert.equal(undone.status, 303)
    assert.equal(undone.headers.location, '/board')
    assert.equal((await storedDeal(service, id)).stage, 'lead')
    assert.match(toldOn(await see('/board', undone.cookie)), /Moved .* leadUndo$/i)
  })

  test('an update of the page in the background leaves it to the next page', async () => {
    const { id } = await openDeal(service)
    const { cookie } = await sendForm(`${DEALS}/${id}/holds`, { reason: 'credit check' })
    const live = await see(`${DEALS}/${id}`, cookie, { 'x-refresh': 'live' })
    assert.equal(toldOn(live), '')
    assert.equal(live.headers['set-cookie'], undefined)
  })

  test('programs are told nothing', async () => {
    const { id } = await openDeal(service)
    const { headers } = await service.request('POST', `${DEALS}/${id}/holds`, { body: { reason: 'credit check' } })
    assert.equal(headers['set-cookie'], undefined)
  })

  test('a cookie that names nothing is not told', async () => {
    const { id } = await openDeal(service)
    for (const value of [
      '',
      'deal',
      `deal:${id}:99`,
      'view:1:1',
      `deal:<b>:1`,
      'many:none:3',
      `changed!deal:${id}:7`,
    ]) {
      assert.equal(toldOn(await see('/board', `dealdesk_done=${value}`)), '', value)
    }
  })

  test('the page to see next is one of this service', async () => {
    const { id } = await openDeal(service)
    for (const next of ['https://example.com/', '//example.com', '/\\example.com', 'board']) {
      const { headers } = await sendForm(`${DEALS}/${id}/notes`, { text: 'Called.', _return: next })
      assert.equal(headers.location, `${DEALS}/${id}`)
    }
  })
})

suite('an undo', () => {
  test('is not offered where there is no way back', async () => {
    const values = ['retail', 'health'].map((value) => ({ value, title: value }))
    const field = { on: 'deal', name: 'sector', title: 'Sector', kind: 'choice', options: { values } }
    const { body: made } = await service.request('POST', '/fields', { body: field })
    await openDeal(service, { own: { sector: 'retail' } })
    const rows = {
      ...{ 'options/values/0/value': 'retail', 'options/values/0/title': 'Retail' },
      ...{ 'options/values/1/value': 'health', 'options/values/1/title': 'Health' },
    }
    const address = `/fields/${made.id}`
    const titled = await sendForm(`${address}/changes`, rows)
    assert.match(toldOn(await see(address, titled.cookie)), /Undo$/)
    const goes = { 'options/values/0/_remove[]': 'true', 'replaceBy/retail': 'health' }
    const replaced = await sendForm(`${address}/changes`, { ...rows, ...goes })
    assert.match(toldOn(await see(address, replaced.cookie)), /^Changed: [^\n]*(?<!Undo)$/)
    await service.request('POST', `${address}:retire`)
  })

  test('of a deal that was deleted restores it, from the page that says so', async () => {
    const { id } = await openDeal(service)
    const { cookie } = await sendForm(`${DEALS}/${id}/deletions`, {})
    const told = await see(`${DEALS}/${id}`, cookie)
    assert.equal(told.status, 410)
    await sendForm('/undo', undoFields(told))
    assert.equal((await storedDeal(service, id)).deletedAt, null)
  })

  testOnEachStore('takes several steps in one commit where it must', async () => {
    const { id } = await openDeal(service)
    await service.request('POST', `${DEALS}/${id}/holds`, { body: { reason: 'credit check' } })
    const before = await storedDeal(service, id)
    const { cookie } = await sendForm(`${DEALS}/${id}/cancellations`, { reason: 'withdrew', amercement: '250' })
    const undone = await sendForm('/undo', undoFields(await see(`${DEALS}/${id}`, cookie)))
    assert.equal(toldOn(await see('/board', undone.cookie)), 'Undone.Undo', 'not its first step alone')
    const { updatedAt: _now, revision, ...after } = await storedDeal(service, id)
    const { updatedAt: _then, revision: earlier, ...former } = before
    assert.deepEqual(after, former)
    assert.equal(revision, earlier + 4)
  })

  testOnEachStore('of many rows leaves those alone that the change left alone', async () => {
    const made = async (fields: object) =>
      Number((await service.request('POST', '/customers', { body: { name: 'Ann', ...fields } })).body.id)
    const [unchanged, changed] = [await made({ age: 40 }), await made({ country: 'ES' })]
    await service.request('PATCH', `/customers/${unchanged}`, { body: { age: 41, country: 'DE' } })
    const rows = { [unchanged]: '2', [changed]: '1' }
    const { cookie } = await sendForm('/changes/customers', {
      _operation: 'change',
      _step: 'apply',
      country: 'DE',
      ...rows,
    })
    await sendForm('/undo', undoFields(await see('/customers', cookie)))
    const shown = async (id: number) => (await service.request('GET', `/customers/${id}`)).body
    const [before, after] = [await shown(unchanged), await shown(changed)]
    assert.deepEqual([before.revision, before.age, before.country], [2, 41, 'DE'])
    assert.deepEqual([after.revision, after.country], [3, 'ES'])
  })

  testOnEachStore('sent twice does it once', async () => {
    const { id } = await openDeal(service)
    const { cookie } = await sendForm(`${DEALS}/${id}/moves`, { stage: 'contract' })
    const fields = undoFields(await see(`${DEALS}/${id}`, cookie))
    await sendForm('/undo', fields)
    await sendForm('/undo', fields)
    assert.equal((await storedDeal(service, id)).revision, 3)
  })
})
