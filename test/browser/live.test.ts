import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { choose, desk, field, noteText, submit } from '../support/browser/desk.ts'
import { DEALS, openDeal } from '../support/service/making-deals.ts'

const work = desk()
const { open, close } = work
/** More than the connections that a browser has to one service, where all ways are taken; two tell the same of turns. */
const BOARDS = process.env.BROWSER_WAYS === 'all' ? 7 : 2
const phone = { viewport: { width: 390, height: 844 } }

suite('two people at work', () => {
  test("see each other's changes without asking", async () => {
    const deal = await openDeal(work.service, { name: 'Bakery oven' })
    const [hers, his, board] = await Promise.all([
      open(`${DEALS}/${deal.id}`),
      open(`${DEALS}/${deal.id}`, phone),
      open('/board'),
    ])
    for (const page of [hers, his, board]) await page.locator('html[data-following]').waitFor()
    await noteText(his).fill('His note, half written')

    await choose(hers, 'Put on hold')
    await field(hers, 'Reason').fill('credit check')
    await submit(hers, 'Put on hold')
    await his.locator('#title .mark.held').waitFor()
    await his.locator('#history', { hasText: 'Put on hold' }).waitFor()
    assert.equal(await noteText(his).inputValue(), 'His note, half written', 'what is typed stays')
    await his.getByText('Your form is kept').waitFor()
    await board.locator(`#deal-${deal.id} .mark.held`).waitFor()
    assert.equal(await hers.getByText('Your form is kept').count(), 0, 'her own change is no surprise')
    await Promise.all([hers, his, board].map(close))
  })

  test('see them again after a pause: of the service, and of a page that the browser kept', async () => {
    const deal = await openDeal(work.service, { name: 'Paused' })
    const page = await open('/sign-in')
    let isBusy = true
    await page.route('**/events', (route) => (isBusy ? route.fulfill({ status: 503 }) : route.continue()))
    const refused = page.waitForResponse(/\/events$/)
    await page.goto(`${work.service.url}${DEALS}/${deal.id}`)
    await refused
    isBusy = false
    await page.locator('html[data-following]').waitFor()
    await work.service.request('POST', `${DEALS}/${deal.id}/holds`, { body: { reason: 'x' } })
    await page.locator('.marks', { hasText: 'On hold' }).waitFor()

    // As a browser does when one leaves the page and comes back.
    const again = page.waitForResponse(/\/events$/)
    for (const type of ['pagehide', 'pageshow'])
      await page.evaluate(`dispatchEvent(new PageTransitionEvent('${type}', { persisted: true }))`)
    await again
    await work.service.request('POST', `${DEALS}/${deal.id}/unholds`)
    await page.locator('.marks', { hasText: /^Open/ }).waitFor()
    await close(page)
  })

  test('what somebody else removed has gone from its open page too, unless a form there is in use', async () => {
    const request = async (method: string, path: string, body?: object) => {
      const answer = await work.service.request(method, path, { ...(body && { body }) })
      assert.ok(answer.status < 300, answer.text)
      return answer
    }
    await request('POST', '/pipelines', { name: 'brief', title: 'Brief', stages: [{ name: 'first' }] })
    const deal = await openDeal(work.service, { name: 'Moves on', pipeline: 'brief' })
    const customer = String((await request('POST', '/customers', { name: 'Brief Ltd' })).headers.location)
    const [pipeline, watching, typing] = await Promise.all(
      ['/pipelines/brief', customer, customer].map((path) => open(path)),
    )
    assert.ok(pipeline && watching && typing)
    for (const page of [pipeline, watching, typing]) await page.locator('html[data-following]').waitFor()
    await noteText(typing).fill('Half written')
    await request('DELETE', '/pipelines/brief?moveTo=sales')
    await request('DELETE', customer)
    await pipeline.getByRole('heading', { level: 1, name: 'No such pipeline' }).waitFor()
    assert.equal(await pipeline.getByText('Closing').count(), 0)
    assert.equal((await work.service.request('GET', `${DEALS}/${deal.id}`)).body.pipeline, 'sales')
    await watching.getByRole('heading', { level: 1, name: 'No such customer' }).waitFor()
    await typing.getByText('Your form is kept').waitFor()
    assert.equal(await noteText(typing).inputValue(), 'Half written')
    await Promise.all([pipeline, watching, typing].map(close))
  })

  test('a new deal appears on the first page and in the activity', async () => {
    const [home, activity] = await Promise.all([open('/'), open('/events?sort=-sequence')])
    for (const page of [home, activity]) await page.locator('html[data-following]').waitFor()
    await openDeal(work.service, { name: 'Just in' })
    for (const page of [home, activity]) await page.getByRole('link', { name: 'Just in' }).first().waitFor()
    await Promise.all([home, activity].map(close))
  })
})

suite('the pages of one browser', () => {
  /** Resolves once the service has so many streams of events open. */
  const streams = async (wanted: number): Promise<void> => {
    const isSo = new RegExp(`^dealdesk_feed_followers ${wanted}$`, 'm')
    while (!isSo.test((await work.service.request('GET', '/metrics')).text)) await pause(20)
  }
  const openBeside = async (context: BrowserContext, path: string): Promise<Page> => {
    const page = await context.newPage()
    await page.goto(work.service.url + path)
    return page
  }
  /** Counts what a page still asks for because of what it heard: soon, or on its way. */
  const countAsking = `{
    const [start, ask] = [setTimeout, fetch]
    window.asksYet = 0
    const counted = async (act) => {
      window.asksYet++
      return act().finally(() => window.asksYet--)
    }
    const soon = (act) => void counted(() => new Promise((resolve) => start(() => resolve(act()), 250)))
    setTimeout = (act, delay, ...given) => (delay === 250 ? soon(act) : start(act, delay, ...given))
    fetch = (...given) => counted(() => ask(...given))
  }`
  /** As when one goes to another tab, and comes back. */
  const setHidden = (page: Page, hidden: boolean): Promise<unknown> =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: ${hidden} })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)

  test('share one stream, over which all that are visible hear of changes', async () => {
    const deal = await openDeal(work.service, { name: 'Many tabs' })
    const card = `#deal-${deal.id}`
    const change = (path: string, body?: object) =>
      work.service.request('POST', `${DEALS}/${deal.id}/${path}`, { body })
    const first = await open('/board')
    await first.locator('html[data-following]').waitFor()
    await first.context().addInitScript(countAsking)
    const others: Page[] = []
    for (let count = 2; count <= BOARDS; count++) others.push(await openBeside(first.context(), '/board'))
    const ofDeal = await openBeside(first.context(), `${DEALS}/${deal.id}`)
    assert.equal(await first.evaluate("fetch('/health/live').then(({ status }) => status)"), 200)
    await streams(1)

    await change('holds', { reason: 'credit check' })
    for (const page of [first, ...others]) await page.locator(`${card} .mark.held`).waitFor()
    await ofDeal.locator('#title .mark.held').waitFor()

    // Whatever happens while another page takes over is heard.
    await Promise.all([first.close(), change('unholds')])
    for (const page of others) await page.locator(`${card}:not(:has(.mark.held))`).waitFor()
    await ofDeal.locator('#title:not(:has(.mark.held))').waitFor()
    await streams(1)

    for (const page of [...others, ofDeal]) await setHidden(page, true)
    await streams(0)
    const [second] = others
    assert.ok(second)
    // What it heard before it was hidden may still be asked for, and would show what comes next.
    while ((await second.evaluate('window.asksYet')) !== 0) await pause(20)
    await change('holds', { reason: 'credit check' })
    await setHidden(ofDeal, false)
    await ofDeal.locator('#title .mark.held').waitFor()
    await streams(1)
    assert.equal(await second.locator(`${card} .mark.held`).count(), 0, 'a hidden page rests')
    await setHidden(second, false)
    await second.locator(`${card} .mark.held`).waitFor()
    await change('unholds')
    await second.locator(`${card}:not(:has(.mark.held))`).waitFor()
    await streams(1)
    await close(ofDeal)
    await streams(0)
  })

  test('have a stream each where the browser has no locks', async () => {
    const deal = await openDeal(work.service, { name: 'No locks' })
    const first = await open('/sign-in')
    await first.context().addInitScript('delete Navigator.prototype.locks')
    const pages = [await openBeside(first.context(), '/board'), await openBeside(first.context(), '/board')]
    for (const page of pages) await page.locator('html[data-following]').waitFor()
    await streams(2)
    await work.service.request('POST', `${DEALS}/${deal.id}/holds`, { body: { reason: 'x' } })
    for (const page of pages) await page.locator(`#deal-${deal.id} .mark.held`).waitFor()
    await close(first)
    await streams(0)
  })
})
