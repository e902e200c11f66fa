import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { connect } from '../../src/client.ts'
import { DEALS, openDeal, storedDeal } from '../http/making-deals.ts'
import { choose, desk, submit, unfold } from './desk.ts'

const work = desk()
const { open, close } = work
const hostile = '<script>alert(1)</script> & "sons"'

const marks = (page: Page): Promise<string> => page.locator('.marks').first().innerText()
/** A field of the operation whose form is open. */
const field = (page: Page, label: string): Locator =>
  page.locator('details.op[open] .field', { hasText: label }).locator('input, select, textarea')
const idOf = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? ''

suite('the whole life of a deal', () => {
  for (const javaScriptEnabled of [true, false]) {
    test(`by clicking, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
      const page = await open('/customers', { javaScriptEnabled })
      await unfold(page, 'New customer')
      await page.getByLabel('Name', { exact: true }).fill('Ana Ruiz')
      await submit(page, 'Create')
      assert.equal(await page.locator('h1').innerText(), 'Ana Ruiz')
      const customer = idOf(page)

      await unfold(page, 'New deal')
      await page.locator('#new-form').getByLabel('Name').fill(hostile)
      await page.locator('#new-form').getByLabel('Price').fill('51800')
      await submit(page, 'Create a deal')
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
      assert.match(await page.locator('.withheld').innerText(), /Complete: the deal is held/)
      await submit(page, 'Take off hold')

      await choose(page, 'Record a payment')
      await field(page, 'Amount').fill('1800.50')
      await submit(page, 'Record a payment')
      assert.match(await page.locator('.ledger tfoot').innerText(), /49,999\.50/)

      await choose(page, 'Complete')
      await field(page, 'Accepted by').fill('Jonas Weber')
      await submit(page, 'Complete')
      assert.match(await marks(page), /Completed/)
      await submit(page, 'Archive')
      assert.match(await marks(page), /Archived/)

      await submit(page, 'Delete')
      if (javaScriptEnabled) {
        assert.equal((await storedDeal(work.service, id)).deletedAt, null, 'it is asked once more')
        await submit(page, 'Yes: delete')
      }
      await page.getByText('This deal was deleted').waitFor()
      await page.goto(`${work.service.url}${DEALS}?deleted=true`)
      await page.getByRole('link', { name: hostile }).click()
      await submit(page, 'Restore')
      await page.getByRole('heading', { name: 'Facts' }).waitFor()
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

suite('the board', () => {
  test('a card is moved by dragging, which sends the same operation as its form', async () => {
    const deal = await openDeal(work.service, { name: 'Cold store' })
    const page = await open('/board')
    const card = page.locator(`#deal-${deal.id}`)
    await card.dragTo(page.locator('[data-stage=proposal]'), { sourcePosition: { x: 60, y: 50 } })
    await page.locator(`[data-stage=proposal] #deal-${deal.id}`).waitFor()
    await page.getByText('Moved to proposal.').waitFor()
    const entry = await work.service.request('GET', `${DEALS}/${deal.id}/history/2`)
    assert.partialDeepStrictEqual(entry.body, { operation: 'move', form: 'noun', params: { stage: 'proposal' } })

    await card.getByRole('button', { name: 'Negotiation' }).click()
    await page.locator(`[data-stage=negotiation] #deal-${deal.id}`).waitFor()
    assert.equal(new URL(page.url()).pathname, '/board', 'the board stays')
    await close(page)
  })

  test('a card that may not be moved any more goes back, and it is said why', async () => {
    const deal = await openDeal(work.service, { name: 'Fire doors' })
    const page = await open('/board')
    // Without news the page still offers what is no longer allowed.
    await page.route('**/events*', (route) => route.abort())
    await page.reload()
    await work.service.request('POST', `${DEALS}/${deal.id}/holds`, { body: { reason: 'x' } })
    await page.locator(`#deal-${deal.id}`).getByRole('button', { name: 'qualified' }).click()
    await page.getByText(/Not moved:/).waitFor()
    assert.match(await page.locator('[data-stage=lead]').innerText(), /Fire doors/)
    await close(page)
  })

  test('its filters are those of the table, in the address', async () => {
    await openDeal(work.service, { name: 'Small', price: 10, owner: 'Mila Sanz' })
    await openDeal(work.service, { name: 'Large', price: 90_000, owner: 'Mila Sanz' })
    for (const javaScriptEnabled of [true, false]) {
      const page = await open('/board', { javaScriptEnabled })
      await page.getByLabel('Owner').fill('Mila Sanz')
      await page.getByLabel('Price from').fill('1000')
      await submit(page, 'Filter')
      assert.equal(page.url(), `${work.service.url}/board?owner=Mila+Sanz&price.gte=1000`)
      assert.deepEqual(await page.locator('.card h3').allInnerTexts(), ['Large'])
      await page.getByRole('link', { name: 'Table' }).click()
      assert.equal(page.url(), `${work.service.url}${DEALS}?owner=Mila+Sanz&price.gte=1000`)
      await page.getByRole('link', { name: 'Without price.gte=1000' }).click()
      assert.deepEqual(await page.locator('tbody th').allInnerTexts(), ['Small', 'Large'])
      await close(page)
    }
  })
})

suite('a form that is refused', () => {
  test('says beside each field what is wrong, and keeps what was filled in', async () => {
    const deal = await openDeal(work.service)
    const page = await open(`${DEALS}/${deal.id}`, { javaScriptEnabled: false })
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

  test('a new deal keeps everything that was filled in', async () => {
    const page = await open(DEALS, { javaScriptEnabled: false })
    await unfold(page, 'New deal')
    const form = page.locator('#new-form')
    await form.getByLabel('Name').fill('Roof')
    await form.getByLabel('Price').fill('100')
    await form.getByLabel('Currency').fill('XXX')
    await form.getByLabel('Stage').selectOption('qualified')
    await submit(page, 'Create a deal')
    assert.match(await page.locator('.fault').innerText(), /ISO 4217/)
    assert.equal(await form.getByLabel('Name').inputValue(), 'Roof')
    assert.equal(await form.getByLabel('Stage').inputValue(), 'qualified')
    await form.getByLabel('Currency').fill('CHF')
    await submit(page, 'Create a deal')
    assert.match(await marks(page), /100\.00 CHF/)
    await close(page)
  })

  test('a stale form tells what happened in between and is sent again with one button', async () => {
    const deal = await openDeal(work.service)
    const page = await open(`${DEALS}/${deal.id}`, { javaScriptEnabled: false })
    await choose(page, 'Add a note')
    await field(page, 'Text').fill('Called the customer.')
    await work.service.request('POST', `${DEALS}/${deal.id}/renamings`, { body: { newName: 'Fifty machines' } })
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await submit(page, 'Add a note')
    assert.equal((await answered).status(), 412)
    assert.match(await page.locator('.refused .timeline').innerText(), /Renamed it to “Fifty machines”/)
    assert.equal(await page.locator('#again').getByLabel('Text').inputValue(), 'Called the customer.')
    await submit(page, 'Try again')
    assert.match(await page.locator('.timeline li').first().innerText(), /Called the customer\./)
    await close(page)
  })

  test('what the deal no longer allows is said with what was entered', async () => {
    const deal = await openDeal(work.service)
    const page = await open(`${DEALS}/${deal.id}`, { javaScriptEnabled: false })
    await choose(page, 'Complete')
    await field(page, 'Note').fill('signed on site')
    await work.service.request('POST', `${DEALS}/${deal.id}/cancellations`, { body: { reason: 'withdrew' } })
    await submit(page, 'Complete')
    const refused = await page.locator('.refused').innerText()
    assert.match(refused, /Complete is not possible now: the deal is cancelled/)
    assert.match(refused, /signed on site/)
    await close(page)
  })

  test('a customer who is named by a deal stays, and it is said why', async () => {
    const { body } = await work.service.request('POST', '/customers', { body: { name: 'Bo' } })
    await openDeal(work.service, { customerId: Number(body.id) })
    const page = await open(`/customers/${body.id}`, { javaScriptEnabled: false })
    await page.locator('#edit-form').getByLabel('Age').fill('41')
    await submit(page, 'Save')
    assert.match(await page.locator('.facts').innerText(), /41/)
    await submit(page, 'Delete')
    assert.match(await page.locator('.refused').innerText(), /Deals name this customer/)
    await close(page)
  })
})

suite('the same, in every form', () => {
  test('each request that is shown does what it says it does', async () => {
    const { origin } = new URL(work.service.url)
    const deal = await openDeal(work.service)
    const page = await open(`${DEALS}/${deal.id}/actions/hold`, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByLabel('Reason').fill("Ana's credit")
    assert.equal(await page.locator('.forms > details').count(), 8)
    const codes = await page.locator('.forms pre[data-copy]').allTextContents()
    const commands = codes.filter((code) => code.startsWith('curl'))
    assert.equal(commands.length, 8)
    for (const command of commands) {
      const { method, path, body } = readCurl(command, origin)
      const answer = await work.service.request(method, path, { body })
      assert.ok([200, 201].includes(answer.status), `${command}\n${answer.text}`)
      const held = { held: true, holdReason: "Ana's credit" }
      assert.partialDeepStrictEqual(await storedDeal(work.service, deal.id), held, command)
      await work.service.request('POST', `${DEALS}/${deal.id}/unholds`)
    }
    const programs = codes.filter((code) => code.startsWith('import'))
    assert.equal(programs.length, 8)
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
function readCurl(command: string, origin: string): { method: string; path: string; body: unknown } {
  const [, method = 'POST', address = ''] = /^curl(?: -X (\w+))? (\S+)/.exec(command) ?? []
  const [, data = '{}'] = /-d '(.*)'$/s.exec(command) ?? []
  return { method, path: address.slice(origin.length), body: JSON.parse(data.replaceAll("'\\''", "'")) }
}

suite('two people at work', () => {
  test("see each other's changes without asking", async () => {
    const deal = await openDeal(work.service, { name: 'Bakery oven' })
    const [hers, his, board] = await Promise.all([
      open(`${DEALS}/${deal.id}`),
      open(`${DEALS}/${deal.id}`),
      open('/board'),
    ])
    for (const page of [hers, his, board]) await page.locator('html[data-following]').waitFor()
    await choose(his, 'Add a note')
    await field(his, 'Text').fill('His note, half written')

    await choose(hers, 'Put on hold')
    await field(hers, 'Reason').fill('credit check')
    await submit(hers, 'Put on hold')
    await his.locator('#title .mark.held').waitFor()
    await his.locator('#history', { hasText: 'Put it on hold' }).waitFor()
    assert.equal(await field(his, 'Text').inputValue(), 'His note, half written', 'what is typed stays')
    await his.getByText('Your form is kept').waitFor()
    await board.locator(`#deal-${deal.id} .mark.held`).waitFor()
    await Promise.all([hers, his, board].map(close))
  })

  test('a new deal appears on the first page and in the activity', async () => {
    const [home, activity] = await Promise.all([open('/'), open('/events?sort=-sequence')])
    for (const page of [home, activity]) await page.locator('html[data-following]').waitFor()
    await openDeal(work.service, { name: 'Just in' })
    for (const page of [home, activity]) await page.getByRole('link', { name: 'Just in' }).first().waitFor()
    await Promise.all([home, activity].map(close))
  })
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

suite('webhooks', () => {
  test('are added, with a secret that is shown once, and removed', async () => {
    const page = await open('/webhooks', { javaScriptEnabled: false })
    await unfold(page, 'New webhook')
    await page.getByLabel('Address').fill('http://127.0.0.1:9/hook')
    await submit(page, 'Subscribe')
    assert.match(await page.locator('.fault').innerText(), /public address/)
    assert.equal(await page.getByLabel('Address').inputValue(), 'http://127.0.0.1:9/hook')
    await page.getByLabel('Address').fill('https://example.com/hook')
    await submit(page, 'Subscribe')
    assert.match(await page.locator('pre').innerText(), /^whsec_/)
    await page.getByRole('link', { name: 'Webhooks' }).first().click()
    await page.getByRole('link', { name: 'https://example.com/hook' }).click()
    assert.equal(await page.getByText('whsec_').count(), 0)
    await submit(page, 'Remove')
    await page.getByText('Nobody is called.').waitFor()
    await close(page)
  })
})

suite('keys', () => {
  test('lead to the places, and can be turned off', async () => {
    const page = await open('/customers')
    await page.keyboard.press('b')
    await page.waitForURL('**/board')
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await page.getByLabel('Use these keys').uncheck()
    await submit(page, 'Close')
    await page.keyboard.press('d')
    await page.keyboard.press('/')
    assert.equal(new URL(page.url()).pathname, '/board')
    await close(page)
  })

  test('everything is reached and done with the keyboard alone', async () => {
    const deal = await openDeal(work.service)
    const page = await open(`${DEALS}/${deal.id}`)
    await page.locator('summary', { hasText: 'Put on hold' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type('credit check')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('.mark.held').first().waitFor()
    await close(page)
  })
})
