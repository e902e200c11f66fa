import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { anybody } from '../../../src/languages/reader.ts'
import { wordsFor } from '../../../src/languages/text.ts'
import { clientText } from '../../../src/screens/user/client-text.ts'
import { basic, type ClosedService, runClosedService } from '../../support/service/closed-service.ts'
import { DEALS } from '../../support/service/making-deals.ts'
import { closedRoomService } from '../../support/service/room-service.ts'

let service: ClosedService
const as = (name: string) => ({ headers: { ...basic(name), accept: 'text/html' } })
const send = (name: string, path: string, fields: { readonly [name: string]: string }) =>
  service.request('POST', path, { ...as(name), body: new URLSearchParams(fields) })

before(async () => {
  service = await closedRoomService()
})

suite('the pages of users', () => {
  test('an admin invites somebody, and the link is shown once', async () => {
    const list = await service.request('GET', '/users', as('admin'))
    assert.match(list.text, /Invite somebody/)
    const made = await send('admin', '/users', { name: 'new', fullName: 'New Person', role: 'reader' })
    assert.equal(made.status, 201)
    assert.match(made.text, /<code>http:\/\/127\.0\.0\.1:\d+\/invitations\/[\w-]{43}<\/code>/)
    const again = await service.request('GET', '/users/new', as('admin'))
    assert.doesNotMatch(again.text, /\/invitations\/[\w-]{43}/)
    assert.match(again.text, />Invited</)
    const other = await send('admin', '/users/new/invitations', {})
    assert.match(other.text, /<code>http:\/\/127\.0\.0\.1:\d+\/invitations\/[\w-]{43}<\/code>/)
    const invited = async () => {
      const { body } = await service.request('GET', '/users?invited=true', { headers: basic('admin') })
      return (body.items as readonly { readonly name: string; readonly invited: boolean }[]).map((each) => [
        each.name,
        each.invited,
      ])
    }
    assert.ok((await invited()).some((each) => isDeepStrictEqual(each, ['new', true])))
    const [, link = ''] = /(\/invitations\/[\w-]{43})/.exec(other.text) ?? []
    const body = new URLSearchParams({ password: 'four words in a row' })
    assert.equal((await service.request('POST', link, { headers: { accept: 'text/html' }, body })).status, 303)
    assert.ok(!(await invited()).some(([name]) => name === 'new'), 'until the first sign-in')
    const used = await service.request('GET', link, { headers: { accept: 'text/html' } })
    assert.equal(used.text.match(/The link was used/g)?.length, 1)
    assert.match(used.text, /<a class="button" href="\/sign-in">Sign in<\/a>/)
    assert.match((await service.request('GET', '/users/new', as('admin'))).text, />Active</)
  })

  test('people have their full names and initials wherever pages show them, and are found by a part of them', async () => {
    await service.request('PATCH', '/users/editor', { headers: basic('editor'), body: { fullName: 'Bert Öztürk' } })
    const page = async (path: string) => (await service.request('GET', path, as('editor'))).text
    // The page knows the new name within a second.
    while (!/name="owner"[^>]* value="Bert Öztürk"/.test(await page('/new/deals'))) await pause(50)
    const made = await send('editor', DEALS, { name: 'Full names', price: '1', owner: 'editor' })
    const deal = String(made.headers.location)
    const api = await service.request('POST', `${DEALS}/`, {
      headers: basic('editor'),
      body: { name: 'Api', price: 1 },
    })
    assert.equal(api.body.owner, null, 'the API has its own default')
    assert.match(await page(deal), /<b>Bert Öztürk<\/b> created the deal/)
    assert.match(await page(deal), /people\/editor">Bert Öztürk<\/a>/)
    assert.match(await page(`${DEALS}?owner=editor`), /people\/editor">Bert Öztürk<\/a>/)
    assert.match(await page(`${DEALS}?owner=editor`), /Owner is Bert Öztürk/)
    const card = /id="deal-[^"]*">[\s\S]*?Full names[\s\S]*?<\/li>/.exec(await page('/board?owner=editor'))?.[0] ?? ''
    assert.match(card, /title="Bert Öztürk"><span aria-hidden="true">BÖ</)
    assert.match(await page('/'), /<span class="wide">Bert Öztürk<\/span>/)
    for (const [typed, found] of [
      ['oztu', 'owner=editor'],
      ['nobody at all', 'owner=nobody%20at%20all'],
      ['me', 'owner=me'],
    ] as const) {
      const led = await service.request('GET', `/filters/deals?owner=${encodeURIComponent(typed)}`, as('editor'))
      assert.equal(led.headers.location, `${DEALS}?${found}`)
    }
    await service.request('PATCH', '/users/editor', { headers: basic('editor'), body: { fullName: null } })
  })

  test('the address of a calendar is revoked where there is one', async () => {
    const offers = async () =>
      /id="revoke-form"/.test((await service.request('GET', '/users/editor', as('editor'))).text)
    assert.equal(await offers(), false)
    assert.equal((await send('editor', '/users/editor/calendar', {})).status, 201)
    assert.equal(await offers(), true)
  })

  test('a session is told by its browser and system', () => {
    const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0'
    for (const [client, text] of [
      [`${agent} Safari/537.36`, 'Chrome on Windows'],
      [`${agent} Safari/537.36 Edg/141.0`, 'Edge on Windows'],
      ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1', 'Safari on iPhone'],
      ['Firefox on Linux', 'Firefox on Linux'],
      ['something else', 'something else'],
    ] as const)
      assert.equal(wordsFor(clientText(client), anybody), text)
  })

  test('links for developers are shown to those who asked for them', async () => {
    const shows = async () => {
      const { text } = await service.request('GET', DEALS, as('editor'))
      return ['class="menu developers"', 'class="formats"'].map((part) => text.includes(part))
    }
    assert.deepEqual(await shows(), [false, false])
    assert.equal((await send('editor', '/users/editor/edits', { developer: 'true' })).status, 303)
    assert.deepEqual(await shows(), [true, true])
    const { body } = await service.request('GET', '/users/editor', { headers: basic('editor') })
    assert.equal(body.developer, true)
    await send('editor', '/users/editor/edits', { developer: 'false' })
    assert.deepEqual(await shows(), [false, false])
  })

  test('a double click on Invite invites once, and shows the link', async () => {
    const { text } = await service.request('GET', '/users', as('admin'))
    const [, seed = ''] = /name="_seed" value="([^"]+)"/.exec(text) ?? []
    const invite = (fields: object) =>
      send('admin', '/users', { name: 'twice', role: 'reader', _seed: seed, ...fields })
    const answers = await Promise.all([invite({}), invite({})])
    assert.deepEqual(
      [...answers, await invite({})].map(({ status }) => status),
      [201, 201, 201],
    )
    const links = new Set(answers.map((answer) => /\/invitations\/[\w-]{43}/.exec(answer.text)?.[0]))
    assert.equal(links.size, 1)
    const audit = await service.request('GET', '/audit?user=twice', { headers: basic('admin') })
    const events = audit.body.items?.map((each) => (each as { readonly event: string }).event)
    assert.deepEqual(events?.toSorted(), ['user-created', 'user-invited'])
    const [link = ''] = links
    assert.equal((await service.request('GET', link, { headers: { accept: 'text/html' } })).status, 200)
    // Somebody else of that name, and the form of another page, are refused.
    assert.equal((await invite({ fullName: 'Another' })).status, 409)
    const other = `${seed.slice(0, -1)}${seed.endsWith('A') ? 'B' : 'A'}`
    assert.equal((await invite({ _seed: other })).status, 409)
  })

  test('links that are copied lead through TLS where the reader came so', async (t) => {
    const trusted = await runClosedService({ TRUST_PROXY: 'loopback' })
    t.after(() => trusted.close())
    const headers = { ...as('admin').headers, 'x-forwarded-proto': 'https', host: 'deals.example' }
    const made = await trusted.request('POST', '/users/reader/invitations', { headers, body: new URLSearchParams() })
    assert.match(made.text, /<code>https:\/\/deals\.example\/invitations\/[\w-]{43}<\/code>/)
  })

  test('a form that is refused comes back with what is wrong', async () => {
    const refused = await send('admin', '/users', { name: 'me', role: 'reader' })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /role="alert"[\s\S]*value="me"[\s\S]*must not be me/)
    const short = await send('editor', '/users/editor/passwords', { old: 'password of editor', password: 'short' })
    assert.equal(short.status, 422)
    assert.match(
      short.text,
      /role="alert"[\s\S]*My profile[\s\S]*autofocus aria-invalid="true"[\s\S]*at least 12 characters/,
    )
    assert.doesNotMatch(short.text, /value="(short|password of editor)"/)
    const wrong = await send('editor', '/users/editor/passwords', { old: 'x', password: 'a much longer password' })
    assert.equal(wrong.status, 403)
    assert.match(wrong.text, /role="alert"[\s\S]*old password is wrong/)
    const faulty = await send('reader', '/users/me/edits', { fullName: 'Rea', email: 'nobody', locale: 'de' })
    assert.match(faulty.text, /value="Rea"[\s\S]*value="nobody"[\s\S]*must be an address/)
    const key = await send('reader', '/users/reader/keys', { name: 'mine', role: 'admin' })
    assert.match(key.text, /value="mine"[\s\S]*must be at most reader/)
    const last = await send('admin', '/users/admin/edits', { role: 'reader' })
    assert.equal(last.status, 409)
    assert.match(last.text, /role="alert"/)
  })

  test('people change their own profile, and nobody offers them more', async () => {
    const own = await service.request('GET', '/users/me', as('reader'))
    assert.match(own.text, /My profile/)
    assert.doesNotMatch(own.text, /id="edit-form-6"|id="admin"|name="disabled"/)
    const saved = await send('reader', '/users/reader/edits', { fullName: 'Rea Der', timeZone: 'Europe/Zurich' })
    assert.deepEqual([saved.status, saved.headers.location], [303, '/users/reader'])
    assert.match((await service.request('GET', '/users/reader', as('reader'))).text, /<h1>Rea Der<\/h1>/)
    assert.equal((await send('reader', '/users/reader/edits', { role: 'admin' })).status, 403)
    assert.equal((await service.request('GET', '/users/admin', as('reader'))).status, 403)
  })

  test('a key is made, shown once and withdrawn', async () => {
    const made = await send('editor', '/users/editor/keys', { name: 'export', role: 'reader' })
    assert.match(made.text, /<code>dd_[\w-]{43}<\/code>/)
    const page = await service.request('GET', '/users/editor', as('editor'))
    assert.doesNotMatch(page.text, /dd_/)
    assert.match(page.text, /action="\/users\/editor\/keys\/export\/withdrawals"/)
    const withdrawn = await send('editor', '/users/editor/keys/export/withdrawals', {})
    assert.deepEqual([withdrawn.status, withdrawn.headers.location], [303, '/users/editor'])
  })

  test('only a service with a provider links users to it', async () => {
    const linked = await service.request('PUT', '/users/editor/identity', {
      headers: basic('admin'),
      body: { subject: '1' },
    })
    assert.equal(linked.body.code, 'no-provider')
    assert.doesNotMatch((await service.request('GET', '/users/editor', as('admin'))).text, /id="link-form"/)
    const path = '/users/editor/identity'
    assert.equal((await service.request('PUT', path, { headers: basic('editor'), body: { subject: '1' } })).status, 403)
  })

  test('lead to my deals', async () => {
    const { text } = await service.request('GET', DEALS, as('editor'))
    assert.match(text, /href="\/rest\/v1\/deals\?owner=me&amp;status=open"/)
  })

  test('suggest who there is where a user is named, without script', async () => {
    const { body } = await service.request('GET', '/people', { headers: basic('editor') })
    const items = body.items as readonly { readonly name: string; readonly fullName: string | null }[]
    const people = items.map(({ name, fullName }) => fullName ?? name)
    const suggested = async () => {
      const { text } = await service.request('GET', DEALS, as('editor'))
      assert.match(text, /name="owner"[^>]* list="people"/)
      const [, list = ''] = text.split(/<datalist id="people"[^>]*>|<\/datalist>/)
      return [...list.matchAll(/<option value="([^"]*)"/g)].map(([, name]) => name)
    }
    // A new user is suggested within a second.
    while (!isDeepStrictEqual(await suggested(), people)) await pause(50)
    const without = await service.request('GET', '/problems', as('editor'))
    assert.doesNotMatch(without.text, /<datalist/)
  })
})
