import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { before, suite, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { HtmlValidate } from 'html-validate'
import type { Page } from 'playwright-core'
import { fillDemo } from '../../src/cli/fill-demo.ts'
import { readSettings } from '../../src/config.ts'
import { operations } from '../../src/deals/operations.ts'
import { DEALS, openDeal } from '../http/making-deals.ts'
import { desk } from './desk.ts'

const LARGEST_PAGE = 60_000
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const validator = new HtmlValidate({ extends: ['html-validate:recommended'], rules: { 'long-title': 'off' } })

const work = desk()
let paths: readonly string[]

/** The demo's desk, and a deal in every state. */
async function fill(): Promise<void> {
  await fillDemo(readSettings({ DATABASE_URL: work.service.database.url }))
  const { request } = work.service
  const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const [rich, held, done, off, gone] = await Promise.all(
    ['Roof', 'Lift', 'Oven', 'Vans', 'Lamps'].map(async (name, at) => {
      const { id } = await openDeal(work.service, {
        name,
        customerId: at + 1,
        owner: 'Mila Sanz',
        description: 'Two lines\nof text.',
        completionDate: day(at * 3 - 4),
      })
      return `${DEALS}/${id}`
    }),
  )
  await request('POST', `${rich}/payments`, { body: { amount: 12.5, reference: 'INV-1' } })
  await request('POST', `${rich}/completion-date-changes`, {
    body: { newDate: day(2), amercement: 5, whyChanged: 'x' },
  })
  await request('PUT', `${held}/commands/hold-1`, { body: { action: 'hold', params: { reason: 'credit check' } } })
  await request('PUT', `${held}/commands/complete-1`, { body: { action: 'complete' } })
  await request('POST', `${done}/completions`, { body: {} })
  await request('POST', `${done}/archivals`, { body: {} })
  await request('POST', `${off}/cancellations`, { body: { reason: 'withdrew', amercement: 3 } })
  await request('POST', `${gone}/deletions`, { body: {} })
  const subscribed = await request('POST', '/webhooks', { body: { url: 'https://example.com/hook' } })
  const webhook = String(subscribed.headers.location)
  await request('POST', `${rich}/notes`, { body: { text: 'x' } })
  const number = await firstDelivery(webhook)
  paths = [
    '/',
    '/board',
    DEALS,
    `${DEALS}?status=open&price.gte=10&sort=-price`,
    `${DEALS}?name.regex=nothing-like-it`,
    `${rich}`,
    `${held}`,
    `${done}`,
    `${off}`,
    `${gone}`,
    `${rich}/actions`,
    `${rich}/history`,
    `${rich}/history/1`,
    '/customers?age.gte=20&age.lte=29',
    '/customers/1',
    '/events?sort=-sequence',
    '/webhooks',
    webhook,
    `${webhook}/deliveries/${number}`,
    '/rest/commands',
    '/rest/commands/hold-1',
    '/rest/commands/complete-1',
    '/query',
    '/problems',
    '/problems/wrong-state',
    '/nothing-here',
    '/docs',
    '/docs/hold',
    `${DEALS}?status=opened`,
    ...operations
      .filter(({ on }) => on === undefined)
      .map(({ name }) => `${rich}/actions/${name}`)
      .slice(0, 3),
  ]
}

async function firstDelivery(webhook: string): Promise<number> {
  for (;;) {
    const { body } = await work.service.request('GET', `${webhook}/deliveries`)
    const [first] = body.items as readonly { readonly number: number }[]
    if (first !== undefined) return first.number
    await setTimeout(50)
  }
}

async function violations(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) }
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as {
    readonly violations: readonly { id: string; nodes: readonly { html: string; failureSummary: string }[] }[]
  }
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)
}

suite('every page', () => {
  before(fill)

  test('is accessible in both colour schemes, as far as axe sees', async () => {
    const page = await work.open('/')
    for (const path of paths) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(work.service.url + path)
      // As text, which runs beside the page's own policy for scripts.
      await page.evaluate(axe)
      assert.deepEqual(await violations(page), [], `${path} in the light`)
      await page.emulateMedia({ colorScheme: 'dark' })
      // The page is the same in the dark, all but its colours.
      assert.deepEqual(await violations(page, ['color-contrast', 'link-in-text-block']), [], `${path} in the dark`)
    }
    await work.close(page)
  })

  test('is valid HTML', async () => {
    for (const path of paths) {
      const { text } = await work.service.request('GET', path, { headers: { accept: 'text/html' } })
      const { results } = await validator.validateString(text)
      const faults = results.flatMap(({ messages }) =>
        messages.map(({ ruleId, message, line }) => `${line}: ${ruleId}: ${message}`),
      )
      assert.deepEqual(faults, [], path)
    }
  })

  test('is small, whole with its style and script', async () => {
    const size = async (path: string): Promise<number> => {
      const { text } = await work.service.request('GET', path, { headers: { accept: 'text/html,*/*;q=0.8' } })
      return Buffer.byteLength(text)
    }
    const common = (await size('/style.css')) + (await size('/app.js'))
    for (const path of paths) {
      const whole = common + (await size(path))
      assert.ok(whole < LARGEST_PAGE, `${path} has ${whole} bytes`)
    }
  })

  test('asks nobody else', async () => {
    const page = await work.open('/')
    const asked = new Set<string>()
    page.on('request', (request) => asked.add(new URL(request.url()).origin))
    for (const path of paths) await page.goto(work.service.url + path, { waitUntil: 'load' })
    asked.delete('null') // the icon, which is in the page
    assert.deepEqual([...asked], [work.service.url])
    await work.close(page)
  })

  test('fits a narrow screen', async () => {
    const page = await work.open('/', { viewport: { width: 360, height: 740 } })
    for (const path of paths) {
      await page.goto(work.service.url + path)
      const width = await page.evaluate('document.documentElement.scrollWidth')
      assert.ok(Number(width) <= 360, `${path} is ${width} wide`)
    }
    await work.close(page)
  })
})
