import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { readSettings } from '../../../src/config.ts'
import { doors, openDoors } from '../../../src/http/doors/doors.ts'
import { bearer, type ClosedService, runClosedService } from '../../support/service/closed-service.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'

suite('every door', () => {
  let service: TestService
  before(async () => {
    service = await runService({ CORS_ORIGINS: 'https://app.example.com' })
  })
  after(() => service.close())

  for (const { name, title, at, first, routes } of doors) {
    test(`${name} answers its first request`, async () => {
      const { method, path, headers, body } = first
      const answer = await service.request(method, path, { ...(headers && { headers }), body })
      assert.equal(answer.status, 200, answer.text)
    })

    test(`${name} says which methods its root has`, async () => {
      const methods = routes
        .filter(({ path, where }) => path === '' && where?.(at) !== false)
        .map(({ method }) => method)
      if (methods.length === 0) return
      const options = await service.request('OPTIONS', at)
      assert.equal(options.status, 204)
      for (const method of methods) assert.match(String(options.headers.allow), new RegExp(`\\b${method}\\b`))
      const wrong = await service.request('PROPFIND', at)
      assert.equal(wrong.status, 405)
      assert.equal(wrong.headers.allow, options.headers.allow)
    })

    test(`${name} may be asked by pages of other origins`, async () => {
      const origin = 'https://app.example.com'
      const asked = { origin, 'access-control-request-method': 'POST' }
      const preflight = await service.request('OPTIONS', at, { headers: asked })
      assert.equal(preflight.status, 204)
      assert.equal(preflight.headers['access-control-allow-origin'], origin)
    })

    test(`${name} has a page and is led to`, async () => {
      const page = await service.request('GET', `/docs/doors/${name}`)
      assert.equal(page.status, 200)
      assert.ok(page.text.includes(title))
      assert.ok((await service.request('GET', '/docs')).text.includes(`/docs/doors/${name}`))
      assert.equal((await service.request('GET', '/')).body.links[name], at)
      assert.ok((await service.request('GET', '/openapi.json')).text.includes(`/docs/doors/${name}`))
    })
  }

  test('has an address of its own', () => {
    assert.equal(new Set(doors.map(({ at }) => at)).size, doors.length)
  })
})

suite('a closed service', () => {
  let service: ClosedService
  before(async () => {
    service = await runClosedService()
  })
  after(() => service.close())

  for (const { name, first } of doors) {
    test(`${name} wants to know who calls`, async () => {
      const { method, path, headers, body } = first
      const asked = (who: { readonly [header: string]: string }) =>
        service.request(method, path, { headers: { ...headers, ...who }, body })
      const nobody = await asked({})
      assert.equal(nobody.status, 401, nobody.text)
      assert.ok(nobody.headers['www-authenticate'])
      assert.equal((await asked(bearer(service.keys.reader))).status, 200)
    })
  }
})

test('closed doors are not there', async () => {
  const service = await runService({ DOORS: 'none' })
  try {
    for (const { at, name } of doors) {
      const answer = await service.request('POST', at, { body: {} })
      assert.equal(answer.status, 404, at)
      assert.equal(answer.body.code, 'not-found')
      assert.equal((await service.request('GET', `/docs/doors/${name}`)).status, 404)
      assert.equal((await service.request('GET', '/')).body.links[name], undefined)
    }
  } finally {
    await service.close()
  }
})

test('DOORS lists the doors that are open', () => {
  const opened = (text: string) => openDoors(readSettings({ DOORS: text })).map(({ name }) => name)
  assert.deepEqual(
    openDoors(readSettings({})).map(({ name }) => name),
    doors.map(({ name }) => name),
  )
  assert.deepEqual(opened('none'), [])
  assert.deepEqual(opened('rpc'), ['rpc'])
  assert.throws(() => opened('rcp'), /DOORS names no door rcp, did you mean rpc\?/)
  assert.throws(() => opened('rpc;'), /DOORS=rpc; is not usable/)
})
