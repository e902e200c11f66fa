import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { readSettings } from '../../src/config.ts'
import { doors } from '../../src/doors/doors.ts'
import { serveDoors } from '../../src/doors/serve-doors.ts'
import { buildServer } from '../../src/http/server/server.ts'
import { createService } from '../../src/service/create-service.ts'
import { endpointsOf } from '../../src/service/endpoints.ts'
import { openStore } from '../../src/store/open.ts'
import { ownSqlite } from '../support/database/own-database.ts'
import { unhurried } from '../support/service/unhurried.ts'

// What opening a door loads is looked at by `test/architecture.test.ts`.
test('a door is opened by its first request, once, and no other with it', async (t) => {
  const database = ownSqlite('ready')
  const settings = readSettings({ PORT: '0', ...unhurried, DATABASE_URL: database.url })
  const store = await openStore(settings, assert.fail)
  const opened: string[] = []
  const watched = doors.map((door) => ({
    ...door,
    open() {
      opened.push(door.name)
      return door.open()
    },
  }))
  const service = createService(store, settings, pino({ level: 'silent' }))
  const app = buildServer(endpointsOf, service, serveDoors(watched, service))
  t.after(async () => {
    await app.close()
    await store.close()
    database.remove()
  })
  const url = await app.listen({ port: 0 })
  const ask = async (path: string, init: RequestInit = {}): Promise<unknown> =>
    (await fetch(url + path, init)).arrayBuffer()
  for (const path of ['/', '/docs', '/openapi.json', '/rest/v1/deals', '/nothing']) await ask(path)
  assert.deepEqual(opened, [])
  for (const [at, { first }] of doors.entries()) {
    const { method, path, headers = {}, body } = first
    for (const _ of [1, 2]) await ask(path, { method, headers, body: body ? JSON.stringify(body) : null })
    assert.deepEqual(
      opened,
      doors.slice(0, at + 1).map(({ name }) => name),
    )
  }
})
