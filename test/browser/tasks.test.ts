import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { desk, editing, holdBack, noteText, submit, unfold } from '../support/browser/desk.ts'
import { ways } from '../support/browser/ways.ts'
import { DEALS, openDeal } from '../support/service/making-deals.ts'

const TASKS = '/rest/v1/tasks'
const work = desk()

suite('a task', () => {
  for (const [way, options] of ways()) {
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
      await page.goto(`${work.service.url}${TASKS}?status=done`)
      await submit(page, `Reopen “${title}”`)
      assert.doesNotMatch(await page.locator('#list').innerText(), new RegExp(title))
      await work.close(page)
    })
  }

  test('is added without loss of what is typed into other forms of the page, and the other way round', async () => {
    const deal = await openDeal(work.service, { name: 'Half written' })
    const page = await work.open(`${DEALS}/${deal.id}`)
    await noteText(page).fill('Called the customer.')
    await page.getByLabel('New task').fill('Call again')
    await submit(page, 'Add')
    await page.locator('#task-list', { hasText: 'Call again' }).waitFor()
    assert.equal(await noteText(page).inputValue(), 'Called the customer.')
    await page.getByLabel('New task').fill('Write to them')
    await submit(page, 'Add a note')
    await page.locator('#history', { hasText: 'Called the customer.' }).waitFor()
    assert.equal(await noteText(page).inputValue(), '', 'what is sent is gone')
    assert.equal(await page.getByLabel('New task').inputValue(), 'Write to them')

    const { body } = await work.service.request('POST', '/customers', { body: { name: 'Ana Ruiz' } })
    await page.goto(`${work.service.url}/customers/${body.id}`)
    const edit = await editing(page)
    await edit.getByLabel('Phone').fill('+34 600 100 200')
    await page.getByLabel('New task').fill('Call Ana')
    await submit(page, 'Add')
    await page.locator('#task-list', { hasText: 'Call Ana' }).waitFor()
    assert.equal(await edit.getByLabel('Phone').inputValue(), '+34 600 100 200')
    await submit(page, 'Save')
    assert.match(await page.locator('#facts').innerText(), /600 100 200/)
    await work.close(page)
  })

  test('shows a note that somebody else writes or removes', async () => {
    const { body } = await work.service.request('POST', TASKS, { body: { title: 'Noted' } })
    const change = (note: string) => work.service.request('POST', `${TASKS}/${body.id}/changes`, { body: { note } })
    const page = await work.open(`${TASKS}/${body.id}`)
    await page.locator('html[data-following]').waitFor()
    await change('Ask for Ana.')
    await page.locator('#note', { hasText: 'Ask for Ana.' }).waitFor()
    await change('')
    await page.getByRole('heading', { name: 'Note', exact: true }).waitFor({ state: 'detached' })
    await work.close(page)
  })

  test('is finished while another is on its way, and the next is typed meanwhile', async () => {
    const deal = await openDeal(work.service, { name: 'Slow line' })
    for (const title of ['Call', 'Write']) {
      await work.service.request('POST', TASKS, { body: { title, dealId: deal.id } })
    }
    const page = await work.open(`${DEALS}/${deal.id}`)
    const finish = await holdBack(page, '**/finishings')
    for (const title of ['Call', 'Write']) await page.getByRole('button', { name: `Finish “${title}”` }).click()
    finish()
    await page.locator('#task-list', { hasText: 'No open tasks' }).waitFor()
    // News can show what a form did before its own answer, until which it is not sent again.
    const answers = (count: number) => page.locator(`html[data-sent="${count}"]`).waitFor()
    await answers(2)

    const add = await holdBack(page, `**${TASKS}`)
    const title = page.getByLabel('New task')
    await title.fill('Visit')
    await title.press('Enter')
    await title.press('Enter')
    await title.fill('Sign')
    await title.press('Enter')
    add()
    await page.locator('#task-list', { hasText: 'Visit' }).waitFor()
    await answers(3)
    assert.equal(await title.inputValue(), 'Sign', 'what is not sent yet stays')
    await title.press('Enter')
    await page.locator('#task-list', { hasText: 'Sign' }).waitFor()
    const { body } = await work.service.request('GET', `${DEALS}/${deal.id}/tasks?status=open`)
    const titles = (body.items as readonly { readonly title: string }[]).map((each) => each.title)
    assert.deepEqual(titles, ['Visit', 'Sign'])
    await work.close(page)
  })

  for (const [way, options] of ways()) {
    test(`is selected with others, changed and brought back, ${way}; the list is kept as a tab`, async () => {
      const assignee = `Team ${way}`
      const titles = ['Call', 'Write', 'Visit'].map((title) => `${title} ${way}`)
      for (const title of titles) await work.service.request('POST', TASKS, { body: { title, assignee } })
      const page = await work.open(`${TASKS}?assignee=${encodeURIComponent(assignee)}&status=open`, options)
      const shown = () => page.locator('.tasks div > a').allInnerTexts()
      for (const title of titles.slice(0, 2)) await page.getByLabel(title, { exact: true }).check()
      await page.getByLabel('What to do with the selected rows').selectOption('finish')
      await submit(page, 'Continue')
      await submit(page, 'Finish: 2 rows')
      assert.deepEqual(await shown(), titles.slice(2))
      await submit(page, 'Undo')
      assert.deepEqual((await shown()).toSorted(), titles.toSorted())

      await unfold(page, 'Save as a view')
      await page.getByLabel('Name of the view').fill(assignee)
      await submit(page, 'Save')
      const tabs = page.getByRole('navigation', { name: 'Lists' })
      assert.equal(await tabs.locator('[aria-current]').innerText(), assignee)
      await work.close(page)
    })
  }
})
