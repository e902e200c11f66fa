import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { isPublicAddress } from '../../src/events/public-address.ts'
import { type Resolve, resolveTarget } from '../../src/events/resolve-target.ts'
import { openWebhookClient } from '../../src/events/webhook-client.ts'
import { answering, type Receiver, runReceiver } from '../support/webhooks/receiver.ts'
import { runWebhookService, type WebhookService } from '../support/webhooks/webhook-service.ts'

/** In milliseconds. Nothing here waits for it: a busy machine may answer late. */
const timeout = 20_000

let service: WebhookService
let trap: Receiver
before(async () => {
  service = await runWebhookService({})
  trap = await runReceiver()
})
after(async () => {
  await service.close()
  await trap.close()
})

/** Ways to write an address inside; PORT is that of the trap. */
const spellings = [
  'http://127.0.0.1:PORT/',
  'http://127.1:PORT/',
  'http://127.0.1:PORT/',
  'http://2130706433:PORT/',
  'http://0x7f000001:PORT/',
  'http://0x7f.0x0.0x0.0x1:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://017700000001:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://127.255.255.254:PORT/',
  'http://0.0.0.0:PORT/',
  'http://0:PORT/',
  'http://１２７.０.０.１:PORT/',
  'http://127。0。0。1:PORT/',
  'http://%31%32%37.0.0.1:PORT/',
  'http://localhost:PORT/',
  'http://LOCALHOST.:PORT/',
  'http://sub.localhost:PORT/',
  'http://[::1]:PORT/',
  'http://[0:0:0:0:0:0:0:1]:PORT/',
  'http://[::]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[::127.0.0.1]:PORT/',
  'http://[64:ff9b::7f00:1]:PORT/',
  'http://[2002:7f00:1::]:PORT/',
  'http://[fe80::1]:PORT/',
  'http://[fc00::1]:PORT/',
  'http://[fd00:ec2::254]:PORT/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
]

suite('a webhook to an address inside', () => {
  for (const spelling of spellings) {
    test(`is refused when it is spelled ${spelling}`, async () => {
      const url = spelling.replace('PORT', new URL(trap.url).port)
      const response = await service.send('POST', '/webhooks', { url })
      assert.equal(response.status, 422)
      const { errors } = (await response.json()) as { errors: { pointer: string }[] }
      assert.deepEqual(
        errors.map(({ pointer }) => pointer),
        ['/url'],
      )
      const client = openWebhookClient({ allowPrivate: false, timeout })
      const reply = await client.post(url, {}, '{}')
      client.close()
      assert.ok('isRefused' in reply, JSON.stringify(reply))
      assert.equal(trap.connections, 0)
    })
  }

  test('is refused however its name resolves', async () => {
    const names: Record<string, readonly string[]> = {
      'inside.example': ['127.0.0.1'],
      'inside6.example': ['::1'],
      'mapped.example': ['::ffff:127.0.0.1'],
      'both.example': ['93.184.216.34', '127.0.0.1'],
      'metadata.example': ['169.254.169.254'],
    }
    const resolve: Resolve = async (host) =>
      (names[host] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const client = openWebhookClient({ allowPrivate: false, timeout, resolve })
    for (const name of Object.keys(names)) {
      await assert.rejects(resolveTarget(name, resolve), { name: 'RefusedTarget' })
      const reply = await client.post(`http://${name}:${new URL(trap.url).port}/`, {}, '{}')
      assert.ok('isRefused' in reply, name)
    }
    client.close()
    assert.equal(trap.connections, 0)
  })

  test('is refused when its name leads inside only after it was accepted', async () => {
    let asked = 0
    // Public when it is asked the first time, inside every time after: what was asked first is what is connected to.
    const resolve: Resolve = async () => [{ address: ++asked === 1 ? '192.0.0.9' : '127.0.0.1', family: 4 }]
    await assert.rejects(resolveTarget('turning.example', resolve))
    const client = openWebhookClient({ allowPrivate: false, timeout, resolve })
    const reply = await client.post(`http://turning.example:${new URL(trap.url).port}/`, {}, '{}')
    client.close()
    assert.ok('isRefused' in reply)
    assert.equal(trap.connections, 0)
  })

  test('is not reached by a redirect from outside', async () => {
    // The one at the door is let in by a resolver of its own; where it points to is not followed.
    const door = await runReceiver()
    door.answer = answering(302, { location: trap.url })
    const client = openWebhookClient({ allowPrivate: true, timeout })
    const reply = await client.post(door.url, {}, '{}')
    client.close()
    assert.ok('status' in reply && reply.status === 302)
    // Connections come in in their order: this one behind any that the client made.
    await fetch(trap.url, { headers: { connection: 'close' } })
    assert.equal(trap.connections, 1)
    trap.connections = 0
    await door.close()
  })
})

suite('the address of a webhook', () => {
  const refused = {
    'a scheme that is not HTTP': 'ftp://example.com/',
    'a file': 'file:///etc/passwd',
    'a script': 'javascript:alert(1)',
    'a user': 'https://user@example.com/',
    'a password': 'https://user:secret@example.com/',
    'a fragment': 'https://example.com/#part',
    'no address': 'example.com/hook',
    'a line break': 'https://93.184.216.34/a\r\nX: y',
    'a tab': 'https://93.184.216.34/a\tb',
    'too long': `https://example.com/${'a'.repeat(2000)}`,
  }
  for (const [what, url] of Object.entries(refused)) {
    test(`may not be or have ${what}`, async () => {
      const response = await service.send('POST', '/webhooks', { url })
      assert.equal(response.status, 422)
    })
  }

  test('may be that of a public host', async () => {
    for (const address of ['93.184.216.34', '8.8.8.8', '2606:2800:220:1:248:1893:25c8:1946']) {
      assert.equal(isPublicAddress(address), true, address)
    }
    const response = await service.send('POST', '/webhooks', { url: 'https://93.184.216.34/hook' })
    assert.equal(response.status, 201)
    const { id } = (await response.json()) as { id: string }
    await service.send('DELETE', `/webhooks/${id}`)
  })

  test('may be a name that is not known yet', async () => {
    const response = await service.send('POST', '/webhooks', { url: 'https://not-yet.invalid/hook' })
    assert.equal(response.status, 201)
    const { id } = (await response.json()) as { id: string }
    await service.send('DELETE', `/webhooks/${id}`)
  })
})
