import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import pg from 'pg'
import { Access } from '../../src/access/access.ts'
import { addKey, addUser, operator, plainUser } from '../../src/access/as-operator.ts'
import { hashPassword } from '../../src/access/password.ts'
import { secretHash } from '../../src/access/secrets.ts'
import { MOST_KEYS } from '../../src/model/nouns/user/key.ts'
import type { UserSession } from '../../src/model/nouns/user/session.ts'
import type { UserPatch } from '../../src/model/nouns/user/user.ts'
import { parseQuery } from '../../src/queries/parse/parse-query.ts'
import { openStore } from '../../src/store/open.ts'
import type { Accounts } from '../../src/store/port/accounts.ts'
import { SERVICE } from '../../src/store/port/desk.ts'
import type { Store } from '../../src/store/port/store.ts'
import { earlierDatabases } from '../support/database/earlier-database.ts'
import { type OwnDatabase, ownDatabases, ownPostgres } from '../support/database/own-database.ts'
import { collections } from '../support/schema.ts'
import { basic, bearer } from '../support/service/closed-service.ts'
import {
  changeUser,
  endSessions,
  inviteUser,
  linkUser,
  putKey,
  putUser,
  removeKey,
  removeUser,
  setHash,
} from '../support/things/audited.ts'

const now = '2026-11-15T12:00:00.000Z'
const later = '2026-11-15T12:30:00.000Z'
const idleSince = '2026-11-15T00:00:00.000Z'
const open = ({ url }: OwnDatabase): Promise<Store> =>
  openStore({ databaseUrl: url, currency: 'EUR' }, (cause) => assert.fail(cause))

const sessionOf = (user: string, n: number): UserSession => ({
  id: `01936f2e-5d3c-7a41-8f6b-00000000000${n}`,
  user,
  client: 'Firefox "on" Linux',
  address: '192.0.2.1',
  createdAt: now,
  endsAt: '2026-12-15T12:00:00.000Z',
  seenAt: now,
})

for (const [engine, own] of ownDatabases) {
  suite(`accounts on ${engine}`, async () => {
    const database = await own()
    const store = await open(database)
    const { accounts } = store
    after(async () => {
      await store.close()
      database.remove()
    })
    const add = (name: string, role: 'reader' | 'editor' | 'admin') =>
      putUser(store, { name, role, hash: `hash of ${name}` })
    const change = (name: string, to: UserPatch) => changeUser(store, name, to)
    const remove = (name: string) => removeUser(store, name)
    const items = async (name: 'users' | 'people' | 'keys' | 'sessions' | 'audit', search = '') => {
      const parsed = parseQuery(collections[name], search)
      assert.ok('query' in parsed)
      return (await store.as(SERVICE).page(collections[name], [], parsed.query)).items.map(
        (item) => JSON.parse(item) as Record<string, unknown>,
      )
    }

    test('the first user is added once, however many try, and whatever keys there are', async () => {
      await putKey(store, { name: 'robot', user: null, role: 'admin' }, secretHash('r'))
      assert.deepEqual([await accounts.any(), await accounts.anyUser()], [true, false])
      const robot = { user: plainUser({ name: 'robot', role: 'admin', now }), hash: 'h' }
      assert.equal(await accounts.addFirst(robot, operator), 'taken')
      const tries = ['ann', 'ben', 'cai'].map((name) =>
        accounts.addFirst({ user: plainUser({ name, role: 'admin', now }), hash: 'h' }, operator),
      )
      assert.deepEqual((await Promise.all(tries)).toSorted(), ['added', 'not first', 'not first'])
      await removeKey(store, null, 'robot')
      const [first] = await accounts.users()
      assert.ok(first)
      await add('head', 'admin')
      assert.equal((await remove(first.name)).kind, 'applied')
    })

    test('of many who demote the last two admins at once, one is refused', async () => {
      await add('second', 'admin')
      const outcomes = await Promise.all([change('head', { role: 'reader' }), change('second', { role: 'reader' })])
      assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ['applied', 'refused'])
      const [admin, ...others] = (await accounts.users()).filter(({ role }) => role === 'admin')
      assert.ok(admin && others.length === 0)
      for (const refused of [await change(admin.name, { disabled: true }), await remove(admin.name)]) {
        assert.deepEqual(refused, {
          kind: 'refused',
          refusal: { code: 'last-admin', user: admin.name },
          replayed: false,
        })
      }
      for (const name of ['head', 'second']) await change(name, { role: 'admin' })
    })

    test('the last admin who can sign in stays, whatever other admins there are', async () => {
      await putUser(store, { name: 'invited', role: 'admin', hash: null })
      await change('second', { role: 'reader' })
      const last = { kind: 'refused', refusal: { code: 'last-admin', user: 'head' }, replayed: false }
      assert.deepEqual(await remove('head'), last)
      assert.deepEqual(await change('head', { disabled: true }), last)
      assert.deepEqual(await change('head', { role: 'reader' }), last)
      await linkUser(store, 'invited', { issuer: 'https://issuer.example', subject: 'i' })
      assert.equal((await change('head', { role: 'reader' })).kind, 'applied')
      assert.equal((await change('head', { role: 'admin' })).kind, 'applied')
      assert.equal((await remove('invited')).kind, 'applied')
      await change('second', { role: 'admin' })
    })

    test('a name belongs to one user or key, also when both come at once', async () => {
      const key = { name: 'mila', user: null, role: 'reader' } as const
      const added = await Promise.all([add('mila', 'editor'), putKey(store, key, secretHash('m'))])
      assert.equal(added.filter((each) => each === true || each === 'added').length, 1)
      await removeKey(store, null, 'mila')
      await remove('mila')
      assert.equal(await add('mila', 'editor'), true)
    })

    test('a session is known by its hash until it ends, is idle, or its user is disabled', async () => {
      const ask = (at = now) => accounts.callerBySession('s1', at, idleSince)
      assert.equal(
        await accounts.openSession({ session: sessionOf('mila', 1), hash: 's1' }, undefined, operator, 'x'),
        true,
      )
      const known = {
        name: 'mila',
        role: 'editor',
        user: 'mila',
        by: 'session',
        key: null,
        endsAt: null,
        signedInAt: now,
        session: sessionOf('mila', 1).id,
        fullName: null,
      }
      assert.deepEqual(await ask(), { ...known, seenAt: now })
      assert.equal(await ask('2026-12-15T12:00:00.000Z'), undefined)
      assert.equal(await accounts.callerBySession('s1', now, later), undefined)
      await accounts.seen({ user: 'mila', session: sessionOf('mila', 1).id }, later, later)
      assert.equal((await ask())?.seenAt, later)
      assert.equal((await accounts.find('mila'))?.user.lastSeenAt, later)
      await change('mila', { disabled: true })
      assert.equal(await ask(), undefined)
      assert.deepEqual(await items('sessions'), [])
      assert.equal(
        await accounts.openSession({ session: sessionOf('mila', 2), hash: 's2' }, undefined, operator, 'x'),
        false,
      )
      await change('mila', { disabled: false })
      assert.equal(await ask(), undefined, 'an ended session does not come back')
    })

    test('a new sign-in ends the session that it replaces, a new password all of them', async () => {
      await accounts.openSession({ session: sessionOf('mila', 3), hash: 's3' }, undefined, operator, 'x')
      const head = { actor: 'head', address: '192.0.2.1' }
      await accounts.openSession({ session: sessionOf('mila', 4), hash: 's4' }, 's3', head, 'x')
      const ended = await items('audit', 'event=session-ended')
      assert.partialDeepStrictEqual(ended, [{ ...head, user: 'mila', detail: 'by a new sign-in' }])
      assert.equal(ended.length, 1)
      await accounts.openSession({ session: sessionOf('mila', 5), hash: 's5' }, undefined, operator, 'x')
      assert.deepEqual(
        (await items('sessions')).map(({ id, user, client, seenAt }) => [id, user, client, seenAt]),
        [4, 5].map((n) => [sessionOf('mila', n).id, 'mila', 'Firefox "on" Linux', now]),
      )
      assert.equal(await endSessions(store, 'head', sessionOf('mila', 5).id), false)
      assert.equal(await setHash(store, 'mila', 'new', 'not the old'), false)
      assert.equal(await setHash(store, 'mila', 'new', 'hash of mila'), true)
      assert.deepEqual(await items('sessions'), [])
      assert.equal((await accounts.find('mila'))?.hash, 'new')
    })

    test('a password that was changed while it was verified opens no session', async () => {
      const open = (proof: string) =>
        accounts.openSession({ session: sessionOf('mila', 9), hash: 's9', proof }, undefined, operator, 'x')
      await setHash(store, 'mila', 'an old hash')
      await setHash(store, 'mila', 'a new hash')
      assert.equal(await open('an old hash'), false)
      assert.deepEqual(await items('sessions'), [])
      assert.equal(await open('a new hash'), true)
      await endSessions(store, 'mila')
    })

    test('a key of a user ends on its day and with its user, and is never worth more', async () => {
      const endsAt = '2126-11-15T12:30:00.000Z'
      const key = { name: 'mila’s', user: 'mila', role: 'editor', endsAt } as const
      assert.equal(await putKey(store, key, secretHash('k')), 'added')
      const ask = (at = now) => accounts.callerByKey(secretHash('k'), at)
      assert.deepEqual((await ask())?.role, 'editor')
      await change('mila', { role: 'reader' })
      assert.deepEqual([(await ask())?.role, (await ask())?.user], ['reader', 'mila'])
      assert.equal(await ask(endsAt), undefined)
      await change('mila', { disabled: true })
      assert.equal(await ask(), undefined)
      await change('mila', { disabled: false, role: 'editor' })
      assert.ok(await ask())
      await remove('mila')
      assert.equal(await ask(), undefined)
      const told = (await items('audit', 'key=mila’s')).map(({ event, user }) => [event, user])
      assert.deepEqual(told, [
        ['key-made', 'mila'],
        ['key-withdrawn', 'mila'],
      ])
      assert.equal(await add('mila’s', 'reader'), true, 'the names are free again')
    })

    test('the name of a key is free within its user, and the actor is the user', async () => {
      await add('uma', 'editor')
      await add('vic', 'editor')
      const give = (user: string | null, name: string) =>
        putKey(store, { name, user, role: 'reader' }, secretHash(`${user}/${name}`))
      assert.equal(await give('uma', 'Laptop'), 'added')
      assert.equal(await give('vic', 'laptop'), 'added')
      assert.equal(await give('uma', 'vic'), 'added', 'the name of a user is no name of a key')
      for (const same of ['laptop', 'LAPTOP', 'ｌaptop']) assert.equal(await give('uma', same), 'name-taken', same)
      for (const same of ['uma', 'VIC']) assert.equal(await give(null, same), 'name-taken', same)
      assert.equal(await add('Laptop', 'reader'), true, 'the name of a key is no name of a user')
      const caller = await accounts.callerByKey(secretHash('uma/Laptop'), now)
      assert.deepEqual([caller?.name, caller?.user, caller?.key], ['uma', 'uma', 'Laptop'])
      assert.equal(await removeKey(store, null, 'laptop'), false)
      assert.equal(await removeKey(store, 'vic', 'laptop'), true)
      assert.deepEqual(
        (await accounts.keys()).filter(({ user }) => user === 'uma').map(({ name }) => name),
        ['Laptop', 'vic'],
      )
      const many = await Promise.all(Array.from({ length: MOST_KEYS }, (_, n) => give('uma', `k${n}`)))
      assert.deepEqual(
        [many.filter((each) => each === 'added').length, many.filter((each) => each === 'too-many-keys').length],
        [MOST_KEYS - 2, 2],
      )
      for (const name of ['uma', 'vic', 'Laptop']) await remove(name)
    })

    test('a key that is made while its user is removed does not wait for another user of that name', async () => {
      for (let turn = 0; turn < 10; turn++) {
        await add('ghost', 'editor')
        const key = { name: `ghost’s ${turn}`, user: 'ghost', role: 'editor' } as const
        const [made] = await Promise.all([putKey(store, key, secretHash(`g${turn}`)), remove('ghost')])
        assert.ok(made === 'added' || made === 'not-found', made)
        assert.equal(await add('ghost', 'editor'), true)
        assert.equal(await accounts.callerByKey(secretHash(`g${turn}`), now), undefined)
        await remove('ghost')
      }
      const key = { name: 'nobody’s', user: 'ghost', role: 'editor' } as const
      assert.equal(await putKey(store, key, secretHash('n')), 'not-found')
    })

    test('an invitation is good once, until its end', async () => {
      await add('nina', 'reader')
      const invitation = { hash: 'i', createdAt: now, endsAt: later }
      assert.equal(await inviteUser(store, 'nina', invitation), true)
      assert.equal(await inviteUser(store, 'nobody', invitation), false)
      assert.equal((await accounts.invited('i', now))?.name, 'nina')
      assert.equal(await accounts.invited('i', later), undefined)
      const accepted = await Promise.all([1, 2].map(() => accounts.accept('i', 'by link', operator, now)))
      assert.deepEqual(accepted.map((user) => user?.name).toSorted(), ['nina', undefined])
      assert.equal((await accounts.find('nina'))?.hash, 'by link')
    })

    test('an invitation ends with its user, and is none of the next user of that name', async () => {
      await add('olga', 'reader')
      const invitation = { hash: 'i3', createdAt: now, endsAt: later }
      await Promise.all([inviteUser(store, 'olga', invitation), remove('olga')])
      await add('olga', 'admin')
      assert.equal(await accounts.invited('i3', now), undefined)
      assert.equal(await accounts.accept('i3', 'stolen', operator, now), undefined)
      assert.equal((await accounts.find('olga'))?.hash, 'hash of olga')
      await remove('olga')
    })

    test('what has ended is cleared away', async () => {
      await accounts.openSession({ session: sessionOf('nina', 6), hash: 's6' }, undefined, operator, 'x')
      await inviteUser(store, 'nina', { hash: 'i2', createdAt: now, endsAt: later })
      const form = { hash: 'f1', address: '192.0.2.1', endsAt: later, sealed: 'x' }
      await accounts.keepForm(form, now)
      await accounts.trim({ now, idleSince, auditBefore: now })
      assert.ok(await accounts.invited('i2', now))
      await accounts.trim({ now: later, idleSince: later, auditBefore: now })
      assert.equal(await accounts.invited('i2', now), undefined)
      assert.equal(await accounts.takeForm('f1', now), undefined)
      assert.deepEqual(await items('sessions'), [])
    })

    test('a form is kept for one who takes it in time, and so many of an address', async () => {
      const form = { hash: 'f2', address: '192.0.2.1', endsAt: later, sealed: 'sealed "form"' }
      assert.equal(await accounts.keepForm(form, now), true)
      assert.equal(await accounts.takeForm('f2', later), undefined, 'it has ended')
      const taken = await Promise.all([1, 2].map(() => accounts.takeForm('f2', now)))
      assert.deepEqual(taken.toSorted(), ['sealed "form"', undefined], 'once')
      let kept = 0
      while (await accounts.keepForm({ ...form, hash: `many ${kept}` }, now)) kept++
      assert.equal(await accounts.keepForm({ ...form, hash: 'elsewhere', address: '192.0.2.2' }, now), true)
      assert.equal(await accounts.keepForm({ ...form, hash: 'then' }, later), true, 'those before have ended')
      assert.equal(await accounts.takeForm('elsewhere', now), undefined)
    })

    test('documents tell no hash, and people only names', async () => {
      await change('nina', { fullName: 'Nina "N" Roth', email: 'nina@example.com', locale: 'de-CH' })
      const [nina] = await items('users', 'name=nina')
      assert.deepEqual(nina, {
        name: 'nina',
        fullName: 'Nina "N" Roth',
        email: 'nina@example.com',
        role: 'reader',
        locale: 'de-CH',
        timeZone: null,
        disabled: false,
        developer: false,
        createdAt: nina?.createdAt,
        updatedAt: nina?.updatedAt,
        revision: 2,
        invited: false,
        lastSeenAt: now,
      })
      assert.deepEqual(await items('people', 'name=nina'), [{ name: 'nina', fullName: 'Nina "N" Roth' }])
      const told = JSON.stringify([await items('users'), await items('keys'), await items('audit')])
      for (const hash of ['hash of', 'by link', secretHash('k')]) assert.ok(!told.includes(hash), hash)
    })

    test('the audit tells who did what, in order', async () => {
      const about = (await items('audit', 'user=nina')).map(({ event }) => event)
      assert.deepEqual(about, [
        'user-created',
        'user-invited',
        'invitation-accepted',
        'sign-in',
        'user-invited',
        'user-changed',
      ])
      const roles = (await items('audit', 'event=role-changed')).map(({ user, detail }) => [user, detail])
      assert.ok(roles.some(([user, detail]) => user === 'mila' && detail === 'from editor to reader'))
    })

    test('entries of the audit that are too old are removed', async () => {
      const trim = (auditBefore: string) => accounts.trim({ now, idleSince, auditBefore })
      const [first, second] = await items('audit')
      await trim(String(first?.at))
      assert.deepEqual((await items('audit'))[0], first)
      await trim(new Date(Date.parse(String(second?.at)) + 86_400_000).toISOString())
      assert.deepEqual(await items('audit'), [])
    })
  })
}

for (const [engine, earlier] of earlierDatabases) {
  test(`users and keys of an earlier release keep working, on ${engine}`, async () => {
    const database = await earlier('0011-users-and-keys')
    after(() => database.remove())
    const rows = [
      { name: 'Ann "A"', kind: 'user', role: 'admin', hash: await hashPassword('short pw') },
      { name: 'robot.json', kind: 'key', role: 'reader', hash: secretHash('dd_key') },
    ]
    await database.insert(
      'credentials',
      rows.map((row) => ({ ...row, created_at: now })),
    )
    const settings = { databaseUrl: database.url, currency: 'EUR' }
    const store = await openStore(settings, assert.fail, undefined, () => {})
    const access = new Access(store.accounts)
    assert.deepEqual(await access.identify(basic('Ann "A"', 'short pw').authorization, '::1'), {
      caller: {
        name: 'Ann "A"',
        role: 'admin',
        user: 'Ann "A"',
        by: 'password',
        key: null,
        session: null,
        signedInAt: null,
        fullName: null,
      },
    })
    assert.deepEqual(await access.identify(bearer('dd_key').authorization, '::1'), {
      caller: {
        name: 'robot.json',
        role: 'reader',
        user: null,
        by: 'key',
        key: 'robot.json',
        session: null,
        signedInAt: null,
        fullName: null,
      },
    })
    assert.ok('fault' in (await addUser(store, { name: 'Ann "A"', role: 'admin', password: 'correct horse' })))
    assert.ok('fault' in (await addKey(store, { name: 'new.json', role: 'admin' })))
    assert.equal(await documentsMatch(store.accounts, store), true)
    await store.close()
  })
}

test('whoever removes a user on one instance ends the invitation that another instance is making', async () => {
  const database = await ownPostgres('ready')
  const [one, other] = await Promise.all([open(database), open(database)])
  const blocker = new pg.Client({ connectionString: database.url })
  await blocker.connect()
  after(async () => {
    await Promise.all([one.close(), other.close(), blocker.end()])
    database.remove()
  })
  await putUser(one, { name: 'head', role: 'admin', hash: 'h' })
  await putUser(one, { name: 'pia', role: 'reader', hash: 'h' })
  /** Until so many transactions wait for a lock. */
  const waiting = async (count: number, isOver = () => false): Promise<void> => {
    const WAITING = 'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = $1'
    while (!isOver() && (await blocker.query(WAITING, ['Lock'])).rowCount !== count);
  }
  // The invitation has found its user and waits for this row, which is never committed.
  await blocker.query('BEGIN')
  await blocker.query("INSERT INTO invitations VALUES ('x', 'pia', $1, $2)", [now, later])
  const invited = inviteUser(one, 'pia', { hash: 'link', createdAt: now, endsAt: later })
  await waiting(1)
  let isRemoved = false
  const removed = removeUser(other, 'pia').then((outcome) => {
    isRemoved = true
    return outcome.kind
  })
  await waiting(2, () => isRemoved)
  await blocker.query('ROLLBACK')
  assert.deepEqual(await Promise.all([invited, removed]), [true, 'applied'])
  assert.deepEqual(await database.rows('SELECT * FROM invitations'), [])
  await putUser(other, { name: 'pia', role: 'admin', hash: 'h' })
  assert.equal(await one.accounts.accept('link', 'stolen', operator, now), undefined)
})

/** Whether the documents that the migration wrote are those that a change would write. */
async function documentsMatch(accounts: Accounts, store: Store): Promise<boolean> {
  for (const name of ['users', 'people', 'keys'] as const) {
    const parsed = parseQuery(collections[name], '')
    assert.ok('query' in parsed)
    const [item = ''] = (await store.as(SERVICE).page(collections[name], [], parsed.query)).items
    const [kept] = name === 'keys' ? await accounts.keys() : await accounts.users()
    const shown = JSON.parse(item) as Record<string, unknown>
    assert.deepEqual(shown, Object.fromEntries(Object.keys(shown).map((member) => [member, kept?.[member as 'name']])))
    assert.deepEqual(Object.keys(shown), [...collections[name].columns])
  }
  return true
}
