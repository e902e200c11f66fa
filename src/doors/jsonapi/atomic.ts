import type { AskedWrite } from '../../http/ask/ask.ts'
import { askTogether, type SettledWrite } from '../../http/ask/ask-together.ts'
import { MOST_COMMANDS } from '../../http/contract/batch-shape.ts'
import { type Problem, thingProblem, wrongMember } from '../../http/contract/problems/problem.ts'
import { problemType } from '../../http/contract/problems/problem-types.ts'
import { outcomeWithoutTried, triedAmong } from '../../http/respond/drafts.ts'
import { isDeleted } from '../../model/resources.ts'
import { type Reason, reason } from '../../values/faults/fault.ts'
import { MOST_FAULTS } from '../../values/members.ts'
import type { DoorCall } from '../door.ts'
import { guardsMany } from '../kit/around.ts'
import { type Applied, readAsked } from '../kit/ask-change.ts'
import { type AtomicOperation, readAtomicOperation } from './atomic-operation.ts'
import { jsonapi, linkageOf, objectOf } from './documents.ts'
import { errorsOf, tellErrors } from './errors.ts'
import { ATOMIC, ATOMIC_TYPE } from './media-type.ts'
import { type Answered, parametersFault, referredTo } from './reads.ts'
import { rootAt, typesIn } from './resource-type.ts'
import { wholeShape } from './shape.ts'
import { explained, isLocal, type SentDocument } from './writes.ts'

const OPERATIONS = 'atomic:operations'

const placeOf = (index: number): string => `/${OPERATIONS}/${index}`

/** POST /jsonapi/operations: all take effect in one commit, or none. */
export async function answerOperations(sent: SentDocument, call: DoorCall): Promise<Answered> {
  const misplaced = parametersFault(call) ?? guardsMany(call, 'meta')
  if (misplaced !== undefined) return { problem: misplaced }
  const operations = sent[OPERATIONS]
  if (!Array.isArray(operations) || operations.length === 0) return invalid(reason('type', { wants: 'operations' }))
  if (operations.length > MOST_COMMANDS) {
    return invalid(reason('too-many', { max: MOST_COMMANDS, count: operations.length, wants: 'operations' }))
  }
  const read = readOperations(operations, call)
  const asked = read.map((each) => ('problem' in each ? each : each.asked))
  const dryRun = triedTogether(asked)
  if (typeof dryRun !== 'boolean') return dryRun
  const { settled } = await askTogether(asked, { atomic: true, dryRun }, call)
  const problems = await Promise.all(settled.map((each, index) => problemOf(each, read[index], call)))
  const refused = problems.filter((each) => each !== undefined)
  if (refused.length > 0) {
    const errors = problems.flatMap((each, index) => (each ? errorsOf(each, call, sent, placeOf(index)) : []))
    return tellErrors(commonStatus(refused), errors.slice(0, MOST_FAULTS))
  }
  const applied = settled.map(appliedIn)
  const results = applied.map((each, index) => resultText(each, read[index], dryRun && triedAmong(settled), call))
  return {
    status: 200,
    headers: {
      ...(applied.every((each) => each.replayed) && { 'idempotent-replayed': 'true' }),
      ...(dryRun && { 'dry-run': 'true' }),
    },
    content: `{"jsonapi":${JSON.stringify({ ...jsonapi, ext: [ATOMIC] })},"atomic:results":[${results.join()}]}`,
    contentType: ATOMIC_TYPE,
  }
}

const invalid = (why: Reason): { readonly problem: Problem } => ({
  problem: wrongMember(`/${OPERATIONS}`, why),
})

type ReadyOperation = (AtomicOperation & { readonly asked: AskedWrite }) | { readonly problem: Problem }

/** Under a key K, operation n has the command id `K.n`, unless it has its own. */
function readOperations(operations: readonly unknown[], call: DoorCall): readonly ReadyOperation[] {
  const places = new Map<string, string>()
  const local = (type: string, lid: unknown): string | undefined => places.get(`${type} ${lid}`)
  const request = { root: rootAt(call.service.addresses), types: typesIn(call.schema), local }
  return operations.map((raw, index) => {
    const pointer = placeOf(index)
    const read = readAtomicOperation(raw, pointer, request)
    if ('problem' in read || read.lid === undefined) return prepare(read, index, call)
    const { type, lid } = read
    if (local(type.type, lid) !== undefined) return lidTwice(pointer)
    places.set(`${type.type} ${lid}`, `$${index}`)
    return prepare(read, index, call)
  })
}

const lidTwice = (pointer: string): { readonly problem: Problem } => ({
  problem: wrongMember(`${pointer}/data/lid`, reason('repeated', { wants: 'member' })),
})

function prepare(read: AtomicOperation | { readonly problem: Problem }, index: number, call: DoorCall): ReadyOperation {
  if ('problem' in read) return read
  const { type, sent, target, change } = read
  // Nobody has seen what an operation of the same request makes.
  const required = call.around.guard.required && !isLocal(target)
  const wanted = { resource: type.resource, target, change, ...sent.meta }
  const asked = readAsked(wanted, { ...call, around: { ...call.around, guard: { required }, among: index } })
  return 'problem' in asked ? asked : { ...read, asked: asked.asked }
}

/** Whether all are only tried; some of them would be written or not in one commit. */
function triedTogether(
  asked: readonly (AskedWrite | { readonly problem: Problem })[],
): boolean | { readonly problem: Problem } {
  const said = new Set(asked.flatMap((each) => ('problem' in each ? [] : [each.dryRun])))
  if (said.size < 2) return said.has(true)
  return { problem: { code: 'malformed-request', detail: 'All operations are dry runs, or none: they go together.' } }
}

/** Why an operation is refused; undefined if it is not, or was not tried because of another. */
async function problemOf(
  settled: SettledWrite,
  each: ReadyOperation | undefined,
  call: DoorCall,
): Promise<Problem | undefined> {
  if ('problem' in settled) return settled.problem
  if ('notTried' in settled || each === undefined || 'problem' in each) return undefined
  const { outcome } = settled
  if (outcome.kind === 'applied') return undefined
  return explained(thingProblem(outcome.refusal, call.schema), each.sent, call)
}

/** The status of the refusals if they agree; otherwise the general one. */
function commonStatus(problems: readonly Problem[]): number {
  const [first = 400, ...others] = new Set(problems.map(({ code }) => problemType(code).status))
  return others.length === 0 ? first : 400
}

function appliedIn(settled: SettledWrite): Applied {
  if ('outcome' in settled && settled.outcome.kind === 'applied') return settled.outcome
  throw new Error('an operation was neither applied nor refused')
}

function resultText(
  outcome: Applied,
  each: ReadyOperation | undefined,
  isTried: false | ReturnType<typeof triedAmong>,
  { service }: DoorCall,
): string {
  if (each === undefined || 'problem' in each || outcome.removed || isDeleted(outcome.thing)) return '{}'
  const { relation, type } = each
  const { thing } = isTried === false ? outcome : outcomeWithoutTried(type.resource, outcome, isTried)
  if (relation === undefined) {
    return `{"data":${objectOf({ type, json: thing.json, tried: isTried !== false }, wholeShape, service.addresses)}}`
  }
  return JSON.stringify({ data: linkageOf(relation.of.plural, referredTo(thing, relation)) })
}
