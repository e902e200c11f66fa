import assert from 'node:assert/strict'
import { test } from 'node:test'
import { grantable, readByAll } from '../../../src/model/nouns/role/grants.ts'
import { buildSchema } from '../../../src/model/schema/build-schema.ts'
import { resourceNamed, roleFor } from '../../../src/model/schema/resources.ts'
import { ANYTHING, type Grant, READ } from '../../../src/model/source/rights-source.ts'
import { includesRole, roles } from '../../../src/values/role.ts'
import { testOnEachStore } from '../../support/rooms/each-store.ts'
import { basic, type ClosedService, runClosedService } from '../../support/service/closed-service.ts'
import { closedWithTest } from '../../support/service/closed-with-test.ts'
import { runService } from '../../support/service/running-service.ts'

const asking =
  (service: ClosedService) =>
  async (who: string, method: string, path: string, body?: object, headers: { [name: string]: string } = {}) => {
    const asked = { ...basic(who), ...headers }
    const {
      status,
      body: answer,
      text,
      headers: got,
    } = await service.request(method, path, {
      headers: asked,
      ...(body && { body }),
    })
    return { status, body: answer, text, headers: got }
  }

async function openService(): Promise<ClosedService> {
  const service = await runClosedService()
  closedWithTest(service.close)
  return service
}

type Shown = { readonly [name: string]: never }

testOnEachStore('teams are kept by admins and read by everybody who signs in', async () => {
  const service = await openService()
  const ask = asking(service)
  const made = await ask('admin', 'POST', '/teams', {
    name: 'north',
    title: 'North',
    lead: 'Editor',
    members: ['reader'],
  })
  assert.equal(made.status, 201, made.text)
  assert.deepEqual([made.headers.location, made.body.lead, made.body.revision], ['/teams/north', 'editor', 1])
  assert.match(String(made.body.id), /^[0-9a-f-]{36}$/)
  assert.equal((await ask('reader', 'GET', '/teams/north')).body.title, 'North')
  assert.equal((await ask('reader', 'GET', `/teams/${made.body.id}`)).body.title, 'North')
  for (const [method, path] of [
    ['POST', '/teams'],
    ['PATCH', '/teams/north'],
    ['DELETE', '/teams/north'],
  ] as const)
    assert.deepEqual([method, (await ask('editor', method, path, {})).status], [method, 403])

  const refusedAt = async (method: string, path: string, body: object): Promise<unknown> => {
    const { status, body: problem } = await ask('admin', method, path, body)
    return [
      status,
      problem.code,
      ((problem.errors ?? []) as unknown as Shown[]).map(({ pointer, code }) => [pointer, code]),
    ]
  }
  assert.deepEqual(await refusedAt('POST', '/teams', { name: 'north', title: 'Again' }), [409, 'name-taken', []])
  assert.deepEqual(await refusedAt('POST', '/teams', { name: 'No Slug', title: 'x' }), [
    ...[422, 'invalid-body'],
    [['/name', 'malformed']],
  ])
  assert.deepEqual(await refusedAt('PATCH', '/teams/north', { members: ['reader', 'nobody', 'admin'] }), [
    ...[422, 'invalid-body'],
    [['/members/1', 'not-found']],
  ])
  assert.deepEqual(await refusedAt('PATCH', '/teams/north', { lead: 'nobody' }), [
    ...[422, 'invalid-body'],
    [['/lead', 'not-found']],
  ])
  assert.deepEqual(await refusedAt('PATCH', '/teams/north', { name: 'other' }), [
    ...[422, 'invalid-body'],
    [['/name', 'unknown']],
  ])
  assert.equal((await ask('admin', 'POST', '/teams', { name: 'oslo', title: 'Oslo', parent: 'north' })).status, 201)
  assert.deepEqual(await refusedAt('PATCH', '/teams/north', { parent: 'oslo' }), [
    ...[422, 'invalid-body'],
    [['/parent', 'circle']],
  ])
  assert.deepEqual(await refusedAt('PATCH', '/teams/north', { parent: 'north' }), [
    ...[422, 'invalid-body'],
    [['/parent', 'circle']],
  ])
  assert.deepEqual(await refusedAt('PATCH', '/teams/north', { parent: 'sout' }), [
    ...[422, 'invalid-body'],
    [['/parent', 'not-found']],
  ])
  const used = await ask('admin', 'DELETE', '/teams/north')
  assert.deepEqual([used.status, used.body.code], [409, 'in-use'])
  assert.deepEqual(
    (used.body.usedBy as unknown as Shown[]).map(({ on, name }) => [on, name]),
    [['team', 'oslo']],
  )
  assert.equal((await ask('admin', 'DELETE', '/teams/oslo')).status, 204)
  assert.equal((await ask('admin', 'DELETE', '/teams/north', undefined, { 'if-match': '"r9"' })).status, 412)
  assert.equal((await ask('admin', 'DELETE', '/teams/north')).status, 204)

  const audit = (await ask('admin', 'GET', '/audit?sort=id')).body.items as unknown as Shown[]
  assert.deepEqual(
    audit.flatMap(({ event, actor, detail }) => (String(event).startsWith('team') ? [[event, actor, detail]] : [])),
    [
      ['team-created', 'admin', 'north'],
      ['team-created', 'admin', 'oslo'],
      ['team-removed', 'admin', 'oslo'],
      ['team-removed', 'admin', 'north'],
    ],
  )
  assert.deepEqual((await ask('admin', 'GET', '/events')).body.items, [])
})

testOnEachStore('a removed user leaves their teams, and a lead is not removed', async () => {
  const service = await openService()
  const ask = asking(service)
  await ask('admin', 'POST', '/teams', { name: 'north', title: 'North', lead: 'editor', members: ['reader', 'editor'] })
  const lead = await ask('admin', 'DELETE', '/users/editor')
  assert.deepEqual([lead.status, lead.body.code], [409, 'in-use'], lead.text)
  assert.deepEqual(
    (lead.body.usedBy as unknown as Shown[]).map(({ on, name }) => [on, name]),
    [['team', 'north']],
  )
  assert.equal((await ask('admin', 'DELETE', '/users/reader')).status, 204)
  const { body } = await ask('admin', 'GET', '/teams/north')
  assert.deepEqual([body.members, body.revision], [['editor'], 2])
})

testOnEachStore('roles are kept by admins; their grants are shown to those who have them', async () => {
  const service = await openService()
  const ask = asking(service)
  const grants = [
    { on: 'deal', may: ['read'] },
    { on: 'deal', may: ['*'], where: 'owner=me&price.gte=10' },
  ]
  const made = await ask('admin', 'POST', '/roles', { name: 'seller', title: 'Seller', grants })
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(made.body.grants, grants)
  const names = (await ask('reader', 'GET', '/roles?sort=name')).body.items as unknown as Shown[]
  assert.deepEqual(
    names.map((role) => [role.name, 'grants' in role]),
    [
      ['admin', false],
      ['editor', false],
      ['reader', true],
      ['seller', false],
    ],
  )
  for (const path of [
    '/roles/seller',
    '/roles?fields=name,grants',
    '/roles.csv',
    '/roles.ndjson',
    '/roles.xml',
    '/roles/seller.yaml',
  ])
    assert.doesNotMatch((await ask('reader', 'GET', path)).text, /owner=me/, path)
  assert.doesNotMatch(
    (await ask('reader', 'GET', '/roles/seller', undefined, { accept: 'text/html' })).text,
    /owner=me/,
  )
  assert.match((await ask('admin', 'GET', '/roles/seller', undefined, { accept: 'text/html' })).text, /owner=me/)
  assert.equal((await ask('reader', 'GET', '/roles?grants.null=true')).status, 400)

  const faultsOf = async (...sent: readonly unknown[]): Promise<unknown> => {
    const { status, body } = await ask('admin', 'PATCH', '/roles/seller', { grants: sent })
    assert.equal(status, 422)
    return ((body.errors ?? []) as unknown as Shown[]).map(({ pointer }) => pointer)
  }
  assert.deepEqual(await faultsOf({ on: 'user', may: ['read'] }), ['/grants/0/on'])
  assert.deepEqual(await faultsOf({ on: 'deal', may: [] }), ['/grants/0/may'])
  assert.deepEqual(await faultsOf({ on: 'deal', may: ['read', 'hld'] }), ['/grants/0/may/1'])
  assert.deepEqual(await faultsOf({ on: 'deal', may: ['read'], where: 'pric=1' }), ['/grants/0/where'])
  assert.deepEqual(await faultsOf({ on: 'deal', may: ['read'], where: 'customer.country=DE' }), ['/grants/0/where'])
  assert.deepEqual(await faultsOf({ on: 'deal', may: ['read'], where: 'owner=me&limit=3' }), ['/grants/0/where'])
  assert.deepEqual(await faultsOf({ on: 'deal', may: ['read'], were: 'x' }), ['/grants/0/were'])
  for (const member of ['hides', 'fixes']) {
    const { status } = await ask('admin', 'PATCH', '/roles/seller', { [member]: { deal: ['price'] } })
    assert.equal(status, 422, member)
  }
  for (const name of roles) {
    const changed = await ask('admin', 'PATCH', `/roles/${name}`, { title: 'Mine' })
    assert.deepEqual([changed.status, changed.body.code], [409, 'built-in'])
    assert.equal((await ask('admin', 'DELETE', `/roles/${name}`)).status, 409)
    assert.equal((await ask('admin', 'POST', '/roles', { name, title: 'Mine', grants: [] })).status, 409)
  }
  assert.equal((await ask('admin', 'DELETE', '/roles/seller')).status, 204)
  assert.equal((await ask('admin', 'GET', '/roles/seller')).status, 404)
})

test('the built-in roles are expressed by grants', async () => {
  const service = await runService()
  closedWithTest(service.close)
  const schema = buildSchema()
  const { body } = await service.request('GET', '/roles')
  const shown = new Map(
    (body.items as unknown as { name: string; grants: Grant[] }[]).map((each) => [each.name, each.grants]),
  )
  for (const role of roles)
    for (const on of grantable) {
      const resource = resourceNamed(schema, on)
      const granted = (shown.get(role) ?? []).filter((each) => each.on === on).flatMap(({ may }) => may)
      const may = (word: string): boolean => granted.includes(word) || granted.includes(ANYTHING)
      if (!readByAll.has(on)) assert.equal(may(READ), includesRole(role, resource.roles.reads), `${role} ${on}`)
      for (const operation of resource.operations)
        assert.equal(may(operation.name), includesRole(role, roleFor(operation)), `${role} ${operation.words.action}`)
    }
})
