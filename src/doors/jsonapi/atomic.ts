import { referredTo } from '../../http/ask/related.ts'
import { type Problem, type RefusedCall, wrongMember } from '../../http/contract/problems/problem.ts'
import { problemType } from '../../http/contract/problems/problem-types.ts'
import type { Applied, Write, WriteWords } from '../../http/contract/write.ts'
import { guardsMany } from '../../http/write/intent.ts'
import { isDeleted } from '../../model/schema/resources.ts'
import { batchBounds, problemBounds } from '../../values/bounds.ts'
import { type Reason, reason } from '../../values/faults/fault.ts'
import type { DoorCall, DoorResult } from '../door.ts'
import { writtenHeaders } from '../kit/tags.ts'
import { type PartOutcome, writeParts } from '../kit/write-parts.ts'
import { type ReadOperation, readAtomicOperation } from './atomic-operation.ts'
import { jsonapi, linkageOf, objectOf } from './documents.ts'
import { errorsOf, tellErrors } from './errors.ts'
import { ATOMIC, ATOMIC_TYPE } from './media-type.ts'
import { parametersFault } from './reads.ts'
import { typesIn } from './resource-type.ts'
import type { SentDocument } from './sent-document.ts'
import { readCommonMeta } from './sent-meta.ts'
import { wholeShape } from './shape.ts'
import { changedLinkage, explained } from './writes.ts'

const OPERATIONS = 'atomic:operations'

const placeOf = (index: number): string => `/${OPERATIONS}/${index}`

/** POST /jsonapi/operations: all take effect in one commit, or none. */
export async function answerOperations(sent: SentDocument, call: DoorCall): Promise<DoorResult> {
  const misplaced = parametersFault(call) ?? guardsMany(call, 'meta')
  if (misplaced !== undefined) return { problem: misplaced }
  const operations = sent[OPERATIONS]
  if (!Array.isArray(operations) || operations.length === 0) return invalid(reason('type', { wants: 'operations' }))
  if (operations.length > batchBounds.commands) {
    return invalid(reason('too-many', { max: batchBounds.commands, count: operations.length, wants: 'operations' }))
  }
  const common = readCommonMeta(sent.meta)
  if ('problem' in common) return common
  const read = await Promise.all(readOperations(operations, common.meta, call).map((each) => withLinkage(each, call)))
  const outcomes = await writeParts(read.map(writeOf), call)
  if ('problem' in outcomes) return outcomes
  const problems = await Promise.all(outcomes.map((each, index) => problemOf(each, read[index], call)))
  const refused = problems.filter((each) => each !== undefined)
  if (refused.length > 0) {
    const errors = problems.flatMap((each, index) => (each ? errorsOf(each, call, sent, placeOf(index)) : []))
    // An option outside the document contradicts each operation in the same words: errors are unique.
    const unique = new Map(errors.map((error) => [JSON.stringify(error), error])).values()
    return tellErrors(commonStatus(refused), [...unique].slice(0, problemBounds.faults))
  }
  const applied = outcomes.filter((each): each is Applied => 'outcome' in each)
  const results = applied.map((each, index) => resultText(each, read[index], call))
  return {
    status: 200,
    headers: writtenHeaders(
      { dryRun: applied.some(({ intent }) => intent.dryRun) },
      { replayed: applied.every(({ outcome }) => outcome.replayed) },
    ),
    content: `{"jsonapi":${JSON.stringify({ ...jsonapi, ext: [ATOMIC] })},"atomic:results":[${results.join()}]}`,
    contentType: ATOMIC_TYPE,
  }
}

const invalid = (why: Reason): RefusedCall => ({
  problem: wrongMember(`/${OPERATIONS}`, why),
})

function readOperations(operations: readonly unknown[], common: WriteWords, call: DoorCall): readonly ReadOperation[] {
  const places = new Map<string, string>()
  const local = (type: string, lid: unknown): string | undefined => places.get(`${type} ${lid}`)
  const request = { call, common, types: typesIn(call.schema), local }
  return operations.map((raw, index) => {
    const pointer = placeOf(index)
    const read = readAtomicOperation(raw, pointer, request)
    if ('problem' in read || read.lid === undefined) return read
    const { type, lid } = read
    if (local(type.plural, lid) !== undefined) return lidTwice(pointer)
    places.set(`${type.plural} ${lid}`, `$${index}`)
    return read
  })
}

async function withLinkage(read: ReadOperation, call: DoorCall): Promise<ReadOperation> {
  if ('problem' in read) return read
  const problem = await changedLinkage(read.type, read.sent, read.target, call)
  return problem === undefined ? read : { problem }
}

const lidTwice = (pointer: string): RefusedCall => ({
  problem: wrongMember(`${pointer}/data/lid`, reason('repeated', { wants: 'member' })),
})

function writeOf(read: ReadOperation): Write | RefusedCall {
  if ('problem' in read) return read
  const { type, sent, target, change } = read
  return { resource: type.name, target, change, ...sent.meta }
}

/** Why an operation is refused; undefined if it is not, or was not tried because of another. */
async function problemOf(
  outcome: PartOutcome,
  read: ReadOperation | undefined,
  call: DoorCall,
): Promise<Problem | undefined> {
  if (!('problem' in outcome)) return undefined
  return read === undefined || 'problem' in read ? outcome.problem : explained(outcome.problem, read.sent, call)
}

/** The status of the refusals if they agree; otherwise the general one. */
function commonStatus(problems: readonly Problem[]): number {
  const [first = 400, ...others] = new Set(problems.map(({ code }) => problemType(code).status))
  return others.length === 0 ? first : 400
}

function resultText({ intent, outcome }: Applied, read: ReadOperation | undefined, { service }: DoorCall): string {
  const { thing, removed } = outcome
  if (read === undefined || 'problem' in read || removed || isDeleted(thing)) return '{}'
  const { relation, type } = read
  if (relation === undefined) {
    return `{"data":${objectOf({ type, json: thing.json, tried: intent.dryRun }, wholeShape, service.addresses)}}`
  }
  return JSON.stringify({ data: linkageOf(relation.of.plural, referredTo(thing, relation)) })
}
