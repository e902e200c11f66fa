import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { addUser } from '../../../src/access/as-operator.ts'
import { openStore } from '../../../src/store/open.ts'
import { schema } from '../../support/schema.ts'
import { openDesk } from '../../support/service/running-command.ts'
import { runReceiver } from '../../support/webhooks/receiver.ts'

const PASSWORD = 'a secret of four words'
const page = { accept: 'text/html' }

suite('what people must keep to themselves', () => {
  test('sessions and their ends survive kill -9, and no secret is in the log, the files, a backup, webhooks or documents', async () => {
    await using desk = openDesk({ LOG_LEVEL: 'trace', WEBHOOK_ALLOW_PRIVATE: 'true' })
    const receiver = await runReceiver()
    const store = await openStore({ databaseUrl: desk.database, currency: 'EUR' }, (cause) => assert.fail(cause))
    await addUser(store, { name: 'ann', role: 'admin', password: PASSWORD })
    await store.close()
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
    const json = { cookie, 'content-type': 'application/json' }
    const webhook = (await (
      await first.ask('/webhooks', json, { method: 'POST', body: JSON.stringify({ url: receiver.url }) })
    ).json()) as { readonly id: string; readonly secret: string }
    const { calendar } = (await (await first.ask('/users/ann/calendar', json, { method: 'POST' })).json()) as {
      readonly calendar: string
    }
    await first.ask('/sign-in', page, first.form({ name: PASSWORD, password: 'ann' }))
    const added = (await (
      await first.ask('/users', json, { method: 'POST', body: JSON.stringify({ name: 'ben', role: 'reader' }) })
    ).json()) as { readonly invitation: string }
    const key = (await (
      await first.ask('/users/ann/keys', json, { method: 'POST', body: JSON.stringify({ name: 'k', role: 'admin' }) })
    ).json()) as { readonly secret: string }
    await first.ask(added.invitation, page)
    // Events come in order: whatever was told of users before would be there with the deal.
    await first.ask('/rest/v1/deals', json, { method: 'POST', body: JSON.stringify({ name: 'Roof', price: 1 }) })
    await receiver.until((received) => received.some(({ event }) => event.type === 'deal.created'))
    const sent = receiver.received.map(({ headers, body }) => JSON.stringify(headers) + body)
    assert.ok(receiver.received.every(({ event }) => event.type === 'deal.created'))
    await receiver.close()
    assert.equal((await desk.run(['backup', desk.path('backup.db')])).code, 0)
    await first.kill()

    const second = await start()
    assert.equal((await second.ask('/users/me', { cookie })).status, 200, 'the session is still there')
    assert.equal((await second.ask('/sign-out', { cookie }, { method: 'POST' })).status, 303)
    await second.kill()

    const third = await start()
    assert.equal((await third.ask('/users/me', { cookie })).status, 401, 'it stays ended')
    const bearer = { authorization: `Bearer ${key.secret}` }
    const audited = schema.audited.map(({ path }) => path.replace(':user', 'ann').replace(':webhook', webhook.id))
    const single = [
      '/users/ann',
      '/users/ann/keys/k',
      `/webhooks/${webhook.id}`,
      `/webhooks/${webhook.id}/deliveries/1`,
    ]
    const documents = [
      ...audited.flatMap((path) => [path, `${path}.csv`, `${path}.ndjson`, `${path}.html`]),
      ...single.flatMap((path) => [path, `${path}.html`]),
      ...['/events', '/people', '/metrics', '/imports.html'],
    ]
    const shown = await Promise.all(
      documents.map(async (path) => {
        const answer = await third.ask(path, bearer)
        assert.equal(answer.status, 200, path)
        return answer.text()
      }),
    )
    await third.kill()

    const secrets = [
      ...[PASSWORD, cookie.split('=')[1] ?? '', key.secret, key.secret.slice(3), added.invitation.slice(13)],
      calendar.slice(10, -4),
    ]
    // The store must have it to sign with.
    for (const text of [...logs, ...shown, ...sent]) assert.ok(!text.includes(webhook.secret))
    const files = readdirSync(desk.folder).map((name) => readFileSync(join(desk.folder, name), 'latin1'))
    assert.ok(readFileSync(desk.path('backup.db'), 'latin1').includes('argon2'), 'hashes are in the backup')
    for (const secret of secrets) {
      assert.ok(secret.length >= 20)
      for (const text of [...logs, ...shown, ...sent, ...files]) assert.ok(!text.includes(secret))
    }
    assert.ok([...shown, ...sent].every((text) => !text.includes('argon2')))
  })
})
