import assert from 'node:assert/strict'
import { test as anyTest, suite } from 'node:test'
import { connect } from '../../src/client.ts'
import { doors } from '../../src/doors/doors.ts'
import { formNames } from '../../src/http/forms/forms.ts'
import {
  asDeveloper,
  choose,
  desk,
  editing,
  field,
  follow,
  holdBack,
  marks,
  noteText,
  openActions,
  press,
  submit,
} from '../support/browser/desk.ts'
import { scripting } from '../support/browser/ways.ts'
import { everySecond } from '../support/inputs/drawn.ts'
import { DEALS, openDeal, storedDeal } from '../support/service/making-deals.ts'

const test = everySecond(anyTest)
const work = desk()
const { open, close } = work
const TASKS = '/rest/v1/tasks'
const hostile = '<script>alert(1)</script> & "sons"'

suite('a form that is refused', () => {
  for (const javaScriptEnabled of scripting()) {
    const how = javaScriptEnabled ? 'with script' : 'without script'
    test(`says beside each field what is wrong, and keeps what was filled in, ${how}`, async () => {
      const deal = await openDeal(work.service)
      const page = await open(`${DEALS}/${deal.id}`, { javaScriptEnabled })
      // As a browser that does not check by itself would send it.
      await choose(page, 'Change the price')
      const form = page.locator('#op-change-price-form')
      await form.evaluate((element) => element.setAttribute('novalidate', ''))
      await form.getByLabel('New price').fill('49999.955')
      await form.getByLabel('Reason').fill(`  ${hostile}`)
      const answered = page.waitForResponse((response) => response.request().method() === 'POST')
      await form.getByRole('button').click()
      assert.equal((await answered).status(), 422)
      const again = page.locator('#again')
      const price = again.getByLabel('New price')
      assert.equal(await price.inputValue(), '49999.955')
      assert.equal(await price.getAttribute('aria-invalid'), 'true')
      assert.match(await again.locator('.fault').innerText(), /must have at most 2 decimals/)
      assert.equal((await again.getByLabel('Reason').inputValue()).trim(), hostile)
      await price.fill('49999.95')
      await submit(page, 'Try again')
      assert.match(await marks(page), /49,999\.95/)
      await close(page)
    })

    test(`a stale form tells what happened in between and is sent again with one button, ${how}`, async () => {
      const deal = await openDeal(work.service)
      const page = await open(`${DEALS}/${deal.id}`, { javaScriptEnabled })
      await choose(page, 'Put on hold')
      await field(page, 'Reason').fill('Called the customer.')
      await work.service.request('POST', `${DEALS}/${deal.id}/renamings`, { body: { newName: 'Fifty machines' } })
      const answered = page.waitForResponse((response) => response.request().method() === 'POST')
      await submit(page, 'Put on hold')
      assert.equal((await answered).status(), 412)
      assert.match(await page.locator('.refused .timeline').innerText(), /Renamed to “Fifty machines”/)
      assert.equal(await page.locator('#again').getByLabel('Reason').inputValue(), 'Called the customer.')
      await submit(page, 'Try again')
      assert.match(await page.locator('.timeline li').first().innerText(), /Called the customer\./)
      await close(page)
    })
  }

  test('of two who change a price, the second sees one form in sight: what they typed, and what is so now', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const deal = await openDeal(work.service, { price: 1000 })
      const page = await open(`${DEALS}/${deal.id}`, { javaScriptEnabled, viewport: { width: 900, height: 500 } })
      if (javaScriptEnabled) await page.locator('html[data-following]').waitFor()
      await choose(page, 'Change the price')
      await field(page, 'New price').fill('2,500.50')
      await field(page, 'Reason').fill('discount')
      await work.service.request('POST', `${DEALS}/${deal.id}/price-changes`, {
        body: { newPrice: 1500, reason: 'list price' },
      })
      await page.evaluate('scrollTo(0, document.body.scrollHeight)')
      const answered = page.waitForResponse((response) => response.request().method() === 'POST')
      await page.evaluate(`document.getElementById('op-change-price-form').requestSubmit()`)
      assert.equal((await answered).status(), 412)
      const notice = page.getByRole('alert')
      await notice.getByText('Your change is not saved yet.').waitFor()
      assert.equal(await page.locator('form[action$="/price-changes"]').count(), 1)
      assert.equal(await page.getByLabel('New price').inputValue(), '2,500.50')
      assert.match(await page.locator('#again').innerText(), /now 1,500/)
      assert.match(await notice.locator('.timeline').innerText(), /Changed the price to 1,500\.00 EUR\s+“?list price/)
      const top = await notice.evaluate((element) => element.getBoundingClientRect().top)
      assert.ok(top >= 0 && top < 500, `in sight, at ${top}`)
      const focused = await page.evaluate(`document.activeElement.getAttribute('role')`)
      if (javaScriptEnabled) {
        assert.equal(focused, 'alert')
        // What happens next is shown, and there is still one form.
        await work.service.request('POST', `${DEALS}/${deal.id}/renamings`, { body: { newName: 'Renamed meanwhile' } })
        await page.locator('#history', { hasText: 'Renamed meanwhile' }).waitFor()
        assert.equal(await page.locator('form[action$="/price-changes"]').count(), 1)
        await submit(page, 'Try again')
        await notice.getByText('Renamed meanwhile').waitFor()
      }
      await submit(page, 'Try again')
      assert.equal((await storedDeal(work.service, deal.id)).price, 2500.5)
      await close(page)
    }
  })

  test('a new deal keeps everything that was filled in', async () => {
    const page = await open(DEALS, { javaScriptEnabled: false })
    await follow(page, page.getByRole('link', { name: 'New deal', exact: true }))
    const form = page.locator('#new-form')
    await form.getByLabel('Name', { exact: true }).fill('Roof')
    await form.getByLabel('Price').fill('100')
    await form.getByLabel('Currency').fill('XXX')
    await form.getByLabel('Stage').selectOption('qualified')
    await submit(page, 'Create a deal')
    assert.match(await page.locator('.fault').innerText(), /ISO 4217/)
    assert.equal(await form.getByLabel('Name', { exact: true }).inputValue(), 'Roof')
    assert.equal(await form.getByLabel('Stage').inputValue(), 'qualified')
    await form.getByLabel('Currency').fill('CHF')
    await submit(page, 'Create a deal')
    assert.match(await marks(page), /100\.00 CHF/)
    await close(page)
  })

  test('a form that was sent, and is changed by whoever came back to it, is sent with one button more', async () => {
    for (const javaScriptEnabled of scripting()) {
      const page = await open('/new/deals?price=100', { javaScriptEnabled })
      const name = page.locator('#new-form').getByLabel('Name', { exact: true })
      await name.fill('Roof')
      await submit(page, 'Create a deal')
      await page.goBack()
      await name.fill('Cellar')
      await submit(page, 'Create a deal')
      const told = 'The earlier content of the form was applied. Send it again to apply this, too.'
      assert.match(await page.getByRole('alert').innerText(), new RegExp(told.replaceAll('.', '\\.')))
      await submit(page, 'Create a deal')
      assert.equal(await page.locator('h1').innerText(), 'Cellar')
      await close(page)
    }
  })

  test('what the deal no longer allows is said with what was entered', async () => {
    const deal = await openDeal(work.service)
    const page = await open(`${DEALS}/${deal.id}`, { javaScriptEnabled: false })
    await choose(page, 'Won')
    await field(page, 'Note').fill('signed on site')
    await work.service.request('POST', `${DEALS}/${deal.id}/cancellations`, { body: { reason: 'withdrew' } })
    await submit(page, 'Won')
    const refused = await page.locator('.refused').innerText()
    assert.match(refused, /Won is not possible now: the deal is lost/)
    assert.match(refused, /signed on site/)
    await close(page)
  })

  test('a customer whom somebody else changed: only what one changed oneself stays, and says what it is now', async () => {
    const { body } = await work.service.request('POST', '/customers', { body: { name: 'Eva', age: 40, children: 1 } })
    const page = await open(`/customers/${body.id}`, { javaScriptEnabled: false })
    await (await editing(page)).getByLabel('Age').fill('41')
    const headers = { 'content-type': 'application/merge-patch+json' }
    await work.service.request('PATCH', `/customers/${body.id}`, { body: '{"children":2}', headers })
    await submit(page, 'Save')
    assert.deepEqual(await page.locator('#edit-form .note').allInnerTexts(), ['now 40'])
    assert.equal(await page.locator('#edit-form').getByLabel('Age').inputValue(), '41')
    assert.equal(await page.locator('#edit-form').getByLabel('Children').inputValue(), '2')
    await submit(page, 'Try again')
    assert.match(await page.locator('.facts').innerText(), /Age\s+41\s+Children\s+2/)
    await close(page)
  })

  test('stays, with what is said of it, while another form of its page is sent', async () => {
    const { body } = await work.service.request('POST', '/customers', { body: { name: 'Ida', age: 40 } })
    const page = await open(`/customers/${body.id}`)
    const edit = await editing(page)
    await edit.getByLabel('Age').fill('41')
    await edit.getByLabel('Email').fill('ida@example.com')
    const headers = { 'content-type': 'application/merge-patch+json' }
    await work.service.request('PATCH', `/customers/${body.id}`, { body: '{"age":50}', headers })
    await submit(page, 'Save')
    await page.getByLabel('New task').fill('Call Ida')
    await submit(page, 'Add')
    await page.locator('#task-list', { hasText: 'Call Ida' }).waitFor()
    assert.deepEqual(await edit.locator('.note').allInnerTexts(), ['now empty', 'now 50'])
    assert.equal(await edit.getByLabel('Age').inputValue(), '41')
    assert.equal(await edit.getByLabel('Email').inputValue(), 'ida@example.com')
    assert.match(await page.locator('#refusal').innerText(), /Your input is below/)
    await submit(page, 'Try again')
    assert.match(await page.locator('.facts').innerText(), /Age\s+41/)
    assert.equal(await page.locator('#refusal').innerText(), '')
    assert.equal(await edit.locator('.note').count(), 0)
    await close(page)
  })

  test('a task that somebody else changed keeps what they entered', async () => {
    const other = await openDeal(work.service, { name: 'Roof' })
    const { body } = await work.service.request('POST', TASKS, { body: { title: 'Two', note: 'a\nb' } })
    const page = await open(`${TASKS}/${body.id}`, { javaScriptEnabled: false })
    const edit = await editing(page)
    await edit.getByLabel('Title').fill('Three')
    await edit.getByLabel('Who').fill('Ana Ruiz')
    const entered = { dueAt: '2026-12-24T10:30:00.000Z', assignee: 'Mila Sanz', dealId: other.id, note: 'a\nb\nc' }
    const headers = { 'content-type': 'application/merge-patch+json' }
    await work.service.request('PATCH', `${TASKS}/${body.id}`, { body: JSON.stringify(entered), headers })
    await submit(page, 'Save')
    assert.deepEqual(await edit.locator('.note').allInnerTexts(), ['now Two', 'UTC', 'now Mila Sanz'])
    assert.equal(await edit.locator('[data-chosen]').getAttribute('data-chosen'), 'Roof')
    await submit(page, 'Try again')
    const now = await work.service.request('GET', `${TASKS}/${body.id}`)
    assert.partialDeepStrictEqual(now.body, { ...entered, title: 'Three', assignee: 'Ana Ruiz' })
    await close(page)
  })

  test('a customer who is named by a deal stays, and it is said why', async () => {
    const { body } = await work.service.request('POST', '/customers', { body: { name: 'Bo' } })
    await openDeal(work.service, { customerId: Number(body.id) })
    const page = await open(`/customers/${body.id}`, { javaScriptEnabled: false })
    await (await editing(page)).getByLabel('Age').fill('41')
    await submit(page, 'Save')
    assert.match(await page.locator('.facts').innerText(), /41/)
    await submit(page, 'Delete')
    await submit(page, 'Delete this customer')
    assert.match(await page.locator('.refused').innerText(), /Deals refer to this customer/)
    await close(page)
  })
})

suite('while a form is on its way', () => {
  test('what is typed into others stays, and so does the focus of whoever went on', async () => {
    const deal = await openDeal(work.service, { name: 'Slow line' })
    const page = await open(`${DEALS}/${deal.id}`)
    await choose(page, 'Put on hold')
    await field(page, 'Reason').fill('credit check')
    await noteText(page).fill('Called the customer.')
    const send = await holdBack(page, '**/notes')
    await press(page, 'Add a note')
    const search = page.getByRole('combobox', { name: 'Search everything' })
    await search.fill('li')
    send()
    await page.locator('#history', { hasText: 'Called the customer.' }).waitFor()
    await page.keyboard.type('nc')
    assert.equal(await search.inputValue(), 'linc')
    assert.equal(await field(page, 'Reason').inputValue(), 'credit check')
    await openActions(page)
    await submit(page, 'Put on hold')
    assert.match(await marks(page), /On hold/)
    await close(page)
  })

  test('a lost connection is told, and it can be sent again', async () => {
    const deal = await openDeal(work.service, { name: 'Lost line' })
    const page = await open(`${DEALS}/${deal.id}`)
    await noteText(page).fill('Called the customer.')
    await page.context().setOffline(true)
    await press(page, 'Add a note')
    const failure = page.getByText('That did not work. Please try again.')
    await failure.waitFor()
    await page.context().setOffline(false)
    await submit(page, 'Add a note')
    await page.locator('#history', { hasText: 'Called the customer.' }).waitFor()
    assert.equal(await failure.count(), 0, 'what was told of the first time is over')
    assert.equal((await storedDeal(work.service, deal.id)).revision, 2, 'it is done once')

    // The note is kept, but the page that tells it cannot be read.
    await noteText(page).fill('Called again.')
    await page.route(`**${DEALS}/${deal.id}`, (route) => route.fulfill({ status: 503, contentType: 'text/html' }))
    await press(page, 'Add a note')
    await failure.waitFor()
    await page.unroute(`**${DEALS}/${deal.id}`)
    await submit(page, 'Add a note')
    await page.locator('#history', { hasText: 'Called again.' }).waitFor()
    assert.equal((await storedDeal(work.service, deal.id)).revision, 3, 'it is done once')
    await close(page)
  })
})

suite('the same, in every form', () => {
  test('each request that is shown does what it says it does', async () => {
    const { origin } = new URL(work.service.url)
    const deal = await openDeal(work.service)
    const page = await open(`${DEALS}/${deal.id}/actions/hold`, { permissions: ['clipboard-read', 'clipboard-write'] })
    assert.equal(await page.locator('main nav, #every-form').count(), 0, 'a plain form')
    await asDeveloper(page)
    await page.getByLabel('Reason').fill("Ana's credit")
    const clients = formNames.filter((name) => name !== 'resource').length
    const ways = clients + doors.length
    assert.equal(await page.locator('#every-form details[name=every]').count(), ways)
    const codes = await page.locator('#every-form pre[data-copy]').allTextContents()
    const commands = codes.filter((code) => code.startsWith('curl'))
    assert.equal(commands.length, ways)
    for (const command of commands) {
      const { method, path, body, headers } = readCurl(command, origin)
      const answer = await work.service.request(method, path, { body, headers })
      assert.ok([200, 201].includes(answer.status), `${command}\n${answer.text}`)
      // A document of GraphQL has the values within its text, which does not follow what is typed.
      const held = { held: true, ...(path !== '/graphql' && { holdReason: "Ana's credit" }) }
      assert.partialDeepStrictEqual(await storedDeal(work.service, deal.id), held, command)
      await work.service.request('POST', `${DEALS}/${deal.id}/unholds`)
    }
    const programs = codes.filter((code) => code.startsWith('import'))
    assert.equal(programs.length, clients)
    for (const program of programs) {
      await run(program.replaceAll(/commandId: '/g, "commandId: 'again-"))
      const held = { held: true, holdReason: "Ana's credit" }
      assert.partialDeepStrictEqual(await storedDeal(work.service, deal.id), held, program)
      await work.service.request('POST', `${DEALS}/${deal.id}/unholds`)
    }
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    await close(page)
  })

  test('a number that is typed keeps its digits', async () => {
    const deal = await openDeal(work.service)
    const page = await open(`${DEALS}/${deal.id}/actions/change-price`)
    await asDeveloper(page)
    const code = page.locator('#every-form pre[data-copy]', { hasText: 'curl' }).first()
    for (const [typed, sent] of [
      ['12,345,678,901.0000001', '12345678901.0000001'],
      ['a lot', '"a lot"'],
    ] as const) {
      await page.getByLabel('New price').fill(typed)
      assert.ok((await code.textContent())?.includes(`"newPrice": ${sent},`), `${await code.textContent()}`)
    }
    await close(page)
  })
})

/** The program, with the client that it imports. */
async function run(program: string): Promise<void> {
  const [first = '', ...lines] = program.split('\n')
  assert.equal(first, "import { connect } from 'dealdesk/client'")
  const body = lines.join('\n')
  const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => (client: object) => Promise<void>
  await new AsyncFunction('{ connect }', body)({ connect })
}

/** As a shell reads it: what is in single quotes, and a quote put between them. */
function readCurl(command: string, origin: string) {
  const [, method = 'POST', address = ''] = /^curl(?: -X (\w+))? '?([^'\s]+)/.exec(command) ?? []
  const [, data = '{}'] = /-d '(.*)'$/s.exec(command) ?? []
  const sent = Array.from(command.matchAll(/ -H '([^:]+): ([^']*)'/g), ([, name = '', value = '']) => [
    name.toLowerCase(),
    value,
  ])
  const headers: Record<string, string> = Object.fromEntries(sent)
  return { method, path: address.slice(origin.length), body: JSON.parse(data.replaceAll("'\\''", "'")), headers }
}
