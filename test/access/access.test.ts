import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type Access, openAccess } from '../../src/access/access.ts'
import { addKey, addUser } from '../../src/access/manage.ts'
import type { Credentials } from '../../src/store/port/credentials.ts'
import { basic, bearer } from '../support/service/closed-service.ts'
import { runService, type TestService } from '../support/service/running-service.ts'

const now = '2026-11-15T12:00:00.000Z'
const unknown = { refused: 'unknown' }
const signIn = (access: Access, name: string, password: string, from = '192.0.2.1') =>
  access.identify(basic(name, password).authorization, from)

suite('who calls', () => {
  let service: TestService
  let credentials: Credentials
  let clock = 0
  /** Each test has an access of its own, over the same users and on a clock that the test turns. */
  const open = () => openAccess(credentials, () => clock)

  before(async () => {
    service = await runService()
    credentials = service.store.credentials
    await addUser(credentials, { name: 'ann', role: 'editor', password: 'correct horse', now })
  })
  after(() => service.close())

  test('a user is known by name and password', async () => {
    assert.deepEqual(await signIn(open(), 'ann', 'correct horse'), { caller: { name: 'ann', role: 'editor' } })
  })

  test('a name in letters of any script, and a password with colons, are read as UTF-8', async () => {
    await addUser(credentials, { name: 'Jürgen', role: 'reader', password: 'päss:wörd:1', now })
    assert.deepEqual(await signIn(open(), 'Jürgen', 'päss:wörd:1'), { caller: { name: 'Jürgen', role: 'reader' } })
  })

  test('an unknown name and a wrong password give one answer and hash one password each', async () => {
    const access = open()
    assert.deepEqual(await signIn(access, 'ann', 'wrong horse'), unknown)
    assert.equal(access.counts.hashed, 1)
    assert.deepEqual(await signIn(access, 'nobody', 'wrong horse'), unknown)
    assert.equal(access.counts.hashed, 2)
    assert.equal(access.counts.failed, 2)
  })

  test('who does not wait hears what was known last while the store does not answer', async () => {
    let any = Promise.resolve(true)
    const access = openAccess({ ...credentials, any: () => any }, () => clock)
    assert.equal(await access.hasAny(false), true)
    any = Promise.reject(new Error('the store is away'))
    any.catch(() => {})
    clock += 2000
    assert.equal(access.hasAny(false), true)
    await assert.rejects(async () => access.hasAny(true), /away/)
  })

  test('a key is no password, and a password no key', async () => {
    const made = await addKey(credentials, { name: 'robot', role: 'reader', now })
    const key = 'key' in made ? made.key : ''
    const access = open()
    assert.deepEqual(await access.identify(bearer(key).authorization, '::1'), {
      caller: { name: 'robot', role: 'reader' },
    })
    assert.deepEqual(await signIn(access, 'robot', key), unknown)
    assert.deepEqual(await access.identify(bearer('correct horse').authorization, '::1'), unknown)
  })

  test('a key is 32 random bytes, kept only as a hash', async () => {
    const made = await addKey(credentials, { name: 'other robot', role: 'reader', now })
    const key = 'key' in made ? made.key : ''
    assert.match(key, /^dd_[\w-]{43}$/)
    const kept = JSON.stringify(await credentials.list('key'))
    assert.ok(!kept.includes(key) && !kept.includes(key.slice(3)))
  })

  test('what cannot be read is unknown', async () => {
    const access = open()
    for (const header of ['', 'Basic', 'Basic ', 'Basic !!!', 'Bearer', 'Bearer ', 'Digest x', 'Basic YW5u', 'ann:x']) {
      assert.deepEqual(await access.identify(header, '::1'), unknown, header)
    }
    assert.equal(access.counts.hashed, 0)
  })

  test('schemes are known in any case', async () => {
    const header = basic('ann', 'correct horse').authorization
    assert.ok('caller' in (await open().identify(header.replace('Basic', 'bAsIC'), '::1')))
  })

  test('a verified credential is remembered, so that it is hashed once', async () => {
    const access = open()
    await signIn(access, 'ann', 'correct horse')
    const again = signIn(access, 'ann', 'correct horse')
    assert.ok(!(again instanceof Promise))
    clock += 5000
    await signIn(access, 'ann', 'correct horse')
    assert.equal(access.counts.hashed, 1)
  })

  test('after ten minutes it is hashed again', async () => {
    const access = open()
    await signIn(access, 'ann', 'correct horse')
    clock += 600_001
    await signIn(access, 'ann', 'correct horse')
    assert.equal(access.counts.hashed, 2)
  })

  test('many requests at once with one credential hash it once', async () => {
    const access = open()
    await Promise.all(Array.from({ length: 50 }, () => signIn(access, 'ann', 'correct horse')))
    assert.equal(access.counts.hashed, 1)
  })

  test('a removed user is let go within two seconds, remembered or not', async () => {
    await addUser(credentials, { name: 'ben', role: 'admin', password: 'correct horse', now })
    const access = open()
    assert.ok('caller' in (await signIn(access, 'ben', 'correct horse')))
    await credentials.remove('user', 'ben')
    clock += 2000
    assert.deepEqual(await signIn(access, 'ben', 'correct horse'), unknown)
  })

  test('a removed key is let go within two seconds', async () => {
    const made = await addKey(credentials, { name: 'brief', role: 'reader', now })
    const { authorization } = bearer('key' in made ? made.key : '')
    const access = open()
    assert.ok('caller' in (await access.identify(authorization, '::1')))
    await credentials.remove('key', 'brief')
    clock += 2000
    assert.deepEqual(await access.identify(authorization, '::1'), unknown)
  })

  test('a user who was added again with another password and role is not taken for the old one', async () => {
    await addUser(credentials, { name: 'cai', role: 'admin', password: 'correct horse', now })
    const access = open()
    await signIn(access, 'cai', 'correct horse')
    await credentials.remove('user', 'cai')
    await addUser(credentials, { name: 'cai', role: 'reader', password: 'another horse', now })
    clock += 2000
    assert.deepEqual(await signIn(access, 'cai', 'correct horse'), unknown)
    assert.deepEqual(await signIn(access, 'cai', 'another horse'), { caller: { name: 'cai', role: 'reader' } })
  })

  test('an address that was wrong twenty times waits, and costs no more hashing', async () => {
    const access = open()
    for (let n = 0; n < 20; n++) await access.identify(bearer(`dd_${n}`).authorization, '192.0.2.9')
    const refused = await signIn(access, 'ann', 'correct horse', '192.0.2.9')
    assert.deepEqual(refused, { refused: 'throttled', retryAfter: 60 })
    assert.equal(access.counts.hashed, 0)
    assert.ok('caller' in (await signIn(access, 'ann', 'correct horse', '192.0.2.10')))
    clock += 60_000
    assert.ok('caller' in (await signIn(access, 'ann', 'correct horse', '192.0.2.9')))
  })

  test('who is remembered is not held back by others at the same address', async () => {
    const access = open()
    await signIn(access, 'ann', 'correct horse', '192.0.2.9')
    for (let n = 0; n < 20; n++) await access.identify(bearer(`dd_${n}`).authorization, '192.0.2.9')
    clock += 3000
    assert.ok('caller' in (await signIn(access, 'ann', 'correct horse', '192.0.2.9')))
  })

  test('a name belongs to one user or key', async () => {
    assert.ok('fault' in (await addKey(credentials, { name: 'ann', role: 'reader', now })))
    assert.ok('fault' in (await addUser(credentials, { name: 'ann', role: 'admin', password: 'correct horse', now })))
    assert.equal((await credentials.user('ann'))?.role, 'editor')
  })

  test('names and passwords that cannot work are refused', async () => {
    const refused = async (name: string, password: string) =>
      'fault' in (await addUser(credentials, { name, role: 'reader', password, now }))
    assert.ok(await refused('', 'correct horse'))
    assert.ok(await refused('a:b', 'correct horse'))
    assert.ok(await refused('x'.repeat(65), 'correct horse'))
    assert.ok(await refused('dan', 'short'))
    assert.ok(await refused('dan', 'with a \u0000 in it'))
    assert.ok(await refused('dan', 'x'.repeat(1025)))
  })
})
