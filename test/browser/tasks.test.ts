import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { desk, submit } from '../support/browser/desk.ts'
import { DEALS, openDeal } from '../support/service/making-deals.ts'

const work = desk()

const ways = {
  'with script': {},
  'without script': { javaScriptEnabled: false },
  'on a phone': { viewport: { width: 390, height: 844 }, hasTouch: true },
} as const

suite('a task', () => {
  for (const [way, options] of Object.entries(ways)) {
    test(`is added, finished, brought back and finished on the home, ${way}`, async () => {
      const { id } = await openDeal(work.service, { name: `Roof ${way}` })
      const title = `Call Ana ${way}`
      const page = await work.open(`${DEALS}/${id}`, options)
      const tasks = () => page.locator('#task-list').innerText()
      assert.match(await tasks(), /No open tasks/)
      await page.getByLabel('New task').fill(title)
      await page.locator('#task-form').getByLabel('Due').fill(new Date().toISOString().slice(0, 10))
      await submit(page, 'Add')
      assert.match(await tasks(), new RegExp(`${title}[\\s\\S]*today`))
      assert.equal(await page.getByLabel('New task').inputValue(), '', 'the next one can be typed')
      await submit(page, `Finish “${title}”`)
      assert.match(await tasks(), /No open tasks/)
      await submit(page, 'Undo')
      assert.match(await tasks(), new RegExp(title))
      assert.equal(new URL(page.url()).pathname, `${DEALS}/${id}`, 'all of it on the page of the deal')

      await page.goto(`${work.service.url}/`)
      assert.match(await tasks(), new RegExp(`${title}\\s+Roof ${way}`))
      await submit(page, `Finish “${title}”`)
      assert.doesNotMatch(await tasks(), new RegExp(title))
      await page.goto(`${work.service.url}/rest/v1/tasks?status=done`)
      await submit(page, `Reopen “${title}”`)
      assert.doesNotMatch(await page.locator('#list').innerText(), new RegExp(title))
      await work.close(page)
    })
  }
})
