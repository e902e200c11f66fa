import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { admitPerson } from '../../../src/access/oidc/admit-person.ts'
import type { Claims } from '../../../src/access/oidc/claims.ts'
import { readSettings } from '../../../src/config.ts'
import type { StoredUser } from '../../../src/model/nouns/user/user.ts'
import { parseQuery } from '../../../src/queries/parse/parse-query.ts'
import { openStore } from '../../../src/store/open.ts'
import { SERVICE } from '../../../src/store/port/desk.ts'
import { performAlone } from '../../../src/store/port/store.ts'
import type { Role } from '../../../src/values/role.ts'
import { ownDatabases } from '../../support/database/own-database.ts'
import { intentTo } from '../../support/deals/intents.ts'
import { collections } from '../../support/schema.ts'
import { changeUser, linkUser, putUser, removeUser } from '../../support/things/audited.ts'
import { makeFormerly } from '../../support/things/people.ts'

const issuer = 'https://login.example.com'

for (const [engine, own] of ownDatabases) {
  suite(`someone at the provider, on ${engine}`, async () => {
    const database = await own()
    const store = await openStore({ databaseUrl: database.url, currency: 'EUR' }, (cause) => assert.fail(cause))
    const { accounts } = store
    after(async () => {
      await store.close()
      database.remove()
    })
    const come = (subject: string, claims: Claims, roleMap?: string) => {
      const { oidc } = readSettings({
        OIDC_ISSUER: issuer,
        OIDC_CLIENT_ID: 'x',
        OIDC_CLIENT_SECRET: 'x',
        BASE_URL: 'https://deals.example.com',
        ...(roleMap !== undefined && { OIDC_ROLE_MAP: roleMap }),
      })
      assert.ok(oidc)
      return admitPerson(store, oidc, { issuer, subject, claims: { sub: subject, ...claims } }, '192.0.2.1')
    }
    const admitted = async (...[subject, claims, roleMap]: Parameters<typeof come>): Promise<StoredUser> => {
      const user = await come(subject, claims, roleMap)
      assert.ok('name' in user && !('refused' in user))
      return user
    }
    const audited = async (search: string) => {
      const parsed = parseQuery(collections.audit, search)
      assert.ok('query' in parsed)
      return (await store.as(SERVICE).page(collections.audit, [], parsed.query)).items.map((item) => JSON.parse(item))
    }

    test('becomes a user with what the provider says', async () => {
      const claims = { preferred_username: 'ann', name: 'Ann Lee', email: 'ann@example.com', locale: 'de-CH' }
      const user = await admitted('1', { ...claims, zoneinfo: 'Europe/Zurich', roles: ['reader', 'editor'] })
      assert.partialDeepStrictEqual(user, {
        name: 'ann',
        fullName: 'Ann Lee',
        email: 'ann@example.com',
        role: 'editor',
        locale: 'de-CH',
        timeZone: 'Europe/Zurich',
      })
      assert.deepEqual((await accounts.find('ann'))?.hash, null, 'without a password')
      assert.deepEqual(await accounts.identitiesOf('ann'), [{ issuer, subject: '1' }])
    })

    test('is the same user again, whatever they are called by now, with the role of now', async () => {
      const user = await admitted('1', { preferred_username: 'ann-smith', roles: 'reader' })
      assert.deepEqual([user.name, user.role], ['ann', 'reader'])
      assert.equal((await audited('event=role-changed&user=ann')).length, 1)
    })

    test('who comes many times at once is one user', async () => {
      const users = await Promise.all([1, 2, 3, 4].map(() => admitted('many', { roles: 'reader', email: 'm@x.org' })))
      assert.equal(new Set(users.map(({ name }) => name)).size, 1)
    })

    test('has a name that fits into an address', async () => {
      for (const [subject, wanted, name] of [
        ['20', 'anna.smith', 'anna-smith'],
        ['21', 'corp/bob', 'corp-bob'],
        ['22', 'x:y', 'x-y'],
        ['23', 'Me', '23'],
        ['24', 'two\nlines\0', 'two-lines-'],
        ['25', `${'x'.repeat(63)}😀.json`, `${'x'.repeat(63)}😀`],
        ['26', ' ann.b ', 'ann-b'],
        ['me', undefined, 'user-me'],
      ] as const) {
        assert.equal((await admitted(subject, { preferred_username: wanted, roles: 'reader' })).name, name)
      }
    })

    test('is refused without a role that is mapped', async () => {
      for (const claims of [
        {},
        { roles: 'boss' },
        { roles: [] },
        { roles: { reader: true } },
        { roles: [['admin']] },
      ]) {
        assert.deepEqual(await come('3', claims), { refused: 'no-role' })
      }
      assert.deepEqual(await come('1', { roles: 'boss' }), { refused: 'no-role' }, 'a known user too')
      assert.equal(await accounts.findIdentified({ issuer, subject: '3' }), undefined)
    })

    test('has the highest role of those that the map gives', async () => {
      const map = 'sales=editor, it = admin,*=reader'
      assert.equal((await admitted('30', { roles: ['sales', 'it', 'x'] }, map)).role, 'admin')
      assert.equal((await admitted('31', { roles: ['sales'] }, map)).role, 'editor')
      assert.equal((await admitted('32', {}, map)).role, 'reader')
      assert.deepEqual(await come('33', { roles: 'admin' }, 'it=admin'), { refused: 'no-role' })
    })

    test('never gets the name of somebody else, until an admin links them', async () => {
      await putUser(store, { name: 'eve', role: 'editor', hash: null })
      const claims = { preferred_username: 'eve', roles: 'editor' }
      assert.deepEqual(await come('40', claims), { refused: 'name-taken', name: 'eve' })
      assert.match((await audited('event=sign-in-failed')).map(({ detail }) => detail).join(), /40 would be called eve/)
      assert.equal(await linkUser(store, 'eve', { issuer, subject: '40' }, { actor: 'head', address: null }), true)
      assert.equal((await admitted('40', claims)).name, 'eve')
      assert.partialDeepStrictEqual(await audited('event=user-linked'), [{ actor: 'head', user: 'eve', detail: '40' }])
    })

    test('never gets the name of a removed user while a thing has it', async () => {
      await putUser(store, { name: 'fay', role: 'editor', hash: null })
      const deal = await makeFormerly(store, 'CreateDeal', { name: 'Roof', price: 1, owner: 'fay' })
      await removeUser(store, 'fay')
      const claims = { preferred_username: 'Fay', roles: 'editor' }
      assert.deepEqual(await come('45', claims), { refused: 'name-taken', name: 'Fay' })
      await performAlone(store, intentTo('AssignDeal', deal, { owner: null }))
      assert.equal((await admitted('45', claims)).name, 'Fay')
    })

    test('is one at the provider, and one user here', async () => {
      assert.equal(await linkUser(store, 'eve', { issuer, subject: '41' }), true)
      assert.deepEqual(await accounts.identitiesOf('eve'), [{ issuer, subject: '41' }])
      assert.equal(await linkUser(store, 'ann', { issuer, subject: '41' }), true)
      assert.deepEqual(
        [await accounts.identitiesOf('eve'), await accounts.identitiesOf('ann')],
        [[], [{ issuer, subject: '41' }]],
      )
      assert.equal(await linkUser(store, 'nobody', { issuer, subject: '41' }), false)
    })

    test('who is disabled here stays out; whoever is removed is somebody new', async () => {
      await admitted('50', { preferred_username: 'off', roles: 'reader' })
      await changeUser(store, 'off', { disabled: true })
      assert.deepEqual(await come('50', { roles: 'reader' }), { refused: 'disabled' })
      await removeUser(store, 'off')
      assert.equal((await admitted('50', { preferred_username: 'off', roles: 'reader' })).disabled, false)
    })
  })

  suite(`the last admin, on ${engine}`, async () => {
    const database = await own()
    const store = await openStore({ databaseUrl: database.url, currency: 'EUR' }, (cause) => assert.fail(cause))
    after(async () => {
      await store.close()
      database.remove()
    })

    test('stays one, whatever the provider says', async () => {
      const roles = {
        roleClaim: 'realm_access.roles',
        roleMap: new Map<string, Role>([
          ['boss', 'admin'],
          ['x', 'reader'],
        ]),
      }
      const come = (role: string) => {
        const person = { issuer, subject: '1', claims: { sub: '1', realm_access: { roles: [role] } } }
        return admitPerson(store, roles, person, '192.0.2.1')
      }
      assert.partialDeepStrictEqual(await come('boss'), { role: 'admin' })
      assert.partialDeepStrictEqual(await come('x'), { role: 'admin' })
    })
  })
}
