import assert from 'node:assert/strict'
import type { Store } from '../../../src/store/port/store.ts'
import { performAlone } from '../../../src/store/port/store.ts'
import { intentTo } from '../deals/intents.ts'
import { putUser } from './audited.ts'

/** Users who may be named, and cannot sign in. */
export async function addPeople(store: Pick<Store, 'perform'>, ...names: readonly string[]): Promise<void> {
  for (const name of names) assert.ok(await putUser(store, { name, role: 'reader', hash: null }), name)
}

/** A thing as from before there were users: any text names a person. */
export async function makeFormerly(store: Pick<Store, 'perform'>, action: string, params: object): Promise<string> {
  const unchecked = Object.values(params).filter((value) => typeof value === 'string')
  const resource = action.replace('Create', '').toLowerCase()
  const outcome = await performAlone(store, intentTo(action, undefined, params, { resource, persons: { unchecked } }))
  assert.ok(outcome.kind === 'applied', JSON.stringify(outcome))
  return String(outcome.thing.id)
}
