import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { after, before, suite, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Access } from '../../src/access/access.ts'
import {
  credentialList,
  credentialRemove,
  keyAdd,
  userAdd,
  userDisable,
  userPasswd,
  userRole,
} from '../../src/cli/actions/credentials.ts'
import { readPassword } from '../../src/cli/read-password.ts'
import { readSettings } from '../../src/config.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/port/store.ts'
import { basic, bearer } from '../support/service/closed-service.ts'

suite('the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dealdesk-'))
  const settings = readSettings({ DATABASE_URL: join(folder, 'dealdesk.db') })
  let store: Store
  before(async () => {
    store = await openStore(settings, assert.fail)
  })
  after(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })

  /** By a service that runs beside the commands. */
  const identify = (authorization: string) => new Access(store.accounts).identify(authorization, '::1')

  test('adds a user whose password comes on standard input', async () => {
    const terminal = fakeTerminal('correct horse\n')
    await userAdd(settings, 'ann', { role: 'admin' }, terminal)
    assert.equal(terminal.written(), '')
    assert.deepEqual(await identify(basic('ann', 'correct horse').authorization), {
      caller: {
        name: 'ann',
        role: 'admin',
        user: 'ann',
        by: 'password',
        key: null,
        session: null,
        signedInAt: null,
        fullName: null,
      },
    })
  })

  test('adds a key, which is all that it writes', async () => {
    const terminal = fakeTerminal()
    await keyAdd(settings, 'robot', { role: 'reader' }, terminal)
    const key = terminal.written()
    assert.match(key, /^dd_[\w-]{43}\n$/)
    assert.deepEqual(await identify(bearer(key.trim()).authorization), {
      caller: {
        name: 'robot',
        role: 'reader',
        user: null,
        by: 'key',
        key: 'robot',
        session: null,
        signedInAt: null,
        fullName: null,
      },
    })
  })

  test('lists users and keys without their hashes', async () => {
    for (const [kind, line] of [
      ['user', /^ann\tadmin\t\S+Z\n$/],
      ['key', /^robot\treader\t\S+Z\n$/],
    ] as const) {
      const terminal = fakeTerminal()
      await credentialList(settings, kind, terminal)
      assert.match(terminal.written(), line)
    }
  })

  test('removes them', async () => {
    await assert.rejects(credentialRemove(settings, 'user', 'ann', fakeTerminal()), /ann is the last admin/)
    await userAdd(settings, 'zoe', { role: 'admin' }, fakeTerminal('correct horse\n'))
    await credentialRemove(settings, 'user', 'ann', fakeTerminal())
    assert.deepEqual(await identify(basic('ann', 'correct horse').authorization), { refused: 'unknown' })
    await assert.rejects(credentialRemove(settings, 'user', 'ann', fakeTerminal()), /there is no user called ann/)
    await assert.rejects(credentialRemove(settings, 'user', 'robot', fakeTerminal()), /there is no user called robot/)
  })

  test('sets passwords and roles, and disables and enables', async () => {
    const zoe = (password: string) => identify(basic('zoe', password).authorization)
    await userAdd(settings, 'yan', { role: 'admin' }, fakeTerminal('correct horse\n'))
    await userPasswd(settings, 'zoe', fakeTerminal('another horse\n'))
    assert.deepEqual(await zoe('correct horse'), { refused: 'unknown' })
    await userRole(settings, 'zoe', 'reader', fakeTerminal())
    const known = await zoe('another horse')
    assert.equal('caller' in known && known.caller.role, 'reader')
    await userDisable(settings, 'zoe', true, fakeTerminal())
    assert.deepEqual(await zoe('another horse'), { refused: 'unknown' })
    await userDisable(settings, 'zoe', false, fakeTerminal())
    assert.ok('caller' in (await zoe('another horse')))
    await assert.rejects(userPasswd(settings, 'zoe', fakeTerminal('password1234\n')), /common word/)
    await assert.rejects(userRole(settings, 'nobody', 'reader', fakeTerminal()), /there is no user called nobody/)
    await assert.rejects(userDisable(settings, 'yan', true, fakeTerminal()), /yan is the last admin/)
  })

  test('adds a key of a user with an end', async () => {
    const terminal = fakeTerminal()
    await keyAdd(settings, 'brief', { role: 'reader', user: 'zoe', expires: '2099-06-30' }, terminal)
    const known = await identify(bearer(terminal.written().trim()).authorization)
    assert.equal('caller' in known && known.caller.user, 'zoe')
    const list = fakeTerminal()
    await credentialList(settings, 'key', list)
    assert.match(list.written(), /^zoe\/brief\treader\t\S+Z\tuntil 2099-06-30T00:00:00\.000Z\n/)
    await keyAdd(settings, 'Brief', { role: 'reader', user: 'yan' }, fakeTerminal())
    await keyAdd(settings, 'twice', { role: 'reader', user: 'yan' }, fakeTerminal())
    await keyAdd(settings, 'twice', { role: 'reader', user: 'zoe' }, fakeTerminal())
    const again = keyAdd(settings, 'BRIEF', { role: 'reader', user: 'zoe' }, fakeTerminal())
    await assert.rejects(again, /zoe has a key called BRIEF already/)
    const drop = (name: string) => credentialRemove(settings, 'key', name, fakeTerminal())
    await assert.rejects(drop('twice'), /there are 2 keys called twice: name one of yan\/twice, zoe\/twice/)
    await assert.rejects(drop('zoe/nothing'), /there is no key called zoe\/nothing/)
    for (const name of ['zoe/twice', 'twice', 'Brief']) await drop(name)
    const add = (options: object) => keyAdd(settings, 'other', { role: 'reader', ...options }, fakeTerminal())
    await assert.rejects(add({ expires: '2020-01-01' }), /--expires 2020-01-01 is over/)
    await assert.rejects(add({ expires: 'soon' }), /must be a date such as/)
    await assert.rejects(add({ user: 'nobody' }), /there is no user called nobody/)
    await assert.rejects(add({ user: 'zoe', role: 'admin' }), /^[^\n]*--role must be at most reader, the role of zoe$/)
  })

  test('refuses what cannot work in one line', async () => {
    await assert.rejects(userAdd(settings, 'ben', { role: 'admin' }, fakeTerminal('')), /at least 12 characters/)
    await assert.rejects(
      userAdd(settings, 'a:b', { role: 'admin' }, fakeTerminal('correct horse')),
      /must not contain a colon/,
    )
    await assert.rejects(
      userAdd(settings, 'a\nb', { role: 'admin' }, fakeTerminal('correct horse')),
      /must be on one line/,
    )
    await assert.rejects(
      keyAdd(settings, 'robot', { role: 'admin' }, fakeTerminal()),
      /already a user or key called robot/,
    )
  })

  test('asks twice on a terminal and shows nothing of what is typed', async () => {
    const typing = async (...lines: readonly string[]) => {
      const terminal = fakeTerminal()
      const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
      const reading = readPassword({ ...terminal, input })
      const checked = reading.catch(() => {})
      for (const line of lines) {
        input.write(`${line}\r`)
        await setTimeout(20)
      }
      await checked
      assert.ok(lines.every((line) => !terminal.noted().includes(line)))
      assert.match(terminal.noted(), /^Password: \nOnce more: \n$/)
      return reading
    }
    assert.equal(await typing('correct horse', 'correct horse'), 'correct horse')
    await assert.rejects(typing('correct horse', 'correct house'), /the two passwords differ/)
  })
})

function fakeTerminal(input = '') {
  const [output, notes] = [kept(), kept()]
  return {
    input: Readable.from([input]),
    output: output.stream,
    notes: notes.stream,
    written: () => output.chunks.join(''),
    noted: () => notes.chunks.join(''),
  }
}

function kept() {
  const chunks: string[] = []
  const write = (chunk: unknown, _encoding: string, done: () => void) => {
    chunks.push(String(chunk))
    done()
  }
  return { chunks, stream: new Writable({ write }) }
}
