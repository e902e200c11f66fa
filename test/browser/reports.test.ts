import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { desk, editing, follow, submit } from '../support/browser/desk.ts'
import { ways } from '../support/browser/ways.ts'
import { DEALS, openDeal } from '../support/service/making-deals.ts'

const work = desk()
const { open, close } = work

suite('a month’s report', () => {
  for (const [name, options] of ways()) {
    test(`${name}: from the reports to the deals behind a number and to the file`, async () => {
      const { request } = work.service
      const owner = `Rep ${name}`
      const made = async (deal: object) => `${DEALS}/${(await openDeal(work.service, { owner, ...deal })).id}`
      const won = await made({ name: 'Roof of the hall', price: 1200 })
      await request('POST', `${won}/completions`, { body: {} })
      const lost = await made({ name: 'Lift', price: 300 })
      await request('POST', `${lost}/cancellations`, { body: { reason: 'too dear' } })

      const page = await open('/reports', options)
      await follow(page, page.getByRole('link', { name: 'Won and lost' }).first())
      await follow(page, page.getByRole('link', { name: 'This month' }))
      await page.getByRole('form', { name: 'Filter' }).getByLabel('Person').fill(owner)
      const show = page.getByRole('form', { name: 'Filter' }).getByRole('button', { name: 'Show' })
      if (await show.isVisible()) await show.click()
      await page.waitForURL(/person=Rep/)
      const months = page.getByRole('table', { name: 'By month' })
      assert.match(await months.locator('tfoot').innerText(), /Total\s+1\s+1,200 EUR\s+1\s+300 EUR\s+50%/)
      const reasons = page.getByRole('table', { name: 'Why deals were lost' })
      assert.match(await reasons.locator('tbody').innerText(), /too dear\s+1\s+300 EUR/)
      const csv = await page.getByRole('link', { name: 'CSV' }).first().getAttribute('href')
      assert.match(
        (await request('GET', String(csv))).text,
        /completedOn\.month,currency,count,sum\.price\r?\n\d{4}-\d{2},EUR,1,1200/,
      )

      await months.locator('tfoot').getByRole('link').first().click()
      await page.waitForURL(/status=completed/)
      assert.match(await page.locator('main').innerText(), /Roof of the hall/)
      assert.doesNotMatch(await page.locator('main tbody').first().innerText(), /Lift/)
      await close(page)
    })
  }
})

suite('a target', () => {
  for (const [name, options] of ways()) {
    test(`${name}: is set, changed, and shown beside what was won`, async () => {
      const { request } = work.service
      const owner = `Seller ${name}`
      const { id } = await openDeal(work.service, { owner, name: 'Roof', price: 1200 })
      await request('POST', `${DEALS}/${id}/completions`, { body: { completedOn: '2026-03-31' } })

      const page = await open('/targets', options)
      await follow(page, page.getByRole('link', { name: /^(New target|Create the first target)$/ }).first())
      await page.getByLabel('User').fill(owner)
      await page.getByLabel('From').fill('2026-03-01')
      await page.getByLabel('To', { exact: true }).fill('2026-02-01')
      await page.getByLabel('Amount').fill('5000')
      await submit(page, 'Create a target')
      assert.match(await page.locator('main').innerText(), /must not be before from/)
      assert.equal(await page.getByLabel('Amount').inputValue(), '5000', 'what was typed is kept')
      await page.getByLabel('To', { exact: true }).fill('2026-03-31')
      await submit(page, 'Create a target')
      const row = page.locator('main tbody tr', { hasText: owner })
      assert.match(await row.innerText(), /5,000\.00 EUR/)

      await follow(page, row.getByRole('link', { name: owner }))
      await (await editing(page)).getByLabel('Amount').fill('4800')
      await submit(page, 'Save')
      const target = (await request('GET', `/targets?user=${encodeURIComponent(owner)}`)).body.items?.[0]
      assert.partialDeepStrictEqual(target, { user: owner, amount: 4800, to: '2026-03-31', revision: 2 })

      await page.goto(`${work.service.url}/reports`)
      await follow(page, page.locator('main').getByRole('link', { name: 'Targets' }))
      await page.goto(`${page.url().split('?')[0]}?from=2026-03-01&until=2026-03-31`)
      const people = page.getByRole('table', { name: 'By person' })
      const seller = people.locator('tbody tr', { hasText: owner })
      assert.match(await seller.innerText(), /4,800 EUR\s+1,200 EUR\s+25%/)
      await follow(page, seller.getByRole('link').last())
      assert.match(await page.locator('main tbody').first().innerText(), /Roof/)
      await close(page)
    })
  }
})
