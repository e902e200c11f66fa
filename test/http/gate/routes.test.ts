import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { pino } from 'pino'
import { addKey } from '../../../src/access/as-operator.ts'
import { newSecret, secretHash } from '../../../src/access/secrets.ts'
import { readSettings } from '../../../src/config.ts'
import type { Endpoint } from '../../../src/http/contract/endpoint.ts'
import { isReading, type Need } from '../../../src/http/contract/route.ts'
import type { GateOf } from '../../../src/http/gate/gate.ts'
import { buildServer } from '../../../src/http/server/server.ts'
import { preferenceEndpoints } from '../../../src/screens/shell/preference-endpoints.ts'
import { createService } from '../../../src/service/create-service.ts'
import { endpointsOf } from '../../../src/service/endpoints.ts'
import { includesRole, type Role, roles } from '../../../src/values/role.ts'
import { seedOf } from '../../support/inputs/draw.ts'
import { schema } from '../../support/schema.ts'
import { bearer, type ClosedService, runClosedService } from '../../support/service/closed-service.ts'
import { asPerson } from '../../support/service/signing-in.ts'
import { changeUser, putUser } from '../../support/things/audited.ts'

const endpoints = endpointsOf(schema)

/** An address of the route, with something in the place of each parameter. */
function addressOf({ path }: Endpoint, user: string): string {
  const address = path
    .replaceAll(':id', '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10')
    .replaceAll('/users/:name', `/users/${user}`)
    .replaceAll(':target', '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10%3Achange')
    .replaceAll(/:\w+/g, '1')
  assert.match(address, /^\/[\w./{}%-]*$/, `an address of ${path}`)
  return address
}

const shown = ({ method, path }: Endpoint): string => `${method} ${path}`

const isChange = ({ method }: Endpoint): boolean => !isReading(method)

// Every route has the same gate, so one caller of each kind asks at it, and of the roles
// the least that may and the greatest that may not. ROUTE_SEED chooses others; `npm run test:long -- routes` has
// each of them ask at every route.
const SEED = seedOf('ROUTE_SEED', 1000)
const some = <T>(all: readonly T[], at: number): readonly T[] =>
  process.env.ROUTE_CALLERS === 'all' ? all : all.filter((_, index) => index === (at + SEED) % all.length)

const atTheBound = (needs: Need): readonly Role[] => {
  if (process.env.ROUTE_CALLERS === 'all') return roles
  const least = needs === 'public' ? 0 : roles.indexOf(needs)
  return roles.slice(Math.max(0, least - 1), least + 1)
}

suite('every route', () => {
  let service: ClosedService
  const own: Record<Role, string> = { reader: '', editor: '', admin: '' }
  const strangers: Record<string, { readonly authorization?: string; readonly cookie?: string }> = {
    nobody: {},
    'a wrong key': bearer('dd_wrong'),
    'an unreadable header': { authorization: 'Basic' },
  }

  /** A session without the cost of a password. */
  async function openSession(user: string): Promise<{ readonly cookie: string }> {
    const token = newSecret()
    const now = new Date().toISOString()
    const kept = { user, client: null, address: null, createdAt: now, seenAt: now, endsAt: '2099-01-01T00:00:00.000Z' }
    const session = { id: randomUUID(), ...kept }
    const by = { actor: user, address: null }
    await service.store.accounts.openSession({ session, hash: secretHash(token) }, undefined, by, 'test')
    return { cookie: `dealdesk_session=${token}` }
  }

  /** A page's form of somebody who is not signed in is kept, and nothing is done. */
  async function assertKept(endpoint: Endpoint): Promise<void> {
    if (!endpoint.reads?.includes('application/x-www-form-urlencoded')) return
    const { status, text } = await service.request('POST', addressOf(endpoint, 'admin'), {
      headers: { ...asPerson, 'x-forwarded-for': '10.9.9.9' },
      body: new URLSearchParams({ name: 'X', price: '1', password: 'four words in a row', url: 'https://example.com' }),
    })
    assert.equal(status, 401)
    assert.match(text, /name="kept"/)
  }

  // Each request comes from an address of its own, so that none is held back for the ones before.
  let count = 0
  const ask = (
    endpoint: Endpoint,
    headers: { readonly [name: string]: string },
    { method = endpoint.method, user = 'reader' }: { readonly method?: string; readonly user?: string } = {},
  ) =>
    service.request(method, addressOf(endpoint, user), {
      headers: { ...headers, 'x-forwarded-for': `10.0.${++count >> 8}.${count & 255}` },
    })

  before(async () => {
    service = await runClosedService({ TRUST_PROXY: 'loopback' })
    for (const role of roles) {
      const made = await addKey(service.store, { name: `${role}’s own`, role, user: role })
      own[role] = 'key' in made ? made.key : ''
    }
    const { accounts } = service.store
    await putUser(service.store, { name: 'gone', role: 'admin', hash: null })
    const disabled = await addKey(service.store, { name: 'gone’s key', role: 'admin', user: 'gone' })
    const expired = await addKey(service.store, { name: 'old key', role: 'admin' })
    await service.database.rows(`UPDATE keys SET ends_at = '2026-01-01T00:00:00.000Z' WHERE name = 'old key'`)
    const session = await openSession('admin')
    Object.assign(strangers, {
      'a disabled user by session': await openSession('gone'),
      'a disabled user by key': bearer('key' in disabled ? disabled.key : ''),
      'an expired key': bearer('key' in expired ? expired.key : ''),
      'an ended session': session,
    })
    await changeUser(service.store, 'gone', { disabled: true })
    await accounts.signOut(secretHash(session.cookie.split('=')[1] ?? ''), '::1')
  })
  after(() => service.close())

  for (const [at, endpoint] of endpoints.entries()) {
    const isPublic = endpoint.role === 'public'
    test(`${shown(endpoint)} is for ${endpoint.role}`, async () => {
      for (const [caller, headers] of some(Object.entries(strangers), at)) {
        const answer = await ask(endpoint, headers)
        assert.equal(answer.status === 401, !isPublic, `${caller}: ${answer.status}`)
        assert.notEqual(answer.status, 403)
        if (isPublic) continue
        assert.match(answer.headers['www-authenticate'] ?? '', /^Basic realm="Dealdesk", charset="UTF-8", Bearer realm/)
        const says = /error="invalid_token"/.test(answer.headers['www-authenticate'] ?? '')
        assert.equal(says, headers.authorization?.startsWith('Bearer') ?? false, caller)
        assert.equal(answer.body.code, 'unauthorized')
      }
      for (const role of atTheBound(endpoint.role)) {
        // Everyone may change themselves: each asks for the user of the same name.
        for (const credential of some([() => bearer(own[role]), () => openSession(role)], at)) {
          const headers = await credential()
          const answer = await ask(endpoint, headers, { user: role })
          // What gives access to a user is changed by the person, whatever the role of their key is.
          const isPersons = 'authorization' in headers && endpoint.describes?.refuses?.includes('forbidden')
          const allowed = endpoint.role === 'public' || includesRole(role, endpoint.role)
          if (isPersons && allowed && answer.status === 403) {
            assert.match(answer.body.detail, /^This is changed by the person alone/)
            continue
          }
          assert.equal(answer.status === 403, !allowed, `${role}: ${answer.status}`)
          assert.ok(answer.status < 500 && answer.status !== 401, `${role}: ${answer.status}`)
          if (!allowed) assert.match(answer.body.detail, new RegExp(`needs the role ${endpoint.role}`))
        }
      }
      if (!isPublic && endpoint.method === 'POST') await assertKept(endpoint)
      if (endpoint.method !== 'GET') return
      assert.equal((await ask(endpoint, {}, { method: 'HEAD' })).status === 401, !isPublic)
    })
  }

  test('that is public is one of those that the contract names', (t) => {
    t.diagnostic(`ROUTE_SEED=${SEED}`)
    const named =
      /^\/(health\/(live|ready)|openapi\.(json|yaml)|docs|problems(\/:code)?|style\.css|\.well-known\/.+|sign-(in|out)|(invitations|calendar)\/|set-up)/
    for (const endpoint of endpoints) assert.equal(endpoint.role === 'public', named.test(endpoint.path), endpoint.path)
  })

  test('that changes something needs an editor, of webhooks, rates, targets, fields, pipelines, teams, roles and the deletion of a customer an admin, of oneself nobody else', () => {
    for (const endpoint of endpoints.filter(({ role }) => role !== 'public')) {
      const isAdmins =
        endpoint.path.startsWith('/webhooks') ||
        (/^\/(rates|targets|fields|pipelines|teams|roles)/.test(endpoint.path) && isChange(endpoint)) ||
        /^\/new\/(rates|targets|fields|pipelines|teams|roles)$/.test(endpoint.path) ||
        (endpoint.path === '/users' && isChange(endpoint)) ||
        shown(endpoint) === 'DELETE /users/:name' ||
        /^\/audit|^\/users\/:name\/(removals|invitations|identity|identities)$|\/people\/corrections$/.test(
          endpoint.path,
        ) ||
        (endpoint.path.startsWith('/customers') &&
          (endpoint.method === 'DELETE' || endpoint.path.endsWith('/deletions')))
      // A form is for those who may send it.
      const isForm = /^\/(new|confirm|changes|imports?)(\/|$)/.test(endpoint.path)
      const isOwn = endpoint.path.startsWith('/users/:name') || preferenceEndpoints.includes(endpoint)
      const needed: Need = isAdmins ? 'admin' : (isChange(endpoint) || isForm) && !isOwn ? 'editor' : 'reader'
      assert.equal(endpoint.role, needed, shown(endpoint))
    }
  })

  test('that is for many operations needs the role of the one that its address names', async () => {
    for (const [path, role] of [
      ['/customers/1:delete', 'admin'],
      ['/customers/1%3Adelete/', 'admin'],
      ['/customers/1:change', 'editor'],
      ['/customers/1:nothing', 'editor'],
      ['/command/DeleteCustomer', 'admin'],
      ['/command/DeleteCustomer/', 'admin'],
      ['/command/HoldDeal/', 'editor'],
      ['/command/nothing', 'editor'],
    ] as const) {
      const { status, body } = await service.request('POST', path, { headers: bearer(own.reader), body: {} })
      assert.equal(status, 403, path)
      assert.match(body.detail, new RegExp(`needs the role ${role}`), path)
    }
  })

  test('that declares no role or is no endpoint keeps the service from starting', () => {
    const undeclared = { ...endpoints[0], role: undefined } as unknown as Endpoint
    const settings = readSettings({ DATABASE_URL: service.database.url })
    const logger = pino({ level: 'silent' })
    assert.throws(
      () => buildServer(() => [undeclared], createService(service.store, settings, logger)),
      /GET \/ declares no role/,
    )
    const app = buildServer(endpointsOf, createService(service.store, settings, logger))
    assert.throws(() => app.get('/behind-the-gate', () => 'secret'), /declares no role/)
    // The matrix above has every endpoint; a route that is none would not be in it.
    const gate = { needs: 'reader', method: 'GET', reads: [], always: false, inSetUp: false } as unknown as GateOf
    const beside = () => app.get('/beside-the-list', { config: { gate } }, () => 'secret')
    assert.throws(beside, /GET \/beside-the-list is none of the endpoints/)
  })

  test('that is not there looks from outside like one that is', async () => {
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['DELETE', '/rest/v1/deals'],
      ['PUT', '/rest/v9/deals/1'],
      ['OPTIONS', '/customers'],
      ['POST', '/nothing'],
    ] as const) {
      assert.equal((await service.request(method, path)).status, 401, `${method} ${path}`)
    }
    const inside = bearer(service.keys.reader)
    assert.equal((await service.request('GET', '/nothing', { headers: inside })).status, 404)
    assert.equal((await service.request('DELETE', '/rest/v1/deals', { headers: inside })).status, 405)
    assert.equal((await service.request('OPTIONS', '/customers', { headers: inside })).status, 204)
  })

  test('that is public says so for every method', async () => {
    assert.equal((await service.request('POST', '/health/live')).status, 405)
    assert.equal((await service.request('OPTIONS', '/problems')).status, 204)
  })
})
