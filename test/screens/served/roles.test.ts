import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { basic, bearer, type ClosedService, runClosedService } from '../../support/service/closed-service.ts'
import { DEALS } from '../../support/service/making-deals.ts'

let service: ClosedService
let deal: string

before(async () => {
  service = await runClosedService()
  const headers = bearer(service.keys.admin)
  await service.request('POST', '/customers', { body: { name: 'Ana' }, headers })
  const made = await service.request('POST', `${DEALS}/`, { body: { name: 'Roof', price: 1, customerId: 1 }, headers })
  deal = String(made.headers.location)
})
after(() => service.close())

const page = async (path: string, role: keyof ClosedService['keys'], more: object = {}): Promise<string> =>
  (await service.request('GET', path, { headers: { ...bearer(service.keys[role]), accept: 'text/html', ...more } }))
    .text

/** The forms that write. The choice to see links for developers is the reader's own, and a cookie keeps it. */
const posts = (text: string): number => text.match(/<form method="post"(?! action="\/developer")/g)?.length ?? 0

suite('a page offers only what its reader may do', () => {
  test('a report chooses among the users', async () => {
    const [, options = ''] =
      /<select id="[^"]*" name="person">(.*?)<\/select>/s.exec(
        await page('/reports/pipeline?person=Somebody', 'reader'),
      ) ?? []
    const texts = [...options.matchAll(/<option[^>]*>([^<]*)/g)].map(([, text]) => text)
    assert.deepEqual(texts, ['Everyone', 'admin', 'editor', 'reader', 'Somebody'])
    assert.match(options, /<option[^>]* selected[^>]*>Somebody/)
  })

  test('who may read is offered no form, and told why', async () => {
    for (const path of ['/', '/board', DEALS, deal, '/customers', '/customers/1', `${deal}/actions/hold`]) {
      assert.equal(posts(await page(path, 'reader')), 0, path)
    }
    assert.match(await page(deal, 'reader'), /You may only read here\./)
    assert.doesNotMatch(await page('/', 'reader'), /href="\/webhooks"/)
  })

  test('who may edit works on deals and customers, who administers also deletes customers and sees webhooks', async () => {
    assert.ok(posts(await page(deal, 'editor')) > 10)
    // The card, and the view that the board can be saved as.
    assert.equal(posts(await page('/board', 'editor')), 2)
    assert.match(await page('/customers', 'editor'), /href="\/new\/customers"/)
    assert.match(await page('/customers', 'editor'), /href="\/customers\?sort=id">Number</)
    assert.equal(posts(await page('/new/customers', 'editor')), 1)
    // The whole, a note, a task, and values one by one.
    const ofEditors = posts(await page('/customers/1', 'editor'))
    assert.ok(ofEditors > 3)
    assert.doesNotMatch(await page('/customers/1', 'editor'), /\/deletions"/)
    assert.equal(posts(await page('/customers/1', 'admin')), ofEditors + 1)
    assert.match(await page('/customers/1', 'admin'), /Possible only while no deal refers to this customer\./)
    assert.match(await page('/', 'admin', { cookie: 'developer=true' }), /href="\/webhooks"/)
    const asked = await Promise.all(
      (['editor', 'admin'] as const).map((role) =>
        service.request('GET', '/confirm/customer/1/delete', {
          headers: { accept: 'text/html', ...bearer(service.keys[role]) },
        }),
      ),
    )
    assert.deepEqual(
      asked.map(({ status }) => status),
      [403, 200],
    )
  })

  test('says who is signed in, and the activity who did what', async () => {
    assert.match(await page('/', 'reader'), /<p class="actor">reader-key<\/p>/)
    assert.match(await page(deal, 'reader'), /<b>admin-key<\/b> created the deal for 1\.00/)
  })

  test('pages that anybody may see load nothing that needs a user', async () => {
    const { text } = await service.request('GET', '/problems/wrong-state', { headers: { accept: 'text/html' } })
    assert.doesNotMatch(text, /<script/)
    assert.match(text, /<link rel="stylesheet" href="\/style\.css/)
    assert.equal((await service.request('GET', '/app.js')).status, 401)
  })
})

suite('who is not signed in, or may not', () => {
  const html = { accept: 'text/html' }

  test('is told so in sentences for people', async () => {
    // Of reads, people are led to the sign-in page instead.
    const stranger = await service.request('DELETE', '/customers/1', { headers: html })
    assert.equal(stranger.status, 401)
    assert.match(stranger.text, /<h1>You need to sign in<\/h1>/)
    assert.match(stranger.text, /This page is for people who have an account\./)
    const wrong = await service.request('GET', '/customers', { headers: { ...html, ...basic('reader', 'a guess') } })
    assert.match(wrong.text, /The name or the password is wrong\./)
    const reader = await service.request('POST', `${deal}/holds`, {
      headers: { ...html, ...bearer(service.keys.reader) },
      body: new URLSearchParams({ reason: 'x' }),
    })
    assert.equal(reader.status, 403)
    assert.match(reader.text, /<h1>Your role may not do this<\/h1>/)
    assert.match(reader.text, /You are signed in as reader-key, with the role reader\. This needs the role editor\./)
    for (const { text } of [stranger, wrong, reader]) {
      assert.doesNotMatch(text.slice(text.indexOf('<body>')), /Authorization:|credential|`|API key/)
      assert.doesNotMatch(text, /href="\/webhooks"/, 'leads to nothing that needs another role')
    }
  })
})

suite('every page has the same bar', () => {
  const bar = (text: string): string => /<header class="top">[\s\S]*?<\/header>/.exec(text)?.[0] ?? ''
  const current = (text: string): string => /aria-current="page"[^>]*>([^<]+)/.exec(bar(text))?.[1] ?? ''

  test('who is signed in, where one is, and the script that knows the keys', async () => {
    const places = { '/docs': 'Reference', '/docs/hold': 'Reference', '/problems': 'Reference', '/query': 'Queries' }
    for (const [path, place] of Object.entries({ ...places, '/problems/wrong-state': 'Reference' })) {
      const text = await page(path, 'reader')
      assert.match(bar(text), /<p class="actor">reader-key<\/p>/, path)
      assert.equal(current(text), place, path)
      assert.match(text, /<script src="\/app\.js/, path)
    }
    const refused = await page('/webhooks', 'reader')
    assert.match(bar(refused), /<p class="actor">reader-key<\/p>/)
    assert.equal(current(await page(`${DEALS}/nothing`, 'reader')), 'Deals')
  })

  test('a credential that is not known is nobody, where everybody may read', async () => {
    const headers = { accept: 'text/html', ...basic('reader', 'a guess') }
    const { status, text } = await service.request('GET', '/docs', { headers })
    assert.equal(status, 200)
    assert.doesNotMatch(text, /class="actor"|<script/)
  })
})
