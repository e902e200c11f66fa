import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addUser } from '../../src/access/as-operator.ts'
import { desk, follow } from '../support/browser/desk.ts'
import { scripting } from '../support/browser/ways.ts'
import { openDeal } from '../support/service/making-deals.ts'

const work = desk()
const { open, close } = work

const day = (days: number, zone = 'UTC'): string =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: zone }).format(Date.now() + days * 86_400_000)

const figure = async (page: Page, name: string): Promise<string> =>
  (await page.locator('.figures li', { hasText: name }).locator('.big').innerText()).trim()

suite('the home', () => {
  test('follows the day of whoever reads', async () => {
    const far = 'Pacific/Kiritimati'
    await openDeal(work.service, { name: 'Far away', completionDate: day(-1, far), owner: 'Far' })
    const page = await open('/', { timezoneId: far })
    // The script tells the time zone; the next page knows it.
    await page.reload()
    assert.match(await page.locator('.attention .overdue').innerText(), /Far away/)
    await close(page)
  })

  test('is read again when the day ends', async () => {
    const page = await open('/')
    await page.clock.install()
    await page.reload()
    await page.locator('html[data-following]').waitFor()
    const again = page.waitForRequest((request) => request.headers()['x-refresh'] === 'live')
    await page.clock.fastForward('24:00:00')
    await again
    await close(page)
  })

  test("shows one's own day first, and everybody's on request", async () => {
    await openDeal(work.service, { name: 'Hers', price: 100, owner: 'mila', completionDate: day(1) })
    await openDeal(work.service, { name: 'His', price: 50, owner: 'jonas', completionDate: day(1) })
    const target = { user: 'mila', from: day(-40), to: day(40), amount: 1000, currency: 'EUR' }
    assert.equal((await work.service.request('POST', '/targets', { body: target })).status, 201)
    await addUser(work.service.store, { name: 'mila', role: 'editor', password: 'a long password' })
    for (const javaScriptEnabled of scripting()) {
      const page = await open('/sign-in', { javaScriptEnabled })
      await page.getByLabel('Name').fill('mila')
      await page.getByLabel('Password').fill('a long password')
      await follow(page, page.getByRole('button', { name: 'Sign in' }))
      await page.goto(`${work.service.url}/`)
      assert.match(await figure(page, 'Pipeline'), /^100 /)
      assert.doesNotMatch(await page.locator('.attention').innerText(), /His/)
      assert.equal(await figure(page, 'of my target this month'), '0%')
      await follow(page, page.getByRole('button', { name: 'Everyone' }))
      assert.match(await page.locator('.attention').innerText(), /His/)
      assert.equal(await figure(page, 'of my target this month'), '0%', 'it is their own, whatever is shown')
      await page.goto(`${work.service.url}/`)
      assert.match(await page.locator('.attention').innerText(), /His/, 'the choice is kept')
      await follow(page, page.getByRole('button', { name: 'My day' }))
      assert.match(await figure(page, 'Pipeline'), /^100 /)
      await follow(page, page.getByRole('link', { name: 'of my target' }))
      assert.match(
        await page.getByRole('table', { name: 'By person' }).locator('tbody').innerText(),
        /^mila\s.*0%\s*$/s,
      )
      await close(page)
    }
  })
})
