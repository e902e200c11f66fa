import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { before, suite, test } from 'node:test'
import { HtmlValidate } from 'html-validate'
import type { Page } from 'playwright-core'
import { operations } from '../../src/deals/operations.ts'
import { DEALS, openDeal } from '../http/making-deals.ts'
import { desk } from './desk.ts'

const LARGEST_PAGE = 60_000
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const validator = new HtmlValidate({ extends: ['html-validate:recommended'], rules: { 'long-title': 'off' } })

const work = desk()
let paths: readonly string[]

/** A desk with a deal in every state. */
async function fill(): Promise<void> {
  const { request } = work.service
  for (let age = 5; age < 95; age += 3) {
    await request('POST', '/customers', {
      body: { name: `Customer of ${age}`, age, country: 'DE', email: 'a@b.example' },
    })
  }
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
    '/rest/commands',
    '/rest/commands/hold-1',
    '/rest/commands/complete-1',
    '/query',
    '/problems',
    '/problems/wrong-state',
    '/nothing-here',
    `${DEALS}?status=opened`,
    ...operations
      .filter(({ on }) => on === undefined)
      .map(({ name }) => `${rich}/actions/${name}`)
      .slice(0, 3),
  ]
}

async function violations(page: Page): Promise<readonly string[]> {
  // As text, which runs beside the page's own policy for scripts.
  await page.evaluate(axe)
  const { violations } = (await page.evaluate(`axe.run({ resultTypes: ['violations'] })`)) as {
    readonly violations: readonly { id: string; nodes: readonly { html: string; failureSummary: string }[] }[]
  }
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)
}

suite('every page', () => {
  before(fill)

  test('is accessible in both colour schemes, as far as axe sees', async () => {
    const page = await work.open('/')
    for (const path of paths) {
      await page.goto(work.service.url + path)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        assert.deepEqual(await violations(page), [], `${path} ${colorScheme}`)
      }
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

  test('is small, whole with its style and script, and asks nobody else', async () => {
    const page = await work.open('/')
    const sizes = new Map<string, number>()
    page.on('response', async (response) => {
      const { origin, pathname } = new URL(response.url())
      assert.equal(origin, work.service.url)
      if (response.request().resourceType() === 'eventsource') return
      sizes.set(pathname, (await response.body().catch(() => Buffer.alloc(0))).length)
    })
    for (const path of paths) {
      await page.goto(work.service.url + path, { waitUntil: 'load' })
      const own = (await page.content()).length
      const { text: style } = await work.service.request('GET', '/style.css')
      const { text: script } = await work.service.request('GET', '/app.js')
      assert.ok(own + style.length + script.length < LARGEST_PAGE, `${path} has ${own}`)
    }
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
