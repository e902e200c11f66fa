import type { DoneBy } from '../../model/declaration/event.ts'
import type { Params } from '../../model/declaration/operation.ts'
import type { Refusal } from '../../model/declaration/refusal.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { Intent } from '../../model/intent/intent.ts'
import type { ImportCounts } from '../../model/nouns/imports/import-counts.ts'
import type { PersonReading } from '../../model/nouns/user/person.ts'
import { creationOf } from '../../model/schema/resources.ts'
import type { Desk } from '../../store/port/desk.ts'
import { performAlone, type Store } from '../../store/port/store.ts'
import { type Fault, type Reason, reason } from '../../values/faults/fault.ts'
import type { Json } from '../../values/json/json.ts'
import { memberPointer, nested } from '../../values/members.ts'
import type { GivenValues } from '../columns/layout.ts'
import type { FileRow } from '../read/read-waves.ts'

/** The effect of a row, or why it was rejected. */
export type RowResult = keyof ImportCounts | { readonly faults: readonly Fault[] }

/** How rows are performed, and who imports them: nobody on the command line. */
export interface RowOptions extends DoneBy {
  /** Of the importer: rows are matched and decided as their own writes. */
  readonly desk: Desk
  readonly dryRun: boolean
  /** Texts for persons who become users later: an admin has said so. */
  readonly later?: readonly string[] | undefined
}

/** Files have full names and addresses of persons. */
export const readingOf = ({ later = [] }: Pick<RowOptions, 'later'>): PersonReading => ({
  byWords: true,
  unchecked: later,
})

/** The thing of a row: the one with its id, or the one that has its unique value; undefined for a new one. */
export async function findThing(
  desk: Desk,
  resource: Resource,
  { values: { id, ...values } }: Pick<FileRow, 'values'>,
): Promise<Key | undefined> {
  return (id as Key | undefined) ?? (await named(desk, resource, values))
}

/** Brings a thing, or a new one, to the state of a row, in one commit. */
export async function performRow(
  store: Store,
  resource: Resource,
  { values: { id: _id, ...values }, besides, key }: Pick<FileRow, 'values' | 'besides' | 'key'>,
  target: Key | undefined,
  options: RowOptions,
): Promise<RowResult> {
  const fields = asJson(resource, values)
  if (target !== undefined) return update(store, resource, target, fields, options)
  const command = key === undefined ? undefined : `import-${resource.name}-${key}`
  const whole = besides === undefined ? fields : { ...asJson(resource, besides), ...fields }
  const outcome = await performAlone(store, creation(resource, whole, command, options))
  if (outcome.kind === 'applied') {
    return outcome.replayed ? update(store, resource, outcome.thing.id, fields, options) : 'inserted'
  }
  const { refusal } = outcome
  // Another writer was faster.
  if (refusal.code === 'not-unique' && refusal.other !== undefined) {
    return update(store, resource, refusal.other, fields, options)
  }
  if (command === undefined) return { faults: faultsOf(refusal) }
  if (refusal.code !== 'command-id-reused') return { faults: faultsOf(outcome.refusal) }
  const known = await options.desk.command(command)
  if (
    known?.resource !== resource.name ||
    known.action !== creationOf(resource).words.action ||
    known.refusal !== null
  ) {
    return { faults: [{ code: 'other-command', with: { command }, at: {} }] }
  }
  return update(store, resource, known.subject, fields, options)
}

/** The thing that has one of the row's unique values. */
async function named(desk: Desk, resource: Resource, values: GivenValues): Promise<Key | undefined> {
  for (const field of resource.uniques) {
    const value = values[field] ?? null
    const id = value === null ? undefined : await desk.idBy(resource, field, value)
    if (id !== undefined) return id
  }
  return undefined
}

async function update(
  store: Store,
  resource: Resource,
  target: Key,
  fields: Params,
  options: RowOptions,
): Promise<RowResult> {
  const change = { attributes: asBody(Object.entries(fields)), row: true as const }
  const outcome = await performAlone(store, { ...asked(resource, options), target, change })
  if (outcome.kind === 'refused') return { faults: faultsOf(outcome.refusal) }
  return outcome.event === undefined ? 'unchanged' : 'updated'
}

function creation(resource: Resource, fields: Params, command: string | undefined, options: RowOptions): Intent {
  const { params: members, words } = creationOf(resource)
  const entries = Object.entries(fields)
  const params = asBody(entries.filter(([name]) => Object.hasOwn(members, name)))
  const attributes = asBody(entries.filter(([name]) => !Object.hasOwn(members, name)))
  return {
    ...asked(resource, options),
    change: { action: words.action, params, afterwards: { attributes, row: true } },
    ...(command !== undefined && { command: { id: command, by: 'id' } }),
  }
}

/**
 * Creates a thing that a row names and that does not exist: by an e-mail address, it has that too. A dry run gives it
 * no id.
 */
export async function createNamed(
  resource: Resource,
  text: string,
  options: RowOptions & { readonly store: Store },
): Promise<{ readonly id: Key | null } | { readonly fault: Reason }> {
  const { fields } = resource
  const named = Object.hasOwn(fields, 'name') ? 'name' : 'title'
  const isAddress = Object.hasOwn(fields, 'email') && text.includes('@')
  const params = { [named]: text, ...(isAddress && { email: text }) }
  const { words } = creationOf(resource)
  const outcome = await performAlone(options.store, {
    ...asked(resource, options),
    change: { action: words.action, params },
  })
  if (outcome.kind === 'applied') return { id: options.dryRun ? null : outcome.thing.id }
  const [fault] = faultsOf(outcome.refusal)
  return { fault: fault ?? reason('not-found', { name: text }) }
}

const asked = ({ name }: Resource, { dryRun, actor, key, importId, later, desk: { caller } }: RowOptions) => ({
  resource: name,
  pointers: { target: '', action: '', params: '' },
  faults: [],
  guard: { required: false },
  actor,
  key,
  importId,
  form: 'import',
  persons: readingOf({ later }),
  dryRun,
  ...(caller && { caller }),
})

/** As a client would send it. */
const asBody = (entries: readonly (readonly [string, Json])[]): Params => nested(entries) as Params

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
    case 'not-unique': {
      const { resource, field, other = null } = refusal
      return [{ code: 'not-unique', with: { resource, other }, at: { pointer: memberPointer(field) } }]
    }
    case 'stage-requires': {
      const { stage, fields } = refusal
      return [{ code: 'stage-requires', with: { stage, fields }, at: { pointer: '/stage' } }]
    }
    case 'closing':
      return [{ code: 'closing', with: { stage: refusal.stage }, at: { pointer: '/stage' } }]
    case 'deleted':
      return [{ code: 'deleted', with: { resource: refusal.resource }, at: {} }]
    case 'needs-role':
      return [{ code: 'needs-role', with: { needed: refusal.needed }, at: {} }]
    case 'not-granted':
    case 'not-allowed':
      return [{ code: 'not-granted', with: { resource: refusal.resource }, at: {} }]
    case 'not-owner':
      return [{ code: 'not-owner', with: { resource: refusal.resource }, at: {} }]
    case 'in-use':
    case 'name-taken':
    case 'too-many-fields':
    case 'building':
    case 'revision-required':
    case 'stale-revision':
    case 'precondition-failed':
    case 'command-id-reused':
    case 'idempotency-key-reused':
    case 'denied':
    case 'no-longer-open':
    case 'built-in':
    case 'last-admin':
    case 'too-many-keys':
    case 'no-calendar':
    case 'password-changed':
    case 'webhook-ended':
    case 'import-under-way':
    case 'not-ready':
    case 'nothing-to-undo':
    case 'changed-since':
    case 'before-trimmed':
      throw new Error(`a row cannot be refused as ${refusal.code}`)
  }
}
