import assert from 'node:assert/strict'
import { once } from 'node:events'
import { suite } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { addUser } from '../../../src/access/as-operator.ts'
import { BadSetting } from '../../../src/config.ts'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { basic, bearer, runClosedService } from '../../support/service/closed-service.ts'
import { openSocket, readAnswer } from '../../support/service/raw-socket.ts'
import { closedRoomService, roomService } from '../../support/service/room-service.ts'
import { runService } from '../../support/service/running-service.ts'
import { putUser } from '../../support/things/audited.ts'

const deal = { name: 'A deal', price: 100 }

suite('without users', () => {
  test('a loopback service is open, and nobody is the actor', async () => {
    const service = await roomService()
    const made = await service.request('POST', '/rest/v1/deals', { body: deal })
    assert.equal(made.status, 201)
    const history = await service.request('GET', `/rest/v1/deals/${made.body.id}/history`)
    assert.equal((history.body.items as { actor: unknown }[])[0]?.actor, null)
  })

  test('it answers to loopback names only', async () => {
    const service = await roomService()
    const status = async (host: string, path = '/') =>
      (await service.request('GET', path, { headers: { host } })).status
    for (const host of [
      'localhost',
      'LOCALHOST:8080',
      '127.0.0.1',
      '127.0.0.1:80',
      '127.9.9.9',
      '[::1]:8080',
      'a.localhost',
    ]) {
      assert.equal(await status(host), 200, host)
    }
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '10.0.0.1',
      '[::2]',
      '127.0.0.256',
    ]) {
      assert.equal(await status(host), 421, host)
      assert.equal(await status(host, '/health/live'), 421, host)
    }
  })

  test('it does not start on an address that others reach', async () => {
    for (const HOST of ['0.0.0.0', '::']) {
      await assert.rejects(runService({ HOST }), (cause: Error) => {
        assert.ok(cause instanceof BadSetting)
        assert.match(
          cause.message,
          /^HOST=\S+ can be reached by others, and there is no user yet: add one with npm start -- user add NAME --role admin$/,
        )
        return true
      })
    }
  })

  testOnEachStore('nobody changes who has access once another process has added the first user', async () => {
    await using open = await disposable(runService())
    const { request, store } = open.service
    assert.equal((await request('GET', '/users')).status, 200)
    await putUser(store, { name: 'ann', role: 'admin', hash: 'h' })
    const mallory = { name: 'mallory', role: 'admin', password: 'correct horse' }
    const answers = await Promise.all([
      request('POST', '/users', { body: mallory }),
      request('DELETE', '/users/ann'),
      request('POST', '/webhooks', { body: { url: 'https://example.com/' } }),
    ])
    for (const { status, body } of answers) assert.deepEqual([status, body.code], [401, 'unauthorized'])
    assert.deepEqual(
      (await store.accounts.users()).map(({ name }) => name),
      ['ann'],
    )
  })

  test('its first user is an enabled admin, who can add the others', async () => {
    await using open = await disposable(runService())
    const add = (body: object, headers = {}) => open.service.request('POST', '/users', { headers, body })
    const ann = { name: 'ann', role: 'admin', password: 'correct horse' }
    for (const [wrong, pointer] of [
      [{ role: 'reader' }, '/role'],
      [{ role: 'editor' }, '/role'],
      [{ disabled: true }, '/disabled'],
    ] as const) {
      const { status, body } = await add({ ...ann, ...wrong })
      assert.equal(status, 422)
      assert.partialDeepStrictEqual(body.errors, [{ pointer }])
    }
    assert.equal((await open.service.request('GET', '/')).status, 200, 'it is still open')
    assert.equal((await add(ann)).status, 201)
    assert.equal((await add({ name: 'ben', role: 'reader' })).status, 401)
    assert.equal((await add({ name: 'ben', role: 'reader' }, basic('ann', 'correct horse'))).status, 201)
  })

  testOnEachStore('the first user closes it within a second', async () => {
    await using open = await disposable(runService())
    assert.equal((await open.service.request('GET', '/')).status, 200)
    await addUser(open.service.store, { name: 'ann', role: 'admin', password: 'correct horse' })
    while ((await open.service.request('GET', '/')).status === 200) await setTimeout(100)
    assert.equal((await open.service.request('GET', '/')).status, 401)
    assert.equal((await open.service.request('GET', '/', { headers: basic('ann', 'correct horse') })).status, 200)
  })
})

suite('with users', () => {
  test('it starts on any address, and never opens, not even when the last user goes', async () => {
    await using closed = await disposable(runClosedService())
    const { url } = closed.service.database
    await using wide = await disposable(runService({ HOST: '0.0.0.0', DATABASE_URL: url }))
    assert.equal((await wide.service.request('GET', '/')).status, 401)
    // The last admin cannot be removed by any command, only by hand.
    for (const table of ['users', 'keys', 'passwords', 'actors']) {
      await closed.service.database.rows(`DELETE FROM ${table} RETURNING 1 AS gone`)
    }
    assert.equal((await wide.service.request('GET', '/')).status, 401)
    assert.equal((await wide.service.request('GET', '/', { headers: { host: 'deals.example' } })).status, 401)
    assert.equal((await wide.service.request('GET', '/health/live')).status, 200)
  })

  test('it answers to any Host, for it may stand behind a name', async () => {
    const service = await closedRoomService()
    const headers = { host: 'deals.example', ...bearer(service.keys.reader) }
    assert.equal((await service.request('GET', '/', { headers })).status, 200)
  })

  test('the user or key is the actor of what it does', async () => {
    const service = await closedRoomService()
    const made = await service.request('POST', '/rest/v1/deals', { body: deal, headers: basic('editor') })
    assert.equal(made.status, 201)
    const path = `/rest/v1/deals/${made.body.id}`
    await service.request('PUT', `${path}/hold`, { body: { reason: 'x' }, headers: bearer(service.keys.admin) })
    const history = await service.request('GET', `${path}/history`, { headers: basic('reader') })
    const actors = (history.body.items as { actor: unknown }[]).map(({ actor }) => actor)
    assert.deepEqual(actors.toSorted(), ['admin-key', 'editor'])
  })

  test('a refusal is a problem in the format that was asked for', async () => {
    const service = await closedRoomService()
    // Of reads, people are led to the sign-in page instead.
    const page = await service.request('DELETE', '/customers/1', { headers: { accept: 'text/html' } })
    assert.equal(page.status, 401)
    assert.match(page.headers['content-type'] ?? '', /^text\/html/)
    assert.equal(page.headers['cache-control'], 'no-store')
  })

  test('a body is not read before its sender is known', async () => {
    const service = await closedRoomService()
    const body = Buffer.from('{"broken')
    assert.equal((await service.request('POST', '/rest/v1/deals', { body })).status, 401)
    const headers = bearer(service.keys.reader)
    assert.equal((await service.request('POST', '/rest/v1/deals', { body, headers })).status, 403)
    const xml = { ...bearer(service.keys.reader), 'content-type': 'text/xml' }
    assert.equal((await service.request('POST', '/rest/v1/deals', { body, headers: xml })).status, 403)
  })

  test('what is ended while a body comes is ended', async () => {
    await using closed = await disposable(runClosedService())
    const { service } = closed
    const admin = bearer(service.keys.admin)
    const made = { name: 'mallory', role: 'admin', password: 'correct horse' }
    assert.equal((await service.request('POST', '/users', { body: made, headers: admin })).status, 201)
    const mallory = basic('mallory', 'correct horse')
    const begin = async (method: string, path: string, body: object) => {
      const socket = await openSocket(new URL(service.url))
      const text = JSON.stringify(body)
      const head = { host: new URL(service.url).host, 'content-type': 'application/json', ...mallory }
      const lines = Object.entries({ ...head, 'content-length': text.length }).map(
        ([name, value]) => `${name}: ${value}`,
      )
      // The answer of 100 says that the head was judged.
      socket.write([`${method} ${path} HTTP/1.1`, ...lines, 'expect: 100-continue', '', ''].join('\r\n'))
      await once(socket, 'data')
      return async () => {
        socket.write(text)
        const answer = await readAnswer(socket)
        socket.destroy()
        return answer
      }
    }
    const change = (body: object) => service.request('PATCH', '/users/mallory', { body, headers: admin })
    const isLate = [
      await begin('POST', '/rest/v1/deals', deal),
      await begin('POST', '/rpc', { jsonrpc: '2.0', id: 1, method: 'deals.create', params: deal }),
      await begin('PATCH', '/users/mallory', { role: 'admin' }),
    ] as const
    assert.equal((await change({ role: 'reader' })).status, 200)
    assert.deepEqual(await Promise.all(isLate.map(async (send) => (await send()).status)), [403, 200, 403])
    const [later] = [await begin('PATCH', '/users/mallory', { disabled: false })]
    assert.equal((await change({ disabled: true })).status, 200)
    const refused = await later()
    assert.equal(refused.status, 401)
    assert.ok(refused.headers['www-authenticate'])
    const { role, disabled } = (await service.request('GET', '/users/mallory', { headers: admin })).body
    assert.deepEqual([role, disabled], ['reader', true])
    assert.deepEqual((await service.request('GET', '/rest/v1/deals', { headers: admin })).body.items, [])
  })
})

async function disposable<T extends { close(): Promise<void> }>(starting: Promise<T>) {
  const service = await starting
  return { service, [Symbol.asyncDispose]: () => service.close() }
}
