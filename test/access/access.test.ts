import assert from 'node:assert/strict'
import { after, before, suite } from 'node:test'
import { Access } from '../../src/access/access.ts'
import { addKey, addUser } from '../../src/access/as-operator.ts'
import { secretHash } from '../../src/access/secrets.ts'
import type { Accounts } from '../../src/store/port/accounts.ts'
import { test, testOnEachStore } from '../support/rooms/each-store.ts'
import { basic, bearer } from '../support/service/closed-service.ts'
import { runService, type TestService } from '../support/service/running-service.ts'
import { putKey, removeKey, removeUser, setHash } from '../support/things/audited.ts'

const unknown = { refused: 'unknown' }
const signIn = (access: Access, name: string, password: string, from = '192.0.2.1') =>
  access.identify(basic(name, password).authorization, from)

const callerOf = (name: string, role: string, user: string | null = name) => ({
  caller: {
    ...{ name, role, user, key: user === null ? name : null, by: user === null ? 'key' : 'password' },
    ...{ session: null, signedInAt: null, fullName: null },
  },
})

suite('who calls', () => {
  let service: TestService
  let accounts: Accounts
  let clock = 0
  /** Each test has an access of its own, over the same users and on a clock that the test turns. */
  const open = () => new Access(accounts, { now: () => clock })

  const remove = (name: string) => removeUser(service.store, name)

  before(async () => {
    service = await runService()
    accounts = service.store.accounts
    await addUser(service.store, { name: 'ann', role: 'editor', password: 'correct horse' })
    await addUser(service.store, { name: 'head', role: 'admin', password: 'correct horse' })
  })
  after(() => service.close())

  test('a user is known by name and password', async () => {
    assert.deepEqual(await signIn(open(), 'ann', 'correct horse'), callerOf('ann', 'editor'))
  })

  test('a name in letters of any script, and a password with colons, are read as UTF-8', async () => {
    await addUser(service.store, { name: 'Jürgen', role: 'reader', password: 'päss:wörd:123' })
    assert.deepEqual(await signIn(open(), 'Jürgen', 'päss:wörd:123'), callerOf('Jürgen', 'reader'))
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
    const access = new Access({ ...accounts, any: () => any }, { now: () => clock })
    assert.equal(await access.hasAny(false), true)
    any = Promise.reject(new Error('the store is away'))
    any.catch(() => {})
    clock += 1000
    assert.equal(access.hasAny(false), true)
    await assert.rejects(async () => access.hasAny(true), /away/)
  })

  test('a key is no password, and a password no key', async () => {
    const made = await addKey(service.store, { name: 'robot', role: 'reader' })
    const key = 'key' in made ? made.key : ''
    const access = open()
    assert.deepEqual(await access.identify(bearer(key).authorization, '::1'), callerOf('robot', 'reader', null))
    assert.deepEqual(await signIn(access, 'robot', key), unknown)
    assert.deepEqual(await access.identify(bearer('correct horse').authorization, '::1'), unknown)
  })

  test('a key is 32 random bytes, kept only as a hash', async () => {
    const made = await addKey(service.store, { name: 'other robot', role: 'reader' })
    const key = 'key' in made ? made.key : ''
    assert.match(key, /^dd_[\w-]{43}$/)
    const kept = JSON.stringify(await accounts.keys())
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

  test('a caller is looked up again without an attempt, a hash or a sign of life', async () => {
    await addUser(service.store, { name: 'fay', role: 'editor', password: 'correct horse' })
    const start = Date.now()
    let wall = start
    const access = new Access(accounts, { now: () => clock, wall: () => wall })
    const header = basic('fay', 'correct horse').authorization
    const known = await access.identify(header, '::1')
    assert.ok('caller' in known)
    const again = () => access.identifyAgain(known.caller, header)
    clock += 700_000
    wall += 700_000
    assert.deepEqual(await again(), callerOf('fay', 'editor'))
    assert.deepEqual([access.counts.hashed, access.counts.verified], [1, 1])
    await setHash(service.store, 'fay', 'another')
    assert.deepEqual(await again(), callerOf('fay', 'editor'), 'for a moment')
    clock += 1000
    assert.deepEqual(await again(), unknown)
    assert.deepEqual([access.counts.hashed, access.counts.failed], [1, 0])
    assert.equal((await accounts.find('fay'))?.user.lastSeenAt, new Date(start).toISOString())
  })

  testOnEachStore('a removed user is let go within a second, remembered or not', async () => {
    await addUser(service.store, { name: 'ben', role: 'admin', password: 'correct horse' })
    const access = open()
    assert.ok('caller' in (await signIn(access, 'ben', 'correct horse')))
    await remove('ben')
    clock += 1000
    assert.deepEqual(await signIn(access, 'ben', 'correct horse'), unknown)
  })

  test('who comes after a removal is not let in with one who came before it', async () => {
    await addUser(service.store, { name: 'ben', role: 'editor', password: 'correct horse' })
    const access = open()
    const before = signIn(access, 'ben', 'correct horse')
    await remove('ben')
    access.refresh()
    assert.deepEqual(await signIn(access, 'ben', 'correct horse'), unknown)
    await before
  })

  test('a removed key is let go within a second', async () => {
    const made = await addKey(service.store, { name: 'brief', role: 'reader' })
    const { authorization } = bearer('key' in made ? made.key : '')
    const access = open()
    assert.ok('caller' in (await access.identify(authorization, '::1')))
    await removeKey(service.store, null, 'brief')
    clock += 1000
    assert.deepEqual(await access.identify(authorization, '::1'), unknown)
  })

  testOnEachStore('a key that is remembered while the store is away ends with its end', async () => {
    const key = { name: 'ending', user: null, role: 'reader', endsAt: '2126-11-15T13:00:00.000Z' } as const
    await putKey(service.store, key, secretHash('dd_ending'))
    let wall = Date.parse(key.endsAt) - 3_600_000
    const access = new Access(accounts, { now: () => clock, wall: () => wall })
    const { authorization } = bearer('dd_ending')
    const found = await access.identify(authorization, '::1')
    assert.ok('caller' in found)
    wall = Date.parse(key.endsAt) - 1
    assert.deepEqual(access.remembered(authorization), found)
    wall++
    assert.equal(access.remembered(authorization), undefined)
  })

  testOnEachStore(
    'a user who was added again with another password and role is not taken for the old one',
    async () => {
      await addUser(service.store, { name: 'cai', role: 'admin', password: 'correct horse' })
      const access = open()
      await signIn(access, 'cai', 'correct horse')
      await remove('cai')
      await addUser(service.store, { name: 'cai', role: 'reader', password: 'another horse' })
      clock += 1000
      assert.deepEqual(await signIn(access, 'cai', 'correct horse'), unknown)
      assert.deepEqual(await signIn(access, 'cai', 'another horse'), callerOf('cai', 'reader'))
    },
  )

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

  testOnEachStore('a name belongs to one user or key', async () => {
    assert.ok('fault' in (await addKey(service.store, { name: 'ann', role: 'reader' })))
    assert.ok('fault' in (await addUser(service.store, { name: 'ann', role: 'admin', password: 'correct horse' })))
    assert.equal((await accounts.find('ann'))?.user.role, 'editor')
  })

  test('names and passwords that cannot work are refused', async () => {
    const refused = async (name: string, password: string) =>
      'fault' in (await addUser(service.store, { name, role: 'reader', password }))
    assert.ok(await refused('', 'correct horse'))
    assert.ok(await refused('a:b', 'correct horse'))
    assert.ok(await refused('x'.repeat(65), 'correct horse'))
    assert.ok(await refused('dan', 'short'))
    assert.ok(await refused('dan', 'with a \u0000 in it'))
    assert.ok(await refused('dan', 'xyzuvw'.repeat(34)))
  })
})
