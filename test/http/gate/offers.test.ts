import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { bearer, type ClosedService } from '../../support/service/closed-service.ts'
import { DEALS } from '../../support/service/making-deals.ts'
import { closedRoomService } from '../../support/service/room-service.ts'
import type { Answered } from '../../support/service/running-service.ts'

let service: ClosedService
let deal: string

type Role = keyof ClosedService['keys']

const ask = (role: Role, method: string, path: string, body?: unknown, headers = {}): Promise<Answered> =>
  service.request(method, path, {
    ...(body !== undefined && { body }),
    headers: { ...bearer(service.keys[role]), ...headers },
  })

before(async () => {
  service = await closedRoomService()
  deal = String((await ask('editor', 'POST', `${DEALS}/`, { name: 'Roof', price: 1 })).headers.location)
})

interface Action {
  readonly allowed: boolean
  readonly reason?: string
  readonly method: string
  readonly href: string
}

const actionsFor = async (role: Role) =>
  (await ask(role, 'GET', `${deal}/actions`)).body.items as unknown as readonly Action[]

suite('what a caller may do', () => {
  test('a reader is shown no operations, and told which role they need', async () => {
    const { body } = await ask('reader', 'GET', deal)
    assert.deepEqual(body.links.operations, {})
    for (const action of await actionsFor('reader')) {
      assert.partialDeepStrictEqual(action, { allowed: false, reason: 'needs the role editor' })
    }
    const hold = await ask('reader', 'GET', `${deal}/actions/hold`)
    assert.partialDeepStrictEqual(hold.body, { allowed: false, reason: 'needs the role editor', method: 'PUT' })
  })

  test('an editor can do what is shown, with the method and at the address that are shown', async () => {
    const { body } = await ask('editor', 'GET', deal)
    const actions = await actionsFor('editor')
    const allowed = actions.filter((action) => action.allowed)
    assert.deepEqual(
      Object.values(body.links.operations ?? {}),
      allowed.map(({ href }) => href),
    )
    const hold = allowed.find(({ href }) => href.endsWith('/hold'))
    assert.ok(hold)
    const tried = await ask('editor', hold.method, `${hold.href}?dry-run=true`, { reason: 'x' })
    assert.equal(tried.status, 200)
    const withheld = actions.find(({ href }) => href.endsWith('/unhold'))
    assert.deepEqual([withheld?.allowed, withheld?.reason], [false, 'the deal is not on hold'])
  })

  test('a tag tells roles apart where links differ, and either guards a change', async () => {
    const [reader, editor, admin] = await Promise.all(
      (['reader', 'editor', 'admin'] as const).map((role) => ask(role, 'GET', deal)),
    )
    assert.notEqual(reader?.headers.etag, editor?.headers.etag)
    assert.equal(editor?.headers.etag, admin?.headers.etag)
    const seenAs = async (role: Role, tag: unknown) =>
      (await ask(role, 'GET', deal, undefined, { 'if-none-match': String(tag) })).status
    assert.equal(await seenAs('reader', reader?.headers.etag), 304)
    assert.equal(await seenAs('editor', reader?.headers.etag), 200)
    const refused = await ask('reader', 'GET', deal, undefined, { 'if-match': '"x"' })
    assert.deepEqual([refused.status, refused.headers.etag], [412, reader?.headers.etag])
    const guarded = { 'if-match': String(reader?.headers.etag) }
    assert.equal((await ask('editor', 'PUT', `${deal}/rename`, { newName: 'Roof' }, guarded)).status, 200)
  })

  test('a rejected command shows a reader no operations either', async () => {
    const path = `${deal}/commands/rejected`
    const rejected = await ask('editor', 'PUT', path, { action: 'unhold' })
    assert.ok((rejected.body.allowed as readonly string[]).includes('hold'))
    const shown = async (role: Role) => (await ask(role, 'GET', path)).body.problem as { readonly allowed: string[] }
    assert.deepEqual((await shown('reader')).allowed, [])
    assert.ok((await shown('editor')).allowed.includes('hold'))
  })
})

suite('customers', () => {
  test('are made and changed by editors, and deleted by admins', async () => {
    const made = await ask('editor', 'POST', '/customers', { name: 'Ana' })
    assert.equal(made.status, 201)
    const path = String(made.headers.location)
    assert.equal((await ask('editor', 'PUT', path, { name: 'Ben' })).status, 200)
    assert.equal((await ask('editor', 'PATCH', path, { age: 7 })).status, 200)
    assert.equal((await ask('editor', 'POST', `${path}/edits`, { age: 8 })).status, 200)
    assert.equal((await ask('reader', 'PATCH', path, { age: 9 })).status, 403)
    assert.equal((await ask('editor', 'DELETE', path)).status, 403)
    assert.equal((await ask('editor', 'POST', `${path}/deletions`)).status, 403)
    assert.equal((await ask('admin', 'DELETE', path)).status, 204)
  })
})
