import assert from 'node:assert/strict'
import { openStore } from '../../../src/store/open.ts'
import { performAlone } from '../../../src/store/port/store.ts'
import type { Caller } from '../../../src/values/role.ts'
import { intentTo } from '../../support/deals/intents.ts'
import { testOnEachStore } from '../../support/rooms/each-store.ts'
import { basic, runClosedService } from '../../support/service/closed-service.ts'
import { closedWithTest } from '../../support/service/closed-with-test.ts'
import { quickHash } from '../../support/service/quick-hash.ts'
import { putUser } from '../../support/things/audited.ts'

const grants = [
  { on: 'deal', may: ['*'], where: 'owner=me' },
  { on: 'deal', may: ['*'], where: 'owner=my-team' },
]

/** As the gate has found her, before anything changed. */
const anna: Caller = { name: 'anna', user: 'anna', role: 'editor', own: ['seller'], by: 'password' }
const editor: Caller = { name: 'anna', user: 'anna', role: 'editor', by: 'password' }

testOnEachStore('a write is decided by the rights at its commit, on each instance', async () => {
  const service = await runClosedService()
  closedWithTest(service.close)
  // Its schema is the one of now, and nothing tells it of a later one.
  const another = await openStore({ databaseUrl: service.database.url, currency: 'EUR' }, (cause) => assert.fail(cause))
  closedWithTest(() => another.close())
  const admin = async (method: string, path: string, body: object): Promise<string> => {
    const asked = await service.request(method, path, { headers: basic('admin'), body })
    assert.ok(asked.status < 300, `${method} ${path} ${asked.text}`)
    return String(asked.body.id)
  }
  await admin('POST', '/roles', { name: 'seller', title: 'Seller', grants: [] })
  for (const name of ['anna', 'ben']) {
    await putUser(service.store, { name, role: 'editor', hash: quickHash(`password of ${name}`) })
    await admin('PATCH', `/users/${name}`, { role: 'seller' })
  }
  await admin('POST', '/teams', { name: 'north', title: 'North', members: ['anna', 'ben'] })
  await admin('PATCH', '/roles/seller', { grants })
  const own = await admin('POST', '/rest/v1/deals/', { name: 'Own', owner: 'anna', price: 1 })
  const team = await admin('POST', '/rest/v1/deals/', { name: 'Team', owner: 'ben', price: 1 })
  let n = 0
  const tried = async (id: string, caller: Caller): Promise<readonly string[]> => {
    const outcomes: string[] = []
    for (const store of [another, service.store]) {
      const note = intentTo('add-note', id, { text: `note ${n++}` }, { caller, actor: 'anna' })
      const outcome = await performAlone(store, note)
      outcomes.push(outcome.kind === 'refused' ? outcome.refusal.code : outcome.kind)
    }
    return outcomes
  }
  const both = (code: string): readonly string[] => [code, code]
  assert.deepEqual(await tried(team, anna), both('applied'))
  await admin('PATCH', '/teams/north', { members: ['ben'] })
  assert.deepEqual(await tried(team, anna), both('not-found'), 'a team')
  assert.deepEqual(await tried(own, anna), both('applied'))
  await admin('PATCH', '/roles/seller', { grants: [{ on: 'deal', may: ['read'] }] })
  assert.deepEqual(await tried(own, anna), both('not-granted'), 'a grant')
  await admin('PATCH', '/users/anna', { role: 'editor' })
  assert.deepEqual(await tried(team, editor), both('applied'))
  await admin('PATCH', '/roles/seller', { grants })
  await admin('PATCH', '/users/anna', { role: 'seller' })
  assert.deepEqual(await tried(team, editor), both('not-found'), 'a role in place of a built-in one')
  await admin('PATCH', '/users/anna', { disabled: true })
  assert.deepEqual(await tried(own, anna), both('not-found'), 'a user who was disabled')
})
