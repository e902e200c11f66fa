import assert from 'node:assert/strict'
import { after, before, suite } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'

let service: TestService

before(async () => {
  service = await runService()
  for (const [name, price, currency] of [
    ['One', 10.1, 'EUR'],
    ['Two', 20.2, 'EUR'],
    ['Three', 5, 'CHF'],
  ] as const) {
    await openDeal(service, { name, price, currency, owner: 'Lee' })
  }
  const closed = await openDeal(service, { name: 'Four', price: 1 })
  await service.request('POST', `${DEALS}/${closed.id}/completions`)
})
after(() => service.close())

const html = { accept: 'text/html' }
const page = async (path: string): Promise<string> => (await service.request('GET', path, { headers: html })).text
const names = (text: string): readonly string[] =>
  [...text.matchAll(/<th scope="row">.*?<a[^>]*>([^<]*)</g)].map(([, name = '']) => name)
const hrefs = (text: string): readonly string[] =>
  [...text.matchAll(/ href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))

suite('the list of deals', () => {
  test('shows people the latest first, and programs what the contract says', async () => {
    assert.deepEqual(names(await page(DEALS)), ['Four', 'Three', 'Two', 'One'])
    assert.deepEqual(names(await page(`${DEALS}?sort=name`)), ['Four', 'One', 'Three', 'Two'])
    const { body } = await service.request('GET', DEALS)
    assert.deepEqual(
      body.items?.map((item) => (item as { name: string }).name),
      ['One', 'Two', 'Three', 'Four'],
    )
  })

  test('speaks of many deals in its tabs, and sets colons as the language does', async () => {
    for (const [language, ...said] of [
      ['fr', 'Ouvertes', 'Gagnées', 'Perdues', 'Toutes', 'Supprimées'],
      ['es', 'Abiertos', 'Ganados', 'Perdidos', 'Todos', 'Eliminados'],
    ] as const) {
      const { text } = await service.request('GET', DEALS, { headers: { ...html, 'accept-language': language } })
      const [tabs = ''] = /<nav class="tabs".*?<\/nav>/s.exec(text) ?? []
      assert.deepEqual(
        [...tabs.matchAll(/<a[^>]*>([^<]*)/g)].map(([, name]) => name),
        said,
      )
    }
    const { body } = await service.request('GET', `${DEALS}?status=open&maxpagesize=1`)
    const [{ id }] = body.items as [{ readonly id: string }]
    const { text } = await service.request('POST', '/changes/deals', {
      headers: { ...html, 'accept-language': 'fr' },
      body: new URLSearchParams({ _operation: 'move', [id]: 'on', stage: 'contract', _step: 'preview' }),
    })
    assert.match(text, /<li>Étape\u00a0: <del>/)
  })

  test('leads to the board and back with its filters, and the board has the views of open deals as tabs', async () => {
    for (const [name, query] of [
      ['Large ones', 'status=open&price.gte=15&sort=-price&fields=price'],
      ['Lost ones', 'status=cancelled&price.gte=15'],
    ] as const) {
      const { status } = await service.request('POST', '/views', { body: { name, collection: 'deals', query } })
      assert.equal(status, 201)
    }
    const tabsIn = (text: string) =>
      [...(/<nav class="tabs".*?<\/nav>/s.exec(text)?.[0] ?? '').matchAll(/<a href="([^"]*)"([^>]*)>([^<]*)/g)].map(
        ([, href, more = '', name]) => [name, href, more.includes('aria-current')],
      )
    const board = await page('/board?price.gte=15&stage=lead')
    assert.deepEqual(tabsIn(board), [
      ['All', '/board', false],
      ['Large ones', '/board?price.gte=15', false],
    ])
    assert.ok(hrefs(board).includes(`${DEALS}?status=open&price.gte=15&stage=lead`), 'the table of the same deals')
    assert.deepEqual(tabsIn(await page('/board?price.gte=15'))[1], ['Large ones', '/board?price.gte=15', true])
    const table = await page(`${DEALS}?status=cancelled&price.gte=15&stage=lead&sort=-price&fields=price`)
    assert.ok(hrefs(table).includes('/board?price.gte=15&stage=lead'))
  })

  test('goes on in its order, from page to page and back', async () => {
    const first = await page(`${DEALS}?maxpagesize=2`)
    const next = hrefs(first).find((href) => href.includes('after=')) ?? ''
    const second = await page(next)
    assert.deepEqual([...names(first), ...names(second)], ['Four', 'Three', 'Two', 'One'])
    const back = hrefs(second).find((href) => href.includes('before=')) ?? ''
    assert.deepEqual(names(await page(back)), ['Four', 'Three'])
  })

  testOnEachStore('counts and sums all of it, whichever page is shown', async () => {
    for (const size of [2, 50]) {
      const text = await page(`${DEALS}?status=open&maxpagesize=${size}`)
      const [, caption = ''] = /<caption[^>]*>(.*?)<\/caption>/.exec(text) ?? []
      assert.match(caption, /\b3 deals.*5\.00 .*CHF.*30\.30 .*EUR/, caption)
    }
    assert.match(await page(`${DEALS}?q=o&maxpagesize=2`), /2 deals shown, more follow/, 'a search is not repeated')
  })

  test('is exported as it is shown, or all of it, and for programs', async () => {
    const text = await page(`${DEALS}?status=open&maxpagesize=2&fields=price,stage`)
    const exports = hrefs(text).filter(
      (href) => /^\/rest\/v1\/deals\.(csv|xlsx|ndjson)/.test(href) && href.includes('sort='),
    )
    const counted = await Promise.all(
      exports.map(async (href) => {
        const { status, headers, text } = await service.request('GET', href)
        assert.equal(status, 200, href)
        assert.match(String(headers['content-disposition']), /attachment; filename="deals\./)
        return href.includes('xlsx') ? 'xlsx' : `${text.trim().split('\n').length} ${text.slice(0, 12).trim()}`
      }),
    )
    assert.deepEqual(counted.slice(0, 6), [
      ...['3 Dealdesk ID', 'xlsx', '4 Dealdesk ID', 'xlsx', '4 price,stage', 'xlsx'],
    ])
    assert.match(counted[6] ?? '', /^3 \{"price"/)
  })

  test('has the columns that the address names', async () => {
    const text = await page(`${DEALS}?fields=owner,description,held`)
    const heads = [...text.matchAll(/<th scope="col"[^>]*><a[^>]*>([^<]*)</g)].map(([, head]) => head)
    assert.deepEqual(heads, ['Deal', 'Owner', 'Description', 'On hold'])
    const other = await page(`${DEALS}?fields=name,customer.name`)
    assert.doesNotMatch(other, /class="tabs"/, 'what the list has no column for is a plain table')
  })

  test('says what to do when it is empty', async () => {
    assert.match(await page(`${DEALS}?owner=nobody`), /No deals match\..*href="\/rest\/v1\/deals">Show all deals/s)
    assert.match(await page(`${DEALS}?deleted=true`), /Nothing here\./, 'a tab is no filter that somebody set')
    assert.match(await page('/customers'), /No customers yet\..*href="\/new\/customers">Create the first customer/s)
  })
})

suite('the list of customers', () => {
  testOnEachStore(
    'has company, phone, open value and last contact in front, and ages where they are known',
    async () => {
      const make = async (body: object) => (await service.request('POST', '/customers', { body })).body.id
      const ana = await make({ name: 'Ana', company: 'Ruiz', phone: '0171 / 55 50 (0) 00', email: 'a+b@example.com' })
      const bo = await make({ name: 'Bo' })
      for (const deal of [{ price: 10.1 }, { price: 20.2 }, { price: 5, currency: 'CHF' }])
        await openDeal(service, { name: 'Roof', customerId: ana, ...deal })
      const { id } = await openDeal(service, { name: 'Won', price: 1, customerId: bo })
      await service.request('POST', `${DEALS}/${id}/notes`, { body: { text: 'x', happenedAt: '2026-01-05T09:00:00Z' } })
      await service.request('POST', `${DEALS}/${id}/completions`)
      const heads = (text: string) =>
        [...text.matchAll(/<th scope="col"[^>]*>(?:<a[^>]*>)?([^<]*)</g)].map(([, head = '']) => head.trim())
      const rows = async (query = '') => {
        const text = await page(`/customers${query}`)
        const cells = text
          .split('<tr>')
          .filter((row) => row.includes('scope="row"'))
          .map((row) => [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) => cell))
        return { heads: heads(text), cells, text }
      }
      const { heads: shown, cells, text } = await rows()
      assert.deepEqual(shown, ['Name', 'Company', 'Phone', 'Open value', 'Last contact', 'Email', 'Country', 'Number'])
      const [ofAna, ofBo] = cells
      assert.equal(ofAna?.[2]?.replaceAll(/<[^b][^>]*>/g, ''), '5.00 CHF<br>30.30 EUR')
      assert.match(ofAna?.[1] ?? '', /href="tel:01715550000"/)
      assert.match(ofAna?.[4] ?? '', /href="mailto:a%2Bb@example\.com"/)
      assert.equal(ofBo?.[2], '')
      assert.match(ofBo?.[3] ?? '', /2026-01-05/)
      assert.doesNotMatch(text, /class="chart ages"/)
      assert.deepEqual((await rows('?fields=phone')).heads, ['Name', 'Phone'])
      const deal = await page(`${DEALS}?customerId=${ana}`)
      assert.match(
        await page(hrefs(deal).find((href) => /deals\/[\w-]{36}$/.test(href)) ?? ''),
        /href="tel:01715550000"/,
      )
      await service.request('PATCH', `/customers/${bo}`, { body: { age: 41 } })
      assert.ok((await rows()).heads.includes('Age'))
      assert.ok(!(await rows()).heads.includes('Children'))
    },
  )
})

test('the saved views are told in words, and changed without their queries', async () => {
  const { body } = await service.request('POST', '/views', {
    body: { name: 'Worth it', collection: 'deals', query: 'status=open&price.gte=20000&sort=-price&fields=price' },
  })
  const german = { headers: { ...html, 'accept-language': 'de' } }
  const { text: list } = await service.request('GET', '/views?name=Worth+it', german)
  assert.match(list, /<td[^>]*>Deals<\/td>\s*<td[^>]*>Status: Offen · Preis: mindestens 20\.000<\/td>/)
  assert.doesNotMatch(list, /price\.gte|href="\/new\/views/)
  const view = `/views/${body.id}`
  const shown = await page(view)
  assert.match(shown, /Status is Open · Price at least 20,000/)
  assert.doesNotMatch(/<main[\s\S]*<\/main>/.exec(shown)?.[0].replaceAll(/href="[^"]*"/g, '') ?? '', /price\.gte/)
  assert.ok(hrefs(shown).includes(`${DEALS}?status=open&price.gte=20000&sort=-price&fields=price`))
  const fields = new URLSearchParams({ name: 'Worth more', shared: 'true', _revision: '1' })
  assert.equal((await service.request('POST', `${view}/changes`, { headers: html, body: fields })).status, 303)
  assert.partialDeepStrictEqual((await service.request('GET', view)).body, {
    name: 'Worth more',
    shared: true,
    query: 'status=open&price.gte=20000&sort=-price&fields=price',
  })
})

suite('a list as a file', () => {
  testOnEachStore('has the words, names, dates and decimals of its reader', async () => {
    const { body: customer } = await service.request('POST', '/customers', { body: { name: 'Jörg; Müller' } })
    const given = { name: '=Dach', price: 1234.5, customerId: customer.id, completionDate: '2027-03-31' }
    const deal = await openDeal(service, { ...given, owner: 'Lee', stage: 'proposal' })
    const asked = `?customerId=${customer.id}&shown=true`
    const csv = async (language: string, query = asked) => {
      const headers = { 'accept-language': language, cookie: 'zone=Europe/Berlin' }
      return (await service.request('GET', `${DEALS}.csv${query}`, { headers })).text.split('\r\n')
    }
    const german = await csv('de-DE')
    assert.match(german[0] ?? '', /^\ufeffDealdesk-ID;Deal;Kunde;Preis;Währung;Phase;Status;[^;]*;Zuständig;Geändert$/)
    const shown =
      /^[\da-f-]{36};'=Dach;"Jörg; Müller";1234,50;EUR;Angebot;Offen;31\.03\.2027;Lee;\d\d\.\d\d\.\d{4} \d\d:\d\d:\d\d$/
    assert.match(german[1] ?? '', shown)
    assert.match(
      (await csv('en-US'))[1] ?? '',
      /^[\da-f-]{36},'=Dach,Jörg; Müller,1234\.50,EUR,Proposal,Open,03\/31\/2027,Lee,/,
    )
    assert.deepEqual(await csv('de-DE', `${asked}&fields=stage,held&maxpagesize=1`), [
      '\ufeffDealdesk-ID;Deal;Phase;Zurückgestellt',
      `${deal.id};'=Dach;Angebot;nein`,
      '',
    ])
    const workbook = await service.request('GET', `${DEALS}.xlsx${asked}`)
    assert.equal(workbook.status, 200)
    const refused = await service.request('GET', `${DEALS}?shown=true`)
    assert.deepEqual([refused.status, refused.body.code], [400, 'invalid-parameter'])
    await service.request('DELETE', `${DEALS}/${deal.id}`)
  })

  test('has several choices in one cell as an import reads them', async () => {
    const values = ['rot', 'blau', 'grün'].map((title) => ({ value: title.slice(0, 1), title }))
    const field = { on: 'customer', name: 'colours', title: 'Farben', kind: 'choices', options: { values } }
    const { body: made } = await service.request('POST', '/fields', { body: field })
    const body = { name: 'Export of colours', own: { colours: ['g', 'r'] } }
    const { body: customer } = await service.request('POST', '/customers', { body })
    const asked = '/customers.csv?name=Export+of+colours&fields=own.colours&shown=true'
    const headers = { 'accept-language': 'de-DE' }
    const { text } = await service.request('GET', asked, { headers })
    assert.equal(text, `\ufeffDealdesk-ID;Name;Farben\r\n${customer.id};Export of colours;"rot; grün"\r\n`)
    await service.request('DELETE', `/customers/${customer.id}`)
    await service.request('PUT', `/fields/${made.id}/retire`)
  })

  test('has the countries of customers by the names on their pages, and an import reads them', async () => {
    const reference = 'Export of a country'
    const given = { name: 'Export of Åsa', reference, country: 'GB' }
    const { body: customer } = await service.request('POST', '/customers', { body: given })
    const path = `/customers/${customer.id}`
    await service.request('PATCH', path, { body: { country: 'SE' } })
    for (const [language, name, before] of [
      ['de-CH', 'Schweden', 'Vereinigtes Königreich'],
      ['en-CA', 'Sweden', 'United Kingdom'],
      ['fr-CA', 'Suède', 'Royaume-Uni'],
    ] as const) {
      const headers = { ...html, 'accept-language': language }
      const seen = async (address: string) => (await service.request('GET', address, { headers })).text
      assert.match(await seen(path), new RegExp(`<dd>${name}[^<]*<`))
      assert.match(await seen(path), /name="country"[^>]* value="SE"[^>]* list="countries"/)
      assert.match(await seen(`/customers?country=SE&q=Export+of`), new RegExp(`<td[^>]*>${name}</td>`))
      assert.match(await seen('/search?q=Export+of'), new RegExp(`${name}[^<]*<`))
      assert.match(await seen(`${path}/history/1`), new RegExp(`<dd>${before}</dd>`))
      assert.match(await seen(`${path}/history/2`), new RegExp(`<dd>${name}</dd>`))
      const asked = '/customers.csv?q=Export+of+a+country&fields=reference,name,country&shown=true'
      const file = await seen(asked)
      assert.match(file, new RegExp(`[;,]${name}\r\n`))
      await service.request('PATCH', path, { body: { country: 'GB' } })
      const type = { 'content-type': 'text/csv' }
      const sent = await service.request('POST', '/imports?on=customer', { headers: type, body: file })
      const stage = async () => (await service.request('GET', `/imports/${sent.body.id}`)).body.stage
      while ((await stage()) !== 'ready') await pause(10)
      await service.request('POST', `/imports/${sent.body.id}/runs`)
      while ((await stage()) !== 'done') await pause(10)
      assert.equal((await service.request('GET', path)).body.country, 'SE')
    }
    assert.match((await service.request('GET', '/customers.csv?q=Export+of')).text, /,SE,/)
    await service.request('DELETE', path)
  })

  testOnEachStore(
    'has the open values and last contacts of customers, and fields only if they are filled',
    async () => {
      // The tests of the file share one with ages and more currencies.
      const service = await runService()
      const { body: customer } = await service.request('POST', '/customers', { body: { name: 'Export of Ann' } })
      const { body: other } = await service.request('POST', '/customers', { body: { name: 'Export of Bo' } })
      const deals = await Promise.all(
        [
          { price: 1234.5, currency: 'EUR' },
          { price: 10, currency: 'EUR' },
          { price: 500, currency: 'JPY' },
        ].map((given) => openDeal(service, { name: 'Worth', customerId: customer.id, ...given })),
      )
      await service.request('POST', `/customers/${customer.id}/notes`, {
        body: { text: 'called', kind: 'call', happenedAt: '2026-03-01T11:00:00Z' },
      })
      const headers = { 'accept-language': 'de-DE', cookie: 'zone=Europe/Berlin' }
      const csv = async (): Promise<readonly string[]> =>
        (await service.request('GET', '/customers.csv?q=Export+of&shown=true', { headers })).text.split('\r\n')
      const heads = 'Dealdesk-ID;Name;Firma;Telefon;Offener Wert, EUR;Offener Wert, JPY;Letzter Kontakt;E-Mail;Land'
      const [head, ...rows] = await csv()
      assert.equal(head?.slice(1), heads)
      assert.deepEqual(rows, [
        `${customer.id};Export of Ann;;;1244,50;500;01.03.2026 12:00;;`,
        `${other.id};Export of Bo;;;;;;;`,
        '',
      ])
      const page = async (): Promise<string> => (await service.request('GET', '/customers', { headers: html })).text
      assert.doesNotMatch(await page(), /name="(age|children)\./)
      assert.match((await service.request('GET', '/customers?age.gte=5', { headers: html })).text, /name="age\.gte"/)
      await service.request('PATCH', `/customers/${other.id}`, { body: { age: 41 } })
      assert.match(await page(), /name="age\.gte"/)
      assert.doesNotMatch(await page(), /name="children\./)
      assert.match((await csv())[2] ?? '', /^\d+;Export of Bo;;;;;;;;41$/)
      const workbook = await service.request('GET', '/customers.xlsx?q=Export+of&shown=true')
      assert.equal(workbook.status, 200)
      for (const { id } of deals) await service.request('DELETE', `${DEALS}/${id}`)
      for (const { id } of [customer, other]) await service.request('DELETE', `/customers/${id}`)
    },
  )
})

suite('a change of many rows', () => {
  const send = (collection: string, fields: Record<string, string>) =>
    service.request('POST', `/changes/${collection}`, { headers: html, body: new URLSearchParams(fields) })

  test('needs a list and an operation of it', async () => {
    assert.equal((await send('nothing', { _operation: 'hold' })).status, 404)
    assert.equal((await send('deals', { _operation: 'finish' })).status, 404)
    assert.equal((await send('deals', { _operation: 'create' })).status, 404)
    const none = await send('deals', { _operation: 'hold' })
    assert.deepEqual([none.status, /No rows were selected/.test(none.text)], [200, true])
  })

  test('picks what there is, and makes nothing new', async () => {
    const { id } = await openDeal(service, { name: 'Four' })
    const { text } = await send('deals', { _operation: 'change-customer', [id]: 'on' })
    assert.match(text, /name="customerId"/)
    assert.doesNotMatch(text, /name="_customerId\.name"/)
  })

  test('says what is wrong beside its fields', async () => {
    const { id } = await openDeal(service, { name: 'Five' })
    const refused = await send('deals', { _operation: 'change-price', _step: 'preview', [id]: 'on', newPrice: '-1' })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /aria-invalid="true"/)
    assert.doesNotMatch(refused.text, /will change/)
  })

  testOnEachStore('that removes them is done once, however often it is sent, and not if one is gone', async () => {
    const made = async (name: string) => (await service.request('POST', '/customers', { body: { name } })).body.id
    const ids = [await made('Ann'), await made('Bo')]
    const removal = { _operation: 'delete', _step: 'apply', ...Object.fromEntries(ids.map((id) => [id, '1'])) }
    for (const _ of [1, 2]) {
      const { status, headers } = await send('customers', { ...removal, _command: 'twice' })
      assert.deepEqual([status, headers.location], [303, '/customers'])
    }
    const left = await made('Cy')
    assert.equal((await send('customers', { ...removal, [left]: '1' })).status, 409)
    assert.equal((await service.request('GET', `/customers/${left}`)).status, 200)
  })

  test('shows what differs, and no set of choices that stays', async () => {
    const values = ['north', 'south'].map((value) => ({ value, title: value }))
    const field = { on: 'deal', name: 'regions', title: 'Regions', kind: 'choices', options: { values } }
    const { body: added } = await service.request('POST', '/fields', { body: field })
    const made = { name: 'In both', price: 5, own: { regions: ['north', 'south'] } }
    const { body: deal } = await service.request('POST', DEALS, { body: made })
    const previewed = async (fields: Record<string, string>) => {
      const { text } = await send('deals', { [String(deal.id)]: 'on', _step: 'preview', ...fields })
      return [...text.matchAll(/<li>([^<]*): <del>/g)].map(([, about]) => about)
    }
    assert.deepEqual(await previewed({ _operation: 'move', stage: 'contract' }), ['Stage'])
    const fewer = { _operation: 'set-fields', 'own.regions[]': 'north' }
    assert.deepEqual(await previewed(fewer), ['Regions'])
    await service.request('POST', `/fields/${added.id}:retire`)
  })

  test('counts and changes those alone that differ afterwards', async () => {
    const [theirs, other] = await Promise.all(
      ['Lee', 'Kim'].map((owner) => openDeal(service, { name: `Of ${owner}`, owner })),
    )
    const rows = { [String(theirs?.id)]: '1', [String(other?.id)]: '1' }
    const { text } = await send('deals', { _operation: 'assign', _step: 'preview', owner: 'Lee', ...rows })
    assert.match(text, /1 row will change\. 1 row stays as it is\./)
    assert.match(text, /Assign: 1 row/)
    const [, form = ''] = /(<form[^>]*>(?:(?!<form)[\s\S])*name="_step" value="apply"[\s\S]*?<\/form>)/.exec(text) ?? []
    assert.doesNotMatch(form, new RegExp(String(theirs?.id)))
    assert.match(form, new RegExp(String(other?.id)))
    const same = await send('deals', {
      _operation: 'assign',
      _step: 'preview',
      owner: 'Lee',
      [String(theirs?.id)]: '1',
    })
    assert.match(same.text, /0 rows will change\. 1 row stays as it is\./)
    assert.doesNotMatch(same.text, /value="apply"/)
    const note = { _operation: 'add-note', _step: 'preview', text: 'Called' }
    assert.match((await send('deals', { ...note, ...rows })).text, /2 rows will change\./)
  })

  test('leads nowhere else', async () => {
    const { id } = await openDeal(service, { name: 'Six' })
    const { headers } = await send('deals', {
      ...{ _operation: 'archive', _step: 'apply', [id]: '1', _return: 'https://example.com/' },
      ...{ _operation: 'assign', owner: 'Lee' },
    })
    assert.equal(headers.location, DEALS)
  })
})

test('a problem is told in the language of the reader, whatever was asked for', async () => {
  const { body: customer } = await service.request('POST', '/customers', { body: { name: 'Bo' } })
  const deal = await openDeal(service, { customerId: Number(customer.id) })
  const told = async (language: string, path: string, body?: URLSearchParams): Promise<string> => {
    const headers = { ...html, 'accept-language': language }
    const { text } = await service.request(body ? 'POST' : 'GET', path, { headers, ...(body && { body }) })
    const [said = ''] = text.match(/<p class="detail">.*|<ul class="errors">.*|<section class="refused.*/) ?? []
    assert.notEqual(said, '', path)
    assert.doesNotMatch(said, /lang="en"/, `${language} ${path}`)
    return said.replaceAll(/<[^>]*>/g, '').replaceAll('&quot;', '"')
  }
  const deletion = [`/customers/${customer.id}/deletions`, new URLSearchParams({ _revision: '1' })] as const
  const asked = [
    deletion,
    ['/reports/pipeline?from=2026-11-30&until=2026-11-01'],
    ['/reports/foo'],
    ['/imports/abc'],
    [`${DEALS}?sort=foo`],
    [`${DEALS}?sort=nam`],
    [`${DEALS}?owner=nobody&empty=404`],
    [`${DEALS}/${deal.id}?revision=99`],
    [`${DEALS}/${deal.id}?asOf=2020-01-01T00:00:00.000Z`],
    [`${DEALS}/${deal.id}/history/99`],
    ['/rest/commands/none'],
    ['/board?page=2'],
  ] as const
  for (const language of ['es', 'fr']) for (const [path, body] of asked) await told(language, path, body)
  const inGerman: string[] = []
  for (const [path, body] of asked) inGerman.push(await told('de', path, body))
  assert.deepEqual(inGerman, [
    'Deals gehören zu diesem KundenEs wurde nichts geändert: Kunde: noch verwendet von Deal „Forty espresso machines“. Ändern Sie das zuerst.',
    'until darf nicht vor dem Anfang liegen, dem 2026-11-30',
    'Bericht "foo" wurde nicht gefunden.',
    'Import "abc" wurde nicht gefunden.',
    'sort kann nicht nach foo sortieren',
    'sort kann nicht nach nam sortieren, meinten Sie name?',
    'Nichts gefunden.',
    'Deal: Der neueste Stand ist 1.',
    'Deal: Das gab es am 2020-01-01T00:00:00.000Z noch nicht.',
    'Deal: Unter history gibt es keinen Eintrag 99.',
    'Befehl "none" wurde nicht gefunden.',
    'page passt nicht zum Board, das keine Seiten hat',
  ])
})

test('a refused form of a webhook, a rate or a view is the one that was sent, in the language of the reader', async () => {
  const sent = async (path: string, fields: { readonly [name: string]: string }): Promise<string> => {
    const headers = { ...html, 'accept-language': 'de' }
    const answer = await service.request('POST', path, { headers, body: new URLSearchParams(fields) })
    assert.ok(answer.status >= 400, path)
    assert.doesNotMatch(answer.text, /<span lang="en"/, path)
    return answer.text
  }
  const webhook = await sent('/webhooks', { url: 'http://127.0.0.1/', 'types.deal.held': 'on' })
  assert.match(webhook, /value="http:\/\/127\.0\.0\.1\/"/)
  assert.match(webhook, /class="fault"[^>]*>muss zu einer öffentlichen Adresse führen/)
  assert.deepEqual(
    [...webhook.matchAll(/name="(types\.[^"]+)" value="on" checked/g)].map(([, name]) => name),
    ['types.deal.held'],
  )
  const rate = await sent('/rates', { currency: 'USD', perUnit: '0', since: '2026-01-01', _return: '/rates' })
  assert.match(rate, /name="perUnit"[^>]* value="0"[^>]* aria-invalid="true"/)
  assert.match(rate, /name="_return" value="\/rates"/)
  const view = await sent('/views', { name: 'Mine', collection: 'nothing', query: 'a=1' })
  assert.match(view, /name="name"[^>]* value="Mine"/)
  const query = await sent('/views', { name: 'Mine', collection: 'deals', query: 'foo=1' })
  assert.match(
    query,
    /name="query"[^>]*>\nfoo=1<\/textarea> <span class="fault"[^>]*><code>foo<\/code> ist hier nicht bekannt/,
  )
})
