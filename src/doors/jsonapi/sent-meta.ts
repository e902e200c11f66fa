import { invalidBody, type RefusedCall } from '../../http/contract/problems/problem.ts'
import { type WriteWords, writeWords } from '../../http/contract/write.ts'
import { whatIsWrong } from '../../http/request/command-id.ts'
import { type Fault, reason, within } from '../../values/faults/fault.ts'
import { isObject } from '../../values/json/is-object.ts'
import { isOrdinal } from '../../values/kinds/number.ts'
import { NO_OBJECT, unknownMembers } from '../../values/members.ts'

const META = [...writeWords, 'revision']

/** The options in a meta object; `revision`, which every resource shows there, is the expected one. */
export function readMeta(raw: unknown, pointer: string, faults: Fault[], known = META): readonly WriteWords[] {
  const sent = objectIn(raw, pointer, faults)
  const { commandId, dryRun } = sent
  faults.push(...unknownIn(sent, known, pointer))
  const wrongId = typeof commandId === 'string' ? whatIsWrong(commandId) : reason('type', { wants: 'string' })
  if (commandId !== undefined && wrongId !== undefined) {
    faults.push({ ...wrongId, at: { pointer: `${pointer}/commandId` } })
  }
  if (dryRun !== undefined && typeof dryRun !== 'boolean') {
    faults.push({ ...reason('type', { wants: 'boolean' }), at: { pointer: `${pointer}/dryRun` } })
  }
  const revisions = ['revision', 'expectedRevision'].filter((name) => sent[name] !== undefined)
  for (const name of revisions.filter((each) => !isOrdinal(sent[each]))) {
    faults.push({ ...reason('malformed', { wants: 'revision' }), at: { pointer: `${pointer}/${name}` } })
  }
  return [{ commandId, dryRun }, ...revisions.map((name) => ({ expectedRevision: sent[name] }))]
}

/** The options of a document of operations: a revision and a command id belong to one of them. */
export function readCommonMeta(raw: unknown): { readonly meta: WriteWords } | RefusedCall {
  const faults: Fault[] = []
  const [meta = {}] = readMeta(raw, '/meta', faults, ['dryRun'])
  return faults.length > 0 ? { problem: invalidBody(faults) } : { meta }
}

/** The options of one write from several positions; if they differ, nobody knows what was meant. */
export function agreed(said: readonly WriteWords[]): { readonly meta: WriteWords } | RefusedCall {
  const meta: { -readonly [word in keyof WriteWords]: unknown } = {}
  for (const word of writeWords) {
    const [first, other] = new Set(said.map((each) => each[word]).filter((value) => value !== undefined))
    if (other !== undefined) return { problem: { code: 'malformed-request', detail: `${word} has two values.` } }
    if (first !== undefined) meta[word] = first
  }
  return { meta }
}

/** An object without its @-members, which are ignored here. */
export function objectIn(raw: unknown, pointer: string, faults: Fault[]): Readonly<Record<string, unknown>> {
  if (raw === undefined) return {}
  if (isObject(raw)) return withoutForeign(raw)
  faults.push({ ...NO_OBJECT, at: { pointer } })
  return {}
}

const withoutForeign = (raw: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(raw).filter(([name]) => !name.startsWith('@')))

/** The faults of an object that may be absent: it has no members but these. */
export const closedFaults = (raw: unknown, known: readonly string[], pointer: string): readonly Fault[] =>
  raw === undefined || isObject(raw) ? unknownIn(raw, known, pointer) : [{ ...NO_OBJECT, at: { pointer } }]

/** JSON:API would ignore unknown members, but one of them may be a guard. decisions/0040 */
export const unknownIn = (raw: unknown, known: readonly string[], pointer: string): readonly Fault[] =>
  isObject(raw) ? unknownMembers(withoutForeign(raw), known).map((fault) => within(pointer, fault)) : []
