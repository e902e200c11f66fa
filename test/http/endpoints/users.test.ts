import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { newSecret, secretHash } from '../../../src/access/secrets.ts'
import type { Endpoint } from '../../../src/http/contract/endpoint.ts'
import { endpointsOf } from '../../../src/service/endpoints.ts'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { schema } from '../../support/schema.ts'
import { basic, bearer, type ClosedService, runClosedService } from '../../support/service/closed-service.ts'
import type { Answered, Asking } from '../../support/service/running-service.ts'
import { signedIn } from '../../support/service/signing-in.ts'

const endpoints = endpointsOf(schema)

const HOUR = 3_600_000

suite('users over HTTP', () => {
  let service: ClosedService
  before(async () => {
    service = await runClosedService()
  })
  after(() => service.close())

  const as = (name: string, method: string, path: string, asking: Asking = {}) =>
    service.request(method, path, { ...asking, headers: { ...basic(name), ...asking.headers } })
  const audited = async (user: string) =>
    ((await as('admin', 'GET', `/audit?user=${user}`)).body.items as { readonly event: string }[]).map(
      ({ event }) => event,
    )

  testOnEachStore('an admin adds a user, who is listed with all fields and no secret', async () => {
    const body = {
      name: 'ann',
      fullName: 'Ann Lee',
      email: 'ann@example.com',
      role: 'editor',
      password: 'password of ann',
    }
    const added = await as('admin', 'POST', '/users', { body })
    assert.equal(added.status, 201)
    assert.equal(added.headers.location, '/users/ann')
    assert.equal(added.body.invitation, undefined)
    const read = await as('ann', 'GET', '/users/ann')
    assert.equal(read.status, 200)
    const { lastSeenAt, invited, links, ...shown } = read.body
    assert.ok(links.self === '/users/ann' && links.sessions === '/users/ann/sessions')
    assert.deepEqual(
      { ...shown, createdAt: '', updatedAt: '' },
      {
        ...{ name: 'ann', fullName: 'Ann Lee', email: 'ann@example.com', role: 'editor', locale: null, timeZone: null },
        ...{ disabled: false, developer: false, createdAt: '', updatedAt: '', revision: 1 },
      },
    )
    assert.ok(!added.text.includes('password') && !read.text.includes('argon2'))
  })

  test('fields choose members of everything that is read by itself', async () => {
    const shows = ({ describes }: Endpoint) =>
      describes?.answers.flatMap(({ shows }) => (typeof shows === 'object' && 'one' in shows ? [shows.one] : [])) ?? []
    const single = endpoints.filter((each) => each.method === 'GET' && shows(each).length > 0)
    for (const { path, parameters } of single) assert.ok(parameters?.includes('fields'), path)
    const { id } = (await as('admin', 'POST', '/rest/v1/deals', { body: { name: 'Boat', price: 1 } })).body
    const command = { deal: id, action: 'HoldDeal', params: { reason: 'wait' } }
    assert.equal((await as('admin', 'PUT', '/rest/commands/chosen', { body: command })).status, 201)
    const hook = await as('admin', 'POST', '/webhooks', { body: { url: 'https://example.com/chosen' } })
    const chosen: readonly (readonly [string, object])[] = [
      ['/users/ann?fields=role,name', { role: 'editor', name: 'ann' }],
      ['/people/ann?select=name', { name: 'ann' }],
      [`${hook.headers.location}?fields=url`, { url: 'https://example.com/chosen' }],
      ['/rest/commands/chosen?fields=id,status', { id: 'chosen', status: 'applied' }],
      [`/rest/v1/deals/${id}/commands/chosen?$select=revision`, { revision: 2 }],
      [`/rest/v1/deals/${id}/history/2?fields=operation`, { operation: 'hold' }],
      [`/rest/v1/deals/${id}/holds/2?fields=operation,params`, { operation: 'hold', params: { reason: 'wait' } }],
    ]
    for (const [path, body] of chosen) assert.deepEqual((await as('admin', 'GET', path)).body, body, path)
    const { status, text } = await as('admin', 'GET', '/users/ann?fields=password')
    assert.equal(status, 400, text)
    const page = await as('admin', 'GET', '/users/ann.html?fields=fullName')
    assert.match(page.text, /Ann Lee/)
  })

  test('a user without a password gets a link, which the answer shows once', async () => {
    const added = await as('admin', 'POST', '/users', { body: { name: 'ben', role: 'reader' } })
    assert.match(String(added.body.invitation), /^\/invitations\/[\w-]{43}$/)
    assert.equal((await as('admin', 'GET', '/users/ben')).body.invitation, undefined)
    const again = await as('admin', 'POST', '/users/ben/invitations')
    assert.equal(again.status, 201)
    assert.notEqual(again.body.invitation, added.body.invitation)
  })

  test('names that would not work in addresses, and weak passwords, are refused', async () => {
    const good = { role: 'reader', password: 'four words in a row' }
    for (const name of ['me', 'ME', 'a/b', 'a:b', 'ann.json', 'x.html', '', '..', 'x'.repeat(65)]) {
      const { status, body } = await as('admin', 'POST', '/users', { body: { ...good, name } })
      assert.equal(status, 422, name)
      assert.deepEqual(
        body.errors.map(({ pointer }) => pointer),
        ['/name'],
      )
    }
    for (const password of [
      'short',
      'password1234',
      'P4ssw0rd!!2026',
      'aaaaaaaaaaaa',
      '123456789012',
      'Summer2026!!',
      'x y'.repeat(100),
    ]) {
      const { status, body } = await as('admin', 'POST', '/users', { body: { ...good, name: 'weak', password } })
      assert.equal(status, 422, password)
      assert.deepEqual(
        body.errors.map(({ pointer }) => pointer),
        ['/password'],
      )
    }
    for (const name of ['admin', 'admin-key']) {
      const { status, body } = await as('admin', 'POST', '/users', { body: { ...good, name } })
      assert.deepEqual([status, body.code], [409, 'name-taken'])
    }
    const tried = await as('admin', 'POST', '/users?dry-run=true', { body: { ...good, name: 'tried' } })
    assert.deepEqual([tried.status, tried.body.name], [200, 'tried'])
    assert.equal((await as('admin', 'GET', '/users/tried')).status, 404)
  })

  test('everyone sees and changes themselves, admins all, and everybody knows the names of people', async () => {
    assert.deepEqual(namesIn(await as('reader', 'GET', '/users')), ['reader'])
    assert.ok(namesIn(await as('admin', 'GET', '/users')).includes('reader'))
    assert.equal((await as('reader', 'GET', '/users/reader')).status, 200)
    assert.equal((await as('reader', 'GET', '/users/me')).body.name, 'reader')
    for (const path of ['/users/editor', '/users/nobody', '/users/editor/sessions', '/users/editor/keys', '/audit']) {
      assert.equal((await as('reader', 'GET', path)).status, 403, path)
    }
    assert.equal((await as('admin', 'GET', '/users/nobody')).status, 404)
    const people = await as('reader', 'GET', '/people')
    assert.deepEqual(
      people.body.items?.find((each) => (each as { name: string }).name === 'ann'),
      { name: 'ann', fullName: 'Ann Lee' },
    )
    assert.equal((await as('reader', 'GET', '/people?email=ann@example.com')).status, 400)
    const patch = (name: string, path: string, body: object) => as(name, 'PATCH', path, { body })
    const changed = await patch('reader', '/users/me', {
      fullName: 'Rea Der',
      timeZone: 'Europe/Zurich',
      locale: 'de-ch',
    })
    assert.deepEqual([changed.status, changed.body.locale, changed.body.revision], [200, 'de-CH', 2])
    assert.equal((await patch('reader', '/users/me', { role: 'admin' })).status, 403)
    assert.equal((await patch('reader', '/users/me', { disabled: true })).status, 403)
    assert.equal((await patch('reader', '/users/editor', { fullName: 'X' })).status, 403)
    assert.equal((await patch('admin', '/users/reader', { timeZone: 'Mars/Olympus' })).status, 422)
    assert.equal((await patch('admin', '/users/reader', { fullName: null })).status, 200)
    assert.deepEqual(await audited('reader'), ['user-changed', 'user-changed', 'user-created'])
  })

  testOnEachStore('a change is made on the state that was read, and being seen is no new state', async () => {
    const { headers } = await as('ann', 'GET', '/users/ann')
    const change = (etag: string | undefined, locale = 'fr') =>
      as('ann', 'PATCH', '/users/ann', { body: { locale }, headers: { 'if-match': String(etag) } })
    await service.database.rows(
      "UPDATE users SET last_seen_at = '2026-11-15T12:00:00.000Z' WHERE name = 'ann' RETURNING name",
    )
    const later = await as('ann', 'GET', '/users/ann')
    assert.notEqual(later.headers.etag, headers.etag, 'the bytes differ')
    assert.equal((await change(headers.etag)).status, 200)
    assert.equal((await change(headers.etag)).status, 412)
    assert.equal((await change(headers.etag, 'Klingon')).status, 412, 'not 422')
  })

  test('a disabled user is out at once, with every key', async () => {
    const made = await as('ann', 'POST', '/users/me/keys', { body: { name: 'ann’s key', role: 'reader' } })
    const key = bearer(String(made.body.secret))
    assert.equal((await service.request('GET', '/customers', { headers: key })).status, 200)
    await as('admin', 'PATCH', '/users/ann', { body: { disabled: true } })
    assert.equal((await service.request('GET', '/customers', { headers: key })).status, 401)
    assert.equal((await as('ann', 'GET', '/customers')).status, 401)
    assert.ok(!namesIn(await as('reader', 'GET', '/people')).includes('ann'))
    await as('admin', 'PATCH', '/users/ann', { body: { disabled: false } })
    assert.equal((await service.request('GET', '/customers', { headers: key })).status, 200)
  })

  test('the last admin stays one', async () => {
    for (const [method, asking] of [
      ['PATCH', { body: { role: 'editor' } }],
      ['PATCH', { body: { disabled: true } }],
      ['DELETE', {}],
    ] as const) {
      const { status, body } = await as('admin', method, '/users/admin', asking)
      assert.deepEqual([status, body.code], [409, 'last-admin'])
    }
    await as('admin', 'PATCH', '/users/ann', { body: { role: 'admin' } })
    assert.equal((await as('ann', 'DELETE', '/users/ann')).status, 204)
    assert.deepEqual((await audited('ann')).slice(0, 3), ['user-removed', 'key-withdrawn', 'role-changed'])
    assert.equal((await as('ann', 'GET', '/customers')).status, 401)
  })

  test('a key is made by its user or an admin, at most with the role of whoever makes it', async () => {
    const make = (name: string, user: string, body: object) => as(name, 'POST', `/users/${user}/keys`, { body })
    const wrong = [
      [{ name: 'k', role: 'admin' }, '/role'],
      [{ name: 'k', role: 'reader', endsAt: '2020-01-01T00:00:00Z' }, '/endsAt'],
      [{ name: 'me', role: 'reader' }, '/name'],
    ] as const
    for (const [body, pointer] of wrong) {
      const refused = await make('editor', 'me', body)
      assert.deepEqual([refused.status, refused.body.errors[0]?.pointer], [422, pointer])
    }
    assert.equal((await make('reader', 'editor', { name: 'k', role: 'reader' })).status, 403)
    const endsAt = new Date(Date.now() + HOUR).toISOString()
    const made = await make('editor', 'me', { name: 'import', role: 'editor', endsAt })
    assert.deepEqual([made.status, made.headers.location], [201, '/users/editor/keys/import'])
    // What shows a secret, or who has access, stays in no cache on a disk.
    const onPage = { headers: { accept: 'text/html' } }
    for (const shown of [
      made,
      await as('editor', 'POST', '/users/me/calendar'),
      await as('admin', 'POST', '/users/editor/invitations'),
      await as('admin', 'POST', '/webhooks', { body: { url: 'https://example.com/stored' } }),
      await as('editor', 'GET', '/users/me', onPage),
      await as('editor', 'GET', '/users/me/keys', onPage),
      await as('editor', 'GET', '/users/me/sessions', onPage),
    ]) {
      assert.equal(shown.headers['cache-control'], 'no-store', shown.text)
    }
    const key = bearer(String(made.body.secret))
    const deal = await service.request('POST', '/rest/v1/deals/', { headers: key, body: { name: 'Solar', price: 1 } })
    assert.equal(deal.status, 201)
    await service.database.settled()
    const [event] = (await as('admin', 'GET', `/events?deal=${deal.body.id}`)).body.items as {
      data: { actor: string; key?: string }
    }[]
    assert.deepEqual([event?.data.actor, event?.data.key], ['editor', 'import'])
    const [entry] = (await as('reader', 'GET', `/rest/v1/deals/${deal.body.id}/history`)).body.items as {
      actor: string
      key?: string
    }[]
    assert.deepEqual([entry?.actor, entry?.key], ['editor', 'import'])
    assert.match(
      (await as('reader', 'GET', `/rest/v1/deals/${deal.body.id}`, { headers: { accept: 'text/html' } })).text,
      /<b>editor<\/b> <small>\(import\)<\/small>/,
    )
    assert.equal((await as('reader', 'GET', '/events?actor=editor&key=import')).body.items?.length, 1)
    assert.equal((await service.request('GET', '/users/me', { headers: key })).body.name, 'editor')
    assert.equal((await make('editor', 'me', { name: 'look', role: 'reader' })).status, 201)
    assert.equal((await make('editor', 'me', { name: 'LOOK', role: 'reader' })).body.code, 'name-taken')
    for (const name of ['ann\u200b', '\u202enna', 'a\u00adnn']) {
      assert.equal((await make('editor', 'me', { name, role: 'reader' })).status, 422, JSON.stringify(name))
    }
    assert.deepEqual(namesIn(await as('admin', 'GET', '/users/editor/keys')), ['import', 'look'])
    assert.equal((await as('admin', 'GET', '/users/editor/keys')).text.includes('secret'), false)
    assert.equal((await as('reader', 'DELETE', '/users/editor/keys/import')).status, 403)
    assert.equal((await as('editor', 'DELETE', '/users/me/keys/import')).status, 204)
    assert.equal((await as('editor', 'DELETE', '/users/me/keys/import')).status, 404)
    assert.equal((await service.request('GET', '/customers', { headers: key })).status, 401)
  })

  test('a key is read where it was made, without its secret', async () => {
    const made = await as('editor', 'POST', '/users/me/keys', { body: { name: 'read', role: 'reader' } })
    const { secret: _secret, ...shown } = made.body
    const read = await as('editor', 'GET', String(made.headers.location))
    assert.deepEqual([read.status, read.body], [200, shown])
    assert.equal(shown.links.self, made.headers.location)
    assert.equal((await as('reader', 'GET', '/users/editor/keys/read')).status, 403)
    assert.equal((await as('reader', 'GET', '/users/me/keys/read')).status, 404)
    const headers = { 'if-match': String(read.headers.etag) }
    assert.equal((await as('editor', 'DELETE', '/users/me/keys/read', { headers })).status, 204)
  })

  test('every write of credentials evaluates its preconditions', async () => {
    await as('editor', 'POST', '/users/me/keys', { body: { name: 'kept', role: 'reader' } })
    const headers = await signedIn(service, 'editor')
    const sessions = (await as('editor', 'GET', '/users/me/sessions')).body.items as readonly { id: string }[]
    const session = `/users/editor/sessions/${sessions[0]?.id}`
    const writes = [
      ['DELETE', '/users/editor/keys/kept'],
      ['POST', '/users/editor/keys/kept/withdrawals'],
      ['DELETE', session],
      ['POST', `${session}/endings`],
      ['DELETE', '/users/editor/sessions'],
      ['POST', '/users/editor/session-endings'],
      ['PUT', '/users/editor/identity', { subject: '1' }],
      ['POST', '/users/editor/identities', { subject: '1' }],
    ] as const
    const past = 'Mon, 01 Jan 2001 00:00:00 GMT'
    for (const guard of [{ 'if-match': '"1"' }, { 'if-none-match': '*' }, { 'if-unmodified-since': past }]) {
      for (const [method, path, body] of writes) {
        const answer = await as('admin', method, path, { headers: guard, ...(body && { body }) })
        assert.equal(answer.status, 412, `${method} ${path} ${answer.text}`)
      }
    }
    assert.equal((await service.request('GET', '/users/me/keys/kept', { headers })).status, 200)
    const dry = await as('editor', 'DELETE', '/users/me/sessions/unknown?dry-run=true')
    assert.equal(dry.status, 404, 'a dry run checks what the write would')
  })

  test('a key ends on its day', async () => {
    const endsAt = new Date(Date.now() + HOUR).toISOString()
    const made = await as('editor', 'POST', '/users/me/keys', { body: { name: 'brief', role: 'reader', endsAt } })
    const key = bearer(String(made.body.secret))
    assert.equal((await service.request('GET', '/customers', { headers: key })).status, 200)
    await service.database.rows(
      "UPDATE keys SET ends_at = '2026-01-01T00:00:00.000Z' WHERE name = 'brief' RETURNING name",
    )
    while ((await service.request('GET', '/customers', { headers: key })).status === 200) await pause(20)
  })

  test('an admin’s key makes no key of another that outlives it', async () => {
    const endsAt = new Date(Date.now() + HOUR).toISOString()
    const body = { name: 'mother', role: 'admin', endsAt }
    const headers = bearer(String((await as('admin', 'POST', '/users/me/keys', { body })).body.secret))
    const make = (key: object) =>
      service.request('POST', '/users/editor/keys', { headers, body: { name: 'child', role: 'reader', ...key } })
    for (const key of [{}, { endsAt: null }, { endsAt: new Date(Date.now() + 2 * HOUR).toISOString() }]) {
      const { status, body: refused } = await make(key)
      assert.deepEqual([status, refused.errors[0]?.pointer], [422, '/endsAt'])
      assert.ok(refused.errors[0]?.detail?.includes(endsAt), 'it says how long it may be')
    }
    assert.equal((await make({ endsAt })).status, 201)
  })

  test('a key without a user is nobody: me is refused', async () => {
    const key = bearer(service.keys.reader)
    assert.equal((await service.request('GET', '/users/me', { headers: key })).status, 400)
    assert.deepEqual(namesIn(await service.request('GET', '/users', { headers: key })), [])
  })

  test('oneself gives the old password with the new one', async () => {
    const set = (name: string, user: string, body: object) => as(name, 'PUT', `/users/${user}/password`, { body })
    const password = 'another four words'
    assert.equal((await set('reader', 'me', { password })).status, 422)
    assert.deepEqual((await set('reader', 'me', { password, old: 'wrong' })).body.code, 'wrong-password')
    assert.equal((await set('editor', 'reader', { password })).status, 403)
    assert.equal((await set('reader', 'me', { password, old: 'password of reader' })).status, 204)
    assert.equal((await as('reader', 'GET', '/customers')).status, 401)
    const now = { headers: basic('reader', password) }
    assert.equal((await service.request('GET', '/customers', now)).status, 200)
    assert.equal((await set('admin', 'reader', { password: 'password of reader' })).status, 204)
    assert.equal((await set('admin', 'me', { password })).status, 422, 'admins too')
    assert.equal((await as('reader', 'GET', '/customers')).status, 200)
  })

  /** What gives access to a user, as requests of that user. */
  const ofAccess = (user: string): readonly (readonly [method: string, path: string, body: object])[] => [
    ['PATCH', `/users/${user}`, { email: `${randomUUID()}@example.com` }],
    ['POST', `/users/${user}/keys`, { name: randomUUID(), role: 'reader' }],
    ['DELETE', `/users/${user}/keys/kept`, {}],
    ['POST', `/users/${user}/calendar`, {}],
    ['DELETE', `/users/${user}/calendar`, {}],
    ['POST', `/users/${user}/invitations`, {}],
  ]

  async function sam(): Promise<{ readonly key: string; readonly cookie: string }> {
    const password = 'password of sam'
    await as('admin', 'POST', '/users', { body: { name: 'sam', role: 'admin', password } })
    const made = await as('sam', 'POST', '/users/me/keys', { body: { name: 'kept', role: 'admin' } })
    await as('sam', 'POST', '/users/me/calendar')
    const token = newSecret()
    const hourAgo = new Date(Date.now() - HOUR).toISOString()
    const at = { createdAt: hourAgo, seenAt: new Date().toISOString(), endsAt: '2099-01-01T00:00:00.000Z' }
    const session = { id: randomUUID(), user: 'sam', client: null, address: null, ...at }
    const by = { actor: 'sam', address: null }
    await service.store.accounts.openSession({ session, hash: secretHash(token) }, undefined, by, 'test')
    return { key: String(made.body.secret), cookie: `dealdesk_session=${token}` }
  }

  test('what gives access to a user is changed by the person, who signed in a moment ago or gives the password', async () => {
    const { key, cookie } = await sam()
    const others = [
      ['PUT', '/users/sam/password', { password: 'another four words', old: 'password of sam' }],
      ['DELETE', '/users/me/sessions', {}],
    ] as const
    for (const [method, path, body] of [...ofAccess('sam'), ...others]) {
      const { status, body: refused } = await service.request(method, path, { headers: bearer(key), body })
      assert.deepEqual([status, refused.code], [403, 'forbidden'], `${method} ${path} by a key`)
    }
    for (const [method, path, body] of ofAccess('me')) {
      const send = (more: object, query = '') =>
        service.request(method, path + query, { headers: { cookie }, body: { ...body, ...more } })
      const what = `${method} ${path}`
      assert.deepEqual([(await send({})).status, (await send({})).body.code], [403, 'sign-in-again'], what)
      assert.equal((await send({}, '?dry-run=true')).body.code, 'sign-in-again', what)
      assert.equal((await send({ password: 'a wrong one' })).body.code, 'wrong-password', what)
      assert.ok((await send({ password: 'password of sam' })).status < 300, what)
    }
    const unchanged = await service.request('PATCH', '/users/me', { headers: { cookie }, body: { locale: 'de-CH' } })
    assert.equal(unchanged.status, 200, 'nothing that gives access')
    assert.equal((await as('admin', 'PATCH', '/users/sam', { body: { password: 'x' } })).status, 422)
    const fresh = await signedIn(service, 'sam')
    await as('sam', 'POST', '/users/me/keys', { body: { name: 'kept', role: 'admin' } })
    for (const [method, path, body] of ofAccess('me')) {
      assert.ok((await service.request(method, path, { headers: fresh, body })).status < 300, `${method} ${path}`)
    }
    // What an admin does for others is their work, also with a key.
    const { status } = await service.request('POST', '/users/reader/invitations', { headers: bearer(key) })
    assert.equal(status, 401, 'the key was withdrawn above')
    assert.equal((await as('admin', 'DELETE', '/users/sam')).status, 204)
  })

  test('the page asks for the password, and keeps what was entered', async () => {
    const { cookie } = await sam()
    const headers = { cookie, accept: 'text/html', 'accept-language': 'de' }
    const entered = { name: 'nightly import', role: 'reader' }
    const post = (fields: Record<string, string>) =>
      service.request('POST', '/users/me/keys', { headers, body: new URLSearchParams(fields) })
    const asked = await post(entered)
    assert.equal(asked.status, 403)
    const [form = ''] = /<form[^>]*id="again-form".*?<\/form>/s.exec(asked.text) ?? []
    assert.match(form, /action="\/users\/me\/keys"/)
    assert.match(form, /name="name" value="nightly import"/)
    assert.match(form, /name="password"/)
    assert.match(asked.text, /Bestätigen Sie/)
    const wrong = await post({ ...entered, password: 'a wrong one' })
    assert.ok(wrong.status === 403 && wrong.text.includes('again-form') && !wrong.text.includes('a wrong one'))
    const made = await post({ ...entered, password: 'password of sam' })
    assert.match(made.text, /dd_[\w-]{43}/)
    assert.equal(made.headers['cache-control'], 'no-store')
    assert.equal((await as('admin', 'DELETE', '/users/sam')).status, 204)
  })

  test('a key sets no first password: it would get the role of its user', async () => {
    await as('admin', 'POST', '/users', { body: { name: 'boss', role: 'admin' } })
    const made = await as('admin', 'POST', '/users/boss/keys', { body: { name: 'boss-reads', role: 'reader' } })
    const password = 'another four words'
    const asking = { headers: bearer(String(made.body.secret)), body: { password } }
    const set = await service.request('PUT', '/users/me/password', asking)
    assert.deepEqual([set.status, set.body.code], [403, 'forbidden'], set.text)
    assert.equal((await service.request('GET', '/users', { headers: basic('boss', password) })).status, 401)
    assert.equal((await as('admin', 'PUT', '/users/boss/password', { body: { password } })).status, 204)
    assert.equal((await service.request('GET', '/users', { headers: basic('boss', password) })).status, 200)
  })

  testOnEachStore('failed attempts are in the audit, by name where there is one', async () => {
    await service.request('GET', '/', { headers: basic('editor', 'wrong one') })
    await service.request('GET', '/', { headers: basic('my secret password', 'x') })
    const failures = () => as('admin', 'GET', '/audit?event=sign-in-failed&maxpagesize=2')
    const told = ({ body }: Answered) =>
      (body.items as { user: string | null; address: string }[]).map(({ user, address }) => [user, address])
    // They are written down behind the answer.
    let failed = await failures()
    while (told(failed)[0]?.[0] !== null) failed = await failures()
    assert.deepEqual(told(failed), [
      [null, '127.0.0.1'],
      ['editor', '127.0.0.1'],
    ])
    assert.ok(!failed.text.includes('my secret'))
  })
})

const namesIn = ({ body }: { readonly body: { readonly items?: readonly unknown[] } }) =>
  (body.items as { readonly name: string }[]).map(({ name }) => name)
