import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { openDesk } from '../../support/service/running-command.ts'

const PASSWORD = 'a secret of four words'
const page = { accept: 'text/html' }

suite('what people must keep to themselves', () => {
  test('sessions and their ends survive kill -9, and no secret is in the log, the files or the documents', async () => {
    await using desk = openDesk({ LOG_LEVEL: 'trace' })
    assert.equal((await desk.run(['user', 'add', 'ann', '--role', 'admin'], `${PASSWORD}\n`)).code, 0)
    const logs: string[] = []
    const start = async () => {
      const service = desk.start([])
      const [, url = ''] = await service.said(/ready at (http:\S+)/)
      const kill = async () => {
        service.process.kill('SIGKILL')
        const { stdout, stderr } = await service.ended
        logs.push(stdout, stderr)
      }
      const ask = (path: string, headers: { readonly [name: string]: string } = {}, init: RequestInit = {}) =>
        fetch(url + path, { redirect: 'manual', headers, ...init })
      return {
        ask,
        kill,
        form: (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) }),
      }
    }

    const first = await start()
    const signedIn = await first.ask('/sign-in', page, first.form({ name: 'ann', password: PASSWORD }))
    const cookie = signedIn.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
    await first.ask('/sign-in', page, first.form({ name: PASSWORD, password: 'ann' }))
    const json = { cookie, 'content-type': 'application/json' }
    const added = (await (
      await first.ask('/users', json, { method: 'POST', body: JSON.stringify({ name: 'ben', role: 'reader' }) })
    ).json()) as { readonly invitation: string }
    const key = (await (
      await first.ask('/users/ann/keys', json, { method: 'POST', body: JSON.stringify({ name: 'k', role: 'admin' }) })
    ).json()) as { readonly secret: string }
    await first.ask(added.invitation, page)
    await first.kill()

    const second = await start()
    assert.equal((await second.ask('/users/me', { cookie })).status, 200, 'the session is still there')
    assert.equal((await second.ask('/sign-out', { cookie }, { method: 'POST' })).status, 303)
    await second.kill()

    const third = await start()
    assert.equal((await third.ask('/users/me', { cookie })).status, 401, 'it stays ended')
    const bearer = { authorization: `Bearer ${key.secret}` }
    const documents = ['/users', '/audit.ndjson', '/users.csv', '/users/ann/keys', '/events', '/people', '/metrics']
    const shown = await Promise.all(documents.map(async (path) => (await third.ask(path, bearer)).text()))
    await third.kill()

    const secrets = [PASSWORD, cookie.split('=')[1] ?? '', key.secret, key.secret.slice(3), added.invitation.slice(13)]
    const files = readdirSync(desk.folder).map((name) => readFileSync(join(desk.folder, name), 'latin1'))
    for (const secret of secrets) {
      assert.ok(secret.length >= 20)
      for (const text of [...logs, ...shown, ...files]) assert.ok(!text.includes(secret))
    }
    assert.ok(shown.every((text) => !text.includes('argon2')))
  })
})
