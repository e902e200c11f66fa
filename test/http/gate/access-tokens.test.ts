import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { operator } from '../../../src/access/as-operator.ts'
import { secretHash } from '../../../src/access/secrets.ts'
import { AUDIENCE, CLIENT_ID, runProvider, type TestProvider } from '../../support/oidc/run-provider.ts'
import { bearer } from '../../support/service/closed-service.ts'
import { openEventSource } from '../../support/service/event-source.ts'
import { DEALS } from '../../support/service/making-deals.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'
import { changeUser, putKey, removeUser } from '../../support/things/audited.ts'

let provider: TestProvider
let service: TestService

before(async () => {
  provider = await runProvider('http://127.0.0.1:8080', {})
  service = await runService(provider.settings)
})
after(async () => {
  await service.close()
  await provider.close()
})

suite('access tokens of the provider', () => {
  test('a service that names a provider is closed from the start', async () => {
    assert.equal((await service.request('GET', DEALS)).status, 401)
  })

  test('work as Bearer, and the actor is the user who appears with the first one', async () => {
    const headers = bearer(await provider.accessToken())
    const made = await service.request('POST', `${DEALS}/`, { headers, body: { name: 'By a program', price: 1 } })
    assert.equal(made.status, 201)
    const { body } = await service.request('GET', `${DEALS}/${made.body.id}/history`, { headers })
    assert.partialDeepStrictEqual(body.items, [{ actor: 'program' }])
    assert.equal((await service.store.accounts.find('program'))?.user.role, 'editor')
    assert.equal((await service.request('GET', '/webhooks', { headers })).status, 403)
  })

  test('never give more than their user has, nor more than they say', async () => {
    const token = (roles: unknown) => access({ sub: 'program', ...(roles !== undefined && { roles }) })
    const mayWrite = async (roles: unknown) => {
      const asking = { headers: bearer(await token(roles)), body: { name: 'x', price: 1 } }
      return (await service.request('POST', `${DEALS}/`, asking)).status
    }
    assert.deepEqual([await mayWrite(undefined), await mayWrite('admin'), await mayWrite('reader')], [201, 201, 403])
    const { status } = await service.request('GET', '/webhooks', { headers: bearer(await token('admin')) })
    assert.equal(status, 403)
  })

  test('that say no role that is mapped are refused, whatever role their user has', async () => {
    await service.request('GET', DEALS, { headers: bearer(await access({ sub: 'left', roles: 'editor' })) })
    const at = { createdAt: new Date().toISOString(), seenAt: new Date().toISOString() }
    const session = {
      id: randomUUID(),
      user: 'left',
      client: null,
      address: null,
      ...at,
      endsAt: '2099-01-01T00:00:00Z',
    }
    const opened = { session, hash: secretHash('cookie of left') }
    assert.ok(await service.store.accounts.openSession(opened, undefined, operator, 'test'))
    for (const roles of ['boss', ['boss', 'clerk'], [], null]) {
      const answer = await service.request('GET', DEALS, { headers: bearer(await access({ sub: 'left', roles })) })
      assert.equal(answer.status, 401, JSON.stringify(roles))
    }
    const ended = await service.store.accounts.callerBySession(opened.hash, at.createdAt, at.createdAt)
    assert.equal(ended, undefined, 'a session from before ends with the role')
    const without = await service.request('GET', DEALS, { headers: bearer(await access({ sub: 'left' })) })
    assert.equal(without.status, 200)
  })

  test('set no first password: it would have the role of the user', async () => {
    const asking = {
      headers: bearer(await access({ sub: 'program', roles: 'reader' })),
      body: { password: 'four words in a row' },
    }
    assert.equal((await service.request('PUT', '/users/me/password', asking)).status, 403)
    assert.equal((await service.store.accounts.find('program'))?.hash, null)
  })

  test('that are issued in the future are unknown credentials', async () => {
    const at = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
    const ask = async (iat: number) => {
      const token = await access({ sub: 'program', roles: 'reader', jti: String(iat), iat })
      return (await service.request('GET', DEALS, { headers: bearer(token) })).status
    }
    assert.deepEqual([await ask(at(30)), await ask(at(3000))], [200, 401])
  })

  test('make no key and no calendar, which would outlive them', async () => {
    const headers = bearer(await access({ sub: 'program', roles: 'reader' }))
    for (const [path, body] of [
      ['/users/me/keys', { name: 'for ever', role: 'reader' }],
      ['/users/me/calendar', {}],
    ] as const) {
      const { status, body: refused } = await service.request('POST', path, { headers, body })
      assert.deepEqual([status, refused.code], [403, 'forbidden'], path)
    }
  })

  test('of an admin make no key for another either, and withdraw one', async () => {
    const headers = bearer(await access({ sub: 'chief', roles: 'admin' }))
    const at = '/users/program/keys'
    await service.request('GET', DEALS, { headers: bearer(await access({ sub: 'program', roles: 'reader' })) })
    for (const [path, key] of [
      [at, { name: 'for ever', role: 'reader' }],
      [at, { name: 'for a day', role: 'reader', endsAt: new Date(Date.now() + 86_400_000).toISOString() }],
      [`${at}?dry-run=true`, { name: 'tried', role: 'reader' }],
    ] as const) {
      const { status, body } = await service.request('POST', path, { headers, body: key })
      assert.deepEqual([status, body.code], [403, 'forbidden'], key.name)
    }
    const key = { name: 'kept', role: 'reader', user: 'program' } as const
    assert.equal(await putKey(service.store, key, secretHash('kept')), 'added')
    assert.deepEqual((await service.request('GET', at, { headers })).body.items?.length, 1)
    assert.equal((await service.request('DELETE', `${at}/kept`, { headers })).status, 204)
  })

  test('of somebody without a role, of a disabled user and ID tokens are unknown credentials', async () => {
    await service.request('GET', DEALS, { headers: bearer(await access({ sub: 'off', roles: 'reader' })) })
    assert.equal((await changeUser(service.store, 'off', { disabled: true })).kind, 'applied')
    for (const token of [
      await access({ sub: 'nobody', roles: 'boss' }),
      await access({ sub: 'off', roles: 'admin', jti: 'another' }),
      await provider.sign({ ...claims(), aud: CLIENT_ID, nonce: 'x', roles: 'admin' }),
      await access({ exp: seconds() - 60, roles: 'admin' }),
      'a.b.c',
    ]) {
      const answer = await service.request('GET', DEALS, { headers: bearer(token) })
      assert.equal(answer.status, 401)
      assert.match(String(answer.headers['www-authenticate']), /error="invalid_token"/)
    }
    assert.equal(await service.store.accounts.find('nobody'), undefined)
  })

  test('whose person is not admitted are in the audit once, with the reason', async () => {
    const own = await runService(provider.settings)
    for (const [sub, roles, status] of [
      ['new', 'boss', 401],
      ['ann', 'reader', 200],
      ['ann', 'boss', 401],
      ['other', 'reader', 401],
    ] as const) {
      const headers = bearer(await access({ sub, roles, preferred_username: 'ann' }))
      assert.equal((await own.request('GET', DEALS, { headers })).status, status)
    }
    await own.store.accounts.record('sign-in-failed', { user: null, detail: 'the last' }, operator)
    const failures = await own.database.rows("SELECT detail FROM audit WHERE event = 'sign-in-failed' ORDER BY id")
    const reasons = [
      'the provider gives no role',
      'the provider gives no role',
      'other would be called ann',
      'the last',
    ]
    assert.deepEqual(
      failures.map(({ detail }) => detail),
      reasons,
    )
    await own.close()
  })

  test('of somebody new make no user while their address has to wait', async () => {
    const held = await runService(provider.settings)
    const wrong = () => held.request('GET', DEALS, { headers: bearer('wrong') })
    for (let n = 0; n < 20; n++) assert.equal((await wrong()).status, 401)
    const headers = bearer(await access({ sub: 'new', roles: 'reader' }))
    assert.equal((await held.request('GET', DEALS, { headers })).status, 429)
    assert.deepEqual(await held.store.accounts.users(), [])
    await held.close()
  })

  test('that opened a stream do not bring back a user who was removed', async () => {
    const headers = bearer(await access({ sub: 'brief', roles: 'reader' }))
    const source = await openEventSource(`${service.url}/events`, headers)
    const [brief] = await service.database.rows("SELECT user_name FROM identities WHERE subject = 'brief'")
    const name = String(brief?.user_name)
    assert.equal((await removeUser(service.store, name)).kind, 'applied')
    await source.ended
    assert.equal(await service.store.accounts.find(name), undefined)
  })

  test('end with their time, though they were verified before', async () => {
    // Clocks may differ by some seconds, so this one still works at first.
    const headers = bearer(await access({ exp: seconds() - 3, roles: 'reader' }))
    let status = 200
    while (status === 200) {
      status = (await service.request('GET', DEALS, { headers })).status
      await pause(100)
    }
    assert.equal(status, 401)
  })

  test('wait for a provider that is away: 503, not an unknown credential', async () => {
    const fresh = await runService(provider.settings)
    const token = await provider.accessToken()
    await provider.stop()
    const answer = await fresh.request('GET', DEALS, { headers: bearer(token) })
    assert.deepEqual([answer.status, answer.headers['retry-after']], [503, '5'])
    await provider.start()
    assert.equal((await fresh.request('GET', DEALS, { headers: bearer(token) })).status, 200)
    await fresh.close()
  })
})

const seconds = (): number => Math.floor(Date.now() / 1000)

const claims = () => ({ iss: provider.issuer, sub: 'ann', aud: AUDIENCE, iat: seconds(), exp: seconds() + 60 })

const access = (more: object): Promise<string> => provider.sign({ ...claims(), ...more }, { typ: 'at+jwt' })
