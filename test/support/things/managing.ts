import assert from 'node:assert/strict'
import type { ManagedIntent } from '../../../src/model/managed/managed-operation.ts'
import type { ManagedOutcome } from '../../../src/store/port/managed.ts'
import type { Store } from '../../../src/store/port/store.ts'

/** Asks for an operation on what is managed, as the command line does: whatever is needed from outside is `prepared`. */
export const manage = (
  store: Pick<Store, 'manage'>,
  [on, operation]: readonly [on: ManagedIntent['on'], operation: string],
  asked: Partial<Pick<ManagedIntent, 'target' | 'params' | 'prepared' | 'guard' | 'dryRun' | 'author'>> = {},
): Promise<ManagedOutcome> =>
  store.manage({
    ...{ on, operation, target: {}, params: {}, guard: { required: false }, dryRun: false },
    manager: { actor: null, user: null, key: null, role: null, by: null },
    author: { actor: null, address: null },
    ...asked,
  })

/** Subscribes to every event. */
export async function addWebhook(store: Pick<Store, 'manage'>, id: string): Promise<void> {
  const prepared = { drawn: { id, secret: 's' }, another: { id: crypto.randomUUID(), secret: 's' } }
  const params = { url: 'https://example.com/' }
  const { kind } = await manage(store, ['webhook', 'create'], { params, prepared })
  assert.equal(kind, 'applied')
}
