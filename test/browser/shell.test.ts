import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { languages } from '../../src/languages/language.ts'
import { asDeveloper, desk, follow, holdBack, leave, openAccount, submit } from '../support/browser/desk.ts'
import { basic, type ClosedService, runClosedService } from '../support/service/closed-service.ts'
import { DEALS, openDeal } from '../support/service/making-deals.ts'

const work = desk()
const { open, close } = work
const phone = { viewport: { width: 390, height: 844 } }

let deal: string

/** As it is drawn, whoever chose it. */
const drawn = (page: Page): Promise<unknown> => page.evaluate('getComputedStyle(document.documentElement).colorScheme')
const box = (page: Page) => page.getByRole('combobox', { name: 'Search everything' })

suite('every page', () => {
  before(async () => {
    const { body } = await work.service.request('POST', '/customers', { body: { name: 'Åsa Öst', company: 'Ostwerk' } })
    deal = `${DEALS}/${(await openDeal(work.service, { name: 'Ostbahn lights', customerId: Number(body.id) })).id}`
    await work.service.request('POST', '/rest/v1/tasks', { body: { title: 'Call Ostwerk', dueOn: '2027-01-31' } })
  })

  test('has a sign that phones put on the home screen', async () => {
    const page = await open('/problems')
    const seen = await page.evaluate(`(async () => {
      const sign = new Image()
      sign.src = document.querySelector('link[rel=apple-touch-icon]').href
      await sign.decode()
      const canvas = Object.assign(document.createElement('canvas'), { width: sign.naturalWidth, height: sign.naturalHeight })
      const drawing = canvas.getContext('2d')
      drawing.drawImage(sign, 0, 0)
      const at = (x, y) => [...drawing.getImageData(x, y, 1, 1).data]
      return [sign.naturalWidth, sign.naturalHeight, at(100, 100), at(400, 400), at(500, 5), at(500, 30)]
    })()`)
    const [blue, green] = [
      [0x33, 0x46, 0xc4, 255],
      [0x0f, 0x6a, 0x48, 255],
    ]
    assert.deepEqual(seen, [512, 512, blue, green, blue, green])
    await close(page)
  })

  suite('the search of every page', () => {
    test('finds as one types, and leads to what is chosen', async () => {
      const page = await open('/board')
      await page.keyboard.type('/OST')
      assert.equal(await box(page).inputValue(), 'OST', 'every letter counts')
      const options = page.locator('.find [role=option]')
      await options.first().waitFor()
      const told = await options.allInnerTexts()
      assert.ok(
        told.some((each) => /Ostbahn lights[\s\S]*Åsa Öst/.test(each)),
        told.join(),
      )
      assert.ok(
        told.some((each) => /Call Ostwerk[\s\S]*2027/.test(each)),
        told.join(),
      )
      await page.keyboard.press('Escape')
      await options.first().waitFor({ state: 'hidden' })
      await box(page).fill('ostbahn')
      await options.filter({ hasText: 'Ostbahn' }).waitFor()
      await page.keyboard.press('ArrowDown')
      assert.equal(await page.locator('.find [aria-selected=true]').count(), 1)
      await Promise.all([page.waitForURL(`**${deal}`), page.keyboard.press('Enter')])
      await close(page)
    })

    test('is a page without script, on a phone too', async () => {
      const page = await open('/', { ...phone, javaScriptEnabled: false })
      const seek = async (text: string) => {
        await page.locator('.find input').fill(text)
        await follow(page, page.locator('.find button'))
      }
      await seek('nobody of this name')
      assert.match(await page.locator('main').innerText(), /Nothing found for “nobody of this name”/)
      await seek('ost')
      assert.deepEqual((await page.locator('main h2').allInnerTexts()).toSorted(), ['Customers', 'Deals', 'Tasks'])
      await follow(page, page.getByRole('link', { name: 'Ostbahn lights' }))
      assert.equal(new URL(page.url()).pathname, deal)
      await page.goto(`${work.service.url}/search`)
      assert.match(await page.locator('main').innerText(), /Names, companies/)
      await close(page)
    })
  })

  suite('the palette of commands', () => {
    const choose = async (page: Page, text: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill(text)
      await page.getByRole('dialog').getByRole('option', { selected: true, name: text }).waitFor()
      await page.keyboard.press('Enter')
    }

    test('leads to places, makes something new, finds things and changes the colours', async () => {
      const page = await open(DEALS)
      const kept = page.waitForResponse('**/theme')
      await choose(page, 'Colours: Dark')
      assert.equal(await drawn(page), 'dark')
      await kept
      await choose(page, 'New customer')
      await page.waitForURL('**/new/customers')
      assert.equal(await drawn(page), 'dark', 'on the next page too')
      await leave(page, () => choose(page, 'Show links for developers'))
      await page.locator('.developers').waitFor()
      await choose(page, 'Webhooks')
      await page.waitForURL('**/webhooks')
      await choose(page, 'Ostbahn lights')
      await page.waitForURL(`**${deal}`)
      await close(page)
    })

    test('takes what is typed, however soon Enter follows', async () => {
      const page = await open(DEALS)
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('option', { selected: true }).waitFor()
      const search = await holdBack(page, '**/search?*')
      await page.keyboard.type('reports')
      await page.keyboard.press('Enter')
      search()
      await page.waitForURL('**/reports')
      await close(page)
    })

    test('lists each command once, and those of the page first', async () => {
      const page = await open(DEALS)
      await page.keyboard.press('Control+k')
      const options = page.getByRole('dialog').getByRole('option')
      await options.first().waitFor()
      const told = (await options.allInnerTexts()).map((each) => each.split('\n', 1)[0])
      assert.equal(told[0], 'New deal')
      assert.deepEqual(told, [...new Set(told)])
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await close(page)
    })
  })

  suite('the colours', () => {
    test('are chosen without script too, on whichever page one is', async () => {
      const page = await open('/customers?country=SE', { javaScriptEnabled: false, colorScheme: 'light' })
      await openAccount(page)
      await submit(page, 'Dark')
      assert.equal(page.url(), `${work.service.url}/customers?country=SE`)
      assert.equal(await drawn(page), 'dark')
      await openAccount(page)
      await submit(page, 'System')
      assert.equal(await drawn(page), 'light dark')
      await close(page)
    })

    test('are no way to another site, nor from one', async () => {
      const send = (fields: { readonly [name: string]: string }, headers = {}) =>
        work.service.request('POST', '/theme', { body: new URLSearchParams(fields), headers })
      for (const path of ['//example.com', 'https://example.com', '/\\example.com', '/ /example.com']) {
        const { status, headers } = await send({ theme: 'dark', return: path })
        assert.deepEqual([status, headers.location], [303, '/'], path)
      }
      assert.equal((await send({ theme: 'dark' }, { origin: 'https://example.com' })).status, 403)
      assert.equal((await send({ theme: 'mauve' })).status, 422)
    })
  })

  suite('the bar', () => {
    let closed: ClosedService
    before(async () => {
      closed = await runClosedService()
    })
    after(() => closed.close())

    test('is one row at 1100 pixels, for an admin and in every language', async () => {
      const page = await open('/problems', { viewport: { width: 1100, height: 700 }, javaScriptEnabled: false })
      for (const locale of languages.keys()) {
        await page.setExtraHTTPHeaders({ ...basic('admin'), 'accept-language': locale })
        await page.goto(`${closed.url}/board`)
        const [height, tallest, end, width] = (await page.evaluate(`[
        document.querySelector('.top').offsetHeight,
        Math.max(...[...document.querySelectorAll('.top > *')].map((each) => each.offsetHeight)),
        document.querySelector('.account > summary').getBoundingClientRect().right,
        document.documentElement.scrollWidth,
      ]`)) as readonly [number, number, number, number]
        assert.ok(height < 64 && tallest < 64, `${locale}: ${height}, ${tallest}`)
        assert.ok(end <= 1100 && width <= 1100, `${locale}: ${end}, ${width}`)
      }
      await close(page)
    })

    test('is at the bottom of a phone, with five places and the rest of them in a menu', async () => {
      const page = await open('/', { ...phone, javaScriptEnabled: false })
      const bar = page.getByRole('navigation', { name: 'Main' })
      const { y = 0, height = 0 } = (await bar.boundingBox()) ?? {}
      assert.equal(Math.round(y + height), phone.viewport.height)
      assert.deepEqual(await bar.getByRole('link').allInnerTexts(), ['Today', 'Board', 'Deals', 'Customers', 'Tasks'])
      await follow(page, bar.getByRole('link', { name: 'Board' }))
      await openAccount(page)
      await follow(page, page.getByRole('link', { name: 'Activity' }))
      assert.equal(new URL(page.url()).pathname, '/events')
      await close(page)
    })

    test('is skipped: three keys lead to the first card of the board', async () => {
      const page = await open('/board')
      for (const key of ['Tab', 'Enter', 'Tab']) await page.keyboard.press(key)
      assert.ok(await page.locator('.card :focus, .column :focus').count(), 'in the first column')
      await close(page)
    })

    test('stands still from page to page, and so does the title of a list', async () => {
      const page = await open('/board')
      const boxes = () =>
        page.evaluate(
          "[...document.querySelectorAll('.top a, .find input, h1')].map((each) => Math.round(each.getBoundingClientRect().x * 10))",
        )
      const ofBoard = await boxes()
      for (const path of [DEALS, '/customers', '/']) {
        await page.goto(work.service.url + path)
        assert.deepEqual(await boxes(), ofBoard, path)
      }
      await close(page)
    })

    test('has menus that close when one goes elsewhere, and marks one place alone', async () => {
      const page = await open('/reports')
      const marked = (await page.evaluate(
        "[...document.querySelectorAll('.top nav a, .top summary')].filter((each) => each.checkVisibility() && getComputedStyle(each).backgroundColor !== 'rgba(0, 0, 0, 0)').map((each) => each.innerText)",
      )) as readonly string[]
      assert.deepEqual(marked, ['Reports'])
      const menu = page.getByRole('navigation', { name: 'Developers' })
      assert.equal(await page.getByText('Developers', { exact: true }).count(), 0, 'not unless it is asked for')
      assert.equal(await page.locator('footer').count(), 0)
      await asDeveloper(page)
      assert.equal(await page.locator('footer .formats').count(), 1)
      await page.getByText('Developers', { exact: true }).click()
      await menu.waitFor()
      await page.keyboard.press('Escape')
      await menu.waitFor({ state: 'hidden' })
      await page.getByText('Developers', { exact: true }).click()
      await openAccount(page)
      await menu.waitFor({ state: 'hidden' })
      await close(page)
    })
  })
})
