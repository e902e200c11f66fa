import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tell } from '../../src/languages/tell.ts'
import type { Command, Intent } from '../../src/model/intent/intent.ts'
import type { UserFacts } from '../../src/model/nouns/user/operations.ts'
import type { StoredUser } from '../../src/model/nouns/user/user.ts'
import { decideIntent } from '../../src/model/perform/perform.ts'
import { resourceNamed } from '../../src/model/schema/resources.ts'
import { applied, faultsOf, given, id, newId, now, refused, when, whenUpdated } from '../support/deals/deciding.ts'
import { schema } from '../support/schema.ts'

// Known command → 404 or 410 → 428 or 412 → 422 → 409.

const command = { id: 'c-1', by: 'id' } as const
const known: Command = {
  id: 'c-1',
  resource: 'deal',
  subject: id,
  action: 'HoldDeal',
  params: { reason: 'credit check' },
  status: 'applied',
  refusal: null,
  revision: 2,
  decidedAt: now,
  named: null,
  privateTo: null,
  sentAs: null,
}
const tomorrow = new Date(Date.parse(now) + 86_400_000).toISOString().slice(0, 10)
const stale = { revisions: [1], required: false }

test('a known command is replayed before anything else is looked at', () => {
  const gone = given({ deletedAt: now })
  const verdict = when(gone, 'hold', { reason: 'credit check' }, { command, guard: stale, facts: { command: known } })
  assert.deepEqual(verdict, { kind: 'replay', command: known })
})

test('an unknown deal comes before a stale revision, and that before bad parameters, and those before the state', () => {
  const finished = given({ status: 'completed' })
  refused(when(undefined, 'hold', { reson: 1 }, { target: newId, guard: stale }), 'not-found')
  refused(when(given({ deletedAt: now }), 'hold', { reson: 1 }, { guard: stale }), 'deleted')
  refused(when(finished, 'hold', { reson: 1 }, { guard: stale }), 'stale-revision')
  refused(when(finished, 'hold', { reson: 1 }), 'invalid')
  refused(when(finished, 'hold', { reason: 'x' }), 'wrong-state')
})

test('a right comes after the thing was found, and before its revision', () => {
  const caller = { name: 'rita', role: 'reader' } as const
  refused(when(undefined, 'hold', { reason: 'x' }, { target: newId, caller }), 'not-found')
  refused(when(given({ deletedAt: now }), 'hold', { reason: 'x' }, { caller }), 'deleted')
  const refusal = refused(when(given(), 'hold', { reason: 'x' }, { caller, guard: stale }), 'needs-role')
  assert.deepEqual(refusal, { code: 'needs-role', needed: 'editor', actor: 'rita', role: 'reader' })
  refused(whenUpdated(given(), { onHold: true }, { caller }), 'needs-role')
  applied(when(given(), 'hold', { reason: 'x' }, { caller: { name: 'eva', role: 'editor' } }))
})

test('an unknown action is told after the deal was found and its revision agreed', () => {
  refused(when(undefined, 'HoldDel', {}, { target: newId }), 'not-found')
  refused(when(given({ deletedAt: now }), 'HoldDel'), 'deleted')
  refused(when(given(), 'HoldDel', {}, { guard: stale }), 'stale-revision')
  const { fault } = refused(when(given(), 'HoldDel'), 'unknown-action')
  assert.equal(tell(fault), 'there is no operation "HoldDel", did you mean HoldDeal?')
})

test('a guard that names the current revision, or any, lets the change through', () => {
  applied(when(given(), 'hold', { reason: 'x' }, { guard: { revisions: [1, 3], required: true } }))
  applied(when(given(), 'hold', { reason: 'x' }, { guard: { revisions: 'any', required: true } }))
  refused(when(given(), 'hold', { reason: 'x' }, { guard: { required: true } }), 'revision-required')
  assert.equal(refused(when(given(), 'hold', { reason: 'x' }, { guard: stale }), 'stale-revision').current.revision, 3)
})

test('a deal that is to be made needs no revision', () => {
  applied(when(undefined, 'create', { name: 'Roof', price: 1 }, { guard: { required: true } }))
})

test('a parameter that is wrong only now or here is told beside those that are wrong anyway', () => {
  assert.deepEqual(faultsOf(when(given(), 'complete', { completedOn: '2099-01-01', reasn: 'x' })), [
    '/reasn is not known here',
    `/completedOn must not be after tomorrow, ${tomorrow}`,
  ])
  assert.deepEqual(faultsOf(when(given(), 'change-customer', { customerId: 99, x: 1 })), [
    '/x is not known here',
    '/customerId names customer 99, which does not exist',
  ])
})

test('an id beside the parameters is accepted when it is the addressed one', () => {
  applied(when(given(), 'hold', { id, reason: 'x' }))
  assert.deepEqual(faultsOf(when(given(), 'hold', { id: newId, reson: 'x' })), [
    `/id is not the addressed deal, ${id}`,
    '/reason is required',
    '/reson is not known here, did you mean reason?',
  ])
})

test('no parameters are the same as empty ones', () => {
  for (const params of [undefined, null, {}]) applied(when(given({ held: true, holdReason: 'x' }), 'unhold', params))
})

test('parameters that are no object are refused', () => {
  for (const params of [[], 'x', 1, true]) {
    assert.deepEqual(faultsOf(when(given(), 'hold', params)), [' must be a JSON object'])
  }
})

test('an action that is no text is refused, whatever it pretends to be', () => {
  assert.deepEqual(faultsOf(when(given(), undefined)), [' is required'])
  for (const action of [1, null, true, ['hold'], {}, { toString: 1, valueOf: 1 }]) {
    assert.deepEqual(faultsOf(when(given(), action)), [' must be a string'])
  }
})

test('a deal that is no text is not found, whatever it pretends to be', () => {
  for (const deal of [1, ['x'], { reference: 'A-1' }]) {
    refused(when(undefined, 'hold', { id: 1, reason: 'x' }, { target: deal }), 'not-found')
  }
  const misnamed: readonly unknown[] = [
    {},
    { reference: 1 },
    { reference: null },
    { toString: 1, valueOf: 1 },
    { name: 'Roof' },
  ]
  for (const deal of [...misnamed, JSON.parse('{"__proto__":1}')]) {
    refused(when(undefined, 'hold', { reason: 'x' }, { target: deal }), 'invalid')
  }
})

test('without a deal the body says what is missing', () => {
  assert.deepEqual(faultsOf(when(undefined, 'hold', { reason: 'x' })), ['/id is required'])
  refused(when(undefined, 'HoldDel', { reason: 'x' }), 'unknown-action')
})

test('a command is recorded with its content in one spelling', () => {
  const { command: kept } = applied(when(given(), 'cancel', { id: id.toUpperCase(), reason: 'x' }, { command }))
  assert.deepEqual(kept, {
    id: 'c-1',
    resource: 'deal',
    subject: id,
    action: 'CancelDeal',
    params: { amercement: 0, reason: 'x' },
    status: 'applied',
    refusal: null,
    revision: 4,
    decidedAt: now,
    named: null,
    privateTo: null,
    sentAs: null,
  })
})

test('the same content in another spelling is the same command', () => {
  const facts = { command: { ...known, action: 'CancelDeal', params: { amercement: 0, reason: 'x' } } }
  for (const params of [{ reason: 'x' }, { reason: 'x', amercement: 0 }, { amercement: 0, reason: 'x', id }]) {
    assert.equal(when(given(), 'cancel', params, { command, facts }).kind, 'replay')
    assert.equal(when(given(), 'CancelDeal', params, { command, facts }).kind, 'replay')
  }
})

test('a known id with other content is refused', () => {
  const facts = { command: known }
  const other = [
    when(given(), 'hold', { reason: 'other' }, { command, facts }),
    when(given(), 'unhold', {}, { command, facts }),
    when(given(), 'HoldDel', { reason: 'credit check' }, { command, facts }),
    when(given(), 'hold', { reason: 'credit check', x: 1 }, { command, facts }),
    when(given(), 'hold', { reason: 'credit check', id: newId }, { command, facts }),
    when(given(), 'hold', { reason: 'credit check' }, { command, facts, target: newId }),
    when(
      given(),
      'hold',
      { reason: 'credit check' },
      { command, facts, faults: [{ code: 'unknown', at: { pointer: '/x' } }] },
    ),
    when(undefined, 'create', { name: 'Roof', price: 1 }, { command, facts }),
    whenUpdated(given(), { held: true, holdReason: 'credit check' }, { command, facts }),
  ]
  for (const verdict of other) assert.equal(refused(verdict, 'command-id-reused').command, 'c-1')
  const byKey = when(given(), 'hold', { reason: 'other' }, { command: { id: 'c-1', by: 'key' }, facts })
  assert.equal(refused(byKey, 'idempotency-key-reused').command, 'c-1')
})

test('a creation is known again by its content, spelled-out defaults or not', () => {
  const { command: kept } = applied(when(undefined, 'create', { name: 'Roof', price: 1 }, { command }))
  const facts = { command: kept }
  assert.equal(
    when(undefined, 'create', { price: 1, name: 'Roof', currency: 'EUR' }, { command, facts }).kind,
    'replay',
  )
  refused(
    when(undefined, 'create', { price: 1, name: 'Roof', currency: 'CHF' }, { command, facts }),
    'command-id-reused',
  )
})

test('a refusal for the state is recorded, any other is not', () => {
  const verdict = when(given({ status: 'completed' }), 'hold', { reason: 'x' }, { command })
  assert.ok(verdict.kind === 'refuse')
  assert.equal(verdict.command?.status, 'rejected')
  assert.deepEqual(verdict.command?.refusal, verdict.refusal)
  assert.equal(verdict.command?.revision, 3)
  const others = [
    when(given(), 'hold', {}, { command }),
    when(given(), 'HoldDel', {}, { command }),
    when(given(), 'hold', { reason: 'x' }, { command, guard: stale }),
    when(given({ deletedAt: now }), 'hold', { reason: 'x' }, { command }),
    when(undefined, 'hold', { reason: 'x' }, { command, target: newId }),
  ]
  for (const other of others) assert.ok(other.kind === 'refuse' && other.command === undefined)
})

test('of what the audit tells of, rights come first, then guard, parameters, what is to be prepared, and the state', () => {
  const user: StoredUser = {
    ...{ name: 'mila', fullName: null, email: null, role: 'admin', locale: null, timeZone: null, disabled: false },
    ...{ developer: false, createdAt: now, updatedAt: now, revision: 3 },
    ...{ invited: true, lastSeenAt: null, previousAt: null },
  }
  const known: UserFacts = { admins: [{ name: 'mila', signsIn: true }], hash: 'h', keys: [], leads: [] }
  const self = { name: 'mila', user: 'mila', key: null, role: 'admin', by: 'session' } as const
  const asked = ({ params = {}, ...more }: Partial<Intent> & { readonly params?: object }) => {
    const intent: Intent = {
      ...{ resource: 'user', target: 'mila', change: { action: 'change', params }, guard: { required: true } },
      ...{ pointers: { target: '', action: '', params: '' }, faults: [], form: 'test', dryRun: false },
      ...{ actor: 'mila', caller: self },
      ...more,
    }
    const verdict = decideIntent(intent, {
      ...{ resource: resourceNamed(schema, 'user'), thing: { ...user, id: 'mila' }, known, command: undefined },
      ...{ exists: () => true, idBy: () => undefined, related: () => undefined, queryFaults: () => [] },
      ...{ heldBy: [], people: () => [], now, newId: () => 'mila', defaults: {} },
    })
    return verdict.kind === 'refuse' ? verdict.refusal.code : verdict.kind
  }
  const byKey = { ...self, by: 'key' } as const
  const any = { revisions: 'any', required: true } as const
  const moved = { email: 'mila@example.com', role: 'reader' }
  assert.equal(asked({ params: moved, guard: stale, caller: byKey }), 'denied')
  assert.equal(asked({ params: moved, guard: stale, caller: { ...self, role: 'reader' } }), 'needs-role')
  assert.equal(asked({ params: { ...moved, rle: 1 }, guard: stale }), 'stale-revision')
  assert.equal(asked({ params: { ...moved, rle: 1 } }), 'revision-required')
  assert.equal(asked({ params: { ...moved, rle: 1 }, guard: any }), 'invalid')
  assert.equal(asked({ params: moved, guard: any }), 'prepare')
  assert.equal(asked({ params: moved, guard: any, prepared: null }), 'last-admin')
  assert.equal(asked({ params: { email: moved.email }, guard: any, prepared: null }), 'apply')
})
