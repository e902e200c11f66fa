import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { choose, desk, field, follow, marks, noteText, openActions, press, submit } from '../support/browser/desk.ts'
import { scripting, ways } from '../support/browser/ways.ts'
import { DEALS, openDeal, storedDeal } from '../support/service/making-deals.ts'

const work = desk()
const { open, close } = work
const hostile = '<script>alert(1)</script> & "sons"'

const idOf = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? ''

suite('a lead from the web', () => {
  for (const [way, options] of ways()) {
    test(`is found on the board, worked on and won, ${way}`, async () => {
      const name = `Roof of a school, ${way}`
      const commands = [
        { action: 'CreateCustomer', params: { name: `Lea Kern, ${way}`, email: 'lea@example.com' } },
        { action: 'CreateDeal', params: { name, price: 18_000, customerId: '$0' } },
      ]
      const { status } = await work.service.request('POST', '/rest/v1/batch', { body: { atomic: true, commands } })
      assert.equal(status, 200)
      const page = await open('/board', options)
      await follow(page, page.locator('.card').getByRole('link', { name, exact: true }))
      assert.match(await page.locator('#facts').innerText(), new RegExp(`Lea Kern, ${way}`))
      await page.getByLabel('New task').fill('Call Lea')
      await submit(page, 'Add')
      await choose(page, 'Move to a stage')
      await field(page, 'Stage').selectOption('contract')
      await submit(page, 'Move to a stage')
      await submit(page, 'Finish “Call Lea”')
      await choose(page, 'Won')
      await submit(page, 'Won')
      assert.match(await marks(page), /Won/)
      await page.goto(`${work.service.url}${DEALS}?status=completed`)
      assert.match(await page.getByRole('row', { name }).innerText(), /18,000\.00/)
      await close(page)
    })
  }
})

suite('a note', () => {
  for (const [way, options] of ways()) {
    test(`is written on top of a customer and of a deal, ${way}`, async () => {
      const made = await work.service.request('POST', '/customers', { body: { name: `Ida Lund, ${way}` } })
      const deal = await openDeal(work.service)
      for (const path of [`/customers/${made.body.id}`, `${DEALS}/${deal.id}`]) {
        const page = await open(path, options)
        await noteText(page).fill('Wants it by May.')
        await page.locator('#note-form select').selectOption('call')
        // Somebody else's change meanwhile is no conflict.
        await work.service.request('POST', `${path}/notes`, { body: { text: 'in between' } })
        await submit(page, await page.locator('#note-form button').innerText())
        assert.match(await page.locator('#history').innerText(), /Wants it by May\./)
        assert.equal(await noteText(page).inputValue(), '')
        const { body } = await work.service.request('GET', `${path}/notes?sort=-revision`)
        const [note] = body.items as readonly { params: { text: string; kind: string } }[]
        assert.deepEqual([note?.params.text, note?.params.kind], ['Wants it by May.', 'call'])
        await close(page)
      }
    })
  }

  test('is sent with Ctrl+Enter', async () => {
    const deal = await openDeal(work.service)
    const page = await open(`${DEALS}/${deal.id}`)
    await noteText(page).fill('Sent by keys.')
    await noteText(page).press('Control+Enter')
    await page.locator('#history q', { hasText: 'Sent by keys.' }).waitFor()
    await close(page)
  })
})

suite('the whole life of a deal', () => {
  for (const javaScriptEnabled of scripting()) {
    test(`by clicking, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
      const page = await open('/customers', { javaScriptEnabled })
      await follow(page, page.getByRole('link', { name: 'New customer', exact: true }))
      await page.getByLabel('Name', { exact: true }).fill('Ana Ruiz')
      await submit(page, 'Create a customer')
      assert.equal(await page.locator('h1').innerText(), 'Ana Ruiz')
      const customer = idOf(page)

      await follow(page, page.getByRole('link', { name: 'New deal', exact: true }))
      await page.locator('#new-form').getByLabel('Name', { exact: true }).fill(hostile)
      await page.locator('#new-form').getByLabel('Price').fill('51800')
      await submit(page, 'Create a deal')
      assert.equal(idOf(page), customer, 'back where it was asked for')
      await follow(page, page.locator('#told').getByRole('link', { name: hostile }))
      assert.equal(await page.locator('h1').innerText(), hostile, 'a name is text, whatever it says')
      assert.match(await marks(page), /Open/)
      const id = idOf(page)

      await choose(page, 'Move to a stage')
      await field(page, 'Stage').selectOption('contract')
      await submit(page, 'Move to a stage')
      assert.match(await marks(page), /Contract/)

      await choose(page, 'Put on hold')
      await field(page, 'Reason').fill('credit check')
      await submit(page, 'Put on hold')
      assert.match(await marks(page), /On hold/)
      await openActions(page)
      assert.match(await page.locator('.withheld').innerText(), /Won: the deal is on hold/)
      await page.locator('#actions > summary').click()
      await submit(page, 'Take off hold')

      await choose(page, 'Record a payment')
      await field(page, 'Amount').fill('1800.50')
      await submit(page, 'Record a payment')
      assert.match(await page.locator('.ledger tfoot').innerText(), /49,999\.50/)

      await choose(page, 'Won')
      await page.locator('#op-complete .more > summary').click()
      await field(page, 'Accepted by').fill('Jonas Weber')
      await submit(page, 'Won')
      assert.match(await marks(page), /Won/)
      await openActions(page)
      await submit(page, 'Archive')
      assert.match(await marks(page), /Archived/)

      await openActions(page)
      await (javaScriptEnabled ? press : submit)(page, 'Delete')
      if (javaScriptEnabled) {
        assert.equal((await storedDeal(work.service, id)).deletedAt, null, 'it is asked once more')
        await submit(page, 'Delete this deal')
      }
      await page.getByText('This deal was deleted').waitFor()
      await page.goto(`${work.service.url}${DEALS}?deleted=true`)
      await follow(page, page.getByRole('link', { name: hostile }))
      await submit(page, 'Restore')
      await page.getByRole('heading', { name: 'Details' }).waitFor()
      const deal = await storedDeal(work.service, id)
      assert.partialDeepStrictEqual(deal, {
        name: hostile,
        customerId: Number(customer),
        stage: 'contract',
        status: 'completed',
        archived: true,
        paid: 1800.5,
        deletedAt: null,
        revision: 9,
      })
      assert.equal(await page.locator('.timeline li').count(), 9)
      await close(page)
    })
  }
})

suite('a page of another site', () => {
  test('cannot send our forms', async () => {
    const deal = await openDeal(work.service)
    const elsewhere = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(
        `<form method="post" action="${work.service.url}${DEALS}/${deal.id}/deletions"><button>Win a prize</button></form>`,
      )
    })
    await once(elsewhere.listen(0, '127.0.0.1'), 'listening')
    const page = await open('/')
    await page.goto(`http://localhost:${(elsewhere.address() as AddressInfo).port}/`)
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await submit(page, 'Win a prize')
    assert.equal((await answered).status(), 403)
    assert.equal((await storedDeal(work.service, deal.id)).deletedAt, null)
    await close(page)
    elsewhere.close()
  })
})
