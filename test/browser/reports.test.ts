import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { desk } from '../support/browser/desk.ts'
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
      await page.getByRole('link', { name: 'Won and lost' }).first().click()
      await page.getByRole('link', { name: 'This month' }).click()
      await page.getByRole('form', { name: 'Filter' }).getByLabel('Person').fill(owner)
      const show = page.getByRole('form', { name: 'Filter' }).getByRole('button', { name: 'Show' })
      if (await show.isVisible()) await show.click()
      await page.waitForURL(/person=Rep/)
      const months = page.getByRole('table', { name: 'By month' })
      assert.match(await months.locator('tfoot').innerText(), /Total\s+1\s+1,200 EUR\s+1\s+300 EUR\s+50 %/)
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
