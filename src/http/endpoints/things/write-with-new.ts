import { membersBeside } from '../../../model/declaration/beside.ts'
import type { Refusal } from '../../../model/declaration/refusal.ts'
import type { Operation, Resource } from '../../../model/declaration/schema.ts'
import { creationOf, resourceNamed } from '../../../model/schema/resources.ts'
import { SERVICE } from '../../../store/port/desk.ts'
import { type Fault, reason } from '../../../values/faults/fault.ts'
import { isObject } from '../../../values/json/is-object.ts'
import { pointerTo } from '../../../values/json/pointer.ts'
import { withMembers } from '../../../values/members.ts'
import type { Call } from '../../contract/endpoint.ts'
import type { RefusedCall } from '../../contract/problems/problem.ts'
import type { Decided, Write, WriteOutcome } from '../../contract/write.ts'
import { aboutReference, fromFields } from '../../forms/parts/parameters.ts'
import { intentOf, tooLongKey } from '../../write/intent.ts'
import { type WriteCall, write, writeTogether } from '../../write/write.ts'

interface FormCall extends WriteCall, Pick<Call, 'headers'> {
  readonly fields: ReadonlyMap<string, string>
}

/**
 * Performs a write of a page's form, which may describe a new thing that the write refers to in fields such as
 * `_customerId.name`: then both are created in one commit, or neither. Under the key K the write is K, and the new
 * things are `K.0` and so on. decisions/0049
 */
export async function writeWithNew(
  asked: Write,
  operation: Operation,
  asking: FormCall,
): Promise<Decided | RefusedCall> {
  const made = newThingsIn(asking.fields, operation)
  if (made.length === 0) return write(asked, asking)
  const { around } = asking
  const tooLong = tooLongKey(around.key, asking)
  if (tooLong !== undefined) return { problem: tooLong }
  const both = made.filter(({ param, resource }) => isChosen(param, resource, asking)).map(({ param }) => twice(param))
  if (both.length > 0) return refused(asked, { code: 'invalid', faults: both }, asking)
  const creations = made.map(
    ({ resource, params, sent }, among): Write => ({
      resource: resource.name,
      change: { action: creationOf(resource).name, params },
      sent,
      around: { ...around, guard: { required: false }, among },
    }),
  )
  const references = Object.fromEntries(made.map(({ param }, at) => [param, `$${at}`]))
  const main = { ...asked, change: withParams(asked, references), around }
  const done = await writeTogether([...creations, main], { atomic: true }, asking)
  if ('problem' in done) return done
  const { written } = done
  const last = written.at(-1)
  const problem = written.find((each) => 'problem' in each)
  if (problem !== undefined) return problem
  if (last !== undefined && 'outcome' in last && (written.every(isApplied) || !isApplied(last))) return last
  const reused = await reusedKey(asked, written, asking)
  if (reused !== undefined) return reused
  const faults = made.flatMap(({ param }, at) => faultsOf(written[at], (name) => pointerTo(`_${param}.${name}`)))
  const others = await faultsWithout(asked, Object.keys(references), asking)
  return refused(asked, { code: 'invalid', faults: [...faults, ...others] }, asking)
}

interface NewThing {
  /** The parameter that refers to it. */
  readonly param: string
  readonly resource: Resource
  readonly params: unknown
  /** The fields as they came. */
  readonly sent: unknown
}

function newThingsIn(fields: ReadonlyMap<string, string>, { on, params }: Operation): readonly NewThing[] {
  return Object.entries(params).flatMap(([param, { kind }]): readonly NewThing[] => {
    const resource = kind.refersTo === undefined ? undefined : resourceNamed(on.schema, kind.refersTo)
    const members = resource && membersBeside(resource)
    const given = [...fields].flatMap(([name, text]) => {
      const about = aboutReference(name, params)
      return about?.param === param && about.member !== 'find' ? [[about.member, text] as const] : []
    })
    if (resource === undefined || members === undefined || given.length === 0) return []
    return [{ param, resource, params: fromFields(new Map(given), members), sent: given }]
  })
}

/** Words for a search choose no thing. */
function isChosen(param: string, { kinds }: Resource, { fields }: FormCall): boolean {
  const read = kinds.id?.readText(fields.get(param) ?? '')
  return read !== undefined && 'value' in read
}

function withParams({ change }: Write, given: { readonly [param: string]: unknown }): Write['change'] {
  if ('attributes' in change) return change
  return { ...change, params: withMembers(isObject(change.params) ? change.params : {}, Object.entries(given)) }
}

const isApplied = (each: WriteOutcome): boolean => 'outcome' in each && each.outcome.kind === 'applied'

/** Whether the key was used before: as that of the write, which was not tried, or as that of a new thing. */
async function reusedKey(
  asked: Write,
  written: readonly WriteOutcome[],
  asking: FormCall,
): Promise<Decided | RefusedCall | undefined> {
  const isReused = written.some(
    (each) => 'outcome' in each && each.outcome.kind === 'refused' && each.outcome.refusal.code === REUSED,
  )
  const { key } = asking.around
  if (key === undefined) return undefined
  if (!isReused && (await asking.service.store.as(SERVICE).command(key)) === undefined) return undefined
  return refused(asked, { code: REUSED, command: key }, asking)
}

const REUSED = 'idempotency-key-reused'

function faultsOf(written: WriteOutcome | undefined, pointer: (name: string) => string): readonly Fault[] {
  if (written === undefined || !('outcome' in written) || written.outcome.kind !== 'refused') return []
  const { refusal } = written.outcome
  if (refusal.code !== 'invalid') return []
  return refusal.faults.map(({ at, ...fault }) => ({
    ...fault,
    at: { ...at, pointer: pointer(at.pointer?.slice(1) ?? '') },
  }))
}

/** The other faults of a write whose references could not be created. */
async function faultsWithout(asked: Write, params: readonly string[], asking: FormCall): Promise<readonly Fault[]> {
  const change = withParams(asked, Object.fromEntries(params.map((param) => [param, null])))
  const around = { ...asking.around, key: undefined, dryRun: true }
  return faultsOf(await write({ ...asked, change, around }, asking), (name) => pointerTo(name))
}

const twice = (param: string): Fault => ({
  ...reason('not-together', { other: `_${param}`, wants: 'new' }),
  at: { pointer: pointerTo(param) },
})

function refused(asked: Write, refusal: Refusal, asking: FormCall): Decided | RefusedCall {
  const intent = intentOf(asked, asking.around, asking)
  if ('problem' in intent) return intent
  return { intent, outcome: { kind: 'refused', refusal, replayed: false }, isDraft: false }
}
