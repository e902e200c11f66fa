import type { Refusal } from '../../../model/refusal.ts'
import { resourceNamed } from '../../../model/resources.ts'
import type { Operation, Resource } from '../../../model/schema.ts'
import { membersBeside } from '../../../screens/page-forms/picks.ts'
import { SERVICE } from '../../../store/port/desk.ts'
import { type Fault, reason } from '../../../values/faults/fault.ts'
import { isObject, pointerTo } from '../../../values/members.ts'
import { type AskedWrite, ask } from '../../ask/ask.ts'
import { askTogether, type SettledWrite } from '../../ask/ask-together.ts'
import { doneBy } from '../../ask/done-by.ts'
import type { Call } from '../../contract/endpoint.ts'
import { bare } from '../../contract/form.ts'
import { aboutReference, fromFields } from '../../forms/parts/parameters.ts'
import { tooLongKey } from '../../request/write-options.ts'
import { isDraft, outcomeWithoutTried } from '../../respond/drafts.ts'

type AskedAnswer = Awaited<ReturnType<typeof ask>>
type Settled = Extract<AskedAnswer, { readonly outcome: unknown }>

/**
 * Asks for a change. A page's form may describe what the change refers to in fields such as `_customerId.name`: then
 * both are made in one commit, or neither. Under the key K the change is K, and what it refers to `K.0` and so on.
 * decisions/0049
 */
export async function askWithNew(
  asked: AskedWrite,
  operation: Operation | undefined,
  call: Call,
): Promise<AskedAnswer> {
  const made = operation === undefined || call.fields === undefined ? [] : newThingsIn(call.fields, operation)
  if (made.length === 0) return ask(asked, call)
  const tooLong = tooLongKey(asked.command?.id, call)
  if (tooLong !== undefined) return { problem: tooLong }
  const both = made.filter(({ param, resource }) => isChosen(param, resource, call)).map(({ param }) => twice(param))
  if (both.length > 0) return refused(asked, { code: 'invalid', faults: both }, call)
  const { target: _target, ...anew } = asked
  const creations = made.map(({ resource, params }, at) => ({
    ...anew,
    ...(asked.command && { command: { ...asked.command, id: `${asked.command.id}.${at}` } }),
    resource: resource.name,
    change: { action: creationOf(resource).name, params },
    pointers: bare,
    faults: [],
    guard: { required: false },
  }))
  const references = Object.fromEntries(made.map(({ param }, at) => [param, `$${at}`]))
  const writes: readonly AskedWrite[] = [...creations, { ...asked, change: withParams(asked, references) }]
  const { settled } = await askTogether(writes, { atomic: true, dryRun: asked.dryRun }, call)
  const main = settled.at(-1)
  if (settled.every(isApplied) && main !== undefined && 'outcome' in main) return withoutNew(main, settled, call)
  const problem = settled.find((each) => 'problem' in each)
  if (problem !== undefined) return problem
  if (main !== undefined && 'outcome' in main && main.outcome.kind === 'refused') return main
  const reused = await reusedKey(asked, settled, call)
  if (reused !== undefined) return reused
  const faults = made.flatMap(({ param }, at) => faultsOf(settled[at], (name) => pointerTo(`_${param}.${name}`)))
  const others = await faultsWithout(asked, Object.keys(references), call)
  return refused(asked, { code: 'invalid', faults: [...faults, ...others] }, call)
}

interface NewThing {
  /** The parameter that refers to it. */
  readonly param: string
  readonly resource: Resource
  readonly params: unknown
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
    return [{ param, resource, params: fromFields(new Map(given), members) }]
  })
}

/** Words that look for a thing choose none. */
function isChosen(param: string, { kinds }: Resource, { fields }: Call): boolean {
  const read = kinds.id?.readText(fields?.get(param) ?? '')
  return read !== undefined && 'value' in read
}

function creationOf(resource: Resource): Operation {
  const creation = resource.operations.find(({ to }) => to === 'nothing')
  if (creation === undefined) throw new Error(`a ${resource.name} cannot be made`)
  return creation
}

function withParams({ change }: AskedWrite, given: { readonly [param: string]: unknown }): AskedWrite['change'] {
  if ('attributes' in change) return change
  return { ...change, params: { ...(isObject(change.params) ? change.params : {}), ...given } }
}

const isApplied = (each: SettledWrite): boolean => 'outcome' in each && each.outcome.kind === 'applied'

/** After a dry run, what was to be made along with the change does not exist. decisions/0009 */
function withoutNew(main: Settled, settled: readonly SettledWrite[], { schema }: Call): Settled {
  const { intent, outcome } = main
  if (!intent.dryRun || outcome.kind === 'refused') return main
  const tried = new Set(
    settled.flatMap((each) =>
      'outcome' in each && each.outcome.kind === 'applied' && isDraft(each.intent, each.outcome)
        ? [`${each.intent.resource} ${each.outcome.thing.id}`]
        : [],
    ),
  )
  const isTried = (resource: string, id: unknown): boolean => tried.has(`${resource} ${id}`)
  return { intent, outcome: outcomeWithoutTried(resourceNamed(schema, intent.resource), outcome, isTried) }
}

/** Whether the key was used before: as that of the change, which was not tried, or as that of a new thing. */
async function reusedKey(
  asked: AskedWrite,
  settled: readonly SettledWrite[],
  call: Call,
): Promise<AskedAnswer | undefined> {
  const isReused = settled.some(
    (each) => 'outcome' in each && each.outcome.kind === 'refused' && each.outcome.refusal.code === REUSED,
  )
  const { command } = asked
  if (command === undefined) return undefined
  if (!isReused && (await call.service.store.as(SERVICE).command(command.id)) === undefined) return undefined
  return refused(asked, { code: REUSED, command: command.id }, call)
}

const REUSED = 'idempotency-key-reused'

function faultsOf(settled: SettledWrite | undefined, pointer: (name: string) => string): readonly Fault[] {
  if (settled === undefined || !('outcome' in settled) || settled.outcome.kind !== 'refused') return []
  const { refusal } = settled.outcome
  if (refusal.code !== 'invalid') return []
  return refusal.faults.map(({ at, ...fault }) => ({
    ...fault,
    at: { ...at, pointer: pointer(at.pointer?.slice(1) ?? '') },
  }))
}

/** What else is wrong with a change whose references could not be made. */
async function faultsWithout(asked: AskedWrite, params: readonly string[], call: Call): Promise<readonly Fault[]> {
  const { command: _command, ...rest } = asked
  const change = withParams(asked, Object.fromEntries(params.map((param) => [param, null])))
  const told = await ask({ ...rest, change, dryRun: true }, call)
  return 'problem' in told ? [] : faultsOf(told, (name) => pointerTo(name))
}

const twice = (param: string): Fault => ({
  ...reason('not-together', { other: `_${param}`, wants: 'new' }),
  at: { pointer: pointerTo(param) },
})

const refused = (asked: AskedWrite, refusal: Refusal, call: Call): AskedAnswer => ({
  intent: { ...asked, ...doneBy(call) },
  outcome: { kind: 'refused', refusal, replayed: false },
})
