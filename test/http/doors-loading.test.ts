import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { test } from 'node:test'

const loaded: string[] = []
registerHooks({
  load(url, context, nextLoad) {
    loaded.push(url)
    return nextLoad(url, context)
  },
})
const { doors } = await import('../../src/http/doors/doors.ts')
const { runService } = await import('../support/service/running-service.ts')

/** The files of doors that were loaded, apart from their declarations. */
const rooms = (): readonly string[] =>
  loaded.filter((url) => doors.some(({ name }) => new RegExp(`/doors/${name}/(?!${name}\\.ts)`).test(url)))

test('a door is loaded by its first request, and no other with it', async () => {
  const service = await runService()
  try {
    for (const path of ['/', '/docs', '/openapi.json', '/rest/v1/deals', '/nothing']) await service.request('GET', path)
    assert.deepEqual(rooms(), [])
    const packages = loaded.filter((url) => /node_modules\/(graphql|@modelcontextprotocol)\//.test(url))
    assert.deepEqual(packages, [])
    for (const [at, { name, first }] of doors.entries()) {
      const { method, path, headers, body } = first
      await service.request(method, path, { ...(headers && { headers }), body })
      const opened = doors.slice(0, at + 1).map((door) => door.name)
      assert.ok(
        rooms().some((url) => url.includes(`/doors/${name}/`)),
        name,
      )
      assert.ok(
        rooms().every((url) => opened.some((each) => url.includes(`/doors/${each}/`))),
        name,
      )
    }
  } finally {
    await service.close()
  }
})
