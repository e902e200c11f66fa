import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { addUser } from '../../src/access/manage.ts'
import { reports } from '../../src/screens/reports/reports.ts'
import { desk, follow, noteText, submit } from '../support/browser/desk.ts'
import { readings } from '../support/browser/ways.ts'
import { basic } from '../support/service/closed-service.ts'
import { DEALS } from '../support/service/making-deals.ts'

// What a seller does every day, in English and German, with and without script: what is shown follows the reader.

const work = desk()
const headers = basic('carla')

const open = (path: string, options: BrowserContextOptions): Promise<Page> =>
  work.open(path, { ...options, extraHTTPHeaders: headers })

/** Sends the form of a button, whatever its language calls it. */
const send = async (page: Page, button: Locator): Promise<void> => submit(page, await button.innerText())

const made = async (path: string, body: object): Promise<string | number> => {
  const answer = await work.service.request('POST', path, { headers, body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id as string
}

suite('a seller', () => {
  before(async () => {
    const password = 'password of carla'
    await addUser(work.service.store, { name: 'carla', role: 'admin', password })
    const named = await work.service.request('PATCH', '/users/carla', { headers, body: { fullName: 'Carla Núñez' } })
    assert.equal(named.status, 200, named.text)
  })

  for (const { name, ...options } of readings()) {
    test(`begins with an empty desk, which leads to the import, the team and the first deal, ${name}`, async () => {
      const page = await open('/', options)
      const german = options.locale === 'de-DE'
      const steps = page.getByRole('region', { name: german ? 'Erste Schritte' : 'Get started' })
      const hrefs = await steps.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
      for (const href of ['/imports', '/users', '/new/deals']) assert.ok(hrefs.includes(href), hrefs.join())
      assert.equal(await steps.getByRole('combobox').count(), 1, 'the currency is chosen there')
      await page.goto(`${work.service.url}/customers`)
      const first = page.locator('.empty a.button')
      assert.deepEqual(await first.allInnerTexts(), [
        german ? 'Den ersten Kunden anlegen' : 'Create the first customer',
      ])
      await work.close(page)
    })
  }

  for (const { name, ...options } of readings()) {
    test(`makes a deal that is theirs, with an amount as they write it, ${name}`, async () => {
      const german = options.locale === 'de-DE'
      const page = await open('/board', options)
      await follow(page, page.locator('.head a.button'))
      const form = page.locator('#new-form')
      await form.locator('[name=name]').fill(`Roof, ${name}`)
      await form.locator('[name=price]').fill(german ? '1.500' : '1,500')
      await send(page, form.locator('[type=submit]').last())
      await page.goto(`${work.service.url}/board?owner=me`)
      const card = page.locator('.card', { hasText: `Roof, ${name}` })
      assert.match(await card.innerText(), german ? /1\.500,00 EUR[\s\S]*CN/ : /1,500\.00 EUR[\s\S]*CN/)
      const mine = page.locator('.tabs [aria-current]')
      assert.equal(await mine.innerText(), german ? 'Meine' : 'Mine')
      await follow(page, card.locator('h3 a'))
      assert.match(await page.locator('#facts').innerText(), /Carla Núñez/)
      assert.match(await page.locator('#history').innerText(), /Carla Núñez/)
      await work.close(page)
    })
  }

  for (const { name, ...options } of readings()) {
    test(`sees of customers whom to call, what is open and when they last spoke, ${name}`, async () => {
      const german = options.locale === 'de-DE'
      const given = { company: 'Ostwerk', phone: '0171 / 55 50 000', email: 'asa@example.com' }
      const id = await made('/customers', { name: `Åsa, ${name}`, ...given })
      await made(DEALS, { name: 'Lights', price: 1234.5, customerId: id })
      const page = await open(`/customers/${id}`, options)
      assert.equal(await page.locator('#facts a[href^="tel:"]').getAttribute('href'), 'tel:01715550000')
      assert.equal(await page.locator('#facts a[href^="mailto:"]').getAttribute('href'), 'mailto:asa@example.com')
      await noteText(page).fill('Wants it by May.')
      await page.locator('#note-form select').selectOption({ label: german ? 'Anruf' : 'Call' })
      await send(page, page.locator('#note-form [type=submit]'))
      assert.match(await page.locator('#history').innerText(), /Wants it by May\./)

      await page.goto(`${work.service.url}/customers?q=${encodeURIComponent(`Åsa, ${name}`)}`)
      const heads = await page.locator('thead th').allInnerTexts()
      for (const head of german
        ? ['Firma', 'Offener Wert', 'Letzter Kontakt']
        : ['Company', 'Open value', 'Last contact'])
        assert.ok(heads.includes(head), heads.join())
      assert.equal(await page.locator('[name="age.gte"]').count(), 0, 'nobody has an age')
      const row = page.getByRole('row', { name: `Åsa, ${name}` })
      assert.match(await row.innerText(), german ? /Ostwerk[\s\S]*1\.234,50 EUR/ : /Ostwerk[\s\S]*1,234\.50 EUR/)
      assert.equal(await row.locator('time').count(), 1)
      await work.close(page)
    })

    test(`takes a list along as it is shown, ${name}`, async () => {
      const german = options.locale === 'de-DE'
      await made(DEALS, { name: `File, ${name}`, price: 1234.5, stage: 'proposal', owner: 'carla' })
      const page = await open(`${DEALS}?q=${encodeURIComponent(`File, ${name}`)}`, options)
      await page.locator('summary', { hasText: german ? 'Exportieren' : 'Export' }).click()
      const link = page.locator('.exports').getByRole('link', { name: 'CSV' }).first()
      const { text } = await work.service.request('GET', String(await link.getAttribute('href')), {
        headers: { ...headers, 'accept-language': options.locale },
      })
      const [head = '', row = ''] = text.split('\r\n')
      assert.match(
        head,
        german ? /^\ufeffDeal;Kunde;Preis;Währung;Phase;/ : /^\ufeffDeal,Customer,Price,Currency,Stage,/,
      )
      assert.match(
        row,
        german ? /;1234,50;EUR;Angebot;Offen;.*Carla Núñez/ : /,1234\.50,EUR,Proposal,Open,.*Carla Núñez/,
      )
      await work.close(page)
    })
  }

  for (const { name, ...options } of readings()) {
    test(`finds by digits, references, people, and in spite of a slip, ${name}`, async () => {
      const german = options.locale === 'de-DE'
      const phone = `030 / 55-${options.javaScriptEnabled ? 1 : 2}${german ? 1 : 2} 77 12`
      await made('/customers', { name: `Xanthippe Kruse, ${name}`, phone })
      await made(DEALS, { name: 'Referred', price: 1, reference: `A-${name}` })
      const page = await open('/search', options)
      const seek = async (text: string): Promise<string> => {
        await page.locator('.seek input').fill(text)
        await follow(page, page.locator('.seek button'))
        return page.locator('#found').innerText()
      }
      assert.match(await seek(phone.replaceAll(/\D/g, '')), new RegExp(`Xanthippe Kruse, ${name}`))
      assert.match(await seek(`A-${name}`), /Referred/)
      assert.match(await seek('núñez'), german ? /Personen[\s\S]*Carla Núñez/ : /People[\s\S]*Carla Núñez/)
      assert.match(await seek('Xantippe'), german ? /Meinten Sie .*xanthippe/i : /Did you mean .*xanthippe/i)
      await follow(page, page.locator('#found a'))
      await page
        .locator('#found mark', { hasText: /^Xanthippe$/i })
        .first()
        .waitFor()
      await work.close(page)
    })
  }

  for (const { name, ...options } of readings()) {
    test(`looks at the week, and at the one before it, ${name}`, async () => {
      const german = options.locale === 'de-DE'
      const id = await made(DEALS, { name: 'Week', price: 100, owner: 'carla' })
      await work.service.request('POST', `${DEALS}/${id}/completions`, { headers, body: {} })
      const page = await open('/reports', options)
      assert.equal(await page.locator('main .big').count(), reports.length, 'a figure for each report')
      await follow(page, page.getByRole('link', { name: german ? 'Gewonnen und verloren' : 'Won and lost' }).first())
      await follow(page, page.getByRole('link', { name: german ? 'Diese Woche' : 'This week' }))
      await page.locator('main tbody', { hasText: 'Carla Núñez' }).first().waitFor()
      await follow(page, page.getByRole('link', { name: german ? 'Letzte Woche' : 'Last week' }))
      assert.equal(await page.locator('main tbody', { hasText: 'Carla Núñez' }).count(), 0)
      await work.close(page)
    })

    test(`reaches lists by their words, and people are named in full, ${name}`, async () => {
      const german = options.locale === 'de-DE'
      const page = await open('/deals', options)
      assert.equal(new URL(page.url()).pathname, DEALS)
      await page.goto(`${work.service.url}/rest/v1/deal`)
      await follow(page, page.locator('main').getByRole('link', { name: DEALS }))
      assert.equal(await page.locator('h1').innerText(), 'Deals')
      const user = `new-${options.javaScriptEnabled}-${options.locale.slice(0, 2)}`
      const invited = await work.service.request('POST', '/users', { headers, body: { name: user, role: 'reader' } })
      assert.equal(invited.status, 201, invited.text)
      await page.goto(`${work.service.url}/users`)
      assert.match(await page.getByRole('row', { name: user }).innerText(), german ? /Eingeladen/ : /Invited/)
      await work.close(page)
    })
  }
})
