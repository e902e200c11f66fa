import { after, before } from 'node:test'
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { runService, type TestService } from '../service/running-service.ts'
import { type UsedBrowser, useBrowser } from './launch-browser.ts'

/** A service and a browser for the tests of one file, and what people do with them. */
export interface Desk {
  readonly service: TestService
  /** A window of a browser of its own. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>
  close(page: Page): Promise<void>
}

/** Milliseconds for whatever a page is waited for: only what never comes is a failure, not what a busy machine is late with. */
export const LONGEST_STEP = 180_000

/**
 * Pages take back what they told after 2 or 8 seconds, and after 10 let a form be sent again whose answer did not come.
 * A machine that stands still meanwhile would show a test none of it, so these never end. Pages retry after 5 seconds.
 */
const keepTold = `{
  const start = setTimeout
  setTimeout = (act, delay, ...given) => ([2000, 8000, 10000].includes(delay) ? 0 : start(act, delay, ...given))
}`

export function desk(): Desk {
  let running: { readonly service: TestService; readonly used: UsedBrowser } | undefined
  const now = () => {
    if (running === undefined) throw new Error('not before the tests run')
    return running
  }
  before(async () => {
    const used = await useBrowser()
    running = { service: await runService(), used }
  })
  after(async () => {
    await running?.used.close()
    await running?.service.close()
  })
  return {
    get service() {
      return now().service
    },
    async open(path, options = {}) {
      const context: BrowserContext = await now().used.browser.newContext({
        locale: 'en-GB',
        timezoneId: 'UTC',
        ...options,
      })
      context.setDefaultTimeout(LONGEST_STEP)
      await context.addInitScript(keepTold)
      const page = await context.newPage()
      await page.goto(now().service.url + path)
      return page
    },
    close: (page) => page.context().close(),
  }
}

/** Opens the form of an operation on a thing's page: beside its name, at a field, or in the menu of actions. */
export async function choose(page: Page, title: string): Promise<void> {
  const named = page.locator('summary', { hasText: new RegExp(`^${title}$`) })
  const form = named.or(page.locator(`summary[aria-label="${title}"]`))
  if (!(await form.isVisible())) await openActions(page)
  await form.click()
}

/** Opens the menu of what can be done with a thing, unless it is open. */
export async function openActions(page: Page): Promise<void> {
  const menu = page.locator('#actions:not([open]) > summary')
  if ((await menu.count()) > 0) await menu.click()
}

/** The form that changes a thing, which opens in place of its details. */
export async function editing(page: Page): Promise<Locator> {
  const closed = page.locator('.editing:not([open]) > summary')
  if ((await closed.count()) > 0) await closed.click()
  return page.locator('#edit-form')
}

/** A field of the operation whose form is open. */
export const field = (page: Page, label: string): Locator =>
  page.locator('details.op[open] .field', { hasText: label }).locator('input, select, textarea')

/** The text of a note, on top of a thing's page. */
export const noteText = (page: Page): Locator => page.locator('#note-form textarea')

/** The state of a deal, as the head of its page shows it: its marks, its price and its stage. */
export const marks = async (page: Page): Promise<string> =>
  (await page.locator('.head .marks, .glance, .stages [aria-current]').allInnerTexts()).join('\n')

/** Opens the form for something new. */
export const unfold = (page: Page, text: string): Promise<void> => page.locator('summary', { hasText: text }).click()

/** Opens one's own menu: the profile, the colours, the way out. */
export const openAccount = (page: Page): Promise<void> => page.locator('.account > summary').click()

/** Sends the form that is open, and waits for the page that answers it, or for this one to be up to date again. */
export async function submit(page: Page, button: string): Promise<void> {
  const target = buttonCalled(page, button)
  await isLoadedWith(page, target)
  const sent = Number((await page.locator('html').getAttribute('data-sent')) ?? 0)
  const ways = [page.waitForEvent('load'), page.locator(`html[data-sent="${sent + 1}"]`).waitFor()]
  // The other way is not taken.
  for (const way of ways) way.catch(() => undefined)
  await Promise.all([Promise.race(ways), target.click()])
}

/** Fills in filters, and waits for the list that they leave: with script they apply at once, without it with a button. */
export async function filterBy(page: Page, fields: { readonly [label: string]: string }, query: string): Promise<void> {
  const form = page.getByRole('form', { name: 'Filter' })
  const folded = form.locator('details:not([open]) > summary')
  if ((await folded.count()) > 0) await folded.click()
  for (const [label, value] of Object.entries(fields)) await form.getByLabel(label, { exact: true }).fill(value)
  const button = form.getByRole('button', { name: 'Filter' })
  if (await button.isVisible()) await follow(page, button)
  else await page.locator(`html[data-filtered=${JSON.stringify(query)}]`).waitFor()
}

/** Presses a button that leads nowhere else. */
export const press = (page: Page, button: string): Promise<void> => buttonCalled(page, button).click()

/** Clicks what leads to another page, and waits until that page is there: a click alone is over before. */
export async function follow(page: Page, target: Locator): Promise<void> {
  await isLoadedWith(page, target)
  await Promise.all([page.waitForEvent('load'), target.click()])
}

/** A page shows what it has before it is loaded; the end of that must not be taken for the next page. */
async function isLoadedWith(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  await page.waitForLoadState()
}

/** Does what leads to another page in some way that only a script sees, and waits until that page is there. */
export async function leave(page: Page, act: () => Promise<unknown>): Promise<void> {
  await page.waitForLoadState()
  await Promise.all([page.waitForEvent('load'), act()])
}

/** Keeps requests to an address waiting, as a slow network does; answers how to let them go. */
export async function holdBack(page: Page, address: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await released
    await route.continue()
  })
  return release
}

const buttonCalled = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })

/** What a reader without a profile does to see what is for developers. */
export async function asDeveloper(page: Page): Promise<void> {
  await openAccount(page)
  await submit(page, 'Show links for developers')
}
