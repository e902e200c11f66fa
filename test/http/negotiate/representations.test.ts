import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { HtmlValidate } from 'html-validate'
import { carrying, representations } from '../../../src/representations/representations.ts'
import { drawn, isDrawn } from '../../support/inputs/drawn.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'

const types = {
  json: 'application/json',
  xml: 'application/xml; charset=utf-8',
  html: 'text/html; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
} as const

const browsers = {
  firefox: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  chrome:
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  safari: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
}

const nasty = ' <b>&amp;\u2028"\'\t\r\n\u{1F600} =1+1 – ]]>'

let service: TestService
let resources: readonly string[]
let lists: readonly string[]
let deal: string

before(async () => {
  service = await runService()
  await service.request('POST', '/customers', { body: { name: `Ana${nasty}`, age: 41 } })
  deal = (await openDeal(service, { name: `Roof${nasty}`, description: nasty, customerId: 1 })).id
  await service.request('PUT', `${DEALS}/${deal}/commands/c-1`, { body: { action: 'hold', params: { reason: nasty } } })
  await service.request('PUT', `${DEALS}/${deal}/commands/c-2`, { body: { action: 'complete' } })
  resources = [
    '/',
    '/rest',
    '/query',
    '/problems',
    '/problems/wrong-state',
    '/customers/1',
    `${DEALS}/${deal}`,
    `${DEALS}/${deal}/actions`,
    `${DEALS}/${deal}/history/1`,
    `${DEALS}/${deal}/holds/2`,
    '/rest/commands/c-1',
    '/rest/commands/c-2',
  ]
  lists = [
    '/customers',
    DEALS,
    `${DEALS}/${deal}/history`,
    `${DEALS}/${deal}/holds`,
    `${DEALS}/${deal}/commands`,
    '/rest/commands',
    '/query/deals-by-customer/1',
  ]
})
after(() => service.close())

const get = (path: string, accept?: string) =>
  service.request('GET', path, accept === undefined ? {} : { headers: { accept } })

const suffixed = (path: string, format: string): string => (path === '/' ? `/?format=${format}` : `${path}.${format}`)

describe('one address, every representation', () => {
  test('the usual ones have the types that everybody knows', () => {
    for (const [format, type] of Object.entries(types)) {
      assert.equal(representations.find(({ name }) => name === format)?.contentType, type)
    }
  })

  for (const { name: format, contentType, mediaTypes, carries } of representations) {
    test(`${format} by Accept, by suffix and by format`, async () => {
      const paths = carries('resource') ? [...resources, ...lists] : lists.filter((path) => isOffered(path, format))
      for (const [nth, path] of paths.entries()) {
        if (paths.length > 8 && !isDrawn(nth, 2)) continue
        const byAccept = await get(path, mediaTypes[0])
        assert.equal(byAccept.status, 200, `${path} ${byAccept.text}`)
        assert.equal(byAccept.headers['content-type'], contentType, path)
        for (const other of [
          await get(suffixed(path, format)),
          await get(`${path}?format=${format}`, 'text/nothing'),
        ]) {
          assert.equal(other.status, 200, `${path} ${other.text}`)
          assert.equal(other.headers['content-type'], contentType)
          assert.equal(withoutOwnAddress(other.text), withoutOwnAddress(byAccept.text))
        }
      }
    })
  }

  test('says so: Vary, and links to the others', async () => {
    for (const path of [...resources, ...lists]) {
      const { headers } = await get(path)
      assert.equal(headers.vary, 'Accept, Accept-Encoding', path)
      assert.equal(headers['cache-control'], 'private, no-cache', path)
      assert.match(String(headers.link), /rel="alternate"; type="text\/html"/, path)
    }
  })

  test('a browser gets a page, curl gets JSON, the more closely named type wins', async () => {
    for (const [nth, path] of [...resources, ...lists].entries()) {
      for (const accept of drawn(Object.values(browsers), nth))
        assert.equal((await get(path, accept)).headers['content-type'], types.html)
      assert.equal((await get(path, '*/*')).headers['content-type'], types.json)
      assert.equal((await get(path, 'text/xml')).headers['content-type'], 'text/xml; charset=utf-8')
      assert.equal((await get(path, 'application/*;q=0.2, text/html;q=0.1')).headers['content-type'], types.json)
      assert.equal(
        (await get(path, 'APPLICATION/XML;q=0.9, application/json;q=0.8')).headers['content-type'],
        types.xml,
      )
    }
  })

  test('the next page stays in the representation that the address asks for', async () => {
    await service.request('POST', '/customers', { body: { name: 'Of the second page' } })
    for (const [address, type] of [
      ['/customers.csv?maxpagesize=1', types.csv],
      ['/customers/.csv?maxpagesize=1', types.csv],
      ['/customers.xml?maxpagesize=1', types.xml],
      ['/customers.html?maxpagesize=1', types.html],
      ['/customers?maxpagesize=1&format=csv', types.csv],
      ['/customers?maxpagesize=1', types.json],
    ] as const) {
      const first = await get(address)
      const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? 'none'
      const second = await get(next)
      assert.deepEqual([second.status, second.headers['content-type']], [200, type], `${address} ${next}`)
      assert.notEqual(second.text, first.text)
    }
    const { text } = await get('/customers.json?maxpagesize=1')
    assert.equal(text, (await get('/customers?maxpagesize=1')).text)
  })

  test('what there is not is 406 and lists what there is', async () => {
    for (const path of resources.filter((_, nth) => isDrawn(nth, 2))) {
      for (const answer of [
        await get(path, 'text/csv'),
        await get(path, 'image/png'),
        await get(`${path}?format=frob`),
      ]) {
        assert.equal(answer.status, 406, path)
        assert.deepEqual(
          (answer.body.available as { format: string }[]).map(({ format }) => format),
          carrying('resource').map(({ name }) => name),
        )
        assert.equal(answer.headers.vary, 'Accept, Accept-Encoding')
      }
    }
  })

  test('a format that is given twice is 400 and says so', async () => {
    for (const path of [
      '/customers?format=xml&format=json',
      '/customers?format=frob&format=frob',
      '/?format=xml&format=json',
    ]) {
      const answer = await get(path)
      assert.deepEqual([answer.status, answer.body.detail], [400, 'format must be given once'], path)
    }
  })

  test('an unknown suffix is 404, a suffix on a write is part of the address', async () => {
    assert.equal((await get('/customers.frob')).status, 404)
    assert.equal((await get(`${DEALS}/${deal}.frob`)).status, 404)
    const written = await service.request('PUT', `${DEALS}/${deal}/hold.json`, { body: { reason: 'x' } })
    assert.equal(written.status, 404)
  })

  test('nothing is written when the answer could not be', async () => {
    const before = (await get(`${DEALS}/${deal}`)).body.revision
    const answer = await service.request('PUT', `${DEALS}/${deal}/hold`, {
      body: { reason: 'x' },
      headers: { accept: 'image/png' },
    })
    assert.equal(answer.status, 406)
    assert.equal((await get(`${DEALS}/${deal}`)).body.revision, before)
  })

  test('HEAD has the headers of GET and no body', async () => {
    for (const path of [...resources, ...lists]) {
      const got = await get(path)
      const head = await service.request('HEAD', path)
      assert.deepEqual([head.status, head.text], [got.status, ''])
      for (const name of ['content-type', 'content-length', 'etag', 'last-modified', 'link', 'vary'] as const) {
        assert.equal(head.headers[name], got.headers[name], `${path} ${name}`)
      }
    }
  })
})

const ownSuffix = new RegExp(`\\.(${representations.map(({ name }) => name).join('|')})\\b|\\?format=\\w+`, 'g')

const calendars = new Set([DEALS, '/query/deals-by-customer/1'])

/** Which formats a list has, besides those that every list has. */
const isOffered = (path: string, format: string): boolean =>
  format === 'ics' ? calendars.has(path) : format !== 'atom' || /history|holds/.test(path)

/** A page names its own address, which has a suffix or a format in it. */
const withoutOwnAddress = (text: string): string =>
  text.replaceAll(ownSuffix, '').replaceAll(/_command" value="[^"]+"/g, '')

describe('problems', () => {
  test('come in the type that was asked for, or in JSON', async () => {
    const missing = `${DEALS}/01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10`
    assert.equal((await get(missing)).headers['content-type'], 'application/problem+json')
    assert.equal(
      (await get(missing, 'application/xml')).headers['content-type'],
      'application/problem+xml; charset=utf-8',
    )
    assert.equal((await get(missing, browsers.firefox)).headers['content-type'], types.html)
    assert.equal((await get('/customers.csv?nope=1')).headers['content-type'], 'application/problem+json')
    for (const accept of ['application/json', 'application/xml', 'text/html']) {
      const { headers } = await get(missing, accept)
      const varies = `Accept, Accept-Encoding${accept === 'text/html' ? ', Accept-Language' : ''}`
      assert.deepEqual([headers.vary, headers['cache-control']], [varies, 'no-store'])
    }
  })
})

test('XML reads back to the values of the JSON', async () => {
  const parser = new XMLParser({ parseTagValue: false, trimValues: false, htmlEntities: true, ignoreAttributes: true })
  const json = (await get(`${DEALS}/${deal}`)).body
  const { text } = await get(`${DEALS}/${deal}.xml`)
  assert.equal(XMLValidator.validate(text), true)
  const read = parser.parse(text).deal as { [name: string]: string }
  for (const name of ['id', 'name', 'description', 'price', 'holdReason', 'revision', 'held']) {
    assert.equal(read[name], String(json[name]), name)
  }
})

test('CSV reads back to the rows of the page, with no live formula', async () => {
  await openDeal(service, { name: '=HYPERLINK("http://x")', description: '+1' })
  const { items } = (await get(DEALS)).body as unknown as { items: { [name: string]: unknown }[] }
  const rows = parse((await get(`${DEALS}.csv`)).text, { columns: true }) as { [name: string]: string }[]
  assert.equal(rows.length, items.length)
  for (const [index, row] of rows.entries()) {
    for (const [name, value] of Object.entries(items[index] ?? {})) {
      const cell = row[name] ?? ''
      assert.doesNotMatch(cell, /^[=+@\t\r]/)
      assert.equal(cell.replace(/^'/, ''), value === null ? '' : String(value))
    }
  }
})

test('every page is valid HTML, and a hostile name is text', async () => {
  const validator = new HtmlValidate({
    extends: ['html-validate:recommended'],
    rules: { 'long-title': 'off', 'tel-non-breaking': 'off' },
  })
  const pages = [...resources, ...lists, '/nothing-here', `${DEALS}/${deal}/complete`, '/customers?nope=1']
  for (const path of pages.filter((_, nth) => isDrawn(nth, 4))) {
    const { text } = await get(path, browsers.chrome)
    const { results } = await validator.validateString(text)
    const messages = results.flatMap((result) => result.messages.map(({ ruleId, message }) => `${ruleId} ${message}`))
    assert.deepEqual(messages, [], path)
    assert.ok(!text.includes('<b>&amp;'), path)
  }
})

test('a deal’s page has a form for each operation that is allowed, which an ordinary browser can send', async () => {
  const { text } = await get(`${DEALS}/${deal}`, browsers.safari)
  const { links } = (await get(`${DEALS}/${deal}`)).body as unknown as {
    links: { operations: { [name: string]: string } }
  }
  // Beside them the page searches, changes its colours and adds a task.
  const forms = (text.match(/<form[\s\S]*?<\/form>/g) ?? []).filter((form) =>
    form.includes(`action="${DEALS}/${deal}/`),
  )
  const actions = forms.map((form) => /action="([^"]+)"/.exec(form)?.[1])
  assert.equal(actions.length, Object.keys(links.operations).length)
  for (const form of forms) {
    assert.match(form, /method="post"/)
    // A note is right whatever else has changed meanwhile.
    if (!form.includes('/notes"')) assert.match(form, /name="_revision" value="\d+"/)
    assert.match(form, /name="_command" value="[\da-f]{19}"/)
  }
  const unhold = actions.find((action) => action?.endsWith('/unholds')) ?? ''
  const revision = /name="_revision" value="(\d+)"/.exec(text)?.[1] ?? ''
  const sent = await service.request('POST', unhold, {
    body: new URLSearchParams({ _revision: revision, _command: 'page-1' }),
    headers: { accept: browsers.firefox },
  })
  assert.deepEqual([sent.status, sent.headers.location], [303, `${DEALS}/${deal}`])
  assert.equal((await get(`${DEALS}/${deal}`)).body.held, false)
})
