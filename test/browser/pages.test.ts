import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { before, suite, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { HtmlValidate } from 'html-validate'
import type { Page } from 'playwright-core'
import { anybody } from '../../src/languages/reader.ts'
import { scriptPath, stylePath } from '../../src/screens/shell/assets.ts'
import { memoize } from '../../src/values/memoize.ts'
import { withoutAlike } from '../support/browser/alike-markup.ts'
import { desk } from '../support/browser/desk.ts'
import { fillDesk, HEAD, PEOPLE, type Sight, type Sights } from '../support/browser/sights.ts'
import { seedOf } from '../support/inputs/draw.ts'
import { addPseudoLanguage, PSEUDO, removePseudoLanguage } from '../support/languages/pseudo-language.ts'
import { unsaidTexts } from '../support/languages/unsaid-texts.ts'
import { schema } from '../support/schema.ts'
import { DEALS } from '../support/service/making-deals.ts'
import { runService } from '../support/service/running-service.ts'

// Axe looks at some of the pages, the narrow screen at twice as many, and the validator at every twelfth; `npm run
// test:long -- pages` has all look at every page.
const SHARE = Number(process.env.AXE_SHARE ?? 40)
const PART = seedOf('AXE_PART', SHARE)
if (process.env.AXE_PART === undefined) console.log(`AXE_SHARE=${SHARE} AXE_PART=${PART}`)
const partOf = <T>(all: readonly T[], share: number): readonly T[] => all.filter((_, at) => at % share === PART % share)
const TWICE = Math.ceil(SHARE / 2)
/** A phone, and a wide screen. */
const WIDTHS = [390, 1440]
const TWELFTH = Math.min(SHARE, 12)
/** Bytes on the wire, compressed: a page with all that it loads. */
const LARGEST_PAGE = 40_000
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
// Numbers stay on one line by the style sheet: their spaces are copied as they were typed.
const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: { 'long-title': 'off', 'tel-non-breaking': 'off' },
})

const work = desk()
const signedIn = { extraHTTPHeaders: HEAD }
let sights: Sights
const everything = (): readonly Sight[] => [...sights.pages, ...sights.operations]
/** What each of them answers with, asked for once. */
const texts = new Map<Sight, Promise<string>>()
function shownBy(sight: Sight): Promise<string> {
  const text = texts.get(sight) ?? textOf(sight)
  texts.set(sight, text)
  return text
}
const told = ({ path, form }: Sight): string => `${form === undefined ? 'GET' : 'POST'} ${path}`

async function textOf({ path, form }: Sight, more: { readonly [header: string]: string } = {}): Promise<string> {
  const asking = {
    headers: { ...HEAD, accept: 'text/html,*/*;q=0.8', ...more },
    ...(form && { body: new URLSearchParams(form) }),
  }
  const { status, text } = await work.service.request(form === undefined ? 'GET' : 'POST', path, asking)
  assert.ok(status < 500, `${told({ path })}: ${status}`)
  return text
}

const foundIn = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found)

/** Members whose values the service chooses. */
const chosen = /^(status|stage|role|type|operation|action|resource|collection|code|detail|form)$/

/** What people typed, of everything there is. */
async function typedTexts(): Promise<string> {
  const paths = [
    DEALS,
    '/customers',
    '/rest/v1/tasks',
    '/views',
    '/rates',
    '/targets',
    '/users',
    '/webhooks',
    '/events',
    '/audit',
  ]
  const answers = await Promise.all(
    [...paths, '/rest/commands', '/users/mila/sessions', '/users/mila/keys', '/users/head/sessions'].map((path) =>
      work.service.request('GET', `${path}?maxpagesize=1000`, { headers: { ...HEAD, accept: 'application/json' } }),
    ),
  )
  const inForms = sights.pages.flatMap(({ form }) => textsIn(form))
  return [...answers.flatMap(({ body }) => textsIn(body)), ...inForms, PEOPLE].join('\n')
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => (chosen.test(name) ? [] : textsIn(each)))
}

/** As a browser comes to it: by its address, or by sending a form from a page of ours. */
async function look(page: Page, { path, form }: Sight): Promise<void> {
  if (form === undefined) {
    await page.goto(work.service.url + path)
    return
  }
  await page.goto(`${work.service.url}/problems`)
  await Promise.all([page.waitForURL(`**${path}`, { waitUntil: 'load' }), page.evaluate(sendForm(path, form))])
}

/** A form as one of our pages could have it; what runs in the browser is text. */
const sendForm = (path: string, form: NonNullable<Sight['form']>): string => `
  const form = Object.assign(document.createElement('form'), { method: 'post', action: ${JSON.stringify(path)} })
  for (const [name, value] of Object.entries(${JSON.stringify(form)}))
    form.append(Object.assign(document.createElement('input'), { name, value }))
  document.body.append(form)
  form.submit()`

/** Of rows and entries with the same markup one is enough. As text, which runs beside the page's own policy. */
const removeAlike = `
  const markupOf = (row) => [row, ...row.querySelectorAll('*')]
    .map((each) => [each.localName, each.className, ...each.getAttributeNames()]).join(' ')
  for (const list of new Set([...document.querySelectorAll('main :is(tr, li)')].map((row) => row.parentElement))) {
    const seen = new Set()
    for (const row of [...list.children]) {
      const markup = markupOf(row)
      if (seen.has(markup)) row.remove()
      seen.add(markup)
    }
  }`

async function violations(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // Axe takes the colours of the moment, and what appears is pale at first.
  await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))')
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) }
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as {
    readonly violations: readonly { id: string; nodes: readonly { html: string; failureSummary: string }[] }[]
  }
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)
}

suite('every page', () => {
  before(async () => {
    sights = await fillDesk(work.service)
  })

  test('is accessible in both colour schemes, as far as axe sees', async () => {
    const page = await work.open('/', signedIn)
    await page.addInitScript(axe)
    // Of the operations, which are alike: one with text, one with a number, one with a choice.
    const some = sights.operations.filter(({ path }) => /\/(hold|change-price|move)$/.test(path))
    const widths = SHARE === 1 ? WIDTHS : partOf(WIDTHS, WIDTHS.length)
    const looks = partOf([...sights.pages, ...some], SHARE).flatMap((sight) =>
      widths.map((width) => ({ sight, width })),
    )
    for (const { sight, width } of looks) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme: 'light' })
      await look(page, sight)
      await page.evaluate(removeAlike)
      assert.deepEqual(await violations(page), [], `${told(sight)} in the light, ${width}`)
      await page.emulateMedia({ colorScheme: 'dark' })
      // The page is the same in the dark, all but its colours.
      assert.deepEqual(
        await violations(page, ['color-contrast', 'link-in-text-block']),
        [],
        `${told(sight)} in the dark, ${width}`,
      )
    }
    await work.close(page)
  })

  test('so are the dialog of a card and a desk without deals, on a phone and on a wide screen', async () => {
    const empty = await runService()
    const screens = WIDTHS.flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ width, scheme })))
    for (const { width, scheme } of partOf(screens, Math.min(SHARE, screens.length))) {
      const viewport = { width, height: 900 }
      const page = await work.open('/problems', { ...signedIn, viewport, colorScheme: scheme })
      await page.addInitScript(axe)
      await page.goto(`${empty.url}/`)
      assert.deepEqual(await violations(page), [], `a desk without deals, ${width}, ${scheme}`)
      await page.goto(`${work.service.url}/board`)
      await page.evaluate("document.querySelector('.card .change').click()")
      await page.locator('dialog #op-change-price > summary').click()
      await page.evaluate(removeAlike)
      assert.deepEqual(await violations(page), [], `a dialog, ${width}, ${scheme}`)
      await work.close(page)
    }
    await empty.close()
  })

  test('has no script and no style of its own', async () => {
    for (const sight of everything())
      assert.doesNotMatch(await shownBy(sight), /<script(?! src="\/app\.js)|<style|<[^>]* (on\w+|style)=/, told(sight))
  })

  test('is valid HTML', async () => {
    for (const sight of [...partOf(sights.pages, TWELFTH), ...partOf(sights.operations, TWICE)]) {
      const text = withoutAlike(await shownBy(sight))
      const { results } = await validator.validateString(text)
      // Connections that nobody uses meanwhile are closed at both ends.
      await setImmediate()
      const faults = results.flatMap(({ messages }) =>
        messages.map(({ ruleId, message, line }) => `${line}: ${ruleId}: ${message}`),
      )
      assert.deepEqual(faults, [], told(sight))
    }
  })

  test('is small, whole with its style and script', async () => {
    const loaded = memoize(async (path) => gzipSync(await textOf({ path })).length)
    for (const sight of everything()) {
      const text = await shownBy(sight)
      const files = [...text.matchAll(/<(?:link rel="stylesheet" href|script src)="([^"]+)"/g)]
      const sizes = await Promise.all(files.map(([, path = '']) => loaded(path.replaceAll('&amp;', '&'))))
      const whole = sizes.reduce((sum, each) => sum + each, gzipSync(text).length)
      assert.ok(whole < LARGEST_PAGE, `${told(sight)} has ${whole} bytes`)
    }
  })

  test('loads the one style and the one script of all', async () => {
    for (const sight of everything()) {
      const text = await shownBy(sight)
      assert.deepEqual(foundIn(text, /<link rel="stylesheet" href="([^"]+)"/g), [stylePath], told(sight))
      assert.deepEqual(foundIn(text, /<script src="([^"]+)"/g), [scriptPath(schema, anybody.language)], told(sight))
    }
  })

  test('has the lists that its fields name, each once, and leads to its own list', async () => {
    const seen = new Set<string>()
    for (const sight of everything()) {
      const text = await shownBy(sight)
      const named = new Set(foundIn(text, / list="(\w+)"/g))
      assert.deepEqual(foundIn(text, /<datalist id="(\w+)"/g).toSorted(), [...named].sort(), told(sight))
      const list = ['cards', 'list'].find((id) => text.includes(` id="${id}"`)) ?? 'main'
      assert.deepEqual(foundIn(text, /<a class="skip" href="#(\w+)"/g), [list], told(sight))
      for (const each of [...named, list]) seen.add(each)
    }
    assert.deepEqual([...seen].sort(), ['cards', 'countries', 'currencies', 'list', 'main', 'people', 'zones'])
  })

  test('asks nobody else, keeps its own policy, and fits a narrow screen', async () => {
    const page = await work.open('/', { ...signedIn, viewport: { width: 360, height: 740 } })
    const asked = new Set<string>()
    const complaints: string[] = []
    page.on('request', (request) => asked.add(new URL(request.url()).origin))
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) complaints.push(message.text())
    })
    for (const sight of partOf(sights.pages, TWICE)) {
      await look(page, sight)
      const width = await page.evaluate('document.documentElement.scrollWidth')
      assert.ok(Number(width) <= 360, `${told(sight)} is ${width} wide`)
      assert.deepEqual(complaints, [], told(sight))
    }
    asked.delete('null') // the icon, which is in the page
    assert.deepEqual([...asked], [work.service.url])
    await work.close(page)
  })

  test('breaks or cuts the longest of words', async () => {
    const wide = { name: 'w'.repeat(60), collection: 'deals', query: 'owner=nobody', shared: true }
    const { status, text } = await work.service.request('POST', '/views', { headers: HEAD, body: wide })
    assert.equal(status, 201, text)
    for (const width of [360, 1280]) {
      const page = await work.open('/', { ...signedIn, viewport: { width, height: 740 } })
      for (const [path, shown] of [
        [`/search?q=${'w'.repeat(20)}`, '.hits a'],
        [DEALS, '.tabs a'],
      ] as const) {
        await page.goto(work.service.url + path)
        await page
          .locator(shown, { hasText: 'w'.repeat(60) })
          .first()
          .waitFor()
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, path)
      }
      await work.close(page)
    }
  })

  test('keeps the details of a deal readable beside long titles of fields, stages and pipelines', async () => {
    const send = async (path: string, body: object) => {
      const { status, text, body: made } = await work.service.request('POST', path, { headers: HEAD, body })
      assert.equal(status, 201, text)
      return String(made.id)
    }
    const long = 'The day from which nobody asks about the roof any more, as it was agreed'
    const field = await send('/fields', { on: 'deal', name: 'longTitle', title: long, kind: 'text' })
    await send('/pipelines', { name: 'wide', title: long, stages: [{ name: 'first', title: `${long}, in writing` }] })
    const deal = await send(DEALS, { name: 'Wide', price: 5, pipeline: 'wide', own: { longTitle: 'A few words' } })
    for (const width of [390, 1280]) {
      const page = await work.open(`${DEALS}/${deal}`, { ...signedIn, viewport: { width, height: 740 } })
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
      const cut = await page.evaluate(`[...document.querySelectorAll('#facts *, .marks *')]
        .filter((each) => each.getBoundingClientRect().right > each.closest('.panel, main').getBoundingClientRect().right)
        .map((each) => each.textContent)`)
      assert.deepEqual(cut, [])
      const value = await page.locator('#facts dd', { hasText: 'A few words' }).boundingBox()
      assert.ok((value?.width ?? 0) > 150, `${value?.width} left for the value`)
      await work.close(page)
    }
    const { status } = await work.service.request('POST', `/fields/${field}:retire`, { headers: HEAD })
    assert.equal(status, 200)
    await work.service.request('DELETE', `${DEALS}/${deal}`, { headers: HEAD })
    await work.service.request('DELETE', '/pipelines/wide?moveTo=sales', { headers: HEAD })
  })

  test('shows whole phone numbers in the list of customers on a phone, beside the longest companies', async () => {
    const company = 'Donaudampfschifffahrtsgesellschaftskapitäne'
    const called = { name: 'Bartholomew Featherstonehaugh', company, phone: '+49 (0)40 123 456-7890' }
    const { status, text } = await work.service.request('POST', '/customers', { headers: HEAD, body: called })
    assert.equal(status, 201, text)
    const page = await work.open('/customers?sort=-id', { ...signedIn, viewport: { width: 390, height: 844 } })
    const number = await page.getByRole('link', { name: called.phone }).boundingBox()
    const list = await page.locator('.table', { hasText: company }).boundingBox()
    assert.ok(number && list && number.x + number.width <= list.x + list.width, JSON.stringify([number, list]))
    await work.close(page)
  })

  test('says nothing outside the catalogue', async (t) => {
    addPseudoLanguage()
    t.after(removePseudoLanguage)
    const data = await typedTexts()
    const unsaid = new Map<string, string>()
    for (const sight of everything()) {
      const text = await textOf(sight, { 'accept-language': PSEUDO })
      for (const each of unsaidTexts(text, (text) => data.includes(text))) unsaid.set(each, told(sight))
    }
    assert.deepEqual(
      [...unsaid].map(([text, where]) => `${where}: ${text}`),
      [],
    )
  })

  test('has nothing that moves for those who prefer that', async () => {
    const moves = 'getComputedStyle(document.querySelector("#activity li")).animationName'
    for (const [reducedMotion, expected] of [
      ['reduce', 'none'],
      ['no-preference', 'fresh'],
    ] as const) {
      const page = await work.open('/', { ...signedIn, reducedMotion })
      await page.evaluate('document.querySelector("#activity li").classList.add("fresh")')
      assert.equal(await page.evaluate(moves), expected)
      await work.close(page)
    }
  })
})
