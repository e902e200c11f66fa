import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { pino } from 'pino'
import { readSettings } from '../../../src/config.ts'
import { startService } from '../../../src/service/start-service.ts'
import { openSocket, readAnswer } from '../../support/service/raw-socket.ts'
import { roomService } from '../../support/service/room-service.ts'
import { type Answered, runService } from '../../support/service/running-service.ts'
import { unhurried } from '../../support/service/unhurried.ts'

suite('every answer', () => {
  test('tells browsers what not to do with it', async () => {
    const service = await roomService()
    const check = ({ headers }: Answered, what: string) => {
      assert.equal(headers['x-content-type-options'], 'nosniff', what)
      assert.match(String(headers['content-security-policy']), /^default-src 'none';.*frame-ancestors 'none'$/, what)
      assert.doesNotMatch(String(headers['content-security-policy']), /unsafe/, what)
      assert.equal(headers['strict-transport-security'], undefined, what)
    }
    for (const path of [
      '/',
      '/customers.html',
      '/customers.ndjson',
      '/style.css',
      '/metrics',
      '/nothing',
      '/health/ready',
    ]) {
      check(await service.request('GET', path), path)
    }
    check(await service.request('GET', '/%ff'), 'a bad address')
    check(await service.request('GET', `/${'x'.repeat(9000)}`), 'a long address')
    check(await service.request('POST', '/rest/v1/deals', { body: '{' }), 'a broken body')
    check(await service.request('OPTIONS', '/'), 'OPTIONS')
  })

  test('is asked for by https only where that is the service’s address', async () => {
    const service = await runService({ BASE_URL: 'https://deals.example' })
    const { headers } = await service.request('GET', '/')
    assert.equal(headers['strict-transport-security'], 'max-age=31536000')
    await service.close()
  })

  test('to a GET is kept by its reader alone, who asks again before using it', async () => {
    const service = await roomService()
    const paths = ['/', '/customers', '/customers.ndjson', '/docs', '/docs/hold', '/openapi.json', '/metrics']
    for (const path of [...paths, '/.well-known/api-catalog', '/health/live', '/problems', '/query', '/board']) {
      const { status, headers } = await service.request('GET', path)
      assert.deepEqual([status, headers['cache-control']], [200, 'private, no-cache'], path)
    }
  })

  test('that is a problem is kept by nobody', async () => {
    const service = await roomService()
    assert.equal((await service.request('GET', '/nothing')).headers['cache-control'], 'no-store')
  })
})

suite('a page', () => {
  test('has no script or style in it that the policy would stop', async () => {
    const service = await roomService()
    const { body } = await service.request('POST', '/rest/v1/deals', { body: { name: 'A deal', price: 1 } })
    for (const path of ['/', '/customers', '/rest/v1/deals', `/rest/v1/deals/${body.id}`, '/problems', '/query']) {
      const page = await service.request('GET', path, { headers: { accept: 'text/html' } })
      assert.equal(page.status, 200)
      assert.equal(page.headers['referrer-policy'], 'same-origin')
      assert.match(String(page.headers['content-security-policy']), /script-src 'self';.*form-action 'self'/)
      assert.doesNotMatch(page.text, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|javascript:/i, path)
    }
  })
})

suite('a service that was told to stop', () => {
  test('is not ready, then accepts nothing new, and ends each connection with its answer', async () => {
    const own = await runService()
    const settings = readSettings({ PORT: '0', ...unhurried, DATABASE_URL: own.database.url })
    const service = await startService(settings, pino({ level: 'silent' }), assert.fail)
    const rested = await openSocket(new URL(service.url))
    const closing = service.close(1500)
    const ready = await fetch(`${service.url}/health/ready`)
    assert.equal(ready.status, 503)
    assert.ok(ready.headers.has('retry-after'))
    assert.equal((await fetch(`${service.url}/customers`)).status, 200)
    assert.equal((await fetch(`${service.url}/health/live`)).status, 200)
    // A proxy may have sent a request over a connection at rest just before it could know.
    while ((await fetch(`${service.url}/health/live`).catch(() => undefined)) !== undefined);
    rested.write('GET /customers?maxpagesize=1 HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const last = await readAnswer(rested)
    assert.deepEqual([last.status, last.headers.connection], [200, 'close'])
    await closing
    await own.close()
  })
})
