import assert from 'node:assert/strict'
import { test as anyTest, suite } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import { desk, filterBy, follow, holdBack, leave, press, submit } from '../support/browser/desk.ts'
import { scripting } from '../support/browser/ways.ts'
import { everySecond } from '../support/inputs/drawn.ts'
import { DEALS, openDeal, storedDeal } from '../support/service/making-deals.ts'

const test = everySecond(anyTest)
const work = desk()
const { open, close } = work

const cardOf = (page: Page, { id }: { readonly id: string }): Locator => page.locator(`#deal-${id}`)
const column = (page: Page, stage: string): Locator => page.locator(`[data-stage=${stage}]`)

/** Drags a card to a place that is there only while something is dragged. */
async function dragTo(page: Page, card: Locator, place: Locator): Promise<void> {
  await card.hover({ position: { x: 60, y: 40 } })
  await page.mouse.down()
  await page.mouse.move(300, 300, { steps: 3 })
  await place.hover()
  await page.mouse.up()
}

/** `npm run test:long -- board` fills the board, drops several cards, and tells how soon each is painted. */
const LONG_COLUMN = 28
const CARDS = Number(process.env.BOARD_CARDS ?? LONG_COLUMN)
const DROPS = CARDS > LONG_COLUMN ? 6 : 1

/** Notes the milliseconds from each drop to the end of the frame that shows it. */
const notePaints = `
  window.paints = []
  addEventListener('drop', () => {
    const dropped = performance.now()
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => paints.push(performance.now() - dropped)
      port2.postMessage('')
    })
  }, true)`

/** Opens the form of an operation in the dialog of a card. */
async function changeIn(dialog: Locator, operation: string): Promise<Locator> {
  await dialog.locator(`#op-${operation} > summary`).click()
  return dialog.locator(`#op-${operation} form`)
}

suite('the board', () => {
  test('a card is moved by dragging, which sends the same operation as its form', async () => {
    const deal = await openDeal(work.service, { name: 'Cold store' })
    const page = await open('/board')
    const card = page.locator(`#deal-${deal.id}`)
    await card.dragTo(page.locator('[data-stage=proposal]'), { sourcePosition: { x: 60, y: 50 } })
    await page.locator(`[data-stage=proposal] #deal-${deal.id}`).waitFor()
    await page.locator('#told', { hasText: 'moved to proposal' }).waitFor()
    const entry = await work.service.request('GET', `${DEALS}/${deal.id}/history/2`)
    assert.partialDeepStrictEqual(entry.body, { operation: 'move', form: 'noun', params: { stage: 'proposal' } })

    await card.getByRole('button', { name: 'Negotiation' }).click()
    await page.locator(`[data-stage=negotiation] #deal-${deal.id}`).waitFor()
    assert.equal(new URL(page.url()).pathname, '/board', 'the board stays')
    await close(page)
  })

  test('without script a card is moved with its buttons', async () => {
    const deal = await openDeal(work.service, { name: 'Ice rink' })
    const page = await open('/board', { javaScriptEnabled: false })
    await follow(page, page.getByRole('button', { name: 'Move Ice rink to qualified' }))
    assert.equal(page.url(), `${work.service.url}/board`, 'it leads back')
    await column(page, 'qualified').locator(`#deal-${deal.id}`).waitFor()
    await submit(page, 'Undo')
    await column(page, 'lead').locator(`#deal-${deal.id}`).waitFor()
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
    await page.getByText(/Not done:/).waitFor()
    assert.match(await page.locator('[data-stage=lead]').innerText(), /Fire doors/)

    // So does a card that somebody else has just changed: the reason is told, not the form to send again.
    await work.service.request('POST', `${DEALS}/${deal.id}/unholds`)
    await page.reload()
    await work.service.request('POST', `${DEALS}/${deal.id}/renamings`, { body: { newName: 'Fire gates' } })
    await page.locator(`#deal-${deal.id}`).getByRole('button', { name: 'qualified' }).click()
    await page.getByText(/Not done:/).waitFor()
    const why =
      'It has changed in the meantime. Somebody changed this while you were editing. Your change is not saved yet.'
    assert.equal(await page.locator('.toast').textContent(), `Not done: ${why}`)
    await close(page)
  })

  test('its filters are those of the table, in the address', async () => {
    await openDeal(work.service, { name: 'Small', price: 10, owner: 'Mila Sanz' })
    await openDeal(work.service, { name: 'Large', price: 90_000, owner: 'Mila Sanz' })
    for (const javaScriptEnabled of scripting()) {
      const page = await open('/board', { javaScriptEnabled })
      const query = '?owner=Mila+Sanz&price.gte=1000'
      await filterBy(page, { Owner: 'Mila Sanz', 'Price from': '1000' }, query)
      assert.equal(page.url(), `${work.service.url}/board${query}`)
      assert.deepEqual(await page.locator('.card h3').allInnerTexts(), ['Large'])
      assert.equal(await page.getByRole('link', { name: 'Without Price at least 1,000' }).count(), 1)
      if (javaScriptEnabled) {
        await page.locator('[name="price.gte"]:focus').waitFor()
        // The page is loaded again: until it has its script it hears of no other step.
        await leave(page, () => page.goBack())
        await page.locator('.card h3', { hasText: 'Small' }).waitFor()
        await leave(page, () => page.goForward())
        assert.equal(await page.locator('.card h3', { hasText: 'Small' }).count(), 0)
      }
      await follow(page, page.getByRole('link', { name: 'Table' }))
      assert.equal(page.url(), `${work.service.url}${DEALS}?status=open&owner=Mila+Sanz&price.gte=1000`)
      await follow(page, page.getByRole('link', { name: 'Without Price at least 1,000' }))
      assert.deepEqual(await page.locator('tbody th').allInnerTexts(), ['Large', 'Small'], 'the latest first')
      await close(page)
    }
  })

  test('a card dragged to Won is completed, and Undo opens it again', async () => {
    const deal = await openDeal(work.service, { name: 'Harbour crane' })
    const page = await open('/board')
    await dragTo(page, cardOf(page, deal), page.locator('.outcomes .won'))
    await page.locator('#told', { hasText: 'Harbour crane' }).waitFor()
    await cardOf(page, deal).waitFor({ state: 'detached' })
    assert.equal((await storedDeal(work.service, deal.id)).status, 'completed')
    await press(page, 'Undo')
    await cardOf(page, deal).waitFor()
    assert.partialDeepStrictEqual(await storedDeal(work.service, deal.id), { status: 'open', stage: 'lead' })
    await close(page)
  })

  test('a card dragged to Lost asks for the reason first', async () => {
    const deal = await openDeal(work.service, { name: 'Night bus' })
    const page = await open('/board')
    await dragTo(page, cardOf(page, deal), page.locator('.outcomes .lost'))
    await press(page, 'Close')
    assert.equal((await storedDeal(work.service, deal.id)).status, 'open', 'it can be thought over')
    await cardOf(page, deal).getByRole('link', { name: 'Lost: Night bus' }).click()
    await page.getByLabel('Reason').fill('too expensive')
    await press(page, 'Lost')
    await cardOf(page, deal).waitFor({ state: 'detached' })
    const lost = await storedDeal(work.service, deal.id)
    assert.partialDeepStrictEqual(lost, { status: 'cancelled', closingReason: 'too expensive' })
    await close(page)
  })

  test('without script a card is won and lost with its buttons', async () => {
    const won = await openDeal(work.service, { name: 'Won deal' })
    const lost = await openDeal(work.service, { name: 'Lost deal' })
    const page = await open('/board', { javaScriptEnabled: false })
    await follow(page, page.getByRole('link', { name: 'Lost: Lost deal' }))
    await page.getByLabel('Reason').fill('no budget')
    await submit(page, 'Lost')
    assert.equal((await storedDeal(work.service, lost.id)).closingReason, 'no budget')
    await page.goto(`${work.service.url}/board`)
    await follow(page, page.getByRole('button', { name: 'Won: Won deal' }))
    const { status, completedOn, updatedAt } = await storedDeal(work.service, won.id)
    assert.deepEqual([status, completedOn], ['completed', String(updatedAt).slice(0, 10)])
    await close(page)
  })

  test('a move is undone, with the card back where it was', async () => {
    const deal = await openDeal(work.service, { name: 'Choir robes', stage: 'proposal' })
    const page = await open('/board')
    await cardOf(page, deal).getByRole('button', { name: 'Negotiation' }).click()
    await column(page, 'negotiation').locator(`#deal-${deal.id}`).waitFor()
    await press(page, 'Undo')
    await column(page, 'proposal').locator(`#deal-${deal.id}`).waitFor()
    await close(page)
  })

  for (const { locale, name, price, words } of [
    {
      locale: 'en-GB',
      name: 'Greenhouse',
      price: '1,250.50',
      words: ['Change Greenhouse', 'New price', 'Reason', 'Undo'],
    },
    {
      locale: 'de-DE',
      name: 'Laube',
      price: '1.250,50',
      words: ['Laube ändern', 'Neuer Preis', 'Grund', 'Rückgängig'],
    },
  ])
    test(`a card is changed by the forms of its deal, with a reason, and back: ${locale}`, async () => {
      const [change = '', newPrice = '', reason = '', undo = ''] = words
      const deal = await openDeal(work.service, { name, price: 100 })
      const page = await open('/board', { locale })
      await press(page, change)
      const dialog = page.getByRole('dialog', { name })
      const form = await changeIn(dialog, 'change-price')
      await form.getByLabel(newPrice).fill(price)
      await form.getByRole('button').click()
      await form.locator('textarea:focus:invalid').waitFor()
      await form.getByLabel(reason).fill('volume discount')
      await form.getByRole('button').click()
      await cardOf(page, deal).getByText(price).waitFor()
      await dialog.waitFor({ state: 'detached' })
      await cardOf(page, deal).locator('h3 a:focus').waitFor()
      const { body } = await work.service.request('GET', `${DEALS}/${deal.id}/history/2`)
      assert.partialDeepStrictEqual(body, {
        operation: 'change-price',
        params: { newPrice: 1250.5, reason: 'volume discount' },
      })
      await press(page, undo)
      await cardOf(page, deal).getByText(price).waitFor({ state: 'detached' })
      assert.equal((await storedDeal(work.service, deal.id)).price, 100)
      await close(page)
    })

  test('a refused change of a card keeps what was typed, with the reason in the language of the reader', async () => {
    const deal = await openDeal(work.service, { name: 'Gewächshaus', price: 100 })
    const page = await open('/board', { locale: 'de-DE' })
    await press(page, 'Gewächshaus ändern')
    const dialog = page.getByRole('dialog', { name: 'Gewächshaus' })
    const form = await changeIn(dialog, 'change-price')
    await form.getByLabel('Neuer Preis').fill('10,1234')
    await form.getByLabel('Grund').fill('Rabatt')
    await form.getByRole('button').click()
    await dialog.getByText('darf höchstens so viele Nachkommastellen haben wie die Währung').waitFor()
    assert.equal(await dialog.getByLabel('Neuer Preis').inputValue(), '10,1234')

    // Somebody else's change meanwhile is shown beside it.
    await work.service.request('POST', `${DEALS}/${deal.id}/moves`, { body: { stage: 'proposal' } })
    await dialog.getByLabel('Neuer Preis').fill('250')
    await press(page, 'Noch einmal versuchen')
    await dialog.getByText('Jemand hat das geändert, während Sie es bearbeitet haben.').waitFor()
    await dialog.getByText('nach „Angebot“ verschoben').waitFor()
    assert.equal(await dialog.getByLabel('Grund').inputValue(), 'Rabatt')
    await press(page, 'Noch einmal versuchen')
    await column(page, 'proposal').locator(`#deal-${deal.id}`).getByText('250,00').waitFor()
    assert.partialDeepStrictEqual(await storedDeal(work.service, deal.id), { price: 250, stage: 'proposal' })
    await close(page)
  })

  test('what happens while a card is asked about shows behind the dialog, and the focus returns to the card', async () => {
    const [asked, other] = await Promise.all(
      ['Asked', 'Other'].map((name) => openDeal(work.service, { name, owner: 'Waiting' })),
    )
    if (!asked || !other) throw new Error('two deals are made')
    const page = await open('/board?owner=Waiting')
    await page.locator('html[data-following]').waitFor()
    await press(page, 'Change Asked')
    const form = await changeIn(page.getByRole('dialog'), 'assign')
    await form.getByLabel('Owner').fill('Ada')
    await work.service.request('POST', `${DEALS}/${other.id}/moves`, { body: { stage: 'contract' } })
    await column(page, 'contract').locator(`#deal-${other.id}`).waitFor()
    assert.equal(await form.getByLabel('Owner').inputValue(), 'Ada')
    await press(page, 'Close')
    await cardOf(page, asked).locator(':focus').waitFor()
    await close(page)
  })

  test('a reason that could not be sent is asked for again, and what was dragged goes back', async () => {
    // Alone on its board: a column that does not fit the window is scrolled in between, which ends a drag.
    const deal = await openDeal(work.service, { name: 'Lost line', owner: 'Offline' })
    const page = await open('/board?owner=Offline')
    await page.route('**/events*', (route) => route.abort())
    await page.reload()
    const card = cardOf(page, deal)
    await card.getByRole('link', { name: 'Lost: Lost line' }).click()
    await page.getByLabel('Reason').fill('too far')
    await page.context().setOffline(true)
    await press(page, 'Lost')
    await page.getByText('That did not work. Please try again.').waitFor()
    assert.equal(await page.getByLabel('Reason').inputValue(), 'too far')
    await press(page, 'Close')
    await card.dragTo(column(page, 'proposal'), { sourcePosition: { x: 60, y: 50 } })
    // The card is there before it is dropped too: that it went and came back is told.
    await page.locator('.toast', { hasText: 'That did not work. Please try again.' }).waitFor()
    await column(page, 'lead').locator(`#deal-${deal.id}`).waitFor()
    await page.context().setOffline(false)
    await card.getByRole('link', { name: 'Lost: Lost line' }).click()
    await page.getByLabel('Reason').fill('too far')
    await work.service.request('POST', `${DEALS}/${deal.id}/notes`, { body: { text: 'x' } })
    await press(page, 'Lost')
    await page.getByRole('dialog').getByText('It has changed in the meantime').waitFor()
    assert.equal(await page.getByLabel('Reason').inputValue(), 'too far')
    await press(page, 'Try again')
    await card.waitFor({ state: 'detached' })
    assert.equal((await storedDeal(work.service, deal.id)).closingReason, 'too far')
    await close(page)
  })

  test('a card rests while it is on its way, and an undo that is pressed twice is done once', async () => {
    const deal = await openDeal(work.service, { name: 'Twice', owner: 'Once' })
    const page = await open('/board?owner=Once')
    const card = cardOf(page, deal)
    const send = await holdBack(page, '**/moves')
    await card.dragTo(column(page, 'qualified'), { sourcePosition: { x: 60, y: 50 } })
    await page.locator(`#deal-${deal.id}[inert]`).waitFor({ state: 'attached' })
    send()
    await page.locator(`[data-stage=qualified] #deal-${deal.id}:not([inert])`).waitFor()
    await page.locator('#told button', { hasText: 'Undo' }).dblclick()
    await page.locator('#told', { hasText: 'Moved to Lead' }).waitFor()
    await page.locator(`[data-stage=lead] #deal-${deal.id}:not([inert])`).waitFor()
    assert.equal((await storedDeal(work.service, deal.id)).revision, 3)
    await close(page)
  })

  test('nor does the second click of a double click undo the undo, if the answer comes in between', async () => {
    const deal = await openDeal(work.service, { name: 'Slow hand', owner: 'Doubly' })
    const page = await open('/board?owner=Doubly')
    await cardOf(page, deal).getByRole('button', { name: 'Qualified' }).click()
    const undo = page.locator('#told button', { hasText: 'Undo' })
    await undo.click()
    await page.locator('#told', { hasText: 'Moved to Lead' }).waitFor()
    await page.locator('html[data-sent="2"]').waitFor()
    const inPlace = await undo.evaluate((button) => button.matches(':hover'))
    assert.ok(inPlace, 'the next one is under the pointer')
    await page.mouse.down({ clickCount: 2 })
    await page.mouse.up({ clickCount: 2 })
    await undo.click()
    await page.locator('#told', { hasText: 'Moved to Qualified' }).waitFor()
    assert.equal((await storedDeal(work.service, deal.id)).revision, 4)
    await close(page)
  })

  test('a drop keeps the place in a long column, whose heading and message stay in sight', async (t) => {
    const stages = ['lead', 'qualified', 'proposal', 'negotiation', 'contract']
    const stageOf = (nth: number) =>
      nth === 0 ? 'qualified' : nth < LONG_COLUMN ? 'lead' : stages[nth % stages.length]
    const all = Array.from({ length: CARDS }, (_, nth) => ({
      action: 'CreateDeal',
      params: { name: `Long ${nth}`, price: 1, owner: 'Long', stage: stageOf(nth) },
    }))
    for (let from = 0; from < CARDS; from += 200) {
      const body = { atomic: true, commands: all.slice(from, from + 200) }
      assert.equal((await work.service.request('POST', '/rest/v1/batch', { body })).status, 200)
    }
    const size = { width: 1300, height: 600 }
    const page = await open('/board?owner=Long', { viewport: size })
    await page.evaluate(notePaints)
    // Cards that come into sight get their own heights, which moves the end.
    await page.waitForFunction(`new Promise((resolve) => {
      const end = document.documentElement
      scrollTo(0, end.scrollHeight)
      const tell = () => resolve(Math.ceil(scrollY + innerHeight) >= end.scrollHeight)
      requestAnimationFrame(() => requestAnimationFrame(tell))
    })`)
    const places = `[scrollY, ...['#stage-lead', '#stage-qualified', '.column[data-stage=lead] li:last-child']
      .map((each) => document.querySelector(each).getBoundingClientRect().top)]`
    for (let drop = 0; drop < DROPS; drop++) {
      const card = column(page, 'lead').locator('li').nth(-3)
      const id = await card.getAttribute('id')
      await card.hover({ position: { x: 20, y: 40 } })
      const [scrolled = 0, lead = 0, , last = 0] = (await page.evaluate(places)) as readonly number[]
      assert.ok(scrolled > size.height && last > 0 && last < size.height, 'at the end of a long column')
      assert.ok(lead > 0 && lead < 100, `its heading is in sight, not at ${lead}`)
      await page.mouse.down()
      await page.mouse.move(300, 300, { steps: 3 })
      await page.mouse.move(400, 300, { steps: 3 })
      await page.mouse.up()
      await column(page, 'qualified').locator(`[id="${id}"]`).waitFor({ state: 'attached' })
      await page.locator('#told', { hasText: 'moved to qualified' }).waitFor()
      await page.locator('#cards:not(:has([inert]))').waitFor()
      const [after = 0] = (await page.evaluate(places)) as readonly number[]
      // The column has one card less.
      assert.ok(Math.abs(after - scrolled) < 120, `at ${after} instead of ${scrolled}`)
    }
    const notedPaints = () => page.evaluate('paints') as Promise<readonly number[]>
    while ((await notedPaints()).length < DROPS) await pause(20)
    const paints = await notedPaints()
    assert.equal(paints.length, DROPS)
    const shown = await page.locator('.card').count()
    t.diagnostic(`${CARDS} deals, ${shown} cards: a drop is painted after ${paints.map(Math.round).join(', ')} ms`)
    const { y = 0 } = (await page.locator('#told').boundingBox()) ?? {}
    assert.ok(y > 0 && y < size.height, 'the message is in sight')
    const first = (): Promise<unknown> => page.evaluate("document.querySelector('#cards').offsetTop")
    const top = await first()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.locator('#told:empty').waitFor({ state: 'attached' })
    assert.equal(await first(), top, 'it covers the page instead of moving it')
    await close(page)
  })

  test('on a phone the first card is in the upper third, and the rows of the list are even', async () => {
    for (const name of ['Short', `Long ${'name '.repeat(20)}`]) await openDeal(work.service, { name, owner: 'Phone' })
    const height = 844
    const page = await open('/board?owner=Phone', { viewport: { width: 390, height }, isMobile: true, hasTouch: true })
    const { y = height } = (await page.locator('.card').first().boundingBox()) ?? {}
    assert.ok(y < height * 0.35, `at ${y}`)
    await page.goto(`${work.service.url}${DEALS}?owner=Phone`)
    const rows = await page.locator('tbody tr').all()
    const heights = await Promise.all(rows.map(async (row) => (await row.boundingBox())?.height))
    assert.deepEqual(heights, [56, 56])
    await close(page)
  })

  test('the whole card is a link, above which its buttons appear', async () => {
    const deal = await openDeal(work.service, { name: 'Wide link', owner: 'Linked' })
    for (const javaScriptEnabled of scripting()) {
      const page = await open('/board?owner=Linked', { javaScriptEnabled })
      const shown = (): Promise<unknown> =>
        page.evaluate("getComputedStyle(document.querySelector('.card form')).opacity")
      await page.mouse.move(0, 0)
      assert.equal(await shown(), '0')
      await cardOf(page, deal).hover({ position: { x: 20, y: 50 } })
      assert.equal(await shown(), '1')
      await page.mouse.move(0, 0)
      await cardOf(page, deal).getByRole('link', { name: 'Wide link', exact: true }).focus()
      assert.equal(await shown(), '1')
      await Promise.all([
        page.waitForURL(`**${DEALS}/${deal.id}`),
        cardOf(page, deal).click({ position: { x: 20, y: 50 } }),
      ])
      await close(page)
    }
  })

  test('keys move, win, lose and assign the card in focus, and the focus stays among the cards', async () => {
    const [first, second] = await Promise.all(
      ['Key one', 'Key two'].map((name) => openDeal(work.service, { name, owner: 'Keyed', stage: 'qualified' })),
    )
    if (!first || !second) throw new Error('two deals are made')
    const page = await open('/board?owner=Keyed', { locale: 'de-DE' })
    const focused = (deal: { readonly id: string }) => cardOf(page, deal).locator('h3 a:focus')
    await cardOf(page, first).locator('h3 a').focus()
    await page.keyboard.press('.')
    await column(page, 'proposal').locator(`#deal-${first.id}`).waitFor()
    await focused(first).waitFor()
    await page.keyboard.press(',')
    await column(page, 'qualified').locator(`#deal-${first.id}`).waitFor()
    await focused(first).waitFor()
    await page.keyboard.press('o')
    await page.locator('dialog [name=owner]:focus').waitFor()
    const selected = await page.evaluate(
      '((field) => [field.selectionStart, field.selectionEnd])(document.activeElement)',
    )
    assert.deepEqual(selected, [0, 'Keyed'.length], 'what is typed replaces the text')
    await page.keyboard.press('Escape')
    await focused(first).waitFor()
    await page.keyboard.press('w')
    await cardOf(page, first).waitFor({ state: 'detached' })
    await focused(second).waitFor()
    await page.keyboard.press('l')
    await page.getByLabel('Grund').fill('zu teuer')
    await page.keyboard.press('Control+Enter')
    await cardOf(page, second).waitFor({ state: 'detached' })
    // News can take the card away before the dialog has its own answer; keys are for the page again once it is closed.
    await page.locator('dialog[open]').waitFor({ state: 'detached' })
    assert.equal((await storedDeal(work.service, first.id)).status, 'completed')
    assert.equal((await storedDeal(work.service, second.id)).closingReason, 'zu teuer')
    await page.keyboard.press('?')
    assert.match(await page.locator('dialog[open]').innerText(), /Für die ausgewählte Karte[\s\S]*nächste Phase/)
    await close(page)
  })

  test('on a phone the columns are a strip, and cards are moved with a finger', async () => {
    const deal = await openDeal(work.service, { name: 'Kayaks', stage: 'qualified' })
    const page = await open('/board', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    const { y = 844 } = (await column(page, 'lead').boundingBox()) ?? {}
    assert.ok(y < 844 * 0.3, `the first column begins at ${y}`)
    await cardOf(page, deal).getByRole('button', { name: 'Move Kayaks to Proposal' }).tap()
    const strip = (): Promise<unknown> => page.evaluate("document.querySelector('#cards').scrollLeft")
    const place = await strip()
    await column(page, 'proposal').locator(`#deal-${deal.id}`).waitFor()
    assert.ok(Number(place) > 0)
    assert.equal(await strip(), place, 'the place in the strip stays')
    const width = await page.evaluate('document.documentElement.scrollWidth')
    assert.equal(width, 390, 'only the strip scrolls')
    await close(page)
  })

  test('filtered to nothing it says so, and leads out', async () => {
    const page = await open('/board?owner=nobody')
    await page.getByText('No deals match.').waitFor()
    await follow(page, page.getByRole('link', { name: 'Show all deals' }))
    assert.equal(page.url(), `${work.service.url}/board`)
    await close(page)
  })

  test('sums are in the currency that was chosen, from then on', async () => {
    await work.service.request('POST', '/rates', { body: { currency: 'USD', perUnit: 2, since: '2026-01-01' } })
    await openDeal(work.service, { name: 'In dollars', price: 50, currency: 'USD', owner: 'Rated' })
    for (const javaScriptEnabled of scripting()) {
      const page = await open('/board?owner=Rated', { javaScriptEnabled })
      assert.match(await column(page, 'lead').locator('header').innerText(), /25(\.00)? EUR/)
      await page.locator('#totals summary').click()
      await page.getByLabel('Totals in').selectOption('USD')
      if (!javaScriptEnabled) await submit(page, 'Show')
      await column(page, 'lead')
        .locator('header', { hasText: /50(\.00)? USD/ })
        .waitFor()
      assert.equal(page.url(), `${work.service.url}/board?owner=Rated`)
      await close(page)
    }
  })
})
