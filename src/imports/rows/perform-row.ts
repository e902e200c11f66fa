import type { DoneBy } from '../../model/event.ts'
import type { ImportCounts } from '../../model/imports/import-counts.ts'
import type { Params } from '../../model/operation.ts'
import type { Intent } from '../../model/perform/intent.ts'
import type { Refusal } from '../../model/refusal.ts'
import type { Key } from '../../model/resource.ts'
import { creationOf } from '../../model/resources.ts'
import type { Resource } from '../../model/schema.ts'
import { SERVICE } from '../../store/port/desk.ts'
import { performAlone, type Store } from '../../store/port/store.ts'
import type { Fault } from '../../values/faults/fault.ts'
import type { Json } from '../../values/kinds/kind.ts'
import type { GivenValues } from '../read/row-reader.ts'
import { commandOf } from './row-reference.ts'

/** The effect of a row, or why it was rejected. */
export type RowResult = keyof ImportCounts | { readonly faults: readonly Fault[] }

/** How rows are performed, and who imports them: nobody on the command line. */
export interface RowOptions extends DoneBy {
  readonly dryRun: boolean
}

/**
 * Brings a thing to the state of a row, in one commit: the thing with its id, or the one that was created under its
 * reference, or a new one.
 */
export async function performRow(
  store: Store,
  resource: Resource,
  { id, reference, ...values }: GivenValues,
  options: RowOptions,
): Promise<RowResult> {
  const fields = asJson(resource, values)
  if (id !== undefined) return update(store, resource, id as Key, fields, options)
  const command = commandOf(resource, String(reference))
  const outcome = await performAlone(store, creation(resource, fields, command, options))
  if (outcome.kind === 'applied') {
    return outcome.replayed ? update(store, resource, outcome.thing.id, fields, options) : 'inserted'
  }
  if (outcome.refusal.code !== 'command-id-reused') return { faults: faultsOf(outcome.refusal) }
  const known = await store.as(SERVICE).command(command)
  if (
    known?.resource !== resource.name ||
    known.action !== creationOf(resource).words.action ||
    known.refusal !== null
  ) {
    return { faults: [{ code: 'other-command', with: { command }, at: { pointer: '/reference' } }] }
  }
  return update(store, resource, known.subject, fields, options)
}

async function update(
  store: Store,
  resource: Resource,
  target: Key,
  attributes: Params,
  options: RowOptions,
): Promise<RowResult> {
  const outcome = await performAlone(store, { ...asked(resource, options), target, change: { attributes, row: true } })
  if (outcome.kind === 'refused') return { faults: faultsOf(outcome.refusal) }
  return outcome.event === undefined ? 'unchanged' : 'updated'
}

function creation(resource: Resource, fields: Params, command: string, options: RowOptions): Intent {
  const { params: members, words } = creationOf(resource)
  const entries = Object.entries(fields)
  const params = Object.fromEntries(entries.filter(([name]) => Object.hasOwn(members, name)))
  const attributes = Object.fromEntries(entries.filter(([name]) => !Object.hasOwn(members, name)))
  return {
    ...asked(resource, options),
    change: { action: words.action, params, afterwards: { attributes, row: true } },
    command: { id: command, by: 'id' },
  }
}

const asked = ({ name }: Resource, { dryRun, actor, key }: RowOptions) => ({
  resource: name,
  pointers: { target: '', action: '', params: '' },
  faults: [],
  guard: { required: false },
  actor,
  key,
  form: 'import',
  dryRun,
})

const asJson = ({ kinds }: Resource, values: GivenValues): Params =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]): [string, Json] => [name, kinds[name]?.write(value) ?? null]),
  )

function faultsOf(refusal: Refusal): readonly Fault[] {
  switch (refusal.code) {
    case 'invalid':
      return refusal.faults
    case 'unknown-action':
      return [refusal.fault]
    case 'wrong-state': {
      const { operation, reason: why } = refusal
      return [{ code: 'not-allowed', with: { operation, why }, at: {} }]
    }
    case 'not-found':
      return [{ code: 'not-found', with: { on: refusal.resource, id: refusal.id }, at: { pointer: '/id' } }]
    case 'deleted':
      return [{ code: 'deleted', with: { resource: refusal.resource }, at: {} }]
    case 'not-owner':
    case 'in-use':
    case 'revision-required':
    case 'stale-revision':
    case 'precondition-failed':
    case 'command-id-reused':
    case 'idempotency-key-reused':
      throw new Error(`a row cannot be refused as ${refusal.code}`)
  }
}
