import assert from 'node:assert/strict'
import { test as anyTest, suite } from 'node:test'
import type { Page } from 'playwright-core'
import { desk, follow, holdBack, press, submit, unfold } from '../support/browser/desk.ts'
import { ways } from '../support/browser/ways.ts'
import { everySecond } from '../support/inputs/drawn.ts'
import { DEALS, openDeal, storedDeal } from '../support/service/making-deals.ts'

const test = everySecond(anyTest)
const work = desk()
const { open, close } = work

const rowOf = (page: Page, name: string) => page.getByRole('row', { name })

suite('many rows at once', () => {
  for (const [how, options] of ways()) {
    test(`are changed after a preview, and the change is undone, ${how}`, async () => {
      const owner = `Owner ${how}`
      const [oven, lift, roof] = await Promise.all(
        ['Oven', 'Lift', 'Roof'].map((name) => openDeal(work.service, { name: `${name} ${how}`, owner })),
      )
      await work.service.request('POST', `${DEALS}/${lift?.id}/moves`, { body: { stage: 'qualified' } })
      await work.service.request('POST', `${DEALS}/${roof?.id}/holds`, { body: { reason: 'credit check' } })
      const page = await open(`${DEALS}?owner=${encodeURIComponent(owner)}`, options)
      for (const box of await page.locator('tbody [type=checkbox]').all()) await box.check()
      await page.getByLabel('What to do with the selected rows').selectOption('move')
      await submit(page, 'Continue')
      await page.getByLabel('Stage', { exact: true }).selectOption('proposal')
      await submit(page, 'Preview')
      assert.match(await rowOf(page, `Oven ${how}`).innerText(), /Stage:\s*Lead › Proposal/)
      assert.match(await rowOf(page, `Roof ${how}`).innerText(), /Not possible.*on hold/)
      assert.equal((await storedDeal(work.service, oven?.id ?? '')).stage, 'lead', 'a preview changes nothing')
      await submit(page, 'Move to a stage: 2 rows')
      assert.equal(new URL(page.url()).searchParams.get('owner'), owner, 'it leads back to the list')
      const stages = () =>
        Promise.all([oven, lift, roof].map(async (each) => (await storedDeal(work.service, each?.id ?? '')).stage))
      assert.deepEqual(await stages(), ['proposal', 'proposal', 'lead'])
      await page.locator('#told').getByRole('button', { name: 'Undo' }).click()
      // News can change the row before its own answer is told.
      await page.locator('#told', { hasText: 'Undone.' }).waitFor()
      await page.locator('tbody tr', { hasText: 'Qualified' }).waitFor()
      assert.deepEqual(await stages(), ['lead', 'qualified', 'lead'])
      assert.match(await page.locator('#told').innerText(), /^Undone\./, 'each has a stage of its own again')
      await close(page)
    })
  }

  test('all that are shown are selected with one box, and stay selected when the list changes', async () => {
    const owner = 'Watcher'
    await openDeal(work.service, { name: 'First seen', owner })
    const page = await open(`${DEALS}?owner=${owner}`)
    await page.locator('thead [type=checkbox]').check()
    await page.getByText('1 row selected').waitFor()
    await page.locator('html[data-following]').waitFor()
    await openDeal(work.service, { name: 'Second seen', owner })
    await page.getByRole('link', { name: 'Second seen' }).waitFor()
    assert.ok(await page.getByLabel('First seen').isChecked())
    assert.ok(!(await page.getByLabel('Second seen').isChecked()))
    await close(page)
    const plain = await open(`${DEALS}?owner=${owner}`, { javaScriptEnabled: false })
    await plain.getByLabel('All rows shown').check()
    await plain.getByLabel('What to do with the selected rows').selectOption('delete')
    await submit(plain, 'Continue')
    await plain.getByRole('button', { name: 'Delete: 2 rows' }).waitFor()
    await close(plain)
  })

  test('are counted for whoever comes back to the list, and where the first row came later', async () => {
    const owner = 'Returning'
    const page = await open(`${DEALS}?owner=${owner}`)
    await page.locator('html[data-following]').waitFor()
    await openDeal(work.service, { name: 'Jetty', owner })
    await page.getByLabel('Jetty').check()
    const count = page.locator('.bulk output')
    assert.equal(await count.innerText(), '1 row selected')
    await page.reload()
    await page.getByLabel('Jetty').check()
    await page.goto(`${work.service.url}/customers`)
    await page.goBack()
    await page.locator('.bulk output', { hasText: '1 row selected' }).waitFor()
    assert.equal(await page.getByLabel('Jetty').isChecked(), true)
    await close(page)
  })

  test('are offered what is possible with one of them', async () => {
    const owner = 'Offered'
    await openDeal(work.service, { name: 'Going on', owner })
    const { id } = await openDeal(work.service, { name: 'Waiting', owner })
    await work.service.request('POST', `${DEALS}/${id}/holds`, { body: { reason: 'credit check' } })
    const page = await open(`${DEALS}?owner=${owner}&fields=name,price`)
    const offered = () =>
      page
        .locator('#bulk-operation option:not([disabled])')
        .evaluateAll((all) => all.map((each) => each.getAttribute('value')))
    const [going, waiting] = [page.getByLabel('Going on'), page.getByLabel('Waiting')]
    await waiting.check()
    const some = await offered()
    assert.ok(some.includes('unhold') && !some.includes('complete') && !some.includes('reopen'), some.join())
    await page.locator('#bulk-operation').selectOption('unhold')
    await going.check()
    const more = await offered()
    assert.ok(more.includes('unhold') && more.includes('complete') && !more.includes('reopen'), more.join())
    await waiting.uncheck()
    assert.equal(await page.locator('#bulk-operation').inputValue(), '', 'what is not possible any more is not chosen')
    await close(page)
  })

  test('nothing is done if somebody was faster, and the preview shows how it is now', async () => {
    const owner = 'Fast'
    const deal = await openDeal(work.service, { name: 'Contested', owner })
    const page = await open(`${DEALS}?owner=${owner}`)
    await page.getByLabel('Contested').check()
    await page.getByLabel('What to do with the selected rows').selectOption('assign')
    await submit(page, 'Continue')
    await page.getByLabel('Owner', { exact: true }).fill('Somebody')
    await submit(page, 'Preview')
    await work.service.request('POST', `${DEALS}/${deal.id}/renamings`, { body: { newName: 'Renamed' } })
    await submit(page, 'Assign: 1 row')
    await page.getByRole('alert').waitFor()
    assert.equal((await storedDeal(work.service, deal.id)).owner, owner)
    await submit(page, 'Assign: 1 row')
    assert.equal((await storedDeal(work.service, deal.id)).owner, 'Somebody')
    await close(page)
  })
})

suite('a list as somebody likes it', () => {
  for (const [how, options] of ways()) {
    test(`keeps its filters and columns as a tab, ${how}`, async () => {
      const owner = `Keeper ${how}`
      await openDeal(work.service, { name: 'Kept', owner, description: 'Two groups each' })
      const page = await open(`${DEALS}?owner=${encodeURIComponent(owner)}`, options)
      await unfold(page, 'Columns')
      const columns = page.getByRole('form', { name: 'Columns' })
      await columns.getByLabel('Customer').uncheck()
      await columns.getByLabel('Description').check()
      await follow(page, columns.getByRole('button', { name: 'Show these' }))
      await unfold(page, 'Columns')
      await follow(page, page.getByRole('button', { name: 'Move Stage forward' }))
      const heads = async () => (await page.locator('thead th').allInnerTexts()).slice(0, 4)
      assert.deepEqual(await heads(), ['Deal', 'Stage', 'Price', 'Status'])
      assert.match(await rowOf(page, 'Kept').innerText(), /Two groups each/)

      await page
        .locator('details.drop[open]')
        .first()
        .evaluate((each) => each.removeAttribute('open'))
      await unfold(page, 'Save as a view')
      await page.getByLabel('Name of the view').fill(`Mine ${how}`)
      await submit(page, 'Save')
      const tabs = page.getByRole('navigation', { name: 'Lists' })
      assert.equal(await tabs.locator('[aria-current]').innerText(), `Mine ${how}`)
      await follow(page, tabs.getByRole('link', { name: 'All' }))
      assert.deepEqual(await heads(), ['Deal', 'Customer', 'Price', 'Stage'])
      await follow(page, tabs.getByRole('link', { name: `Mine ${how}` }))
      assert.deepEqual(await heads(), ['Deal', 'Stage', 'Price', 'Status'])

      await unfold(page, 'Change this view')
      await page.getByLabel('Name of the view').fill(`Ours ${how}`)
      await page.getByLabel('Shared with everybody').selectOption('true')
      await submit(page, 'Save')
      assert.equal(await tabs.locator('[aria-current]').innerText(), `Ours ${how}`)
      await unfold(page, 'Change this view')
      await press(page, 'Delete this view')
      // With script the question is asked in place of the button, without it on a page.
      if (options.javaScriptEnabled === false) {
        await page.getByText('This is final.').waitFor()
        await page.getByRole('button', { name: 'Delete this view' }).click()
      } else await page.locator('#delete-view button').first().click()
      await page.waitForURL(`${work.service.url}${DEALS}`)
      assert.equal(await tabs.getByRole('link', { name: `Ours ${how}` }).count(), 0)
      await close(page)
    })
  }
})

suite('a cell', () => {
  test('is changed in place by the form of its operation; a refused one keeps what was typed', async () => {
    const owner = 'Inline'
    const deal = await openDeal(work.service, { name: 'Bakery', owner })
    const page = await open(`${DEALS}?owner=${owner}`)
    await page.getByRole('link', { name: 'Bakery' }).focus()
    await press(page, 'Change: Price')
    const dialog = page.getByRole('dialog', { name: 'Bakery' })
    await dialog.getByLabel('New price').fill('999.999')
    await dialog.getByLabel('Reason').fill('volume discount')
    await dialog.getByRole('button', { name: 'Change the price' }).click()
    await dialog.getByRole('alert').waitFor()
    assert.equal(await dialog.getByLabel('Reason').inputValue(), 'volume discount')
    await dialog.getByLabel('New price').fill('999.5')
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await page.locator('tbody td', { hasText: '999.50' }).waitFor()
    assert.equal((await storedDeal(work.service, deal.id)).price, 999.5)
    await page.locator('dialog[open]').waitFor({ state: 'detached' })
    await close(page)
  })

  test('opens once however often one clicks, tells a lost connection, and the keys of the page rest', async () => {
    await openDeal(work.service, { name: 'Slow line', owner: 'Impatient' })
    const page = await open(`${DEALS}?owner=Impatient`)
    await page.getByRole('link', { name: 'Slow line' }).focus()
    const show = await holdBack(page, '**/actions/*')
    await press(page, 'Change: Stage')
    await press(page, 'Change: Stage')
    show()
    const dialog = page.getByRole('dialog', { name: 'Slow line' })
    await dialog.getByRole('combobox').selectOption('proposal')
    await page.context().setOffline(true)
    await dialog.getByRole('button', { name: 'Move to a stage' }).click()
    await dialog.getByText('That did not work. Please try again.').waitFor()
    await page.context().setOffline(false)
    await dialog.getByRole('button', { name: 'Close' }).press('n')
    await dialog.getByRole('button', { name: 'Move to a stage' }).click()
    await page.locator('tbody td', { hasText: 'Proposal' }).waitFor()
    await page.locator('dialog[open]').waitFor({ state: 'detached' })

    await page.locator('#list').getByRole('link', { name: 'Slow line' }).focus()
    await page.route('**/actions/*', (route) =>
      route.fulfill({ status: 503, contentType: 'text/html', body: '<p class="detail">Too busy.</p>' }),
    )
    await press(page, 'Change: Stage')
    await dialog.getByText('Too busy.').waitFor()
    await close(page)
  })

  test('opens for the last click, and not again when an earlier answer is late', async () => {
    await openDeal(work.service, { name: 'Late', owner: 'Hurried' })
    const page = await open(`${DEALS}?owner=Hurried`)
    const dialog = page.getByRole('dialog', { name: 'Late' })
    const late = page.waitForResponse('**/actions/rename')
    const show = await holdBack(page, '**/actions/rename')
    await page.getByRole('link', { name: 'Late' }).focus()
    await press(page, 'Change: Deal')
    await press(page, 'Change: Stage')
    await dialog.getByRole('combobox').waitFor()
    await press(page, 'Close')
    await dialog.waitFor({ state: 'detached' })
    show()
    await (await late).finished()
    await press(page, 'Change: Price')
    await dialog.getByLabel('New price').waitFor()
    await close(page)
  })

  test('that refers to somebody says the name', async () => {
    const { body } = await work.service.request('POST', '/customers', { body: { name: 'Ana Ruiz' } })
    const owner = 'Naming'
    await openDeal(work.service, { name: 'Kiosk', owner, customerId: Number(body.id) })
    await openDeal(work.service, { name: 'Stall', owner })
    const page = await open(`${DEALS}?owner=${owner}`)
    await page.getByRole('link', { name: 'Kiosk' }).focus()
    await press(page, 'Change: Customer')
    const dialog = page.getByRole('dialog', { name: 'Kiosk' })
    await dialog.getByText('Ana Ruiz').waitFor()
    assert.equal(await dialog.getByRole('alert').count(), 0, 'nothing is wrong yet')
    await dialog.getByRole('combobox').fill('Ana R')
    await dialog.getByRole('option', { name: 'Ana Ruiz' }).first().click()
    await press(page, 'Close')
    await page.getByRole('link', { name: 'Stall' }).focus()
    await press(page, 'Change: Customer')
    const other = page.getByRole('dialog', { name: 'Stall' }).getByRole('combobox')
    assert.equal(await other.inputValue(), '', 'each row has its own')
    await close(page)
  })
})
