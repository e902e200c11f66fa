import { isDeleted } from '../../../model/resources.ts'
import { MOST_FAULTS } from '../../../values/members.ts'
import type { AskedWrite } from '../../ask/ask.ts'
import { askTogether, type SettledWrite } from '../../ask/ask-together.ts'
import { header } from '../../endpoint.ts'
import { readIdempotencyKey } from '../../request/command-id.ts'
import { MOST_COMMANDS } from '../../resources/batches/batch-shape.ts'
import { invalidBody, type Problem, refusalProblem } from '../../respond/problems/problem.ts'
import { problemType } from '../../respond/problems/problem-types.ts'
import type { DoorCall } from '../door.ts'
import { type Applied, readAsked } from '../parts/ask-change.ts'
import { faultAround } from '../parts/fault-around.ts'
import { type AtomicOperation, readAtomicOperation } from './atomic-operation.ts'
import { jsonapi, linkageOf, objectOf } from './documents.ts'
import { errorsOf, tellErrors } from './errors.ts'
import { ATOMIC, ATOMIC_TYPE } from './media-type.ts'
import { type Answered, referredTo } from './reads.ts'
import { rootAt } from './resource-type.ts'
import { wholeShape } from './shape.ts'
import { explained, isLocal, type SentDocument } from './writes.ts'

const OPERATIONS = 'atomic:operations'

const placeOf = (index: number): string => `/${OPERATIONS}/${index}`

/** POST /jsonapi/operations: all take effect in one commit, or none. */
export async function answerOperations(sent: SentDocument, call: DoorCall): Promise<Answered> {
  const misplaced = faultAround(call, { revision: 'each operation may have a revision in its meta' })
  if (misplaced !== undefined) return { problem: misplaced }
  const key = keyIn(call)
  if ('problem' in key) return key
  const operations = sent[OPERATIONS]
  if (!Array.isArray(operations) || operations.length === 0) return invalid('must be a list of operations')
  if (operations.length > MOST_COMMANDS) {
    return invalid(`has ${operations.length} operations; ${MOST_COMMANDS} are allowed`)
  }
  const read = readOperations(operations, key.key, call)
  const asked = read.map((each) => ('problem' in each ? each : each.asked))
  const { settled } = await askTogether(asked, { atomic: true, dryRun: false }, call)
  const problems = await Promise.all(settled.map((each, index) => problemOf(each, read[index], call)))
  const refused = problems.filter((each) => each !== undefined)
  if (refused.length > 0) {
    const errors = problems.flatMap((each, index) => (each ? errorsOf(each, call, sent, placeOf(index)) : []))
    return tellErrors(commonStatus(refused), errors.slice(0, MOST_FAULTS))
  }
  const applied = settled.map(appliedIn)
  const results = applied.map((each, index) => resultText(each, read[index], call))
  return {
    status: 200,
    ...(applied.every((each) => each.replayed) && { headers: { 'idempotent-replayed': 'true' } }),
    content: `{"jsonapi":${JSON.stringify({ ...jsonapi, ext: [ATOMIC] })},"atomic:results":[${results.join()}]}`,
    contentType: ATOMIC_TYPE,
  }
}

const invalid = (detail: string): { readonly problem: Problem } => ({
  problem: invalidBody([{ pointer: `/${OPERATIONS}`, detail }]),
})

function keyIn(call: DoorCall): { readonly key: string | undefined } | { readonly problem: Problem } {
  const sent = header(call, 'idempotency-key')
  if (sent === undefined) return { key: undefined }
  const read = readIdempotencyKey(sent)
  return 'problem' in read ? read : { key: read.command }
}

type ReadyOperation = (AtomicOperation & { readonly asked: AskedWrite }) | { readonly problem: Problem }

/** Under a key K, operation n has the command id `K.n`, unless it has its own. */
function readOperations(
  operations: readonly unknown[],
  key: string | undefined,
  call: DoorCall,
): readonly ReadyOperation[] {
  const places = new Map<string, string>()
  const local = (type: string, lid: unknown): string | undefined => places.get(`${type} ${lid}`)
  const root = rootAt(call.service.addresses)
  return operations.map((raw, index) => {
    const pointer = placeOf(index)
    const read = readAtomicOperation(raw, pointer, root, local)
    if ('problem' in read || read.lid === undefined) return prepare(read, index, key, call)
    const { type, lid } = read
    if (local(type.type, lid) !== undefined) return lidTwice(pointer)
    places.set(`${type.type} ${lid}`, `$${index}`)
    return prepare(read, index, key, call)
  })
}

const lidTwice = (pointer: string): { readonly problem: Problem } => ({
  problem: invalidBody([{ pointer: `${pointer}/data/lid`, detail: 'is given twice' }]),
})

function prepare(
  read: AtomicOperation | { readonly problem: Problem },
  index: number,
  key: string | undefined,
  call: DoorCall,
): ReadyOperation {
  if ('problem' in read) return read
  const { type, sent, target, change } = read
  const { commandId, revision } = sent.meta
  // Nobody has seen what an operation of the same request makes.
  const required = call.service.settings.requireIfMatch && !isLocal(target)
  const guard = { ...(revision !== undefined && { revisions: [revision] }), required }
  const decidedOnce = { commandId, key: key && `${key}.${index}` }
  const wanted = { resource: type.resource, target, change, guard, ...decidedOnce }
  const asked = readAsked(wanted, call)
  return 'problem' in asked ? asked : { ...read, asked: asked.asked }
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
  return explained(refusalProblem(outcome.refusal), each.sent, call)
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

function resultText({ thing, removed }: Applied, each: ReadyOperation | undefined, { service }: DoorCall): string {
  if (each === undefined || 'problem' in each || removed || isDeleted(thing)) return '{}'
  const { relation, type } = each
  if (relation === undefined) {
    return `{"data":${objectOf({ type, json: thing.json }, wholeShape, service.addresses)}}`
  }
  return JSON.stringify({ data: linkageOf(relation.of.plural, referredTo(thing, relation)) })
}
