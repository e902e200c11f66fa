import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { choose, desk, editing, field, marks, openActions, press, submit } from '../support/browser/desk.ts'
import { scripting } from '../support/browser/ways.ts'
import { DEALS, openDeal, storedDeal } from '../support/service/making-deals.ts'

const work = desk()
const { open, close } = work
const phone = { viewport: { width: 390, height: 844 } }

suite('what was done is said, and undone', () => {
  for (const javaScriptEnabled of scripting()) {
    test(`on a phone, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
      const deal = await openDeal(work.service)
      const page = await open(`${DEALS}/${deal.id}`, { ...phone, javaScriptEnabled })
      const told = page.locator('#told')
      await choose(page, 'Put on hold')
      if (javaScriptEnabled) {
        assert.equal(await field(page, 'Reason').evaluate((each) => each === each.ownerDocument.activeElement), true)
      }
      await field(page, 'Reason').fill('credit check')
      await submit(page, 'Put on hold')
      assert.match(await told.innerText(), /Put on hold/)
      assert.match(await marks(page), /On hold/)
      assert.match(await page.locator('#turn').innerText(), /Take off hold/)
      await openActions(page)
      assert.match(await page.locator('#offers .ops').first().innerText(), /^Change the reason$/)
      await page.locator('#actions > summary').click()
      await submit(page, 'Undo')
      assert.match(await told.innerText(), /Taken off hold/)
      if (javaScriptEnabled) await page.locator('#told:focus').waitFor()
      assert.match(await marks(page), /Open/)
      await submit(page, 'Undo')
      assert.equal((await storedDeal(work.service, deal.id)).holdReason, 'credit check', 'an undo is undone')
      await page.reload()
      assert.equal(await told.innerText(), '', 'it is said once')
      await close(page)
    })
  }

  test('so is what leads to another page: a deal deleted and restored, a customer edited after a refusal', async () => {
    const deal = await openDeal(work.service)
    const page = await open(`${DEALS}/${deal.id}`)
    const told = page.locator('#told')
    await openActions(page)
    await press(page, 'Delete')
    await submit(page, 'Delete this deal')
    assert.match(await told.innerText(), /Deleted the deal\s+Undo/)
    await submit(page, 'Restore')
    assert.match(await told.innerText(), /Restored the deal\s+Undo/)

    const { body } = await work.service.request('POST', '/customers', { body: { name: 'Eva', age: 40 } })
    await page.goto(`${work.service.url}/customers/${body.id}`)
    await (await editing(page)).evaluate((form) => form.setAttribute('novalidate', ''))
    await page.locator('#edit-form').getByLabel('Age').fill('-1')
    await submit(page, 'Save')
    await page.locator('#edit-form').getByLabel('Age').fill('41')
    await submit(page, 'Try again')
    assert.match(await told.innerText(), /Undo/)
    await close(page)
  })

  test('a field is changed where it is shown, and the page stays where it was', async () => {
    const deal = await openDeal(work.service, { price: 51800 })
    const page = await open(`${DEALS}/${deal.id}`, phone)
    await page.locator('#op-change-price > summary').scrollIntoViewIfNeeded()
    await choose(page, 'Change the price')
    await field(page, 'New price').fill('49999.95')
    await field(page, 'Reason').fill('volume discount')
    // What is clicked is scrolled into sight first, which is not of the page's making.
    await page.getByRole('button', { name: 'Change the price', exact: true }).hover()
    const before = await page.evaluate('scrollY')
    await submit(page, 'Change the price')
    assert.equal(await page.evaluate('scrollY'), before)
    assert.match(await page.locator('#facts').innerText(), /49,999\.95/)
    assert.equal(await page.evaluate('document.activeElement.parentElement.id'), 'op-change-price')
    await submit(page, 'Undo')
    assert.match(await page.locator('#facts').innerText(), /51,800\.00/)
    await close(page)
  })

  test('somebody else was faster: nothing is undone, and it is said', async () => {
    const deal = await openDeal(work.service)
    const page = await open(`${DEALS}/${deal.id}`)
    await choose(page, 'Move to a stage')
    await field(page, 'Stage').selectOption('proposal')
    await submit(page, 'Move to a stage')
    await work.service.request('POST', `${DEALS}/${deal.id}/moves`, { body: { stage: 'contract' } })
    await submit(page, 'Undo')
    assert.match(await page.locator('#told').innerText(), /Not undone: Forty espresso machines was changed/)
    assert.match(await marks(page), /Contract/)
    await close(page)
  })
})

test('a customer is deleted only after a question, without script too', async () => {
  for (const javaScriptEnabled of scripting()) {
    const { body } = await work.service.request('POST', '/customers', { body: { name: 'Ana Ruiz' } })
    const page = await open(`/customers/${body.id}`, { javaScriptEnabled })
    const button = page.getByRole('button', { name: 'Delete', exact: true })
    await button.click()
    if (!javaScriptEnabled) await page.getByRole('heading', { name: 'Delete: Ana Ruiz?' }).waitFor()
    assert.equal((await work.service.request('GET', `/customers/${body.id}`)).status, 200, 'it is still there')
    await submit(page, 'Delete this customer')
    assert.equal(await page.locator('#told').innerText(), 'Deleted the customer')
    assert.equal(new URL(page.url()).pathname, '/customers')
    assert.equal((await work.service.request('GET', `/customers/${body.id}`)).status, 404)
    await close(page)
  }
})

test('the question is answered with the keys too, and not by a second click', async () => {
  const { body } = await work.service.request('POST', '/customers', { body: { name: 'Ana Ruiz' } })
  const page = await open(`/customers/${body.id}`)
  await page.getByRole('button', { name: 'Delete', exact: true }).dblclick()
  const sure = page.getByRole('button', { name: 'Delete this customer' })
  await sure.waitFor()
  assert.equal((await work.service.request('GET', `/customers/${body.id}`)).status, 200, 'it is still there')
  await sure.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter')
  await Promise.all([page.waitForURL('**/customers'), sure.press('Enter')])
  assert.equal((await work.service.request('GET', `/customers/${body.id}`)).status, 404)
  await close(page)
})
