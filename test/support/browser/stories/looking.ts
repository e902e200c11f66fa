import assert from 'node:assert/strict'
import { reports } from '../../../../src/screens/reports/reports.ts'
import { DEALS } from '../../service/making-deals.ts'
import { follow, noteText } from '../desk.ts'
import { FULL_NAME, SELLER, type Stories } from '../seller.ts'

/** Lists, searches, reports and files. */
export const looking: Stories = {
  async 'sees of customers whom to call, what is open and when they last spoke'({
    page,
    german,
    name,
    visit,
    send,
    made,
  }) {
    const given = { company: 'Ostwerk', phone: '0171 / 55 50 000', email: 'asa@example.com' }
    const id = await made('/customers', { name: `Åsa, ${name}`, ...given })
    await made(DEALS, { name: 'Lights', price: 1234.5, customerId: id })
    await visit(`/customers/${id}`)
    assert.equal(await page.locator('#facts a[href^="tel:"]').getAttribute('href'), 'tel:01715550000')
    assert.equal(await page.locator('#facts a[href^="mailto:"]').getAttribute('href'), 'mailto:asa@example.com')
    await noteText(page).fill('Wants it by May.')
    await page.locator('#note-form select').selectOption({ label: german ? 'Anruf' : 'Call' })
    await send(page.locator('#note-form [type=submit]'))
    assert.match(await page.locator('#history').innerText(), /Wants it by May\./)

    await visit(`/customers?q=${encodeURIComponent(`Åsa, ${name}`)}`)
    const heads = await page.locator('thead th').allInnerTexts()
    for (const head of german
      ? ['Firma', 'Offener Wert', 'Letzter Kontakt']
      : ['Company', 'Open value', 'Last contact'])
      assert.ok(heads.includes(head), heads.join())
    assert.equal(await page.locator('[name="age.gte"]').count(), 0, 'nobody has an age')
    const row = page.getByRole('row', { name: `Åsa, ${name}` })
    assert.match(await row.innerText(), german ? /Ostwerk[\s\S]*1\.234,50 EUR/ : /Ostwerk[\s\S]*1,234\.50 EUR/)
    assert.equal(await row.locator('time').count(), 1)
  },

  async 'filters, takes a filter off, and keeps the others between board and list'({
    page,
    german,
    name,
    javaScriptEnabled,
    visit,
    made,
  }) {
    const owner = `Filters ${name}`
    await made('/users', { name: owner, role: 'reader' })
    for (const [deal, price] of [
      ['Small', 10],
      ['Large', 90_000],
    ] as const)
      await made(DEALS, { name: deal, price, owner })
    await visit(`/board?owner=${encodeURIComponent(owner)}`)
    const form = page.getByRole('form', { name: german ? 'Filtern' : 'Filter' })
    await form.locator('details:not([open]) > summary').click()
    await form.locator('[name="price.gte"]').fill(german ? '1.000' : '1,000')
    const button = form.locator('[type=submit]')
    assert.equal(await button.isVisible(), !javaScriptEnabled, 'with script a change applies at once')
    if (javaScriptEnabled) await form.locator('[name="price.gte"]').press('Tab')
    else await follow(page, button)
    const chip = page.locator('.chips a', { hasText: german ? 'Preis: mindestens 1.000' : 'Price at least 1,000' })
    await chip.waitFor()
    assert.deepEqual(await page.locator('.card h3').allInnerTexts(), ['Large'])
    await follow(page, page.getByRole('link', { name: german ? 'Tabelle' : 'Table' }))
    assert.deepEqual(await page.locator('tbody th').allInnerTexts(), ['Large'], 'the list has the filters of the board')
    await follow(page, chip)
    assert.equal((await page.locator('tbody th').allInnerTexts()).length, 2)
    await follow(page, page.getByRole('link', { name: 'Board' }).last())
    assert.equal((await page.locator('.card h3').allInnerTexts()).length, 2, 'and the board those of the list')
  },

  async 'takes a list along as it is shown'({ page, german, name, locale, visit, made, request }) {
    await made(DEALS, { name: `File, ${name}`, price: 1234.5, stage: 'proposal', owner: SELLER })
    await visit(`${DEALS}?q=${encodeURIComponent(`File, ${name}`)}`)
    await page.locator('summary', { hasText: german ? 'Exportieren' : 'Export' }).click()
    const link = page.locator('.exports').getByRole('link', { name: 'CSV' }).first()
    const { text } = await request('GET', String(await link.getAttribute('href')), {
      headers: { 'accept-language': locale },
    })
    const [head = '', row = ''] = text.split('\r\n')
    const [heads, cells] = german
      ? [/^\ufeffDealdesk-ID;Deal;Kunde;Preis;Währung;Phase;/, /;1234,50;EUR;Angebot;Offen;.*Carla Núñez/]
      : [/^\ufeffDealdesk ID,Deal,Customer,Price,Currency,Stage,/, /,1234\.50,EUR,Proposal,Open,.*Carla Núñez/]
    assert.match(head, heads)
    assert.match(row, cells)
  },

  async 'finds by digits, references, people, and in spite of a slip'({
    page,
    german,
    name,
    javaScriptEnabled,
    visit,
    made,
  }) {
    const phone = `030 / 55-${javaScriptEnabled ? 1 : 2}${german ? 1 : 2} 77 12`
    await made('/customers', { name: `Xanthippe Kruse, ${name}`, phone })
    await made(DEALS, { name: 'Referred', price: 1, reference: `A-${name}` })
    await visit('/search')
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
  },

  async 'looks at the week, and at the one before it'({ page, german, visit, made, request }) {
    const id = await made(DEALS, { name: 'Week', price: 100, owner: SELLER })
    await request('POST', `${DEALS}/${id}/completions`, { body: {} })
    await visit('/reports')
    assert.equal(await page.locator('main .big').count(), reports.length, 'a figure for each report')
    await follow(page, page.getByRole('link', { name: german ? 'Gewonnen und verloren' : 'Won and lost' }).first())
    await follow(page, page.getByRole('link', { name: german ? 'Diese Woche' : 'This week' }))
    await page.locator('main tbody', { hasText: FULL_NAME }).first().waitFor()
    await follow(page, page.getByRole('link', { name: german ? 'Letzte Woche' : 'Last week' }))
    assert.equal(await page.locator('main tbody', { hasText: FULL_NAME }).count(), 0)
  },

  async 'reaches lists by their words, and sees who has not come yet'({
    page,
    german,
    javaScriptEnabled,
    locale,
    visit,
    made,
  }) {
    await visit('/deals')
    assert.equal(new URL(page.url()).pathname, DEALS)
    await visit('/rest/v1/deal')
    await follow(page, page.locator('main').getByRole('link', { name: DEALS }))
    assert.equal(await page.locator('h1').innerText(), 'Deals')
    const user = `new-${javaScriptEnabled}-${locale.slice(0, 2)}`
    await made('/users', { name: user, role: 'reader' })
    await visit('/users')
    assert.match(await page.getByRole('row', { name: user }).innerText(), german ? /Eingeladen/ : /Invited/)
  },

  async 'finds no link for developers before asking for them, and then a first request that works'({
    page,
    service,
    visit,
    send,
  }) {
    const links = page.locator('.top a[href="/docs"]')
    const ask = async (developer: boolean): Promise<void> => {
      await visit(`/users/${SELLER}`)
      await page.locator('#edit-form [name=developer]').selectOption(String(developer))
      await send(page.locator('#edit-form [type=submit]'))
      await visit('/board')
    }
    await visit('/board')
    assert.equal(await links.count(), 0)
    await ask(true)
    assert.ok((await links.count()) > 0)
    await visit('/docs')
    const chapter = page.locator('section', { hasText: 'First steps' })
    assert.ok((await chapter.first().innerText()).includes(service.url), 'the address that it runs at')
    await ask(false)
    assert.equal(await links.count(), 0)
  },
}
