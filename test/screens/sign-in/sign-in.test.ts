import assert from 'node:assert/strict'
import { after, before, suite } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { basic, bearer, type ClosedService, runClosedService } from '../../support/service/closed-service.ts'
import { type Answered, runService, type Shown, type TestService } from '../../support/service/running-service.ts'
import { asPerson, cookieOf, signedIn, signIn } from '../../support/service/signing-in.ts'

suite('a person', () => {
  let service: ClosedService
  before(async () => {
    service = await runClosedService()
  })
  after(() => service.close())
  const get = (path: string, headers: { readonly [name: string]: string } = {}) =>
    service.request('GET', path, { headers: { ...asPerson, ...headers } })
  const post = (path: string, fields: Record<string, string>, headers: { readonly [name: string]: string } = {}) =>
    service.request('POST', path, { body: new URLSearchParams(fields), headers: { ...asPerson, ...headers } })

  test('who is not signed in is led to the sign-in page, without a dialog of the browser', async () => {
    for (const path of ['/board?owner=x&stage=lead', '/nothing-here', '/rest/v1/deals/1']) {
      const led = await get(path)
      assert.equal(led.status, 303)
      assert.equal(led.headers.location, `/sign-in?return=${encodeURIComponent(path)}`)
      assert.equal(led.headers['www-authenticate'], undefined)
    }
    assert.equal((await get('/')).headers.location, '/sign-in')
    // An address says what is preferred as well as a header does.
    for (const path of ['/customers.html', '/customers?format=html']) {
      const led = await service.request('GET', path)
      assert.deepEqual([led.status, led.headers.location], [303, `/sign-in?return=${encodeURIComponent(path)}`])
    }
    // Escaped, it would be longer than an address may be.
    assert.equal((await get(`/customers?name=${'%C3%A4'.repeat(1200)}`)).headers.location, '/sign-in')
    const page = await get('/sign-in?return=/board')
    assert.equal(page.status, 200)
    assert.match(page.text, /<input type="hidden" name="return" value="\/board">/)
    assert.match(page.text, /type="password" autocomplete="current-password"/)
    const script = await service.request('GET', '/customers', { headers: { 'sec-fetch-mode': 'cors' } })
    assert.deepEqual([script.status, script.headers['www-authenticate']], [401, 'Bearer realm="Dealdesk"'])
  })

  test('a program without a credential is asked for one as before', async () => {
    const asked = await service.request('GET', '/customers')
    assert.equal(asked.status, 401)
    assert.match(String(asked.headers['www-authenticate']), /^Basic /)
    assert.equal((await service.request('GET', '/customers', { headers: basic('reader') })).status, 200)
    assert.equal((await get('/customers', basic('reader'))).status, 200)
  })

  test('signs in and goes where they wanted', async () => {
    const answer = await signIn(service, 'reader', { return: '/board?owner=me' })
    assert.deepEqual([answer.status, answer.headers.location], [303, '/board?owner=me'])
    const [cookie = ''] = answer.headers['set-cookie'] ?? []
    assert.match(cookie, /^dealdesk_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
    const home = await get('/', cookieOf(answer))
    assert.equal(home.status, 200)
    assert.match(home.text, /Sign out/)
    assert.equal((await service.request('GET', '/users/me', { headers: cookieOf(answer) })).body.name, 'reader')
  })

  test('is led to local paths alone', async () => {
    for (const elsewhere of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/\t/evil.example',
      'javascript:alert(1)',
      '/..//evil.example',
      'board',
    ]) {
      const { headers } = await signIn(service, 'reader', { return: elsewhere })
      assert.equal(headers.location, '/', elsewhere)
    }
  })

  test('whose name or password is wrong gets one answer, without a cookie', async () => {
    const answers = [
      await signIn(service, 'reader', { password: 'wrong password' }),
      await signIn(service, 'nobody', { password: 'wrong password' }),
    ]
    for (const { status, headers, text } of answers) {
      assert.deepEqual([status, headers['set-cookie']], [403, undefined])
      assert.match(text, /role="alert">The name or the password is wrong/)
      assert.ok(!text.includes('wrong password'))
    }
    const [known = '', unknown = ''] = answers.map(({ text }) =>
      text.replace(/reader|nobody/g, '').replace(/[\w]+-\w+<\/code>/g, ''),
    )
    assert.equal(known, unknown)
  })

  test('gets a new session with every sign-in; one that was planted is worth nothing', async () => {
    const planted = { cookie: `dealdesk_session=${'a'.repeat(43)}` }
    const first = await signIn(service, 'reader', {}, planted)
    assert.notEqual(cookieOf(first).cookie, planted.cookie)
    assert.equal((await service.request('GET', '/customers', { headers: planted })).status, 401)
    const second = await signIn(service, 'editor', {}, cookieOf(first))
    assert.equal(
      (await service.request('GET', '/customers', { headers: cookieOf(first) })).status,
      401,
      'it was replaced',
    )
    assert.equal((await service.request('GET', '/users/me', { headers: cookieOf(second) })).body.name, 'editor')
  })

  test('who signs out is out at once, and the old cookie opens nothing', async () => {
    const session = await signedIn(service, 'reader')
    const out = await post('/sign-out', {}, session)
    assert.deepEqual([out.status, out.headers.location], [303, '/sign-in'])
    assert.match(String(out.headers['set-cookie']), /^dealdesk_session=; Max-Age=0; /)
    assert.equal((await service.request('GET', '/customers', { headers: session })).status, 401)
    assert.equal((await get('/', session)).status, 303)
    assert.equal((await post('/sign-out', {}, session)).status, 303, 'twice is no fault')
  })

  test('whose session has ended finds the name filled in, and the focus at the password', async () => {
    const answer = await signIn(service, 'reader')
    const cookies = (answer.headers['set-cookie'] ?? []).map((each) => each.split(';', 1)[0]).join('; ')
    await service.request('DELETE', '/users/reader/sessions', { headers: basic('admin') })
    for (const { text } of [
      await get('/sign-in?return=/board', { cookie: cookies }),
      await post('/rest/v1/deals/', { name: 'Kept', price: '7' }, { cookie: cookies }),
    ]) {
      assert.match(text, /name="name" [^>]*value="reader"/)
      assert.match(text, /name="password" [^>]*autofocus/)
      assert.doesNotMatch(text, /Sign out/)
    }
    const out = await post('/sign-out', {}, { cookie: cookies })
    assert.match(String(out.headers['set-cookie']), /dealdesk_user=; Max-Age=0; /)
    for (const planted of ['%', '%00', 'a%3Ab', 'x'.repeat(5000)]) {
      const { text } = await get('/sign-in', { cookie: `dealdesk_user=${planted}` })
      assert.doesNotMatch(text, /name="name" [^>]*value=/, planted)
    }
  })

  testOnEachStore('lists their sessions and ends one or all of them', async () => {
    const one = await signedIn(service, 'reader')
    const two = await signedIn(service, 'reader')
    const list = (await service.request('GET', '/users/me/sessions', { headers: one })).body.items as readonly {
      id: string
      current: boolean
      client: string
      address: string
    }[]
    assert.deepEqual(
      list.slice(-2).map(({ current }) => current),
      [true, false],
    )
    assert.equal(list[0]?.address, '127.0.0.1')
    const other = list.at(-1)?.id
    assert.equal((await service.request('DELETE', `/users/me/sessions/${other}`, { headers: one })).status, 204)
    assert.equal((await service.request('DELETE', `/users/me/sessions/${other}`, { headers: one })).status, 404)
    assert.equal((await service.request('GET', '/customers', { headers: two })).status, 401)
    assert.equal(
      (await service.request('DELETE', '/users/reader/sessions', { headers: bearer(service.keys.admin) })).status,
      204,
    )
    assert.equal((await service.request('GET', '/customers', { headers: one })).status, 401)
  })

  test('a new password and a disabled user end every session', async () => {
    const session = await signedIn(service, 'reader')
    const set = { password: 'another four words', old: 'password of reader' }
    assert.equal((await service.request('PUT', '/users/me/password', { headers: session, body: set })).status, 204)
    assert.equal((await service.request('GET', '/customers', { headers: session })).status, 401)
    const admin = bearer(service.keys.admin)
    await service.request('PUT', '/users/reader/password', { headers: admin, body: { password: 'password of reader' } })
    const other = { headers: admin, body: { password: 'another of reader' } }
    const [, ...racing] = await Promise.all([
      service.request('PUT', '/users/reader/password', other),
      ...Array.from({ length: 8 }, () => signIn(service, 'reader')),
    ])
    for (const each of racing.filter(({ status }) => status === 303)) {
      const { status } = await service.request('GET', '/customers', { headers: cookieOf(each) })
      assert.equal(status, 401, 'whoever signed in with the old password is out, however late')
    }
    await service.request('PUT', '/users/reader/password', { headers: admin, body: { password: 'password of reader' } })
    const again = await signedIn(service, 'reader')
    await service.request('PATCH', '/users/reader', { headers: admin, body: { disabled: true } })
    assert.equal((await service.request('GET', '/customers', { headers: again })).status, 401)
    assert.equal((await signIn(service, 'reader')).status, 403)
    await service.request('PATCH', '/users/reader', { headers: admin, body: { disabled: false } })
    assert.equal((await service.request('GET', '/customers', { headers: again })).status, 401)
  })

  testOnEachStore('a session ends after twelve hours of rest and after thirty days', async () => {
    for (const [column, ago] of [
      ['seen_at', 12],
      ['ends_at', 0],
    ] as const) {
      const session = await signedIn(service, 'reader')
      const instant = new Date(Date.now() - ago * 3_600_000 - 1000).toISOString()
      await service.database.rows(`UPDATE sessions SET ${column} = '${instant}' RETURNING id`)
      while ((await service.request('GET', '/customers', { headers: session })).status === 200) await pause(50)
    }
  })

  test('another site’s page can neither sign anybody in or out nor change anything', async () => {
    const session = await signedIn(service, 'editor')
    const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const name = { name: 'reader', password: 'password of reader' }
    assert.equal((await post('/sign-in', name, elsewhere)).status, 403)
    assert.equal((await post('/sign-out', {}, { ...session, ...elsewhere })).status, 403)
    assert.equal((await post('/rest/v1/deals', { name: 'X', price: '1' }, { ...session, ...elsewhere })).status, 403)
    assert.equal((await service.request('GET', '/customers', { headers: session })).status, 200)
  })

  test('no page can be put into a frame', async () => {
    for (const path of ['/sign-in', '/']) {
      const { headers } = await get(path, await signedIn(service, 'reader'))
      assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/, path)
    }
  })

  test('what was entered after the session ended is kept through the sign-in and sent then', async () => {
    const before = await service.request('GET', '/users/reader/sessions', { headers: basic('reader') })
    const signedInAsReader = before.body.items?.length ?? 0
    const sent = await post(
      '/rest/v1/deals/',
      { name: 'Kept "&" <deal>', price: '7' },
      { cookie: `dealdesk_session=${'b'.repeat(43)}` },
    )
    assert.deepEqual([sent.status, sent.headers['www-authenticate']], [401, 'Bearer realm="Dealdesk"'])
    const kept = unescaped(/name="kept" value="([^"]*)"/.exec(sent.text)?.[1] ?? '')
    const wrong = await signIn(service, 'editor', { kept, password: 'wrong password' })
    assert.equal(unescaped(/name="kept" value="([^"]*)"/.exec(wrong.text)?.[1] ?? ''), kept, 'through a wrong try too')
    const answer = await signIn(service, 'editor', { kept })
    assert.equal(answer.status, 303)
    assert.match(String(answer.headers.location), /^\/rest\/v1\/deals\/[\w-]{36}$/)
    assert.match(String(answer.headers['set-cookie']?.[1]), /^dealdesk_done=deal:[\w-]{36}:1;/, 'the notice with Undo')
    const deal = await service.request('GET', String(answer.headers.location), { headers: cookieOf(answer) })
    assert.equal(deal.body.name, 'Kept "&" <deal>')
    const refused = await signIn(service, 'reader', { kept })
    assert.equal(refused.status, 403, 'a reader may not')
    assert.equal((await service.request('GET', '/users/me', { headers: cookieOf(refused) })).body.name, 'reader')
    for (const [path, content] of [
      ['https://evil.example/', 'a=1'],
      ['//evil.example', ''],
      ['/sign-out', 1],
      // Each of these would sign in again, and could keep another.
      ['/sign-in', 'name=reader&password=password+of+reader'],
      ['/sign%2Din', 'name=reader&password=password+of+reader'],
      ['/x/../sign-in.html?a=b', 'name=reader&password=password+of+reader'],
      ['/sign-out', ''],
    ]) {
      const { headers } = await signIn(service, 'reader', { kept: JSON.stringify({ path, content }) })
      assert.equal(headers.location, '/', String(path))
      assert.deepEqual(
        headers['set-cookie']?.map((each) => each.split('=', 1)[0]),
        ['dealdesk_session', 'dealdesk_user'],
        String(path),
      )
    }
    const sessions = await service.request('GET', '/users/reader/sessions', { headers: basic('reader') })
    // One for each sign-in above, and none for what was kept.
    assert.equal(sessions.body.items?.length, signedInAsReader + 8)
  })

  test('what was kept comes from where its sender is', async (t) => {
    const trusted = await runClosedService({ TRUST_PROXY: 'loopback' })
    t.after(() => trusted.close())
    const key = { name: 'laptop', role: 'reader' }
    await trusted.request('POST', '/users/me/keys', { headers: basic('editor'), body: key })
    const kept = JSON.stringify({ path: '/users/me/keys/laptop/withdrawals', content: '' })
    const answer = await signIn(trusted, 'editor', { kept }, { 'x-forwarded-for': '192.0.2.7' })
    assert.equal(answer.status, 303, answer.text)
    const { body } = await trusted.request('GET', '/audit?key=laptop', { headers: basic('admin') })
    const told = (body.items as Shown[]).map(({ event, actor, address }) => [event, actor, address])
    assert.deepEqual(told[0], ['key-withdrawn', 'editor', '192.0.2.7'])
  })

  test('too many wrong passwords for one name are refused from everywhere but where the user was', async (t) => {
    const trusted = await runClosedService({ TRUST_PROXY: 'loopback' })
    t.after(() => trusted.close())
    const from = (n: number) => ({ 'x-forwarded-for': `192.0.2.${n}` })
    assert.equal((await signIn(trusted, 'reader', {}, from(9))).status, 303)
    const tries = Array.from({ length: 40 }, (_, n) => signIn(trusted, 'reader', { password: 'x' }, from(10 + (n % 4))))
    await Promise.all(tries)
    assert.equal((await signIn(trusted, 'reader', {}, from(50))).status, 429)
    assert.equal((await signIn(trusted, 'editor', {}, from(50))).status, 303)
    assert.equal((await signIn(trusted, 'reader', {}, from(9))).status, 303)
  })
})

suite('the cookie', () => {
  test('is for the host alone behind TLS, and for the path where there is one', async (t) => {
    for (const [base, expected] of [
      [
        'https://deals.example',
        /^__Host-dealdesk_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      ],
      [
        'https://example.com/deals',
        /^dealdesk_session=[\w-]{43}; Max-Age=2592000; Path=\/deals\/; HttpOnly; SameSite=Lax; Secure$/,
      ],
    ] as const) {
      const service = await runClosedService({ BASE_URL: base })
      t.after(() => service.close())
      const answer = await signIn(service, 'reader', { return: '/board' })
      assert.match(String(answer.headers['set-cookie']?.[0]), expected)
      assert.match(
        String(answer.headers['set-cookie']?.[1]),
        /^dealdesk_user=reader; .*; HttpOnly; SameSite=Lax; Secure$/,
      )
      assert.equal(answer.headers.location, `${base}/board`)
      assert.equal((await service.request('GET', '/customers', { headers: cookieOf(answer) })).status, 200)
      const plain = { cookie: cookieOf(answer).cookie.replace('__Host-', '') }
      const isPlain = base.endsWith('/deals')
      assert.equal((await service.request('GET', '/customers', { headers: plain })).status, isPlain ? 200 : 401)
    }
  })
})

suite('an invitation', () => {
  testOnEachStore('lets a user set a password once, and signs them in', async (t) => {
    const service = await runClosedService()
    t.after(() => service.close())
    const admin = bearer(service.keys.admin)
    const added = await service.request('POST', '/users', { headers: admin, body: { name: 'nina', role: 'reader' } })
    const link = String(added.body.invitation)
    assert.equal((await signIn(service, 'nina', { password: 'anything at all' })).status, 403)
    const page = await service.request('GET', link, { headers: asPerson })
    assert.match(page.text, /Welcome, nina/)
    const set = (password: string) =>
      service.request('POST', link, { headers: asPerson, body: new URLSearchParams({ password }) })
    assert.equal((await set('password1234')).status, 422)
    const accepted = await set('four words in a row')
    assert.deepEqual([accepted.status, accepted.headers.location], [303, '/'])
    assert.equal((await service.request('GET', '/users/me', { headers: cookieOf(accepted) })).body.name, 'nina')
    assert.equal((await set('four words in a row')).status, 404)
    assert.equal((await service.request('GET', link, { headers: asPerson })).status, 404)
    assert.equal((await signIn(service, 'nina', { password: 'four words in a row' })).status, 303)
    const again = await service.request('POST', '/users/nina/invitations', { headers: admin })
    await service.database.rows("UPDATE invitations SET ends_at = '2026-01-01T00:00:00.000Z' RETURNING hash")
    assert.equal((await service.request('GET', String(again.body.invitation), { headers: asPerson })).status, 404)
  })
})

suite('two instances', () => {
  testOnEachStore('end a session together, however many sign out at once', async () => {
    const one = await runClosedService()
    const two = await runService({ DATABASE_URL: one.database.url })
    const use = async (service: TestService, session: { readonly cookie: string }): Promise<Answered> =>
      service.request('GET', '/customers', { headers: session })
    const session = await signedIn(one, 'reader')
    assert.equal((await use(two, session)).status, 200)
    const outs = await Promise.all(
      [one, two, one, two].map((service) => service.request('POST', '/sign-out', { headers: session })),
    )
    assert.deepEqual(
      outs.map(({ status }) => status),
      [303, 303, 303, 303],
    )
    assert.deepEqual([(await use(one, session)).status, (await use(two, session)).status], [401, 401])
    const other = await signedIn(one, 'reader')
    assert.equal((await use(two, other)).status, 200)
    await one.request('PATCH', '/users/reader', { headers: bearer(one.keys.admin), body: { disabled: true } })
    assert.equal((await use(one, other)).status, 401, 'at once here')
    while ((await use(two, other)).status === 200) await pause(20)
    assert.equal((await use(two, other)).status, 401, 'soon there')
    const { items } = (await one.request('GET', '/audit?event=sign-out', { headers: bearer(one.keys.admin) })).body
    assert.equal(items?.length, 1, 'one of them ended it')
    await two.close()
    await one.close()
  })
})

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#34;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
